import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json/json-value.ts";
import { readResponse } from "./translate.ts";

const meta = { version: "response-v2" };

function textResult(text: string, more: JsonObject = {}): JsonObject {
  return { content: [{ type: "text", text }], ...more };
}

describe("readResponse", () => {
  it("reads null out of a result, not the result around it", () => {
    for (const dialect of ["response-v1", "drf", "plain"] as const) {
      expect(readResponse(textResult("null"), dialect)).toEqual({ ok: true, data: null, notes: {} });
    }
    const json = textResult("1", { structuredContent: null });
    expect(readResponse(json, "response-v1")).toEqual({ ok: true, data: null, notes: {} });
  });

  it("reads the notes that ride beside a legacy payload", () => {
    const content = [
      { type: "text", text: '{"rows":[1]}' },
      { type: "text", text: '{"meta":{"content_fidelity":"partial","dropped_content_ids":["/rows/1..9"]}}' },
    ];
    expect(readResponse({ content }, "response-v1")).toEqual({
      ok: true,
      data: { rows: [1] },
      notes: { fidelity: { level: "partial", dropped: ["/rows/1..9"], archives: {} } },
    });
  });

  it("reads an envelope out of a text with a number that loses digits", () => {
    const text = JSON.stringify({ success: true, data: { id: 7 }, error: null, meta }).replace(
      "7",
      "1".repeat(20),
    );
    expect(readResponse(textResult(text))).toEqual({
      ok: true,
      data: { id: 11111111111111110000 },
      notes: {},
    });
  });

  it("gives a failure without a message one", () => {
    const fault = { message: "The tool failed without a message", code: "INTERNAL_ERROR", type: "internal" };
    expect(readResponse(textResult("Error executing tool: ", { isError: true }), "drf")).toMatchObject({
      fault,
    });
    expect(readResponse(textResult(" ", { isError: true }), "plain")).toMatchObject({ fault });
    expect(readResponse({ content: [], isError: true }, "plain")).toMatchObject({ fault });
  });

  it("takes only sound notes for an aside", () => {
    const aside = (pagination: JsonObject): JsonObject => ({
      content: [
        { type: "text", text: "[1]" },
        { type: "text", text: JSON.stringify({ meta: { pagination } }) },
      ],
    });
    const sound = { cursor: null, has_more: false };
    expect(readResponse(aside(sound), "drf").notes).toEqual({ pagination: sound });
    expect(readResponse(aside({ cursor: null, has_more: true }), "drf").notes).toEqual({});
  });

  it("keeps the draft's warnings of every place, though meta has an empty list", () => {
    const draft = (inMeta: readonly string[]): JsonObject => ({
      success: true,
      data: { _warnings: ["from data"], _meta: { warnings: ["from _meta"], tier: "pro" } },
      error: null,
      meta: { ...meta, warnings: inMeta, tier: null },
    });
    const messages = (json: JsonObject) =>
      readResponse(json, "response-v2-draft").notes.warnings?.map(({ message }) => message);
    expect(messages(draft([]))).toEqual(["from _meta", "from data"]);
    expect(messages(draft(["from meta"]))).toEqual(["from _meta", "from data", "from meta"]);
    expect(readResponse(draft([]), "response-v2-draft").notes.tier).toBe("pro");
  });
});
