import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/json-value.ts";
import { failingsOf } from "./model-view.ts";
import { readerChosen, readers } from "./readers.ts";

const text = (words: string): JsonObject => ({ type: "text", text: words });
const facts = { countTokens: (words: string): number => Math.ceil(words.length / 4), isTyped: false };

function found(id: string, result: JsonObject, breaksSchema?: boolean): readonly string[] {
  const reader = readerChosen(id);
  if (reader === undefined) throw new Error(`no reader ${id}`);
  return failingsOf(result, reader, { ...facts, breaksSchema }).map(({ kind, says }) => `${kind}: ${says}`);
}

const structured = { items: [{ id: "task-41" }] };

describe("a result as the model behind a client gets it", () => {
  test("is whole for every client if it is one short text", () => {
    for (const reader of readers) expect(failingsOf({ content: [text("fine")] }, reader, facts)).toEqual([]);
  });

  test("is whole if it was cut here, since the text and the envelope say the same in their own words", () => {
    const closing = '\n[lines 1-2 of 900; the rest: files_retrieve {"archive":"ab12cd34ef56","lines":"3-"}]';
    const structuredContent = {
      success: true,
      data: { content: "a\nb\n" },
      error: null,
      meta: { version: "v" },
    };
    const cut = { content: [text("a\nb\n"), text(closing)], structuredContent };
    for (const id of ["codex", "gemini-cli", "unknown"]) expect(found(id, cut)).toEqual([]);
    const gaps = closing.replace("the rest", "the first of 2 gaps");
    expect(found("codex", { ...cut, content: [text("a\nb\n"), text(gaps)] })).toEqual([]);
    expect(found("codex", { ...cut, content: [text("a\nb\n"), text("and the rest")] })).toHaveLength(1);
  });

  test("lacks the structure for readers of texts, and the texts for readers of the structure", () => {
    const thin = { content: [text("1 overdue")], structuredContent: structured };
    const lost = 'structure: shows its model the blocks alone, without "task-41" of the structure';
    expect(found("gemini-cli", thin)).toEqual([lost]);
    expect(found("codex", thin)).toEqual([
      'text: shows its model the structure alone, without "1" of the texts',
    ]);
    expect(found("unknown", thin)).toHaveLength(2);
    expect(found("cline", thin)).toEqual([]);
    const bare = { content: [], structuredContent: structured };
    expect(found("gemini-cli", bare)).toEqual([lost]);
    expect(found("opencode", bare)).toEqual([]);
    expect(found("langchain", bare)).toEqual([lost]);
  });

  test("lacks blocks that a client drops, or ends its run", () => {
    const link = { type: "resource_link", uri: "file:///a", name: "a" };
    expect(found("opencode", { content: [text("see"), link, link] })).toEqual([
      "blocks: does not show its model 2 × resource_link",
    ]);
    expect(found("langchain", { content: [link] })).toEqual(["ends: ends its run at resource_link"]);
    const picture = { type: "image", mimeType: "image/png", data: "AAAA" };
    expect(found("codex", { content: [picture], structuredContent: structured })).toEqual([
      "blocks: shows its model the structure alone, without image",
    ]);
  });

  test("lacks the address of an embedded text, unless a text says it too", () => {
    const file = { type: "resource", resource: { uri: "file:///a.md", text: "Tea" } };
    const lost = 'blocks: does not show its model the address "file:///a.md" of an embedded text';
    for (const id of ["gemini-cli", "qwen-code", "opencode"])
      expect(found(id, { content: [file] })).toEqual([lost]);
    expect(found("gemini-cli", { content: [text("See file:///a.md"), file] })).toEqual([]);
    expect(found("continue", { content: [file] })).toEqual([]);
  });

  test("is paid twice where a client shows both channels, unless it shows an exact mirror once", () => {
    const wide = { words: "w".repeat(1_000) };
    const exact = { content: [text(JSON.stringify(wide))], structuredContent: wide };
    const pretty = { content: [text(JSON.stringify(wide, null, 2))], structuredContent: wide };
    const says = /^twice: shows its model the same 1,01\d characters as text and as structure$/;
    expect(found("mcp-use", exact)).toEqual([expect.stringMatching(says)]);
    expect(found("qwen-code", exact)).toEqual([]);
    expect(found("qwen-code", pretty)).toEqual([expect.stringMatching(says)]);
    expect(found("gemini-cli", exact)).toEqual([]);
    const inside = { content: [text("w".repeat(1_000))], structuredContent: { content: "w".repeat(1_000) } };
    expect(found("cline", inside)).toEqual([expect.stringMatching(/^twice: .* 1,000 characters/)]);
  });

  test("is cut in the client's own unit, escapes and both channels included", () => {
    const lines = "a line\n".repeat(1_100);
    expect(found("cline", { content: [text(lines)] })).toEqual([
      expect.stringMatching(/^cut: cuts 8,8\d\d characters to 8,000 and keeps beginning and end$/),
    ]);
    expect(found("gemini-cli", { content: [text("x".repeat(41_000))], isError: true })).toEqual([]);
    expect(found("opencode", { content: [text("x".repeat(60_000))] })).toEqual([
      "cut: cuts 60,000 bytes by whole lines: the first is too long, so its model gets nothing",
    ]);
    expect(found("opencode", { content: [text("x\n".repeat(2_500))] })).toEqual([
      "cut: cuts 2,501 lines to 2,000 and keeps whole lines",
    ]);
    const picture = { type: "image", data: "A".repeat(70_000), mimeType: "image/png" };
    expect(found("python-lines", { content: [text("A photo"), picture] })).toEqual([
      expect.stringMatching(/^cut: fails at a message of 70,\d{3} bytes, more than 65,536$/),
    ]);
  });

  test("hides a failure whose structure breaks the schema", () => {
    const failure = { content: [text("No such task")], structuredContent: { error: "x" }, isError: true };
    expect(found("continue", failure, true)).toEqual([
      "hidden: says that the schema is broken, and nothing of the failure",
    ]);
    expect(found("cline", failure, true)).toEqual([]);
  });
});
