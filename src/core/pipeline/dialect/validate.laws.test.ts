import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyJson, anyOutcome } from "../../../../test/arbitrary/outcomes.ts";
import { ContractError } from "../../contract/contract-error.ts";
import { type DialectId, dialectIds } from "../../contract/dialect-id.ts";
import { profiles } from "../../contract/profile.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { getByPointer } from "../../json/pointer.ts";
import { dialects } from "./dialects.ts";
import { jsonRules } from "./json-rules.ts";
import { resultRules } from "./result-rules.ts";
import { readResponse } from "./translate.ts";
import {
  type Verdict,
  carrierRules,
  recognitionRules,
  validateResponse,
  validateText,
} from "./validate-response.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000, 30);

/** Each dialect by name, and detection. */
const asked: readonly (DialectId | undefined)[] = [...dialectIds, undefined];
const level = fc.constantFrom("auto", "envelope", "result" as const);

function member(...values: readonly JsonValue[]): fc.Arbitrary<JsonValue> {
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: anyJson });
}

function some(shape: Record<string, fc.Arbitrary<JsonValue>>): fc.Arbitrary<JsonObject> {
  return fc.record(shape, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
}

// Responses that are nearly right: arbitrary JSON hardly ever gets past the first rule.
const detail = some({
  code: member("PARTIAL_FAILURE", "x"),
  severity: member("info", "fatal"),
  message: member("a", ""),
  context: member({}, 1),
});
const hint = some({ feature: member("scan"), tier: member("pro"), reason: member("more files") });
const metadata = some({
  version: member("response-v2", "response-v2", "response-v1"),
  request_id: member("req_1", "a b", null),
  warnings: member([], ["a"], [1]),
  warning_details: fc.oneof(fc.array(detail, { maxLength: 3 }), anyJson),
  pagination: some({ cursor: member("c", null), has_more: member(true, false), page_size: member(1, 0) }),
  rate_limit: some({
    limit: member(1, -1.5),
    remaining: member(0, 2),
    reset_at: member("2026-01-31T12:00:00Z"),
  }),
  telemetry: some({ duration_ms: member(1, -1) }),
  content_fidelity: member("full", "partial", null),
  content_fidelity_schema_version: member("1.0", "2"),
  dropped_content_ids: member([], ["a"]),
  content_archive_hashes: member({}, { constructor: 1 }, { a: `sha256:${"0".repeat(64)}` }),
  upgrade_hints: fc.oneof(fc.array(hint, { maxLength: 2 }), anyJson),
  tier: member("pro", ""),
  capabilities: member([], ["a"]),
});
const data = fc.oneof(
  anyJson,
  some({
    error_code: member("NOT_FOUND", "MINE", "not found", ""),
    error_type: member("not_found", "odd"),
    remediation: member("", "Wait."),
    details: member({}, null),
    _meta: metadata,
    _warnings: member([], ["a"]),
    total_count: member(1, 2),
    processed: member(0, 1),
    failed: member(0, 1),
    failures: member([]),
    upgrade_hints: fc.array(hint, { maxLength: 2 }),
  }),
);
const error = fc.oneof(
  member(null, "Spec not found", "", " "),
  some({
    error: member("gone", " "),
    error_code: member("not_found", "mine", "X"),
    error_details: member(null, {}),
  }),
);
const four = fc.record(
  { success: member(true, false), data, error, meta: metadata },
  { noNullPrototype: true },
);
const fewer = some({ success: member(true, false), data, error, meta: metadata, content: anyJson });
const scalpel = some({
  data,
  error,
  meta: metadata,
  capabilities: member([], ["a"]),
  warnings: member([], ["a"]),
});
const envelope: fc.Arbitrary<JsonValue> = fc.oneof(four as fc.Arbitrary<JsonObject>, fewer, scalpel, anyJson);

const said = fc.oneof(
  envelope.map((json) => JSON.stringify(json)),
  metadata.map((meta) => JSON.stringify({ meta })),
  fc.constantFrom(
    "Error executing tool: gone",
    "Error executing tool: ",
    "",
    "gone",
    '{"a":1,"a":2}',
    "[1e400]",
  ),
);
const block = fc.oneof(
  { weight: 5, arbitrary: said.map((text): JsonValue => ({ type: "text", text })) },
  {
    weight: 1,
    arbitrary: some({ type: member("text", "image", "resource"), text: anyJson, data: member("") }),
  },
  { weight: 1, arbitrary: anyJson },
);
const contract = fc.constantFrom(...dialectIds).map((dialect) => ({ "waybill/contract": { dialect } }));
const result = some({
  content: fc.oneof(
    { weight: 5, arbitrary: fc.array(block, { maxLength: 3 }) },
    { weight: 1, arbitrary: anyJson },
  ),
  structuredContent: envelope,
  isError: member(true, false),
  _meta: fc.oneof(contract, anyJson),
});
const rendered = fc
  .tuple(anyOutcome, fc.constantFrom(...dialectIds))
  .filter(([outcome, id]) => !outcome.ok || id !== "response-v2-draft")
  .map(([outcome, id]) => dialects[id].render(outcome, { profile: profiles.debug }));
const response = fc.oneof(envelope, result, rendered, anyJson);

const knownRules = new Map(
  [
    ...Object.values(dialects).flatMap(({ rules }) => rules),
    ...Object.values({ ...jsonRules, ...resultRules, ...carrierRules, ...recognitionRules }),
  ].map((rule) => [rule.id, rule]),
);

/** What is wrong with a verdict itself: an unknown rule, a severity or a fix of another one, a wrong `valid`. */
function faultsOf({ valid, violations }: Verdict): readonly unknown[] {
  const odd = violations.filter(({ rule, severity, message }) => {
    const known = knownRules.get(rule);
    return known?.severity !== severity || !message.endsWith(`. ${known.fix}`);
  });
  return valid === violations.some(({ severity }) => severity === "MUST") ? [...odd, "valid"] : odd;
}

function isReadable(json: JsonValue, dialect: DialectId | undefined): boolean {
  try {
    return typeof readResponse(json, dialect).ok === "boolean";
  } catch (error) {
    if (ContractError.isInstance(error) && error.code === "UNREADABLE") return false;
    throw error;
  }
}

const token = fc.oneof(
  fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    " ",
    "\n",
    "null",
    "true",
    "1",
    "-",
    "e",
    "\ufeff",
    "\ud83d",
  ),
  fc.constantFrom(
    '"success"',
    '"data"',
    '"error"',
    '"meta"',
    '"content"',
    "1e400",
    "12345678901234567890",
    '"\\ud83d"',
  ),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 64 }),
  fc.array(token, { maxLength: 30 }).map((tokens) => utf8(tokens.join(""))),
  response.map((json) => utf8(JSON.stringify(json))),
  // Sound text with one byte changed, or cut off.
  fc.tuple(response, fc.nat(), fc.nat(255)).map(([json, at, byte]) => {
    const sound = utf8(JSON.stringify(json));
    sound[at % sound.length] = byte;
    return byte % 3 === 0 ? sound.subarray(0, at % sound.length) : sound;
  }),
);

