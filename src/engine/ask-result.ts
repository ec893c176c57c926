// The question of a call to its own result. Whoever asks before the first look can only guess what is there, so an answer
// of null may mean no more than a wrong guess: the whole is kept then, and can be asked again without running the tool.

import { RETRIEVE_TOOL, archiveListing, handleOf } from "../contract/wire-names.ts";
import { jsonChunks } from "../json/json-chunks.ts";
import type { JsonValue } from "../json/json-value.ts";
import { decodeTables } from "../json/table/decode-tables.ts";
import type { AskedResult, Asking } from "../pipeline/parcel.ts";
import { exampleQuestion } from "../question/example-question.ts";
import { ownValue } from "../question/own-value.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";

/** Where nothing is kept, the whole is sent. */
const nothingThere: AskedResult = {
  warning: {
    code: "SELECT_FAILED",
    severity: "warning",
    message: "The answer to the question is null, so this is the whole result.",
  },
};

/** Keeps a result, and says how it is asked again; undefined where it cannot be kept. */
async function keepWhole(
  { archive, events }: ContractState,
  { tool, identity }: ToolCall,
  data: JsonValue,
): Promise<AskedResult | undefined> {
  try {
    const part = { name: "data", content: jsonChunks(data), contentType: "application/json" };
    const { hash } = await archive.keepFor(identity.tenant)(part);
    const select = exampleQuestion(ownValue(decodeTables(data))) ?? "@";
    const again = JSON.stringify({ archive: identity.isAnonymous ? hash : handleOf(hash), select });
    const message = `The answer is null. The whole result is kept: ask it again with ${tool.retrieveName ?? RETRIEVE_TOOL} ${again}`;
    return { answer: null, warning: { message }, archives: [archiveListing("data", hash)] };
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
): Promise<AskedResult> {
  const asked = await state.questions.ask(data, select, call.request.signal);
  if (!("answer" in asked) || asked.answer !== null) return asked;
  const { tokens, bytes } = call.contract.budget;
  // Only where something may be cut is the tool listed that gives it back.
  const isKept = state.archive.isOn && (tokens !== "off" || bytes !== "off");
  return (isKept ? await keepWhole(state, call, data) : undefined) ?? nothingThere;
}

/** The question that a call puts to its own result; undefined where it asks nothing. */
export function askingOf(state: ContractState, call: ToolCall, isTyped: boolean): Asking | undefined {
  const { select } = call;
  if (select === undefined) return undefined;
  return { isTyped, ask: (data) => askResult(state, call, select, data) };
}
