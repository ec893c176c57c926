import { describe, expect, it } from "vitest";
import { dialectIds } from "../../core/contract/dialect-id.ts";
import type { Outcome } from "../../core/contract/outcome.ts";
import { profileNamed } from "../../core/contract/profile.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { runStages } from "../../core/pipeline/pipeline.ts";
import { partOf } from "../../core/pipeline/parcel.ts";
import { contextWith } from "../../core/pipeline/fit/fit-bench.fixture.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import { readResult } from "./read-result.ts";
import { failure, resultOf, success } from "./scripted.fixture.ts";

const called = { tool: "work", args: {} };
const meta = { version: "response-v2", request_id: "req_1" };

async function sent(outcome: Outcome, dialect: DialectId, profile = "standard"): Promise<JsonObject> {
  const context = { ...contextWith({ dialect, tokens: "off" }), profile: profileNamed(profile) };
  const arrival = outcome.ok
    ? { kind: "value" as const, value: outcome.data, notes: outcome.notes }
    : {
        kind: "thrown" as const,
        error: { toOutcome: () => outcome, [Symbol.for("waybill.ToolFault")]: true },
      };
  return partOf(await runStages(arrival as never, context), "result") as unknown as JsonObject;
}

const notes = { pagination: { cursor: "c2", has_more: true, page_size: 2 } };
const data = { items: [{ id: 1 }, { id: 2 }] };

describe("readResult, in every dialect", () => {
  // shows 004.7
  it.each(dialectIds)("reads a success in %s", async (dialect) => {
    const answer = await readResult(await sent({ ok: true, data, notes }, dialect), called);
    expect(answer).toMatchObject({ ok: true, data, dialect, fidelity: "full", dropped: [], archives: {} });
    expect(answer.pagination).toMatchObject({ cursor: "c2", has_more: true });
    expect(answer.called).toBe(called);
  });

  it.each(dialectIds)(
    "knows the request id of a success in %s, though the words leave it out",
    async (dialect) => {
      const result = await sent({ ok: true, data, notes: {} }, dialect);
      expect((await readResult(result, called)).requestId).toBe("req_0123456789ab");
    },
  );

  it.each(dialectIds)("knows in minimal the request id that the call was given, in %s", async (dialect) => {
    const result = await sent({ ok: true, data, notes: {} }, dialect, "minimal");
    expect(await readResult(result, called)).toMatchObject({ data, dialect, requestId: undefined });
    expect(await readResult(result, called, { requestId: "req_mine" })).toMatchObject({
      data,
      dialect,
      requestId: "req_mine",
    });
    const fault = { message: "The task is gone", code: "NOT_FOUND", type: "not_found" };
    const failed = await sent({ ok: false, fault, notes: {} }, dialect, "minimal");
    await expect(readResult(failed, called, { requestId: "req_mine" })).rejects.toMatchObject({
      // The server's own word, where the dialect has a place for it.
      requestId: ["response-v2", "response-v2-draft"].includes(dialect) ? "req_0123456789ab" : "req_mine",
    });
  });

  // shows 004.71
  it.each(dialectIds)("reads a failure in %s", async (dialect) => {
    const fault = { message: "The task is gone", code: "NOT_FOUND", type: "not_found" };
    const result = await sent({ ok: false, fault, notes: {} }, dialect);
    const carriesCode = ["response-v2", "response-v2-draft", "scalpel"].includes(dialect);
    await expect(readResult(result, called)).rejects.toMatchObject({
      name: "ResponseError",
      code: carriesCode ? "NOT_FOUND" : "INTERNAL_ERROR",
      message: expect.stringContaining("The task is gone"),
      requestId: "req_0123456789ab",
    });
  });

  it("tells an unnamed draft by the notes in its data", async () => {
    const envelope = { success: true, data: { rows: [1], _warnings: ["old"] }, error: null, meta };
    expect(await readResult(resultOf(envelope), called)).toMatchObject({
      dialect: "response-v2-draft",
      data: { rows: [1] },
      warnings: [{ message: "old" }],
    });
  });

  it("reads an envelope from its text where there is no structure", async () => {
    const { content } = success({ n: 1 }, { requestId: "req_1" });
    expect(await readResult({ content }, called)).toMatchObject({ data: { n: 1 }, requestId: "req_1" });
  });
});

