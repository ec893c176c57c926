import { describe, expect, it } from "vitest";
import { redactorFor, shownWords } from "./target-secrets.ts";

const secret = `sesame-${"open".repeat(3)}-7`;
const said = (target: Parameters<typeof redactorFor>[0]): string =>
  redactorFor(target).text(`It said ${secret}, twice: ${secret}`).text;

describe("redactorFor", () => {
  it.each([
    ["a variable", { command: "server", env: { ACME_API_KEY: secret } }],
    ["a header", { url: "https://x.example/mcp", headers: { Authorization: `Bearer ${secret}` } }],
    ["a parameter of the address", { url: `https://x.example/mcp?api_key=${secret}` }],
    ["the password of the address", { url: `https://bob:${secret}@x.example/mcp` }],
    ["the word behind a flag", { command: "server", args: ["--token", secret] }],
  ])("masks what a server was given as a secret in %s, wherever it says it", (_, target) => {
    expect(said(target)).toBe("It said [REDACTED:SECRET], twice: [REDACTED:SECRET]");
  });

  it("leaves what was given under another name, and a secret that is a plain word", () => {
    expect(said({ command: "server", env: { ACME_CITY: secret } })).toContain(secret);
    const plain = redactorFor({ command: "server", inheritEnv: false, env: { DB_PASSWORD: "postgres" } });
    expect(plain.text("connected to postgres").count).toBe(0);
  });
});

describe("shownWords", () => {
  it("hides secrets by their form and by the flag before them", () => {
    const words = ["server", "--token", "abc", "--port", "80", "postgres://app:hunter2@db/x"];
    expect(shownWords(words)).toEqual([
      "server",
      "--token",
      "[REDACTED]",
      "--port",
      "80",
      "postgres://app:[REDACTED:URL_PASSWORD]@db/x",
    ]);
  });
});
