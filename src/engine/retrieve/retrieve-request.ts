import { faults } from "../../core/contract/faults.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import { RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import { findNonJson } from "../../core/json/find-non-json.ts";
import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { didYouMean, adviseKey } from "../../core/text/did-you-mean.ts";
import { quoteName } from "../../core/text/say-name.ts";
import type { LineRange } from "./question/question.ts";

/** The arguments of `waybill_retrieve`. */
export interface RetrieveRequest {
  readonly archive?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly pointer?: string | undefined;
  readonly match?: Readonly<Record<string, JsonValue>> | undefined;
  readonly query?: string | undefined;
  readonly select?: string | undefined;
  readonly lines?: string | undefined;
  readonly grep?: string | Grep | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

const TEXT_FIELDS = ["archive", "pointer", "query", "lines", "cursor"] as const;
/** Models fill absent arguments with "" or null. An empty pointer is the whole value, and an empty query is refused. */
const EMPTY_IS_ABSENT: readonly string[] = ["select", "lines", "grep", "cursor"];

/** The request in the arguments of a call; throws a fault for an unknown argument. */
export function readRequest(args: object, tool: string = RETRIEVE_TOOL): RetrieveRequest {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  const unknown = given.find(([name]) => !(retrieveArguments as readonly string[]).includes(name));
  if (unknown !== undefined) throw unknownArgument(unknown[0], tool);
  const said = given.filter(
    ([name, value]) => value !== null && !(value === "" && EMPTY_IS_ABSENT.includes(name)),
  );
  const request = asWritten(Object.fromEntries(said));
  const names = given.map(([name]) => name);
  checkRetrieveRequest(request, names);
  return request;
}

/** Accepts other clear forms: a line as a number, context lines as a text, no limit as 0. */
function asWritten({ lines, grep, limit, ...rest }: Readonly<Record<string, unknown>>): RetrieveRequest {
  const isAsked = [rest["select"], lines, grep].some((one) => one !== undefined);
  return {
    ...rest,
    ...(lines === undefined ? {} : { lines: typeof lines === "number" ? String(lines) : lines }),
    ...(grep === undefined ? {} : { grep: withContext(grep) }),
    // A limit of 0 would describe the archive, and drop the rest of the request.
    ...(limit === undefined || (limit === 0 && isAsked) ? {} : { limit }),
  } as RetrieveRequest;
}

function withContext(grep: unknown): unknown {
  if (!isJsonObject(grep) || typeof grep["context"] !== "string") return grep;
  return /^\d{1,4}$/.test(grep["context"]) ? { ...grep, context: Number(grep["context"]) } : grep;
}

/** Names in other tools for the same arguments, too different from ours for a spelling suggestion. */
const otherNames: Readonly<Record<string, RetrieveArgument>> = {
  _waybill_select: "select",
  waybill_select: "select",
  expression: "select",
  jmespath: "select",
  question: "select",
  regex: "grep",
  regexp: "grep",
  pattern: "grep",
  search: "query",
  handle: "archive",
  hash: "archive",
  path: "pointer",
};

function unknownArgument(name: string, tool: string): ToolFault {
  const shown = name.slice(0, 100);
  const meant = Object.hasOwn(otherNames, shown)
    ? otherNames[shown]
    : (didYouMean(shown, retrieveArguments) as RetrieveArgument | undefined);
  return faults.validation(`${tool} has no argument ${quoteName(name)}.`, {
    remediation:
      meant === undefined
        ? `It takes ${retrieveArguments.join(", ")}.`
        : `Did you mean ${meant}? ${explain(meant)}`,
    details: { field: shown, constraint: "known argument" },
  });
}

/**
 * Throws a validation fault for arguments that no archive could answer; what a door has accepted is checked
 * again. `names` are all arguments of the call, including empty ones.
 */
export function checkRetrieveRequest(
  request: RetrieveRequest,
  names: readonly string[] = Object.keys(request),
): void {
  const given: Readonly<Record<string, unknown>> = { ...request };
  for (const field of TEXT_FIELDS) checkText(field, given[field]);
  checkIds(given["ids"]);
  checkMatch(given["match"]);
  // The check of the expression knows the limit of its length.
  if (given["select"] !== undefined && typeof given["select"] !== "string") {
    throw refuseArgument("select", "string", "select is not a string.");
  }
  if (request.lines !== undefined) readLines(request.lines);
  if (request.grep !== undefined) checkGrep(request.grep);
  checkTogether(request);
  const limit = given["limit"];
  if (limit !== undefined && !(Number.isSafeInteger(limit) && Number(limit) >= 0)) {
    throw refuseArgument("limit", "whole number from 0", "limit is not a whole number of 0 or more.");
  }
  if (request.query !== undefined && request.query.trim() === "") {
    throw refuseArgument("query", "not empty", "query is empty: give words to look for.");
  }
  if (request.archive === undefined && request.ids === undefined) {
    const beside = names.length === 0 ? "" : ` beside ${names.join(", ")}`;
    throw faults.validation(`Say which archive${beside}: a handle or hash from content_archive_hashes.`, {
      errorCode: "MISSING_REQUIRED",
      remediation: explain("archive"),
      details: { field: "archive", constraint: "required unless ids are given" },
    });
  }
}

function checkText(field: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== "string") throw refuseArgument(field, "string", `${field} is not a string.`);
  if (value.length <= MAX_TEXT_LENGTH) return;
  const constraint = `at most ${MAX_TEXT_LENGTH} characters`;
  throw refuseArgument(field, constraint, `${field} is longer than ${MAX_TEXT_LENGTH} characters.`);
}

