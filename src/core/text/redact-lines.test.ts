import { describe, expect, it } from "vitest";
import { noise } from "./planted-secrets.fixture.ts";
import { createLineRedactor, createRedactor } from "./redact/redact-secrets.ts";

const masked = (lines: readonly string[]): string[] => lines.map(createLineRedactor(createRedactor()));
const material = Array.from({ length: 3 }, (_, row) => noise(64, undefined, row));

describe("createLineRedactor", () => {
  it("masks each line by itself, and leaves what is no secret", () => {
    expect(masked(["listening on port 80", "password=hunter2x", "", "ready"])).toEqual([
      "listening on port 80",
      "password=[REDACTED:PASSWORD]",
      "",
      "ready",
    ]);
  });

  it("masks a private key that is printed line by line, and nothing behind it", () => {
    const lines = [
      "before",
      "-----BEGIN PRIVATE KEY-----",
      ...material,
      "-----END PRIVATE KEY----- tail",
      "after",
    ];
    const mask = "[REDACTED:PRIVATE_KEY]";
    expect(masked(lines)).toEqual([
      "before",
      "-----BEGIN PRIVATE KEY-----",
      mask,
      mask,
      mask,
      `${mask} tail`,
      "after",
    ]);
  });

  it("masks a private key that is cut short, and goes on with the next words", () => {
    const lines = ["-----BEGIN RSA PRIVATE KEY-----", ...material, "Then the server went away."];
    expect(masked(lines).slice(-2)).toEqual(["[REDACTED:PRIVATE_KEY]", "Then the server went away."]);
  });

  it("leaves the same lines where no key was begun", () => {
    expect(masked(material)).toEqual(material);
  });
});
