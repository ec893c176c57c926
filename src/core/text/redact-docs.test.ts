import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createRedactor } from "./redact/redact-secrets.ts";
import { exactNames, tailNames } from "./redact/mask.ts";
import { secretShapes } from "./redact/secret-shapes.ts";

const page = readFileSync("docs/redaction.md", "utf8");

describe("docs/redaction.md", () => {
  it("explains every label", () => {
    const others = ["AUTHORIZATION", "COOKIE", "URL_PASSWORD", "PRIVATE_KEY", "TOO_DEEP", "CYCLE"];
    const labels = [
      ...secretShapes.map(({ label }) => label),
      ...Object.values({ ...exactNames, ...tailNames }),
    ];
    for (const label of new Set([...labels, ...others])) expect(page).toContain(`\`${label}\``);
  });

  it("lists exactly the names that are secret", () => {
    const row = page.split("\n").find((line) => line.startsWith("| `pwd`")) ?? "";
    const listed = (cell = "") =>
      Array.from(cell.matchAll(/`(\w+)`/g), ([, name = ""]) => name.replaceAll("_", ""));
    const [, alone, behind] = row.split("|");
    expect(listed(alone).toSorted()).toEqual(Object.keys(exactNames).toSorted());
    expect(listed(behind).toSorted()).toEqual(Object.keys(tailNames).toSorted());
  });

  it("shows what its example gives", () => {
    const redactor = createRedactor();
    const text = redactor.text("GET postgres://app:s3cret@db/x failed, password=hunter2");
    const json = redactor.json({ user: "bob", apiKey: "abc", log: ["token=4f9a8b7c6d"] });
    const shown = /```json\n(.+)\n(.+)\n```/.exec(page);
    expect(JSON.parse(shown?.[1] ?? "")).toEqual(text);
    expect(JSON.parse(shown?.[2] ?? "")).toEqual(json);
  });
});
