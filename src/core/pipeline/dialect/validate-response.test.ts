import { describe, expect, it } from "vitest";
import { ContractError } from "../../contract/contract-error.ts";
import type { DialectId } from "../../contract/dialect-id.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { readResponse } from "./translate.ts";
import { type Verdict, validateResponse, validateText } from "./validate-response.ts";
import type { ResponseLevel } from "../../contract/choices.ts";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";

const meta = { version: "response-v2", request_id: "req_12345" };
const success = { success: true, data: { spec_id: "user-auth" }, error: null, meta };
const failure = {
  success: false,
  data: { error_code: "NOT_FOUND", error_type: "not_found", remediation: "List the specs." },
  error: "Spec not found: user-auth",
  meta,
};

function textResult(text: string, more: JsonObject = {}): JsonObject {
  return { content: [{ type: "text", text }], ...more };
}

function carry(envelope: JsonObject, more: JsonObject = {}): JsonObject {
  return textResult(JSON.stringify(envelope), { structuredContent: envelope, ...more });
}

function found({ violations }: Verdict): string[] {
  return violations.map(({ rule, path }) => `${rule} ${path}`);
}

function nest(depth: number): JsonValue {
  let value: JsonValue = [];
  for (let level = 1; level < depth; level++) value = [value];
  return value;
}

function refusal(run: () => unknown): ContractError {
  try {
    run();
  } catch (error) {
    if (ContractError.isInstance(error)) return error;
  }
  throw new Error("It was not refused with a ContractError.");
}

describe("a verdict", () => {
  it("lists an error beside success even where data is wrong too", () => {
    const json = { success: true, data: [1], error: "x", meta };
    expect(validateResponse(json).violations.map(({ rule }) => rule)).toEqual([
      "envelope/data-type",
      "envelope/success-error",
    ]);
  });

  it("is valid and empty for a response without fault", () => {
    const verdict = { valid: true, dialect: "response-v2", level: "envelope", violations: [] };
    expect(validateResponse(failure)).toEqual({ ...verdict, alternatives: [] });
    expect(validateResponse(success)).toEqual({ ...verdict, alternatives: ["response-v2-draft"] });
    expect(validateResponse(success, { dialect: "response-v2" })).toEqual({ ...verdict, alternatives: [] });
  });

  it("stays valid when only a SHOULD or a MAY is broken", () => {
    const data = { error_code: "RATE_LIMIT_EXCEEDED", error_type: "rate_limit" };
    const verdict = validateResponse({ ...failure, data, meta: { version: "response-v2" } });
    expect(verdict.valid).toBe(true);
    expect(verdict.violations.map(({ severity }) => severity)).toEqual(["SHOULD", "SHOULD", "MAY"]);
  });

  it("is invalid when one MUST is broken among other findings", () => {
    const verdict = validateResponse({ ...failure, data: {}, error: "" }, { dialect: "response-v2" });
    expect(verdict.valid).toBe(false);
    expect(verdict.violations.map(({ severity }) => severity)).toEqual([
      "MUST",
      "SHOULD",
      "SHOULD",
      "SHOULD",
    ]);
  });

  // shows 000.21
  it("lists a stray root key and what is wrong inside the envelope", () => {
    const json = { ...success, extra: 1, meta: { ...meta, warnings: "none" } };
    expect(found(validateResponse(json))).toEqual([
      "envelope/root-keys /extra",
      "meta/warnings /meta/warnings",
    ]);
  });
});

describe("the level", () => {
  it("is found by itself", () => {
    expect(validateResponse(success, { dialect: "response-v2" }).level).toBe("envelope");
    expect(validateResponse(carry(success), { dialect: "response-v2" }).level).toBe("result");
    expect(validateResponse(carry(success), { dialect: "response-v2", level: "auto" }).level).toBe("result");
    expect(validateResponse(carry(success)).level).toBe("result");
    expect(validateResponse({ data: 1 }, { dialect: "drf" }).level).toBe("result");
  });

  it("can be told", () => {
    const chapters = { content: ["chapter 1"] };
    expect(validateResponse(chapters, { level: "envelope", dialect: "response-v1" })).toMatchObject({
      valid: true,
      level: "envelope",
    });
    expect(validateResponse(chapters, { level: "result" })).toMatchObject({ valid: false, level: "result" });
    expect(found(validateResponse(success, { level: "result" }))).toEqual(["result/content "]);
  });

  it("is result for a dialect that is a result itself, whatever was told", () => {
    const verdict = validateResponse(textResult("[1]"), { dialect: "drf", level: "envelope" });
    expect(verdict).toMatchObject({ valid: true, level: "result" });
  });
});

