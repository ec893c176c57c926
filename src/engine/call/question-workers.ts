// Answers the questions that calls ask about their results. The worker that answers them starts when the
// first tool that takes questions is listed or called. If no worker can start, no tool is listed with the
// argument, and the log says so once.

import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { decodeTables } from "../../core/json/table/decode-tables.ts";
import type { Log } from "../observe/log-event.ts";
import type { AskedResult, Asking } from "../../core/pipeline/pipeline-context.ts";
import type { Questions } from "../retrieve/question/question.ts";
import { archiveListing, handleOf } from "../../core/contract/wire-names.ts";
import { type WrittenValue, jsonChunks } from "../../core/json/json-chunks.ts";
import { exampleLinesIn } from "../retrieve/question/find-text.ts";
import { exampleQuestion } from "../retrieve/question/example-question.ts";
import { ownValue } from "../retrieve/question/own-value.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";

const MAX_SAID_LENGTH = 600;
/** A worker starts in well under a second; a list of tools waits no longer than this for it. */
const MAX_WAIT_MS = 2_000;

const whole = "The question could not be answered, so this is the whole result.";
const onText = `${whole} It is a text, and no JSON: a question about it uses functions of texts, such as length(@).`;

/**
 * The answer to a question. If there is no answer, `again` has arguments that would give one, if the result
 * is kept.
 */
export type DeskAnswer = AskedResult & { readonly again?: JsonObject | undefined };
function failed(why: string): WarningDetail {
  const said = why.length > MAX_SAID_LENGTH ? `${why.slice(0, MAX_SAID_LENGTH)}…` : why;
  return { code: "SELECT_FAILED", severity: "warning", message: said };
}

/**
 * The message and the advice of a fault in one text: a warning has no field for advice. Advice to ask again
 * is left to the caller of this function, which knows whether the result is kept: the tool has run, and
 * perhaps should not run twice.
 */
function unanswered({ message, fault: { remediation, details } }: ToolFault): DeskAnswer {
  const said = `${whole} ${message}`;
  const example = details?.["example"];
  if (typeof example === "string") return { warning: failed(said), again: { select: example } };
  const advised = remediation === undefined ? said : `${said.replace(/[.:]?$/, ".")} ${remediation}`;
  return { warning: failed(advised), again: {} };
}

type StartQuestions = () => Promise<Questions | undefined>;

/** Loaded by the first tool that takes questions: most servers have none. */
const startQuestions: StartQuestions = async () => {
  const { openQuestions } = await import("../retrieve/question/open-questions.ts");
  return openQuestions();
};

export class QuestionWorkers {
  readonly #log: Log;
  readonly #begin: StartQuestions;
  #opening: Promise<Questions | undefined> | undefined;
  #state: "closed" | "opening" | "open" | "refused" = "closed";

  constructor(log: Log, start: StartQuestions = startQuestions) {
    this.#log = log;
    this.#begin = start;
  }

  /** False once it is known that no worker can answer here. */
  get mayAnswer(): boolean {
    return this.#state !== "refused";
  }

  /** True while it is not yet known whether a worker can answer here. */
  get isOpening(): boolean {
    return this.#state === "opening";
  }

  /** Starts the worker, if that has not been tried. */
  open(): Promise<Questions | undefined> {
    if (this.#opening !== undefined) return this.#opening;
    this.#state = "opening";
    this.#opening = this.#start();
    return this.#opening;
  }

  /** Waits until it is known whether a worker can answer here, for a limited time. */
  async settled(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS);
    });
    await Promise.race([this.open(), late]);
    clearTimeout(timer);
  }

  async #start(): Promise<Questions | undefined> {
    let questions: Questions | undefined;
    try {
      questions = await this.#begin();
    } catch (error) {
      this.#log.warn("questions-failed", { err: error });
    }
    this.#state = questions === undefined ? "refused" : "open";
    if (questions === undefined)
      this.#log.warn("questions-off", {
        hint: "No worker thread can be started here, so no tool takes _waybill_select, and the tool that gives back what was cut takes no select and grep.",
      });
    return questions;
  }

  /** Refuses an expression that no result could answer, before the tool runs. If no worker can answer, it passes. */
  async check(expression: string): Promise<void> {
    const questions = await this.open();
    await questions?.check(expression);
  }

  /** The answer, or the warning that is sent with the whole result. Never rejects: the tool has run. */
  async ask(data: JsonValue, expression: string, signal: AbortSignal | undefined): Promise<DeskAnswer> {
    const questions = await this.open();
    if (questions === undefined)
      return { warning: failed("Questions cannot be answered on this server, so this is the whole result.") };
    try {
      // An upstream Waybill may have written lists as tables.
      const { value, note } = await questions.ask({ value: decodeTables(data) }, expression, { signal });
      if (value === null && typeof data === "string") return { warning: failed(onText), again: {} };
      return { answer: value, warning: note === undefined ? undefined : { message: note } };
    } catch (error) {
      if (ToolFault.isInstance(error)) return unanswered(error);
      this.#log.warn("question-failed", { err: error });
      return { warning: failed(whole) };
    }
  }
}

// The question that a call asks about its own result. The caller has not seen the result yet and must guess
// its shape: the question may not fit, and an empty answer may only mean a wrong guess. The whole result is
// then kept, and can be asked again without running the tool.

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
  { tool, identity, contract }: ToolCall,
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
    const { hash } = await archive.keepFor(identity.tenant, contract.tool)(part);
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
  const mayKeep = state.archive.keeps(call.contract.tool) && (tokens !== "off" || bytes !== "off");
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
