import { faults } from "../../core/contract/faults.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import { RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import { findNonJson } from "../../core/json/find-non-json.ts";
import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { quoteName } from "../../core/text/say-name.ts";
import {
  MAX_TEXT_LENGTH,
  type RetrieveArgument,
  explain,
  refuseArgument,
  retrieveArguments,
} from "./argument-forms.ts";
import { type Around, type Grep, asksForLines, checkLineArguments, withNumbers } from "./line-arguments.ts";

/** The arguments of `waybill_retrieve`. */
export interface RetrieveRequest {
  readonly archive?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly pointer?: string | undefined;
  readonly match?: Readonly<Record<string, JsonValue>> | undefined;
  readonly query?: string | undefined;
  readonly select?: string | undefined;
  readonly lines?: string | undefined;
  readonly tail?: number | undefined;
  readonly around?: Around | undefined;
  readonly grep?: string | Grep | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

const TEXT_FIELDS = ["archive", "pointer", "query", "lines", "cursor"] as const;
/** Models fill absent arguments with "" or null. An empty pointer is the whole value, and an empty query is refused. */
const EMPTY_IS_ABSENT: readonly string[] = ["select", "lines", "tail", "around", "grep", "cursor"];

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

/** Accepts other clear forms: a line as a number, numbers as a text, no limit as 0. */
function asWritten({ limit, ...rest }: Readonly<Record<string, unknown>>): RetrieveRequest {
  const isAsked = rest["select"] !== undefined || asksForLines(rest);
  return {
    ...withNumbers(rest),
    // A limit of 0 would describe the archive, and drop the rest of the request.
    ...(limit === undefined || (limit === 0 && isAsked) ? {} : { limit }),
  } as RetrieveRequest;
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
  last: "tail",
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
  checkLineArguments(given);
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

/** The most ids in one request. */
const MAX_IDS = 1_000;

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

const NOT_WITH_SELECT: readonly RetrieveArgument[] = [
  "ids",
  "pointer",
  "match",
  "query",
  "lines",
  "tail",
  "around",
  "grep",
];
const NOT_WITH_LINES: readonly RetrieveArgument[] = ["ids", "match", "query"];

/** A question and lines are answered separately: an argument that would have no effect is refused, not ignored. */
function checkTogether(request: RetrieveRequest): void {
  const [main, others] =
    request.select === undefined
      ? (["lines, tail, around and grep", NOT_WITH_LINES] as const)
      : (["select", NOT_WITH_SELECT] as const);
  if (request.select === undefined && !asksForLines(request)) return;
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