function checkIds(ids: unknown): void {
  if (ids === undefined) return;
  if (!Array.isArray(ids)) throw refuseArgument("ids", "array of strings", "ids is not a list of strings.");
  if (ids.length === 0 || ids.length > MAX_IDS) {
    throw refuseArgument("ids", `1 to ${MAX_IDS}`, `ids holds ${ids.length}: give 1 to ${MAX_IDS} of them.`);
  }
  for (const id of ids) checkText("ids", id);
  if (ids.some((id) => id === undefined)) {
    throw refuseArgument("ids", "array of strings", "ids is not a list of strings.");
  }
}

function checkMatch(match: unknown): void {
  if (match === undefined) return;
  if (isJsonObject(match) && findNonJson(match) === undefined) return;
  const says = 'match is not an object of paths and values, such as {"user.login": "ada"}.';
  throw refuseArgument("match", "object", says);
}

const NOT_WITH_SELECT: readonly RetrieveArgument[] = ["ids", "pointer", "match", "query", "lines", "grep"];
const NOT_WITH_LINES: readonly RetrieveArgument[] = ["ids", "match", "query"];

/** A question and lines are answered separately: an argument that would have no effect is refused, not ignored. */
function checkTogether(request: RetrieveRequest): void {
  const [main, others] =
    request.select === undefined
      ? (["lines and grep", NOT_WITH_LINES] as const)
      : (["select", NOT_WITH_SELECT] as const);
  if (request.select === undefined && request.lines === undefined && request.grep === undefined) return;
  const other = others.find((name) => request[name] !== undefined);
  if (other === undefined) return;
  const how =
    request.select === undefined
      ? "name the text by pointer"
      : "put the place and the condition into the expression, such as findings[3:20] or findings[?id=='f-17']";
  throw refuseArgument(
    other,
    `not together with ${main}`,
    `${other} is not taken together with ${main}: ${how}.`,
  );
}

// `lines` and `grep`: which lines of a text a request asks for.

/** A pattern, and how many lines are shown before and after each match. */
interface Grep {
  readonly pattern: string;
  readonly context?: number | undefined;
}

/** The most lines shown before and after a match. */
const MAX_CONTEXT_LINES = 50;

const LINES = /^\s*(\d{0,12})\s*(?:(-)\s*(\d{0,12}))?\s*$/;

/** The lines that a request names, both ends included; throws a fault for a text that names none. */
export function readLines(lines: string): LineRange {
  const [, first = "", dash, last = ""] = LINES.exec(lines) ?? [];
  if (first === "" && last === "") {
    throw refuseArgument("lines", "a range of lines", `lines is ${quoteName(lines)}, no range.`);
  }
  if (first === "") return { last: atLeastOne(last) };
  const from = atLeastOne(first);
  if (dash === undefined) return { from, to: from };
  const to = last === "" ? Number.POSITIVE_INFINITY : Number(last);
  if (to < from)
    throw refuseArgument("lines", "from <= to", `lines ends at ${to}, before it begins at ${from}.`);
  return { from, to };
}

function atLeastOne(digits: string): number {
  const line = Number(digits);
  if (line === 0) throw refuseArgument("lines", "from 1", "lines count from 1.");
  return line;
}