describe.each(asked.map((dialect) => ({ dialect, name: dialect ?? "detection" })))(
  "with $name",
  ({ dialect }) => {
    it("any bytes end in a sound verdict", () => {
      fc.assert(
        fc.property(bytes, level, (source, level) => {
          expect(faultsOf(validateText(source, { dialect, level }))).toEqual([]);
        }),
        runs,
      );
    });

    it("any JSON value ends in a sound verdict", () => {
      fc.assert(
        fc.property(response, level, (json, level) => {
          const verdict = validateResponse(json, { dialect, level });
          expect(faultsOf(verdict)).toEqual([]);
          expect(dialect === undefined || verdict.dialect === dialect).toBe(true);
        }),
        runs,
      );
    });

    it("each violation points at a place that exists, or at the one around it, and says one thing of it once", () => {
      fc.assert(
        fc.property(response, level, (json, level) => {
          const { violations } = validateResponse(json, { dialect, level });
          for (const { path } of violations) {
            expect(getByPointer(json, path.slice(0, Math.max(0, path.lastIndexOf("/"))))).toBeDefined();
          }
          const once = new Set(
            violations.map(({ rule, path, message }) => JSON.stringify([rule, path, message])),
          );
          expect(once.size).toBe(violations.length);
        }),
        runs,
      );
    });

    it("what is valid can be read, and nothing else but a payload without an envelope", () => {
      fc.assert(
        fc.property(response, (json) => {
          const { valid, violations } = validateResponse(json, { dialect });
          const isBare = violations.some(({ rule }) => rule === "envelope/missing");
          expect(isReadable(json, dialect)).toBe(valid || isBare);
        }),
        runs,
      );
    });

    it("a text and its value get the same verdict", () => {
      fc.assert(
        fc.property(response, (json) => {
          const rulesAndPaths = ({ violations }: Verdict) => violations.map(({ rule, path }) => [rule, path]);
          const fromText = validateText(JSON.stringify(json), { dialect });
          expect(rulesAndPaths(validateResponse(json, { dialect }))).toEqual(rulesAndPaths(fromText));
        }),
        runs,
      );
    });

    it("what is valid and read is valid again when it is said in response-v2", () => {
      fc.assert(
        fc.property(response, (json) => {
          fc.pre(validateResponse(json, { dialect }).valid);
          const again = dialects["response-v2"].render(readResponse(json, dialect), {
            profile: profiles.debug,
          });
          const { violations } = validateResponse(again, { dialect: "response-v2" });
          expect(violations.filter(({ severity }) => severity === "MUST")).toEqual([]);
        }),
        runs,
      );
    });
  },
);
