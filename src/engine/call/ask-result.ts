// The question that a call asks about its own result. The caller has not seen the result yet and must guess
// its shape: the question may not fit, and an empty answer may only mean a wrong guess. The whole result is
// then kept, and can be asked again without running the tool.

import type { WarningDetail } from "../../core/contract/warning.ts";
import { archiveListing, handleOf } from "../../core/contract/wire-names.ts";
import { type WrittenValue, jsonChunks } from "../../core/json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { decodeTables } from "../../core/json/table/decode-tables.ts";
import type { AskedResult, Asking } from "../../core/pipeline/parcel.ts";
import { exampleLinesIn } from "../retrieve/question/find-text.ts";
import { exampleQuestion } from "../retrieve/question/example-question.ts";
import { ownValue } from "../retrieve/question/own-value.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";

/** Used if nothing is kept: the whole result is sent. */
const nothingThere: AskedResult = {
  warning: {
    code: "SELECT_FAILED",
    severity: "warning",
    message: "The answer to the question is null, so this is the whole result.",
  },
};

/**
 * Arguments, besides the archive, that ask the result again. If the result is a single text, they ask for its
 * lines.
 */
function againOf(data: JsonValue, given: JsonObject | undefined): JsonObject {
  const value = ownValue(decodeTables(data));
  const isOneText = !isJsonObject(value) || Object.keys(value).length === 1;
  const lines = isOneText ? exampleLinesIn(value) : undefined;
  if (lines !== undefined) return lines;
  return given?.["select"] === undefined ? { select: exampleQuestion(value) ?? "@" } : given;
}

interface Kept {
  readonly archives: readonly (readonly [key: string, hash: string])[];
  /** The call that asks the result again. */
  readonly call: string;
}

/** Keeps a result and says how to ask it again; undefined if the result cannot be kept. */
async function keepWhole(
  { archive, events, retrieveName }: ContractState,
  { tool, identity }: ToolCall,
  data: JsonValue,
  written: WrittenValue | undefined,
  given?: JsonObject,
): Promise<Kept | undefined> {
  try {
    const part = {
      name: "data",
      content: jsonChunks(data, undefined, written),
      contentType: "application/json",
    };
    const { hash } = await archive.keepFor(identity.tenant)(part);
    const named = { archive: identity.isAnonymous ? hash : handleOf(hash), ...againOf(data, given) };
    return {
      archives: [archiveListing("data", hash)],
      call: `${tool.retrieveName ?? retrieveName} ${JSON.stringify(named)}`,
    };
  } catch (error) {
    const { requestId } = identity;
    events.trouble({ event: "archive-failed", level: "error", requestId, tool: tool.name, error });
    return undefined;
  }
}

async function askResult(
  state: ContractState,
  call: ToolCall,
  select: string,
  data: JsonValue,
  written: WrittenValue | undefined,
): Promise<AskedResult> {
  const { again, ...asked } = await state.questions.ask(data, select, call.request.signal);
  const { tokens, bytes } = call.contract.budget;
  // The retrieval tool is listed only if something may be cut.
  const mayKeep = state.archive.isOn && (tokens !== "off" || bytes !== "off");
  if (!("answer" in asked)) {
    if (again === undefined) return asked;
    return notFitting(
      asked.warning,
      again,
      mayKeep ? await keepWhole(state, call, data, written, again) : undefined,
    );
  }
  const { answer, warning } = asked;
  if (!isEmpty(answer)) return asked;
  const kept = mayKeep ? await keepWhole(state, call, data, written) : undefined;
  // Only null looks like no answer at all.
  if (kept === undefined) return answer === null ? nothingThere : asked;
  const said = `The answer is ${JSON.stringify(answer)}. The whole result is kept: ask it again with ${kept.call}`;
  const message = warning === undefined ? said : `${warning.message} ${said}`;
  return { answer, warning: { ...warning, message }, archives: kept.archives };
}

/** What a condition gives if no record meets it, whether the condition is right or has a mistake. */
function isEmpty(answer: JsonValue): boolean {
  if (typeof answer !== "object" || answer === null) return !answer;
  return Object.keys(answer).length === 0;
}

/** The tool has run, and a second run may do harm, so the question must be asked of the kept result. */
function notFitting(warning: WarningDetail, { select }: JsonObject, kept: Kept | undefined): AskedResult {
  const said = warning.message.replace(/[.:]?$/, (end) => (warning.message.endsWith("?") ? end : "."));
  if (kept !== undefined) {
    const message = `${said} The tool has run and need not run again: ask with ${kept.call}`;
    return { warning: { ...warning, message }, archives: kept.archives };
  }
  const next = typeof select === "string" ? ` A question that fits: ${select}` : "";
  return { warning: { ...warning, message: `${said}${next}` } };
}

/** The question that a call asks about its own result; undefined if the call asks nothing. */
export function askingOf(state: ContractState, call: ToolCall, isTyped: boolean): Asking | undefined {
  const { select } = call;
  if (select === undefined) return undefined;
  return { isTyped, ask: (data, written) => askResult(state, call, select, data, written) };
}
