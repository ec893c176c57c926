// Judges every result of a call by the rules of `waybill validate`: those of MCP, and those of the dialect that the
// check was asked for or that the result itself names. A server that does not claim a dialect is not judged by one,
// however much its JSON looks like it.

import { type DialectId, dialectIds } from "../../contract/dialect-id.ts";
import { RESPONSE_VERSION } from "../../contract/meta.ts";
import type { Notes } from "../../contract/outcome.ts";
import type { Violation } from "../../contract/rule.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { detectDialect, envelopeOf } from "../../pipeline/dialect/detect-dialect.ts";
import { dialects } from "../../pipeline/dialect/dialects.ts";
import { isOurs, resultRules, textsOf } from "../../pipeline/dialect/result-rules.ts";
import { judgeValue } from "../../pipeline/dialect/validate-response.ts";
import { type Answered, answeredIn, findingOf, meaningOf, noResults, smallestOf } from "../called.ts";
import { type Survey, reuseRules, withoutFix } from "../reuse-rules.ts";
import type { ServerRecord } from "../server-record.ts";
import type { Finding } from "../server-rule.ts";
import { listValidationRules } from "../validation-rules.ts";
import { saysAll } from "./said-twice.ts";

/** A value that is not an object is not a result: `jsonrpc/result-type` reports it, and it does not get this far. */
const rules = listValidationRules().filter(
  ({ id, level }) => (level === "envelope" || level === "result") && id !== "result/object",
);

const dialectsOfRule = new Map(rules.map((rule) => [rule.id, rule.dialects]));
const fixes = new Map(rules.map(({ id, fix }) => [id, fix]));

const shown = new WeakMap<JsonObject, DialectId>();

/** The dialect that a result itself names; kept, because several rules ask and finding it may parse a long text. */
function dialectShownBy(result: JsonObject): DialectId {
  const known = shown.get(result);
  if (known !== undefined) return known;
  const detected = detectDialect(result, "result").dialect;
  const carried = isOurs(result) ? undefined : envelopeOf(result)?.json;
  const meta = isJsonObject(carried) ? carried["meta"] : undefined;
  const isNamed = isOurs(result) || (isJsonObject(meta) && meta["version"] === RESPONSE_VERSION);
  const dialect = isNamed ? detected : "plain";
  shown.set(result, dialect);
  return dialect;
}

/** The dialect that a result is judged by. */
export function dialectOf(record: ServerRecord, { result }: Answered): DialectId {
  return record.dialect ?? dialectShownBy(result);
}

/** Where a check differs from `waybill validate`, which knows neither the server nor its era. */
function isDropped({ rule }: Violation, record: ServerRecord, { result }: Answered): boolean {
  // truth/success-flag reports it, with a higher severity.
  if (rule === "result/is-error-missing") return record.dialect === undefined;
  // Since 2026-07-28 any JSON value is allowed.
  if (rule === "result/structured-type") return record.era === "modern";
  // The rule asks for a text that says as much; for a reader it need not be JSON.
  if (rule === "result/mirror") {
    const { structuredContent = null } = result;
    return saysAll(textsOf(result).join("\n"), structuredContent);
  }
  return false;
}

/** What a result must have for a group's rules to be tried. */
const subjects: Readonly<Record<string, (notes: Notes, isFailure: boolean, result: JsonObject) => boolean>> =
  {
    structure: (_notes, _isFailure, { structuredContent }) => structuredContent !== undefined,
    error: (_, isFailure) => isFailure,
    v1: (_, isFailure) => isFailure,
    warning: ({ warnings = [] }) => warnings.length > 0,
    pagination: ({ pagination }) => pagination !== undefined,
    "rate-limit": ({ rateLimit }) => rateLimit !== undefined,
    telemetry: ({ telemetry }) => telemetry !== undefined,
    fidelity: ({ fidelity }) => fidelity !== undefined,
    batch: ({ warnings = [] }) => warnings.some(({ code }) => code === "PARTIAL_FAILURE"),
  };

/** The subject of a rule: its group, or for two rules the structure. */
function subjectOf(id: string): string {
  if (id === "result/mirror" || id === "result/structured-type") return "structure";
  return id.slice(0, id.indexOf("/"));
}

const carriers = dialectIds.filter((id) => id === "plain" || dialects[id].level === "envelope");

/** The dialects that have a rule; the rules of MCP results apply to every carrier of an envelope too. */
function dialectsWith(id: string): readonly DialectId[] {
  if (Object.hasOwn(resultRules, id)) return carriers;
  const named = dialectsOfRule.get(id) ?? [];
  return named.length === 0 ? dialectIds : named;
}

function surveyResults(record: ServerRecord): Survey {
  const answered = answeredIn(record).filter(({ call }) => call.purpose !== "unknown-tool");
  const found = new Map<string, Finding[]>();
  const tried = new Set<string>();
  for (const each of answered) {
    const dialect = dialectOf(record, each);
    const { outcome } = meaningOf(each.result);
    tried.add(dialect);
    for (const [group, has] of Object.entries(subjects))
      if (has(outcome.notes, !outcome.ok, each.result)) tried.add(`${dialect} ${group}`);
    const { verdict } = judgeValue(each.result, { dialect, level: "result" });
    for (const violation of verdict.violations) {
      if (isDropped(violation, record, each)) continue;
      const finding = findingOf(each, violation.path, withoutFix(violation, fixes.get(violation.rule)));
      found.set(violation.rule, [...(found.get(violation.rule) ?? []), finding]);
    }
  }
  const findings = new Map([...found].map(([id, list]) => [id, smallestOf(list, record)]));
  return { findings, untested: (id) => whyUntested(id, answered.length === 0, tried, record) };
}

function whyUntested(
  id: string,
  isEmpty: boolean,
  tried: ReadonlySet<string>,
  record: ServerRecord,
): string | undefined {
  if (isEmpty) return noResults(record);
  const wanted = dialectsWith(id);
  const used = wanted.filter((dialect) => tried.has(dialect));
  if (used.length === 0) return `No result is in a dialect that has this rule (${wanted.join(", ")})`;
  const group = subjectOf(id);
  if (!Object.hasOwn(subjects, group) || used.some((dialect) => tried.has(`${dialect} ${group}`)))
    return undefined;
  return `No result speaks of what this rule is about (${group})`;
}

/** The rules of MCP results and of the dialects, as `waybill validate` has them. */
export const contractRules = reuseRules(rules, surveyResults);