describe("readResult, of servers without a contract", () => {
  it("reads structure, JSON text and text, and keeps other blocks beside the data", async () => {
    const text = (words: string) => ({ type: "text", text: words });
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };
    const dataOf = async (result: JsonObject) => (await readResult(result, called)).data;
    expect(await dataOf({ content: [text("ok")], structuredContent: { a: 1 } })).toEqual({ a: 1 });
    expect(await dataOf({ content: [text('{"a":1}')] })).toEqual({ a: 1 });
    expect(await dataOf({ content: [text("plain words")] })).toBe("plain words");
    const { data: words, blocks } = await readResult({ content: [text("see"), image] }, called);
    expect(words).toBe("see");
    expect(blocks).toEqual([image]);
    expect(await dataOf({ content: [image] })).toBeNull();
    expect(await dataOf({ content: [image], structuredContent: { a: 1 } })).toEqual({ a: 1 });
  });

  it("makes a ResponseError of isError", async () => {
    const result = { content: [{ type: "text", text: "it broke" }], isError: true };
    await expect(readResult(result, called)).rejects.toMatchObject({
      name: "ResponseError",
      message: expect.stringContaining("it broke"),
    });
  });
});

describe("readResult, of what is no answer", () => {
  it.each([undefined, null, 7, "text", [], true])("refuses %j, which is not a result", async (result) => {
    await expect(readResult(result, called)).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
      type: "internal",
      details: { tool: "work" },
    });
  });

  it.each<[string, object, string]>([
    ["data that is a list", { success: true, data: [], error: null, meta }, "data is not an object"],
    ["an error beside success", { success: true, data: {}, error: "no", meta }, "there is an error"],
    [
      "a failure without words",
      { success: false, data: { error_code: "X" }, error: "", meta },
      "without a message",
    ],
    [
      "a failure with no error",
      { success: false, data: { error_code: "X" }, error: null, meta },
      "without a message",
    ],
    [
      "a strange fidelity",
      { success: true, data: {}, error: null, meta: { ...meta, content_fidelity: "most" } },
      "content_fidelity",
    ],
    [
      "names that are numbers",
      { success: true, data: {}, error: null, meta: { ...meta, dropped_content_ids: [1] } },
      "dropped_content_ids",
    ],
    [
      "an invalid hash",
      { success: true, data: {}, error: null, meta: { ...meta, content_archive_hashes: { a: "md5" } } },
      "content_archive_hashes",
    ],
    [
      "a cursor that is a number",
      { success: true, data: {}, error: null, meta: { ...meta, pagination: { cursor: 7 } } },
      "pagination",
    ],
    [
      "a warning without words",
      { success: true, data: {}, error: null, meta: { ...meta, warning_details: [{ code: "X" }] } },
      "warning_details",
    ],
    [
      "a quota in words",
      { success: true, data: {}, error: null, meta: { ...meta, rate_limit: { remaining: "none" } } },
      "rate_limit",
    ],
  ])("refuses an envelope with %s, and says so with the request id", async (_what, envelope, says) => {
    await expect(readResult(resultOf(envelope), called)).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringContaining(says),
      requestId: "req_1",
      retryRule: "never",
    });
  });

  it("refuses meta that is not an object", async () => {
    const envelope = { success: true, data: {}, error: null, meta: "v2" };
    await expect(readResult(resultOf(envelope), called)).rejects.toMatchObject({ code: "INVALID_RESPONSE" });
  });

  it("refuses a result that is not in the dialect it names, with the request id beside it", async () => {
    const result = {
      content: [{ type: "text", text: "no envelope" }],
      _meta: { "waybill/contract": { dialect: "response-v2" }, "waybill/notes": { request_id: "req_9" } },
    };
    await expect(readResult(result, called)).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
      requestId: "req_9",
    });
  });

  // shows 004.8
  it("takes null, empty and absent notes alike", async () => {
    const empties = { warnings: null, warning_details: [], pagination: null, content_archive_hashes: {} };
    const envelope = { success: true, data: {}, error: null, meta: { ...meta, ...empties } };
    expect(await readResult(resultOf(envelope), called)).toMatchObject({
      warnings: [],
      pagination: undefined,
      fidelity: "full",
      archives: {},
    });
  });
});

describe("readResult, strict", () => {
  it("takes what keeps every rule", async () => {
    const result = success({ n: 1 }, { requestId: "req_1" });
    expect(await readResult(result, called, { strict: true })).toMatchObject({ data: { n: 1 } });
  });

  // shows 004.76
  it("refuses what only breaks a SHOULD, and names the rules", async () => {
    const result = resultOf({ success: false, data: { reason: 1 }, error: "no", meta });
    await expect(readResult(result, called)).rejects.toMatchObject({ code: "OPERATION_FAILED" });
    await expect(readResult(result, called, { strict: true })).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
      requestId: "req_1",
      details: { rules: expect.arrayContaining([expect.any(String)]) },
    });
  });

  it("refuses a failure that the result calls a success", async () => {
    const { isError: _isError, ...result } = failure("no", { errorCode: "NOT_FOUND", requestId: "req_1" });
    await expect(readResult(result, called, { strict: true })).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
    });
  });
});