describe("a value without an envelope", () => {
  const json = { hello: 1 };

  it("is in no dialect, unless one is named", () => {
    for (const level of ["auto", "envelope"] as const) {
      const verdict = validateResponse(json, { level });
      expect(verdict).toMatchObject({ valid: false, dialect: undefined, level: "envelope" });
      expect(found(verdict)).toEqual(["envelope/missing "]);
      expect(verdict.alternatives).toEqual(["response-v1"]);
    }
    expect(validateText('{"hello":1}').valid).toBe(false);
    expect(validateResponse(json, { dialect: "response-v1" })).toMatchObject({ valid: true, violations: [] });
  });

  it("is told by what it lacks where a tool result was expected", () => {
    expect(found(validateResponse(json, { level: "result" }))).toEqual(["result/content "]);
    expect(found(validateResponse(json, { dialect: "drf" }))).toEqual(["drf/content /content"]);
    expect(found(validateResponse(json, { dialect: "plain", level: "result" }))).toEqual(["result/content "]);
  });

  it.each([{ hello: 1 }, [1, 2], "text", 7, null, {}])(
    "is the payload itself where plain is named: %j",
    (value) => {
      expect(validateText(JSON.stringify(value), { dialect: "plain" })).toMatchObject({
        valid: true,
        dialect: "plain",
        level: "envelope",
        violations: [],
      });
      expect(readResponse(value, "plain")).toEqual({ ok: true, data: value, notes: {} });
    },
  );

  it.each([
    [{ content: "text" }, "result/content /content"],
    [{ content: [{ type: "text" }] }, "result/content /content/0/text"],
    [{ isError: true }, "result/content "],
    [{ structuredContent: {} }, "result/content "],
    [{ _meta: {} }, "result/content "],
  ])("is a broken result where it has a key of one: %j", (value, violation) => {
    for (const level of ["auto", "envelope"] as const)
      expect(found(validateResponse(value, { dialect: "plain", level }))).toContain(violation);
  });

  it("can still be said in another dialect", () => {
    expect(readResponse(json)).toMatchObject({ ok: true, data: json });
  });
});

