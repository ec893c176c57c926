import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { messageRules } from "./rules.ts";

const page = readFileSync(new URL("../../../docs/jsonrpc.md", import.meta.url), "utf8");

describe("messageRules", () => {
  it("are the rows of the table in docs/jsonrpc.md", () => {
    const rows = messageRules.map(
      ({ id, severity, says, source }) => `| \`${id}\` | ${severity} | ${says} | ${source} |`,
    );
    expect(page.split("\n").filter((line) => /^\| `[a-z-]+\/[a-z-]+` \|/.test(line))).toEqual(rows);
  });

  it("have a says without and a fix with a full stop, so that violations read as sentences", () => {
    for (const { says, fix } of messageRules) {
      expect(says).not.toMatch(/\.$/);
      expect(fix).toMatch(/\.$/);
    }
  });
});
