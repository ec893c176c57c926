import { describe, expect, it } from "vitest";
import { type ToolCall, nextCall, wordsOf } from "./proposed-calls.ts";

const first: ToolCall = { tool: "read", args: {} };
const archive = "085ae0d15641";
const message = (content: unknown): readonly unknown[] => [{ role: "tool", content }];
const text = (...lines: readonly string[]): readonly unknown[] => message(lines.join("\n"));
const closing = `[lines 1-87 of 600; the rest: waybill_retrieve {"archive":"${archive}","lines":"88-"}]`;
const rest: ToolCall = { tool: "waybill_retrieve", args: { archive, lines: "88-" } };
const page = (cursor: string): string =>
  JSON.stringify({ data: { lines: [] }, meta: { pagination: { cursor, has_more: true } } });

describe("the next call of a model that wants all of a result", () => {
  it("is the one that a line in words proposes, also where a client shows the result as JSON", () => {
    const once = JSON.stringify({ content: [{ type: "text", text: closing }] });
    const twice = JSON.stringify([{ type: "text", text: once }]);
    for (const shown of [closing, once, twice])
      expect(nextCall([{ call: first, given: text("kept", shown) }])).toEqual(rest);
  });

  it("is the one that the notes of an envelope propose", () => {
    const args = { archive, ids: ["/items/418..1460"] };
    const retrieve = { tool: "waybill_retrieve", arguments: args, or: { archive, select: "items[0]" } };
    const notes = JSON.stringify({ meta: { warning_details: [{ context: { retrieve } }] } });
    expect(nextCall([{ call: first, given: text(notes) }])).toEqual({ tool: "waybill_retrieve", args });
  });

  it("goes on with the answer's cursor, and ends with its last page", () => {
    const answers = [
      { call: first, given: text(closing) },
      { call: rest, given: text(page("one")) },
    ];
    const second = { ...rest, args: { ...rest.args, cursor: "one" } };
    expect(nextCall(answers)).toEqual(second);
    expect(nextCall([...answers, { call: second, given: text('{"lines":[]}') }])).toBeUndefined();
  });

  it("asks for each gap that the line in words does not name", () => {
    const some = `[20 of 90 lines; the first of 2 gaps: waybill_retrieve {"archive":"${archive}","lines":"11-30"}]`;
    const given = text("[… lines 11-30]", "kept", "[… lines 51-90: 3 functions]", some);
    const one = { ...rest, args: { archive, lines: "11-30" } };
    expect(nextCall([{ call: first, given }])).toEqual(one);
    const answers = [
      { call: first, given },
      { call: one, given: text("{}") },
    ];
    expect(nextCall(answers)).toEqual({ ...rest, args: { archive, lines: "51-90" } });
  });

  it("is nothing where a result names a block without a call", () => {
    const given = text("[audio, audio/wav: this client does not show it]");
    expect(nextCall([{ call: first, given }])).toBeUndefined();
  });
});

describe("the words of several answers", () => {
  it("hold a word that two slices of a long text share", () => {
    const slice = (piece: string, from: number): readonly unknown[] =>
      text(JSON.stringify({ items: [{ text: piece, from, to: from + piece.length, of: 10 }] }));
    expect(wordsOf([slice("one qab", 0), slice("cd two", 7)])).toContain("qabcd");
  });
});