const GREP_KEYS = ["pattern", "context"];

/** Throws a fault for a `grep` that is neither a pattern nor an object with one. */
function checkGrep(grep: unknown): void {
  if (typeof grep === "string") return checkPattern(grep);
  if (!isJsonObject(grep)) throw refuseArgument("grep", "object", "grep is not an object with a pattern.");
  const unknown = Object.keys(grep).find((key) => !GREP_KEYS.includes(key));
  if (unknown !== undefined) {
    const name = unknown.slice(0, 100);
    const says = `grep has no ${quoteName(name)}. ${adviseKey(name, GREP_KEYS)}`;
    throw refuseArgument("grep", "pattern and context", says);
  }
  checkPattern(grep["pattern"]);
  const { context = 0 } = grep;
  if (context !== null && !(Number.isSafeInteger(context) && Number(context) >= 0)) {
    throw refuseArgument("grep", "context from 0", "context of grep is not a whole number of 0 or more.");
  }
  if (Number(context) > MAX_CONTEXT_LINES) {
    const says = `context of grep is at most ${MAX_CONTEXT_LINES} lines.`;
    throw refuseArgument("grep", `context up to ${MAX_CONTEXT_LINES}`, says);
  }
}

function checkPattern(pattern: unknown): void {
  if (typeof pattern !== "string" || pattern === "") {
    throw refuseArgument("grep", "pattern", "grep has no pattern.");
  }
  if (pattern.length > MAX_TEXT_LENGTH) {
    const says = `The pattern of grep is longer than ${MAX_TEXT_LENGTH} characters.`;
    throw refuseArgument("grep", `at most ${MAX_TEXT_LENGTH} characters`, says);
  }
}

/** The pattern and its context lines; undefined if the request has no pattern. */
export function readGrep(
  grep: string | Grep | undefined,
): { readonly pattern: string; readonly context: number } | undefined {
  if (grep === undefined) return undefined;
  if (typeof grep === "string") return { pattern: grep, context: 0 };
  return { pattern: grep.pattern, context: grep.context ?? 0 };
}

/**
 * What each argument of `waybill_retrieve` takes, with an example. `tools/list` has only a few words of it,
 * because every client pays for the list; the answer to a wrong call has the rest.
 */
export const argumentForms = {
  archive:
    "handle or hash from content_archive_hashes, e.g. 3f2a9c01b7de; over HTTP without sign-in the full hash; may be left out with ids of items, except without sign-in",
  ids: 'items by id, or entries of dropped_content_ids as they are, e.g. ["f-17", "/findings/3..9"]',
  pointer:
    "JSON Pointer to a value or list, e.g. /findings/17; ranges /findings/3..20, /findings/*, /body#char=0-2000; of a text, a locator: char:0-500; with lines or grep, the text to look in",
  match: 'only items where each path equals its value exactly, e.g. {"user.login": "ada"}',
  query: 'words to look for, best item first, e.g. timeout "connection reset"; quotes need the exact phrase',
  select:
    "a JMESPath expression over the whole value, e.g. findings[?severity=='high'].id or count_by(findings, &rule); not together with ids, pointer, match, query, lines or grep",
  lines: 'lines of a text, the first is 1: "100-180", "100", "100-" to the end, "-20" for the last 20',
  grep: 'lines of a text that match an RE2 pattern: {"pattern": "(?i)timeout", "context": 2}, or the pattern alone; together with lines, only among those',
  cursor: "pagination.cursor of the last answer; repeat the other arguments",
  limit: "most items or lines in one answer, e.g. 5; 0 tells only what the archive holds and until when",
} as const;

type RetrieveArgument = keyof typeof argumentForms;

const retrieveArguments = Object.keys(argumentForms) as readonly RetrieveArgument[];

const MAX_IDS = 1_000;
const MAX_TEXT_LENGTH = 4_096;

/** How an argument is written, in one sentence. */
function explain(name: RetrieveArgument): string {
  return `${name}: ${argumentForms[name]}.`;
}

/** The refusal of one argument; it explains how to write the argument, because `tools/list` says little about it. */
export function refuseArgument(field: string, constraint: string, says: string): ToolFault {
  const isOurs = Object.hasOwn(argumentForms, field);
  return faults.validation(says, {
    ...(isOurs ? { remediation: explain(field as RetrieveArgument) } : {}),
    details: { field, constraint },
  });
}
