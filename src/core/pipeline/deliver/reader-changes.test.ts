import { describe, expect, test } from "vitest";
import { NOTES_META_KEY } from "../../contract/wire-names.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { readerChosen, unknownReader } from "../../readers/readers.ts";
import { forReader } from "./for-reader.ts";
import { changesFor } from "./reader-changes.ts";

const text = (words: string): JsonObject => ({ type: "text", text: words });
const structure = { items: [{ id: "task-41" }] };
const wide = { words: "w".repeat(1_000) };

interface Form {
  readonly isTyped?: boolean;
  readonly isBroken?: boolean;
}

function changed(id: string, result: JsonObject, { isTyped = false, isBroken = false }: Form = {}) {
  const made = forReader(result, readerChosen(id) ?? unknownReader, { isTyped, fits: () => !isBroken });
  return changesFor(result, made);
}

const thin = { content: [text("1 overdue")], structuredContent: structure };
const mirror = { content: [text(JSON.stringify(wide))], structuredContent: wide };
const user = { ...text("For people"), annotations: { audience: ["user"] } };
const link = { type: "resource_link", uri: "file:///a", name: "a" };
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("what was changed for a reader", () => {
  test.each<readonly [string, string, JsonObject, Form, readonly string[]]>([
    ["a whole text", "cline", { content: [text("fine")] }, {}, []],
    ["a thin text", "gemini-cli", thin, {}, ["the structure was added as text"]],
    ["a thin text", "codex", thin, {}, ["the structure was sent as text instead"]],
    [
      "a thin text",
      "codex",
      thin,
      { isTyped: true },
      ["what only the text says was put into the structure too"],
    ],
    [
      "a thin text",
      "unknown",
      thin,
      {},
      ["the structure was added as text", "what only the text says was put into the structure too"],
    ],
    ["a mirror", "mcp-use", mirror, {}, ["the structure was left out: the text has all of it"]],
    [
      "a mirror",
      "mcp-use",
      mirror,
      { isTyped: true },
      ["the mirror was left out: the structure says the same"],
    ],
    [
      "a broken structure",
      "continue",
      thin,
      { isTyped: true, isBroken: true },
      ["a structure was put in its place that the client accepts: the server's breaks the tool's schema"],
    ],
    [
      "links",
      "opencode",
      { content: [text("see"), link, link] },
      {},
      ["not shown by the client, so sent as text: 2 × resource_link"],
    ],
    ["a text for people", "cline", { content: [user] }, {}, ["what is for the user alone is only named"]],
    [
      "a picture",
      "gemini-cli",
      { content: [{ type: "image", mimeType: "image/jpg", data: png }] },
      {},
      ["the format of a picture was named as it is"],
    ],
    ["texts", "zed", { content: [text("a"), text("b")] }, {}, ["texts were kept apart by line ends"]],
    [
      "texts around a picture",
      "openai-agents",
      { content: [text("a"), { type: "image", mimeType: "image/png", data: png }, text("b")] },
      {},
      ["texts were kept apart by line ends"],
    ],
    [
      "notes",
      "mastra",
      { content: [text("fine")], _meta: { [NOTES_META_KEY]: { request_id: "r" } } },
      {},
      ["Waybill's own notes were left out of _meta"],
    ],
  ])("of %s, for %s", (_, id, result, form, expected) => {
    expect(changed(id, result, form)).toEqual(expected);
  });
});