describe("a tool result", () => {
  it("is right when isError is true exactly on failure", () => {
    expect(found(validateResponse(carry(success)))).toEqual([]);
    expect(found(validateResponse(carry(failure, { isError: true })))).toEqual([]);
    expect(found(validateResponse(carry(failure)))).toEqual(["result/is-error-missing /isError"]);
    expect(found(validateResponse(carry(failure, { isError: false })))).toEqual([
      "result/is-error-missing /isError",
    ]);
    expect(found(validateResponse(carry(success, { isError: true })))).toEqual(["result/is-error /isError"]);
  });

  it.each<[DialectId, JsonObject, boolean]>([
    ["scalpel", { data: null }, false],
    ["scalpel", { error: { error: "gone", error_code: "not_found" } }, true],
    ["response-v1", { tasks: [] }, false],
    ["response-v1", { error: "gone" }, true],
    ["response-v2-draft", { ...failure, data: {} }, true],
  ])("in %s carries %j with its isError", (dialect, envelope, failed) => {
    const right = failed ? { isError: true } : {};
    const wrong = failed ? {} : { isError: true };
    const rule = failed ? "result/is-error-missing" : "result/is-error";
    expect(found(validateResponse(carry(envelope, right), { dialect }))).toEqual([]);
    expect(found(validateResponse(carry(envelope, wrong), { dialect }))).toEqual([`${rule} /isError`]);
  });

  it("says in its text what it says in structuredContent", () => {
    const other = textResult(JSON.stringify(failure), { structuredContent: success });
    expect(found(validateResponse(other))).toEqual(["result/mirror /content"]);
    const { spec_id, ...rest } = { spec_id: 1, title: "x" };
    const reordered = textResult(JSON.stringify({ ...rest, spec_id }), {
      structuredContent: { spec_id, ...rest },
    });
    expect(found(validateResponse(reordered, { dialect: "plain" }))).toEqual([]);
  });

  it("points into structuredContent", () => {
    const json = carry({ ...success, meta: { ...meta, warnings: [1] } });
    expect(found(validateResponse(json))).toEqual(["meta/warnings /structuredContent/meta/warnings/0"]);
  });

  it("points at the text that holds the envelope, and says where in its JSON", () => {
    const image = { type: "image", data: "", mimeType: "image/png" };
    const text = JSON.stringify({ ...success, meta: { ...meta, warnings: [1] } });
    const verdict = validateResponse({ content: [image, { type: "text", text }] });
    expect(found(verdict)).toEqual(["meta/warnings /content/1/text"]);
    expect(verdict.violations[0]?.message).toMatch(/^In the JSON of this text, at \/meta\/warnings\/0: /);
  });

  it("says what the envelope's text loses, instead of missing the envelope", () => {
    const text = (data: string) => JSON.stringify(success).replace('{"spec_id":"user-auth"}', data);
    const judge = (data: string) => validateResponse(textResult(text(data)));
    expect(judge('{"id":12345678901234567890}')).toMatchObject({ valid: true, dialect: "response-v2" });
    expect(found(judge('{"id":12345678901234567890}'))).toEqual(["json/number-precision /content/0/text"]);
    expect(found(judge('{"a":1,"a":2}'))).toEqual(["json/duplicate-key /content/0/text"]);
    expect(found(judge('{"id":1e400}'))).toEqual(["json/number-range /content/0/text"]);
  });

  it("names one rule for a structuredContent that is not an object", () => {
    const json = textResult("[1]", { structuredContent: [1] });
    expect(found(validateResponse(json, { dialect: "scalpel" }))).toEqual([
      "scalpel/object /structuredContent",
    ]);
    expect(found(validateResponse(json, { dialect: "response-v1" }))).toEqual([
      "result/structured-type /structuredContent",
    ]);
  });

  it("names the block and the field that are wrong", () => {
    const resource = { type: "resource", resource: {} };
    const link = { type: "resource_link", uri: "file:///a" };
    const content = [{ type: "text" }, { type: "video" }, 7, resource, link, {}, null];
    const verdict = validateResponse({ content }, { dialect: "plain" });
    expect(verdict.violations.map(({ path }) => path)).toEqual([
      "/content/0/text",
      "/content/1/type",
      "/content/2",
      "/content/3/resource/uri",
      "/content/4/name",
      "/content/5/type",
      "/content/6",
    ]);
    expect(verdict.violations[1]?.message).toMatch(/^\/content\/1\/type is not a type of content block\. /);
  });

  it("must be an object with content", () => {
    for (const dialect of ["response-v2", "plain", "drf"] as const) {
      expect(found(validateResponse(7, { dialect, level: "result" }))).toEqual(["result/object "]);
    }
    expect(found(validateResponse({}, { dialect: "plain", level: "result" }))).toEqual(["result/content "]);
    expect(found(validateResponse({ content: null }, { dialect: "plain" }))).toEqual([
      "result/content /content",
    ]);
  });

  it("in drf names one rule for an error text without the flag", () => {
    const block = { type: "text", text: "Error executing tool: Customer has open orders" };
    for (const json of [{ content: [block, block] }, { content: [block], isError: false }]) {
      expect(found(validateResponse(json, { dialect: "drf" }))).toEqual(["drf/error-flag /isError"]);
    }
  });
});

describe("wrong options", () => {
  it.each(["response-v3", "toString", "__proto__", "", null, 7])("of dialect %j are refused", (dialect) => {
    for (const validate of [validateResponse, validateText]) {
      const error = refusal(() => validate("{}", { dialect: dialect as DialectId }));
      expect(error.code).toBe("UNKNOWN_DIALECT");
      expect(error.message).toContain("choose one of response-v2, response-v2-draft, response-v1");
    }
  });

  it.each(["message", "length", "", null, Symbol("level")])("of level %s are refused", (level) => {
    for (const validate of [validateResponse, validateText]) {
      const error = refusal(() => validate("{}", { level: level as ResponseLevel }));
      expect(error.code).toBe("INVALID_OPTION");
      expect(error.message).toContain("choose one of auto, envelope, result");
    }
  });
});

