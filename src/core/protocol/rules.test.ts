import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { messageRules } from "./rules.ts";

const page = readFileSync(new URL("../../../docs/reference/rules.md", import.meta.url), "utf8");

describe("messageRules", () => {
  it("are rows of docs/reference/rules.md, as docs/jsonrpc.md says", () => {
    const rows = page
      .split("\n")
      .filter((line) => /^\| `[a-z-]+\/[a-z-]+` \| \w+ \| [^|]*\bjsonrpc\b/.test(line));
    expect(rows.map((row) => row.split("`")[1])).toEqual(messageRules.map(({ id }) => id));
  });

  it("have a says without and a fix with a full stop, so that violations read as sentences", () => {
    for (const { says, fix } of messageRules) {
      expect(says).not.toMatch(/\.$/);
      expect(fix).toMatch(/\.$/);
    }
  });
});
