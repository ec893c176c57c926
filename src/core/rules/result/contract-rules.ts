// Judges every result of a call by the rules of `waybill validate`: those of MCP, and those of the dialect that the
// check was asked for or that the result itself names. A server that does not claim a dialect is not judged by one,
// however much its JSON looks like it.

import { type DialectId, dialectIds } from "../../contract/dialect-id.ts";
import { RESPONSE_VERSION } from "../../contract/meta.ts";
import type { Notes } from "../../contract/outcome.ts";
import type { Violation, Rule } from "../../contract/rule.ts";
import { type JsonObject, isJsonObject, type JsonValue } from "../../json/json-value.ts";
import { detectDialect, envelopeOf } from "../../pipeline/dialect/detect-dialect.ts";
import { dialects } from "../../pipeline/dialect/dialects.ts";
import { isOurs, resultRules, blockTexts } from "../../pipeline/dialect/result-rules.ts";
import { judgeResponse, carrierRules, recognitionRules } from "../../pipeline/dialect/validate-response.ts";
import { type CallWithResult, answeredIn, findingOf, meaningOf, noResults, smallestOf } from "../called.ts";
import { type Survey, reuseRules, withoutFix, type RuleFinding } from "../server-rule.ts";
import { type ServerRecord, derivedOnce } from "../server-record.ts";
import { messageRules } from "../../protocol/rules.ts";
import { jsonRules } from "../../pipeline/dialect/json-rules.ts";
import { ResultJson } from "../../pipeline/outcome/result-json.ts";

/** A value that is not an object is not a result: `jsonrpc/result-type` reports it, and it does not get this far. */
const rules = listValidationRules().filter(
  ({ id, level }) => (level === "envelope" || level === "result") && id !== "result/object",
);

const dialectsOfRule = new Map(rules.map((rule) => [rule.id, rule.dialects]));
const fixes = new Map(rules.map(({ id, fix }) => [id, fix]));

/** The dialect that a result itself names; kept, because several rules ask and finding it may parse a long text. */
const dialectShownBy = derivedOnce((result: JsonObject): DialectId => {
  const detected = detectDialect(result, "result").dialect;
  const carried = isOurs(result) ? undefined : envelopeOf(result)?.json;
  const meta = isJsonObject(carried) ? carried["meta"] : undefined;
  const isNamed = isOurs(result) || (isJsonObject(meta) && meta["version"] === RESPONSE_VERSION);
  return isNamed ? detected : "plain";
});

/** The dialect that a result is judged by. */
export function dialectOf(record: ServerRecord, { result }: CallWithResult): DialectId {
  return record.dialect ?? dialectShownBy(result);
}

