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

  it("is the server's own object for a program, and without a reader", async () => {
    const result = said("2 rows", { structuredContent: rows });
    expect(await resultFor("program", result)).toBe(result);
    expect(await resultFor("auto", result)).toBe(result);
  });
});
