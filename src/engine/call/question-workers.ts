// Answers the questions that calls ask about their results. The worker that answers them starts when the
// first tool that takes questions is listed or called. If no worker can start, no tool is listed with the
// argument, and the log says so once.

import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { decodeTables } from "../../core/json/table/decode-tables.ts";
import type { Log } from "../observe/log-event.ts";
import type { AskedResult } from "../../core/pipeline/parcel.ts";
import type { Questions } from "../retrieve/question/question.ts";

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
