import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { errorResponse, faults, successResponse, translate, validateResponse } from "../../src/index.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

describe("the README", () => {
  it("shows real output under its code for envelopes", () => {
    const section = readme.slice(readme.indexOf("## Envelopes without a server"));
    const code = /```ts\n([\s\S]*?)```/.exec(section)?.[1] ?? "";
    const shown = /<!-- readme-output -->\n```\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
    const lines: string[] = [];
    const log = (line: unknown): void => {
      lines.push(String(line));
    };
    const names = { successResponse, errorResponse, faults, translate, validateResponse, console: { log } };
    // The block runs as it stands, so that a reader who pastes it sees the same.
    const paste = () => runInNewContext(code.replace(/^import .*$/m, ""), names) as unknown;
    expect(paste).toThrow("Spec not found: login");
    expect(`${lines.join("\n")}\n`).toBe(shown);
  });

  it("shows its two commands on the first screen", () => {
    const firstScreen = readme.split("\n").slice(0, 12).join("\n");
    expect(firstScreen).toContain("npm ci && npm start");
    expect(firstScreen).toContain("npm ci && npm test");
  });
});
