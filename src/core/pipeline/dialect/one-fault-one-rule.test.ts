import { describe, expect, it } from "vitest";
import type { DialectId } from "../../contract/dialect-id.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { validateResponse } from "./validate-response.ts";

function found(json: JsonObject, dialect: DialectId): string[] {
  return validateResponse(json, { dialect }).violations.map(({ rule, path }) => `${rule} ${path}`);
}

function withMeta(meta: JsonObject): JsonObject {
  return { success: true, data: {}, error: null, meta: { version: "response-v2", request_id: "r", ...meta } };
}

describe("one fault breaks one rule", () => {
  it.each([
    [{ limit: -1, remaining: 3 }, ["rate-limit/shape /meta/rate_limit/limit"]],
    [{ limit: 1, remaining: 2.5 }, ["rate-limit/shape /meta/rate_limit/remaining"]],
    [{ limit: 1, remaining: 2 }, ["rate-limit/remaining /meta/rate_limit/remaining"]],
    [{ limit: 0, remaining: 0 }, []],
  ])("in the rate limit %j", (rate_limit, expected) => {
    expect(found(withMeta({ rate_limit }), "response-v2")).toEqual(expected);
  });

  it.each([
    [{ has_more: true }, ["pagination/has-more /meta/pagination"]],
    [{ has_more: "yes" }, ["pagination/shape /meta/pagination/has_more"]],
    [{ cursor: "c" }, ["pagination/fields /meta/pagination"]],
    [{ cursor: "", has_more: false, page_size: 1 }, []],
  ])("in the pagination %j", (pagination, expected) => {
    expect(found(withMeta({ pagination }), "response-v2")).toEqual(expected);
  });

  it.each([
    [["envelope-v1"], []],
    [[], []],
    [null, []],
    [["streaming"], ["scalpel/capabilities /capabilities"]],
    [[7], ["scalpel/field-type /capabilities/0"]],
    ["envelope-v1", ["scalpel/field-type /capabilities"]],
  ])("in scalpel's capabilities %j", (capabilities, expected) => {
    expect(found({ data: 1, capabilities }, "scalpel")).toEqual(expected);
  });

  it.each([
    ["gone", ["scalpel/error /error"]],
    [{}, ["scalpel/error /error/error", "scalpel/error /error/error_code"]],
    [{ error: " ", error_code: "not_found" }, ["scalpel/error /error/error"]],
    [{ error: "gone", error_code: "" }, ["scalpel/error /error/error_code"]],
    [
      { error: "gone", error_code: "not_found", error_details: [] },
      ["scalpel/error-details /error/error_details"],
    ],
  ])("in scalpel's error %j", (error, expected) => {
    expect(found({ error }, "scalpel")).toEqual(expected);
  });

  it("in an archive id that is a key of Object.prototype", () => {
    const fidelity = { content_fidelity_schema_version: "1.0", content_archive_hashes: { constructor: "x" } };
    expect(found(withMeta(fidelity), "response-v2")).toEqual([
      "fidelity/archive-hashes /meta/content_archive_hashes/constructor",
    ]);
  });
});

describe("a part of an envelope is judged although another is wrong", () => {
  const meta = { version: "response-v3", request_id: "r" };

  it("in its notes", () => {
    const json = { success: true, data: [1], meta };
    const expected = ["envelope/root-keys ", "envelope/data-type /data", "meta/version /meta/version"];
    expect(found(json, "response-v2")).toEqual(expected);
    expect(found(json, "response-v2-draft")).toEqual(expected);
  });

  it("in its data", () => {
    const failed = { success: false, data: { error_code: "no", error_type: "internal" }, error: "x" };
    expect(found(failed, "response-v2")).toEqual([
      "envelope/root-keys ",
      "error/code-case /data/error_code",
      "error/remediation /data",
    ]);
    expect(found(failed, "response-v2-draft")).toEqual(["envelope/root-keys ", "draft/error-data /data"]);
    // Whether a batch warns of its failures, only its notes can tell.
    const batch = { processed: 1, failed: 1, failures: [{}] };
    expect(found({ success: true, data: batch, error: null }, "response-v2")).toEqual([
      "envelope/root-keys ",
    ]);
  });
});

describe("a message", () => {
  const messageOf = (error_code: string): string => {
    const data = { error_code, error_type: "internal", remediation: "Wait." };
    const json = { ...withMeta({}), success: false, error: "x", data };
    return validateResponse(json, { dialect: "response-v2" }).violations[0]?.message ?? "";
  };

  it("quotes a long text in part", () => {
    expect(messageOf("x".repeat(100_000)).length).toBeLessThan(200);
  });

  it("quotes control characters escaped", () => {
    expect(messageOf("\u001b[31mred\n\u009b")).toContain(String.raw`"\u001b[31mred\n\u009b"`);
  });
});
