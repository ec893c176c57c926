import { faults } from "../contract/faults.ts";
import type { ToolFault } from "../contract/tool-fault.ts";
import { findNonJson } from "../json/find-non-json.ts";
import { type JsonValue, isJsonObject } from "../json/json-value.ts";

/** The arguments of `waybill_retrieve`. */
export interface RetrieveRequest {
  readonly archive?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly pointer?: string | undefined;
  readonly match?: Readonly<Record<string, JsonValue>> | undefined;
  readonly query?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export const MAX_IDS = 1_000;
export const MAX_TEXT_LENGTH = 4_096;
const TEXT_FIELDS = ["archive", "pointer", "query", "cursor"] as const;

export function refuseArgument(field: string, constraint: string, says: string): ToolFault {
  return faults.validation(says, { details: { field, constraint } });
}

/** Throws a validation fault for arguments no archive could answer; what a door let through is checked again. */
export function checkRequest(request: RetrieveRequest): void {
  const given: Readonly<Record<string, unknown>> = { ...request };
  for (const field of TEXT_FIELDS) checkText(field, given[field]);
  checkIds(given["ids"]);
  checkMatch(given["match"]);
  const limit = given["limit"];
  if (limit !== undefined && !(Number.isSafeInteger(limit) && Number(limit) >= 0)) {
    throw refuseArgument("limit", "whole number from 0", "limit is not a whole number of 0 or more.");
  }
  if (request.query !== undefined && request.query.trim() === "") {
    throw refuseArgument("query", "not empty", "query is empty: give words to look for.");
  }
  if (request.archive === undefined && request.ids === undefined) {
    throw faults.validation("Say which archive: a handle or hash from content_archive_hashes.", {
      errorCode: "MISSING_REQUIRED",
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
