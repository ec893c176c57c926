import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { makePng } from "../../core/readers/made-picture.fixture.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import { add, call, here, open, said, serving } from "./message-session.fixture.ts";

const free = { name: "add", inputSchema: { type: "object" } };
const rows = {
  rows: [
    { id: 1, name: "alder" },
    { id: 2, name: "birch" },
  ],
};

async function resultFor(
  reader: string,
  result: JsonObject,
  tool: JsonObject = free,
  options: ContractOptions = {},
): Promise<JsonObject> {
  const { session } = open(serving(result, [tool]), {
    dialect: "auto",
    reader,
    ...options,
  });
  const answer = (await session.request(call(), here)) as JsonObject;
  return answer["result"] as JsonObject;
}

describe("a server's result, for the reader behind the client", () => {
  it("has the structure as one more text, if the model gets texts alone and they lack it", async () => {
    const result = said("2 rows", { structuredContent: rows });
    expect(await resultFor("opencode", result)).toEqual({
      content: [
        { type: "text", text: "2 rows" },
        { type: "text", text: JSON.stringify(rows) },
      ],
      structuredContent: rows,
    });
    const whole = said(JSON.stringify(rows), { structuredContent: rows });
    expect(await resultFor("opencode", whole)).toBe(whole);
  });

  it("has no structure that would hide its text", async () => {
    const result = said("alder and birch", { structuredContent: { duration_ms: 3 } });
    expect(await resultFor("codex", result)).toEqual({
      content: [
        { type: "text", text: "alder and birch" },
        { type: "text", text: '{"duration_ms":3}' },
      ],
    });
    const whole = said("alder, birch", { structuredContent: { names: ["alder", "birch"] } });
    expect(await resultFor("codex", whole)).toBe(whole);
  });

  it("keeps the facts of a failure in both channels", async () => {
    const failed = { ...said("No such row: 7", { structuredContent: { code: 404 } }), isError: true };
    const { content, structuredContent, isError } = await resultFor("langchain", failed, add);
    for (const channel of [content, structuredContent])
      expect(JSON.stringify(channel)).toMatch(/No such row: 7.*404|404.*No such row: 7/);
    expect(isError).toBe(true);
  });

  it("has a failure once, and no notes for programs, where the model is shown the whole result", async () => {
    const failed = { ...said("No such row: 7", { structuredContent: { code: 404 } }), isError: true };
    const options: ContractOptions = { profile: "standard" };
    for (const reader of ["cline", "mcp-use", "gemini-cli", "qwen-code"]) {
      const sent = await resultFor(reader, failed, add, options);
      expect(sent["structuredContent"]).toBeUndefined();
      expect(JSON.stringify(sent["content"])).toContain("No such row: 7");
      expect(Object.keys(sent["_meta"] as JsonObject)).toEqual(["waybill/contract"]);
    }
    const { _meta: meta } = await resultFor("codex", failed, add, options);
    expect(Object.keys(meta as JsonObject)).toEqual(["waybill/contract", "waybill/notes"]);
  });

  it("keeps a picture that scripts hand on, however long its bytes would be as JSON", async () => {
    const picture = { type: "image", data: makePng(300, 300, true), mimeType: "image/png" };
    const result = { content: [{ type: "text", text: "the map" }, picture] };
    expect(picture.data.length).toBeGreaterThan(80_000);
    expect(await resultFor("codex-code", result)).toBe(result);
    expect(JSON.stringify(await resultFor("mcp-use", result))).not.toContain(picture.data);
  });

  it("does not begin a failure with JSON, where the client would show it as a structure too", async () => {
    const failed = { ...said('{"code":404,"row":7}'), isError: true };
    for (const tool of [free, add]) {
      const { content } = await resultFor("gemini-cli", failed, tool);
      expect(JSON.stringify(content)).toMatch(/"text":"Failed: .*404/);
    }
    const plain = { ...said("No such row: 7"), isError: true };
    expect(JSON.stringify(await resultFor("gemini-cli", plain))).toContain("No such row: 7");
  });

  it("has the content of a file once, where a client shows the text and the field that repeats it", async () => {
    const file = "A line of a file.\n".repeat(60);
    const outputSchema = { type: "object", properties: { content: { type: "string" } } };
    const structuredContent = { content: file };
    const result = said(file, { structuredContent });
    for (const reader of ["cline", "qwen-code", "mcp-use", "langchain"]) {
      const typed = await resultFor(reader, result, { ...free, outputSchema });
      expect(typed).toMatchObject({
        content: [{ text: "[the result is in structuredContent]" }],
        structuredContent,
      });
      expect(await resultFor(reader, result)).toEqual(said(file));
      const more = said(file, { structuredContent: { ...structuredContent, path: "/srv/notes.txt" } });
      expect(await resultFor(reader, more)).toMatchObject({ structuredContent: { path: "/srv/notes.txt" } });
      expect(JSON.stringify(await resultFor(reader, more)).split("A line")).toHaveLength(61);
    }
    const short = said("A line.", { structuredContent: { content: "A line." } });
    expect(await resultFor("cline", short)).toBe(short);
  });

  it("is cut, where a text of a tool with a schema fits alone, but not beside the structure that it lacks", async () => {
    const outputSchema = { type: "object", properties: { rows: { type: "array" } }, required: ["rows"] };
    const file = "A line of a file.\n".repeat(2_000);
    const options: ContractOptions = { budget: { tokens: "off" } };
    const sent = await resultFor("python-lines", said(file), { ...free, outputSchema }, options);
    expect(JSON.stringify(sent).length).toBeLessThanOrEqual(64_512);
    const { data } = sent["structuredContent"] as { readonly data?: { readonly result: string } };
    expect(data?.result.length).toBeGreaterThan(20_000);
    expect(file.startsWith(data?.result ?? "none")).toBe(true);
    expect(JSON.stringify(sent["content"])).toContain("waybill_retrieve");
  });

  it("is cut, where what Gemini CLI writes around each of many texts takes it over its limit", async () => {
    const texts = Array.from({ length: 90 }, (_, at) => ({
      type: "text",
      text: `${at} ${"a word ".repeat(61)}`,
    }));
    const { content } = await resultFor("gemini-cli", { content: texts }, free, {
      budget: { tokens: "off" },
    });
    const shown = (content as unknown as readonly { readonly text: string }[]).map(
      (block) => `<untrusted_context>\n${block.text}\n</untrusted_context>`,
    );
    expect(texts.map((block) => block.text).join("\n").length).toBeLessThan(39_500);
    expect(shown.join("\n").length).toBeLessThanOrEqual(40_000);
    expect(shown.at(-1)).toContain("waybill_retrieve");
  });

  it("comes back in full pages, where a client shows both channels and little of them", async () => {
    const lines = Array.from({ length: 2_000 }, (_, at) => `line ${at + 1} of "the text"`);
    const { session } = open(serving(said(lines.join("\n")), [free]), { dialect: "auto", reader: "cline" });
    const cut = JSON.stringify(await session.request(call(), here));
    const [, archive = "", from = ""] =
      /\{\\"archive\\":\\"(\w+)\\",\\"lines\\":\\"(\d+)-\\"\}/.exec(cut) ?? [];
    const params = { name: "waybill_retrieve", arguments: { archive, lines: `${from}-` } };
    const { result } = (await session.request({ ...call(), params }, here)) as {
      readonly result: JsonObject;
    };
    expect(JSON.stringify(result).length).toBeGreaterThan(6_000);
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(8_000);
    const { data } = result["structuredContent"] as unknown as {
      readonly data: { readonly lines: readonly JsonObject[] };
    };
    expect(data.lines[0]).toEqual({ line: Number(from), text: lines[Number(from) - 1] });
    expect(data.lines.length).toBeGreaterThan(30);
  });

  it("is the server's own object for a program, and without a reader", async () => {
    const result = said("2 rows", { structuredContent: rows });
    expect(await resultFor("program", result)).toBe(result);
    expect(await resultFor("auto", result)).toBe(result);
  });
});
