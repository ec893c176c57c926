import { describe, expect, it } from "vitest";
import { closingText, isOfCut } from "./closing-line.ts";
import type { Outcome } from "./outcome.ts";
import type { WarningDetail } from "./warning.ts";

const cut: WarningDetail = {
  code: "CONTENT_TRUNCATED",
  severity: "info",
  message: "lines 1-2 of 7,216",
  context: { retrieve: { tool: "files_retrieve", arguments: { archive: "ab12cd34ef56", lines: "3-" } } },
};
const line = '[lines 1-2 of 7,216; the rest: files_retrieve {"archive":"ab12cd34ef56","lines":"3-"}]';

describe("the closing text of a cut text", () => {
  it("says how far the text goes, and which call gives what follows", () => {
    expect(closingText("one\ntwo\n", [cut])).toBe(line);
  });

  it("begins on a line of its own", () => {
    expect(closingText("one two", [cut])).toBe(`\n${line}`);
  });

  it("has other warnings first, each on one line", () => {
    const other = { message: "The server was\nrestarted" };
    expect(closingText("one\n", [cut, other])).toBe(`[The server was restarted]\n${line}`);
  });

  it.each([
    ["```ts\nconst a = 1;\n", "```\n"],
    ["~~~~\n```\n", "~~~~\n"],
    ["```\na\n```\n", ""],
    ["```\na\n~~~\n", "```\n"],
    ["text with ```` `ticks` ````\n", ""],
    ["    ```\nindented\n", ""],
  ])("closes the fence that is open at the end of %j", (head, fence) => {
    expect(closingText(head, [cut])).toBe(fence + line);
  });

  it("is told from an author's text beside the envelope", () => {
    const outcome: Outcome = {
      ok: true,
      data: { content: "one\ntwo\n" },
      notes: {
        warnings: [cut],
        fidelity: { level: "partial", dropped: ["/content#char=8-99"], archives: {} },
      },
    };
    expect(isOfCut("one\ntwo\n", outcome)).toBe(true);
    expect(isOfCut(line, outcome)).toBe(true);
    expect(isOfCut("one", outcome)).toBe(false);
    expect(isOfCut(line, { ...outcome, notes: {} })).toBe(false);
  });
});