describe("a value that is not JSON", () => {
  it.each([undefined, Number.NaN, 1n, () => 1, Symbol("x"), new Date(0), [undefined]])(
    "%s is not a response in any dialect",
    (value) => {
      const verdict = validateResponse(value);
      expect(verdict).toMatchObject({ valid: false, dialect: undefined, level: undefined, alternatives: [] });
      expect(verdict.violations.map(({ rule }) => rule)).toEqual(["json/value"]);
      expect(validateResponse(value, { dialect: "drf" }).dialect).toBe("drf");
    },
  );

  it("is no matter of a property that is undefined: it counts as absent", () => {
    const { data: _, ...rest } = success;
    expect(found(validateResponse({ ...success, extra: undefined }))).toEqual([]);
    expect(found(validateResponse({ ...rest, data: undefined }))).toEqual(["envelope/root-keys "]);
    expect(found(validateResponse({ ...success, meta: { ...meta, warnings: undefined } }))).toEqual([]);
    expect(
      found(validateResponse({ data: 1, tier: undefined, x: undefined }, { dialect: "scalpel" })),
    ).toEqual([]);
    expect(found(validateResponse({ tier: "pro", data: undefined }, { dialect: "scalpel" }))).toEqual([
      "scalpel/data ",
    ]);
    const hashes = { content_archive_hashes: { a: undefined } };
    expect(found(validateResponse({ ...success, meta: { ...meta, ...hashes } }))).toEqual([]);
    expect(readResponse({ error: "gone", code: undefined }, "response-v1").ok).toBe(false);
    expect(readResponse({ ...success, extra: undefined }).ok).toBe(true);
  });
});

describe("unusual JSON", () => {
  it("keeps `__proto__` keys", () => {
    const text = JSON.stringify(success).replace('"spec_id":', '"__proto__":');
    expect(validateText(text)).toMatchObject({ valid: true, violations: [] });
    const outcome = readResponse(JSON.parse(text));
    expect(outcome.ok && JSON.stringify(outcome.data)).toBe('{"__proto__":"user-auth"}');
    const inRoot = JSON.parse(JSON.stringify(success).replace('"success":', '"__proto__":1,"success":'));
    expect(found(validateResponse(inRoot))).toEqual(["envelope/root-keys /__proto__"]);
    expect(found(validateResponse(JSON.parse('{"data":1,"__proto__":2}'), { dialect: "scalpel" }))).toEqual([
      "scalpel/key-known /__proto__",
    ]);
  });

  it("reports half a surrogate pair in a text, in keys too, and lets a value carry it", () => {
    const json = { ...success, data: { title: "\ud83d", "\udc00": ["\ud83d\ude00", "\ude00"] } };
    const expected = [
      "json/lone-surrogate /data/title",
      "json/lone-surrogate /data/\udc00",
      "json/lone-surrogate /data/\udc00/1",
    ];
    expect(found(validateText(JSON.stringify(json)))).toEqual(expected);
    expect(found(validateResponse(json))).toEqual([]);
    expect(JSON.parse(JSON.stringify(readResponse(json)))).toMatchObject({ data: json.data });
  });

  it("survives a depth of 10,000, as a text and as a value", () => {
    const text = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    const verdicts = [validateText(text), validateResponse(nest(10_000)), validateText("[".repeat(10_000))];
    for (const verdict of verdicts) {
      expect(verdict.valid).toBe(false);
      expect(verdict.violations.map(({ rule }) => rule)).toEqual(["json/depth"]);
    }
    expect(found(validateResponse(textResult(text), { dialect: "response-v2" }))).toEqual([
      "result/envelope-missing ",
    ]);
    expect(validateResponse(nest(1_000), { dialect: "response-v1" }).valid).toBe(true);
  });

  it("names one rule for a number over the range, wherever it is", () => {
    const inData = JSON.stringify(success).replace('"user-auth"', "1e400");
    expect(found(validateText(inData))).toEqual(["json/number-range /data/spec_id"]);
    const inMeta = JSON.stringify({ ...success, meta: { ...meta, telemetry: { duration_ms: 7 } } });
    expect(found(validateText(inMeta.replace("7", "1e400")))).toEqual([
      "json/number-range /meta/telemetry/duration_ms",
    ]);
    expect(found(validateResponse(Number.POSITIVE_INFINITY))).toEqual(["json/value "]);
  });

  it("refuses bytes that are not UTF-8, a byte order mark and an empty text", () => {
    expect(found(validateText(new Uint8Array([0x22, 0xff, 0x22])))).toEqual(["json/encoding "]);
    expect(found(validateText("\ufeff{}"))).toEqual(["json/syntax "]);
    expect(found(validateText(""))).toEqual(["json/syntax "]);
  });

  it("ends in a verdict for very many faults", () => {
    const count = isFullRun ? 300_000 : 30_000;
    const many = Array.from({ length: count }, () => 1);
    for (const json of [
      { ...success, meta: { ...meta, warnings: many } },
      { data: 1, warnings: many },
    ]) {
      expect(validateResponse(json).violations).toHaveLength(count);
    }
    expect(validateResponse({ content: many }).violations).toHaveLength(count);
  });
});
