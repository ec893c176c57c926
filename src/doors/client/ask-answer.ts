// A question about the whole of an answer. If the answer was cut, the server has the whole and computes the question;
// if not, the client computes it. The hash names the source: the archive, or the compact JSON text of the data.

import { ContractError } from "../../core/contract/contract-error.ts";
import { ResponseError, hasCode } from "../../core/contract/response-error.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { decodeTables } from "../../core/json/table/decode-tables.ts";
import { ownValue } from "../../engine/retrieve/question/own-value.ts";
import { joinSelected } from "../../engine/retrieve/selected-pages.ts";
import { encode, sha256 } from "../../core/text/bytes.ts";
import type { Answer } from "./answer.ts";
import { late, retrievalTool } from "./archive-faults.ts";
import type { CallRunner } from "./call-runner.ts";
import { checkData } from "./check-data.ts";
import { invalidResponse, notAsAsked } from "./client-faults.ts";
import type { AskOptions } from "./client-options.ts";
import { assertAnswer, completeAnswer, isDataCut, nothingKept, wholeHash } from "./complete-answer.ts";

/** The answer to a question, and what it was computed from. */
export interface Asked<Data = JsonValue> {
  readonly data: Data;
  /** How many records the question was applied to: the length of the main list, or 1. */
  readonly count: number;
  /** `sha256:` of the whole: of its archive, or of the compact JSON of `data` if nothing was cut. */
  readonly hash: string;
  /** A remark on the answer: no record has a key that was asked for. */
  readonly note?: string | undefined;
}

const MAX_PAGES = 10_000;

interface Question {
  readonly answer: Answer;
  readonly hash: string;
  readonly expression: string;
  readonly signal: AbortSignal | undefined;
}

/** The server's own answer, all pages; undefined if the server does not know questions or cannot answer this one. */
async function askServer(runner: CallRunner, question: Question): Promise<Asked | undefined> {
  const { answer, hash, expression, signal } = question;
  const tool = await retrievalTool(runner, answer);
  const refuse = (says: string): Error =>
    invalidResponse(says, { tool, args: { archive: hash, select: expression } }, answer.requestId);
  const pages: JsonObject[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < MAX_PAGES; count++) {
    const args = { archive: hash, select: expression, ...(cursor === undefined ? {} : { cursor }) };
    const page = await runner.run({ tool, args }, { ...(signal && { signal }), repeatable: true });
    const records = isJsonObject(page.data) ? page.data["records"] : undefined;
    if (!isJsonObject(page.data) || typeof records !== "number") {
      if (count === 0) return undefined;
      throw refuse("a page says nothing of its question");
    }
    pages.push(page.data);
    const next = page.pagination?.cursor ?? undefined;
    if (next === undefined) {
      const data = joinSelected(pages);
      if (data === undefined) throw refuse("the pages of the answer do not fit each other");
      const { note } = page.data;
      return { data, count: records, hash, note: typeof note === "string" ? note : undefined };
    }
    if (next === cursor) throw refuse("the pages of the answer do not advance");
    cursor = next;
  }
  throw refuse("the answer has too many pages");
}

/** Turns a fault of a question into the failure of a call. */
function asResponseError(error: unknown, { requestId }: Answer): unknown {
  if (!ToolFault.isInstance(error) || ResponseError.isInstance(error)) return error;
  return new ResponseError(error.fault, { requestId }, { cause: error });
}

/** The answer has only images, sounds and links, and no text: there is nothing to ask about. */
function isWordless({ data, blocks }: Answer): boolean {
  return blocks.length > 0 && isJsonObject(data) && Object.keys(data).length === 0;
}

/** Computes the question in the client, from an answer that is whole. */
async function askHere(answer: Answer, expression: string, options: AskOptions): Promise<Asked> {
  if (isWordless(answer))
    throw notAsAsked("it has no data that a question could be put to", answer, "Read its blocks.");
  const { openQuestions } = await import("../../engine/retrieve/question/open-questions.ts");
  const questions = await openQuestions();
  if (questions === undefined)
    throw notAsAsked("no question can be computed here", answer, "Nothing was cut from it: read its data.");
  const { signal, timeoutMs } = options;
  const value = ownValue(decodeTables(answer.data));
  try {
    const { value: data, records, note } = await questions.ask({ value }, expression, { signal, timeoutMs });
    const hash = `sha256:${await sha256(encode(JSON.stringify(answer.data)))}`;
    return { data, count: records, hash, note };
  } catch (error) {
    throw asResponseError(error, answer);
  }
}

async function askWhole(
  runner: CallRunner,
  answer: Answer,
  expression: string,
  options: AskOptions,
): Promise<Asked> {
  if (!isDataCut(answer)) return askHere(answer, expression, options);
  const hash = wholeHash(answer);
  if (hash === undefined) throw nothingKept(answer);
  const { signal, timeoutMs } = options;
  const clock = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [signal, clock].filter((one) => one !== undefined);
  const question = {
    answer,
    hash,
    expression,
    signal: signals.length === 0 ? undefined : AbortSignal.any(signals),
  };
  try {
    const asked = await askServer(runner, question);
    if (asked !== undefined) return asked;
  } catch (error) {
    signal?.throwIfAborted();
    if (timeoutMs !== undefined && clock?.aborted === true) throw late(answer, timeoutMs);
    if (!hasCode(error, "FEATURE_DISABLED")) throw error;
  }
  // A server that does not answer questions still has the whole.
  return askHere(await completeAnswer(runner, answer, options), expression, options);
}

/** Answers a question about the whole of an answer, and says what it was computed from. */
export async function askAnswer(
  runner: CallRunner,
  answer: Answer,
  expression: string,
  options: AskOptions = {},
): Promise<Asked> {
  assertAnswer(answer);
  if (typeof expression !== "string" || expression.trim() === "")
    throw new ContractError("INVALID_OPTION", 'ask() takes a question: "count_by(tasks, &status)".');
  const { schema, ...rest } = options;
  const asked = await askWhole(runner, answer, expression, rest);
  if (schema === undefined) return asked;
  const { data } = await checkData({ ...answer, data: asked.data, fidelity: "full" }, schema);
  return { ...asked, data };
}
