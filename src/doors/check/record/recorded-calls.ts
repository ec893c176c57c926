// The answers of a check as files: one for each call whose arguments are the same in every run. Written once, then
// compared.

import { createHash } from "node:crypto";
import { stableStringify } from "../../../core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import { checkOptions, refuseOptions } from "../../../core/options/check-options.ts";
import { object, text } from "../../../core/options/option-kinds.ts";
import { envelopeOf } from "../../../core/pipeline/dialect/detect-dialect.ts";
import type {
  CallPurpose,
  CallRecord,
  RecordedReply,
  ServerRecord,
} from "../../../core/rules/server-record.ts";
import * as z from "zod/mini";
import {
  type AnswerDifference,
  compareRecorded,
  steadyAnswer,
  withAny,
  withoutChanging,
} from "./compare-recorded.ts";

const RECORD_FORMAT = "waybill-check-record-1";
/** Calls whose arguments depend only on schema, seed and user; pages and archives depend on cursors and hashes. */
const recorded: readonly CallPurpose[] = ["given", "valid", "boundary", "invalid"];
/** Of a longer answer only its length is kept: a reviewer does not read more. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** One file: its name in the folder, and its content. */
export interface RecordedCall {
  readonly file: string;
  readonly tool: string;
  readonly content: JsonObject;
}

const shortHash = (words: string): string => createHash("sha256").update(words).digest("hex").slice(0, 8);

/** A name that every file system accepts; two tools never share a name. */
function fileOf({ tool, purpose, arguments: args }: CallRecord): string {
  const safe = tool.replaceAll(/[^\w-]+/g, "_").slice(0, 80);
  const name = safe === tool ? safe : `${safe}-${shortHash(tool)}`;
  return `${name}.${purpose}-${shortHash(stableStringify(args))}.json`;
}

function answerOf(reply: RecordedReply, bytes: number, nowMs: number): JsonObject {
  if (bytes > MAX_ANSWER_BYTES || reply.kind === "oversized")
    return { none: `The answer has more than ${MAX_ANSWER_BYTES} bytes, and is not recorded.` };
  if (reply.kind === "result") return { result: steadyAnswer(reply.result, nowMs) };
  if (reply.kind === "error") return { error: steadyAnswer(reply.error, nowMs) };
  return {
    none: reply.kind === "timeout" ? "No answer came in time." : "The server ended before it answered.",
  };
}

/** The version that a response-v2 envelope names. */
function versionOf(reply: RecordedReply): JsonValue | undefined {
  const envelope = reply.kind === "result" ? envelopeOf(reply.result)?.json : undefined;
  const meta = isJsonObject(envelope) ? envelope["meta"] : undefined;
  return isJsonObject(meta) ? meta["version"] : undefined;
}

/** By tool: an answer with `<any>` where the same call gave a different value the second time. */
function changingPlaces(calls: readonly CallRecord[], nowMs: number): ReadonlyMap<string, JsonValue> {
  const changing = new Map<string, JsonValue>();
  for (const { purpose, follows, tool, reply, bytes } of calls) {
    const first = purpose === "repeat" ? calls.find(({ index }) => index === follows) : undefined;
    if (first === undefined) continue;
    const answers = [answerOf(first.reply, first.bytes, nowMs), answerOf(reply, bytes, nowMs)] as const;
    changing.set(tool, withoutChanging(...answers));
  }
  return changing;
}

/** The files for what a check saw. A repeated call shows which values change each time. */
export function recordedCalls({ calls }: ServerRecord, nowMs: number): readonly RecordedCall[] {
  const files = new Map<string, RecordedCall>();
  const changing = changingPlaces(calls, nowMs);
  for (const call of calls) {
    if (!recorded.includes(call.purpose)) continue;
    const { tool, purpose, arguments: args, reply, bytes } = call;
    const settled = withAny(answerOf(reply, bytes, nowMs), changing.get(tool));
    const version = versionOf(reply);
    const content: JsonObject = {
      format: RECORD_FORMAT,
      tool,
      purpose,
      arguments: args,
      ...(version === undefined ? {} : { "meta.version": version }),
      ...(settled as JsonObject),
    };
    files.set(fileOf(call), { file: fileOf(call), tool, content });
  }
  return [...files.values()];
}

const fileSchema = z.looseObject({
  format: z.literal(RECORD_FORMAT, `Write "${RECORD_FORMAT}".`),
  ...object({ tool: text }).shape,
});

/** Parses a file; a ContractError says what is wrong with it. */
export function readRecorded(file: string, json: string): RecordedCall {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    refuseOptions("record", [{ path: [], part: "value", message: `The file is no JSON: ${reason}.` }]);
  }
  checkOptions("record", fileSchema, value, "The file");
  const content = value as JsonObject & { readonly tool: string };
  return { file, tool: content.tool, content };
}

export function writeRecorded({ content }: RecordedCall, before: RecordedCall | undefined): string {
  return `${JSON.stringify(withAny(content, before?.content), null, 2)}\n`;
}

export interface CallComparison {
  readonly differences: readonly AnswerDifference[];
  /** How many files were compared with an answer. */
  readonly compared: number;
  /** Files of tools that this check did not call. */
  readonly skipped: number;
  /** Calls without a file. */
  readonly added: number;
}

/** Compares answers with the files of an earlier check. */
export function compareCalls(
  files: readonly RecordedCall[],
  now: readonly RecordedCall[],
  listed: readonly string[],
): CallComparison {
  const byFile = new Map(now.map((call) => [call.file, call]));
  const called = new Set(now.map(({ tool }) => tool));
  const differences: AnswerDifference[] = [];
  let [compared, skipped] = [0, 0];
  for (const { file, tool, content } of files) {
    const call = byFile.get(file);
    const add = (message: string): void => void differences.push({ file, tool, path: "", message });
    if (call !== undefined) {
      compared += 1;
      differences.push(...compareRecorded(content, call.content).map((found) => ({ file, tool, ...found })));
    } else if (!listed.includes(tool)) add("the server lists this tool no more");
    else if (called.has(tool)) add("this call is made no more: its schema, the seed or --args changed");
    else skipped += 1;
  }
  const known = new Set(files.map(({ file }) => file));
  return { differences, compared, skipped, added: now.filter(({ file }) => !known.has(file)).length };
}