/** Where a check differs from `waybill validate`, which knows neither the server nor its era. */
function isDropped({ rule }: Violation, record: ServerRecord, { result }: CallWithResult): boolean {
  // truth/success-flag reports it, with a higher severity.
  if (rule === "result/is-error-missing") return record.dialect === undefined;
  // Since 2026-07-28 any JSON value is allowed.
  if (rule === "result/structured-type") return record.era === "modern";
  // The rule asks for a text that says as much; for a reader it need not be JSON.
  if (rule === "result/mirror") {
    const { structuredContent = null } = result;
    return saysAll(blockTexts(result).join("\n"), structuredContent);
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
  const found = new Map<string, RuleFinding[]>();
  const tried = new Set<string>();
  for (const each of answered) {
    const dialect = dialectOf(record, each);
    const { outcome } = meaningOf(each.result);
    tried.add(dialect);
    for (const [group, has] of Object.entries(subjects))
      if (has(outcome.notes, !outcome.ok, each.result)) tried.add(`${dialect} ${group}`);
    const { verdict } = judgeResponse(each.result, { dialect, level: "result" });
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

/** A rule of `waybill validate` and the dialects it applies to; an empty list means all of them. */
export interface ValidationRule extends Rule {
  readonly dialects: readonly DialectId[];
}

/** All rules that a response or message is validated by, each once, in a stable order. */
export function listValidationRules(): readonly ValidationRule[] {
  const byId = new Map<string, ValidationRule>();
  const add = (rule: Rule, ids: readonly DialectId[]): void => {
    const before = byId.get(rule.id)?.dialects ?? [];
    byId.set(rule.id, { ...rule, dialects: [...before, ...ids] });
  };
  for (const rule of Object.values(jsonRules)) add(rule, []);
  for (const rule of Object.values(recognitionRules)) add(rule, []);
  for (const id of dialectIds) for (const rule of dialects[id].rules) add(rule, [id]);
  const enveloped = dialectIds.filter((id) => dialects[id].level === "envelope");
  for (const rule of Object.values(carrierRules)) add(rule, enveloped);
  for (const rule of messageRules) add(rule, []);
  return [...byId.values()];
}

// Whether a text says what a structure says, in any words or format: a table, a list, a sentence. The values of the
// structure are compared: they occur in the text, whatever is around them.

/** At most this many values of a large structure are searched for, spread over all of it. */
const MAX_SAMPLES = 200;
const MAX_NODES = 20_000;
/** The share of the values that the text must contain. */
const MIN_SHARE = 0.8;

/** The texts and numbers of a value, each once; bounded, because a server decides how many there are. */
function valuesOf(root: JsonValue): readonly string[] {
  const found = new Set<string>();
  const pending: JsonValue[] = [root];
  for (let count = 0; pending.length > 0 && count < MAX_NODES; count++) {
    const node = pending.pop();
    if (typeof node === "number") found.add(String(node));
    else if (typeof node === "string") found.add(node.trim().toLowerCase());
    else if (typeof node === "object" && node !== null)
      for (const inner of Object.values(node).slice(0, MAX_NODES)) pending.push(inner);
  }
  found.delete("");
  return [...found];
}

function sampleOf(values: readonly string[], most: number): readonly string[] {
  if (values.length <= most) return values;
  const step = values.length / most;
  return Array.from({ length: most }, (_, index) => values[Math.floor(index * step)] ?? "");
}

/** At most this many lines of a long value are searched for: each search may read the whole text. */
const MAX_LINES = 20;

/** A value of several lines may be indented in the text. */
function isSaid(value: string, text: string): boolean {
  if (text.includes(value)) return true;
  const lines = value.split("\n");
  return lines.length > 1 && sampleOf(lines, MAX_LINES).every((line) => text.includes(line.trim()));
}

function shareOf(values: readonly string[], text: string): number {
  const sample = sampleOf(values, MAX_SAMPLES);
  const lower = text.toLowerCase();
  const said = sample.filter((value) => isSaid(value, lower));
  return sample.length === 0 ? 0 : said.length / sample.length;
}

/** Whether a reader of the text alone learns nearly all of the structure; an empty structure says nothing. */
function saysAll(text: string, structured: JsonValue): boolean {
  const values = valuesOf(structured);
  return values.length === 0 || shareOf(values, text) >= MIN_SHARE;
}

/** A shorter text costs too little to report: about 500 tokens. */
const MIN_LENGTH = 2_000;
const MIN_VALUES = 10;
/** Short values occur in any text. */
const MIN_VALUE_LENGTH = 3;
/** A document from which the structure has only a few facts says more than the structure. */
const MAX_TEXT_TO_STRUCTURE = 3;

/** The texts that are neither the structure's JSON nor one of its fields. */
function ownTexts(texts: readonly string[], structured: JsonValue): readonly string[] {
  const json = new ResultJson();
  return texts.filter((text) => !json.repeats(text, structured));
}

/** Whether texts repeat the structure at length, in other words or another format. */
export function saysTwice(texts: readonly string[], structured: JsonValue): boolean {
  const text = ownTexts(texts, structured).join("\n");
  if (text.length < MIN_LENGTH) return false;
  if (text.length > MAX_TEXT_TO_STRUCTURE * JSON.stringify(structured).length) return false;
  const values = valuesOf(structured).filter(({ length }) => length >= MIN_VALUE_LENGTH);
  return values.length >= MIN_VALUES && shareOf(values, text) >= MIN_SHARE;
}

/** The first long text that occurs twice in the content. */
export function repeatedText(texts: readonly string[]): number | undefined {
  const seen = new Set<string>();
  for (const [index, text] of texts.entries()) {
    if (text.length < MIN_LENGTH) continue;
    if (seen.has(text)) return index;
    seen.add(text);
  }
  return undefined;
}
