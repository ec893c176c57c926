// How a call ends: with an answer, with a response that is passed on as it is, or with an error.

import { faults } from "../../core/contract/faults.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import type { Notes, Outcome } from "../../core/contract/outcome.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { isTooDeep } from "../../core/json/find-non-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import type { Arrival, Parcel, ResultSource } from "../../core/pipeline/parcel.ts";
import { URL_ELICITATION_REQUIRED } from "../../core/protocol/names.ts";
import { byteLength } from "../runtime/byte-length.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";

export interface AnsweredCall {
  readonly result: JsonObject;
  /** Undefined for a result that is not an answer yet. */
  readonly outcome: Outcome | undefined;
  readonly arrival: Arrival;
  /** The result is the very object that arrived: nothing was removed and nothing added. Its bytes may be sent again. */
  readonly isUntouched: boolean;
  /** The dialect of the answer; undefined for a result that is not an answer yet. */
  readonly dialect: DialectId | undefined;
  /** The notes that the result had before it was changed here; our notes are added to them. */
  readonly source?: Pick<ResultSource, "notes" | "isEnvelope"> | undefined;
  /** What each stage did, in words; undefined if the result skipped the pipeline. */
  readonly trace?: Parcel["trace"] | undefined;
  /** The call was refused before its tool ran. */
  readonly isRefused?: boolean;
  /** The result is final: nothing more is added to it. */
  readonly isFinished?: boolean;
  /** What was changed in the result for its reader, in words. A function: few ask. */
  readonly changes?: (() => readonly string[]) | undefined;
  /** Thrown by a door for a response that is not an answer yet and is passed on as it is. */
  readonly passed?: PassedThrough;
}

/** When the call was opened, when its tool was called, and when the tool answered, by `performance.now()`. */
export interface CallTimes {
  readonly openedAt: number;
  readonly askedAt: number;
  readonly arrivedAt: number;
}

const cancelled = Symbol.for("waybill.CallCancelled");
const passedThrough = Symbol.for("waybill.PassedThrough");

/** The caller gave up. The class has the name of the platform's own error, because no caller waits for an answer. */
export class CallCancelled extends Error {
  override readonly name = "AbortError";

  constructor(reason?: unknown) {
    super("The call was cancelled", reason === undefined ? undefined : { cause: reason });
    Object.defineProperty(this, cancelled, { value: true });
  }

  static isInstance(value: unknown): value is CallCancelled {
    return typeof value === "object" && value !== null && cancelled in value;
  }
}

/**
 * Thrown by a door if its server's response must not be wrapped: a protocol error, or a response that is not
 * an answer yet.
 */
export class PassedThrough extends Error {
  /** The response, if it has not been sent on yet. */
  readonly response: object | undefined;
  /** Not an answer yet: the server asks the client for something, or continues in a task. */
  readonly isUnfinished: boolean;
  /** The code of a protocol error. */
  readonly code: number | undefined;

  constructor(response: object | undefined, isUnfinished: boolean, code?: number) {
    super("The response is passed on as it is");
    this.response = response;
    this.isUnfinished = isUnfinished;
    this.code = code;
    Object.defineProperty(this, passedThrough, { value: true });
  }

  static isInstance(value: unknown): value is PassedThrough {
    return typeof value === "object" && value !== null && passedThrough in value;
  }
}

/** What a thrown error is to the pipeline; a cancelled call is answered although no caller waits. */
export function thrownArrival(error: unknown): Arrival {
  const isCancelled = CallCancelled.isInstance(error);
  if (!isCancelled) return { kind: "thrown", error };
  return { kind: "thrown", error: faults.unavailable("The call was cancelled"), isCancelled };
}

/** What a server answered, by the fault as which its answer was read. */
const answersBehind = new WeakMap<ToolFault, JsonObject>();

export function noteAnswerBehind(fault: ToolFault, answer: JsonObject): void {
  answersBehind.set(fault, answer);
}

/** The result that a server sent, also if it was read as a fault; undefined if none arrived. */
export function resultOfServer(arrival: Arrival): JsonObject | undefined {
  if (arrival.kind === "result") return arrival.result;
  if (arrival.kind !== "thrown" || !ToolFault.isInstance(arrival.error)) return undefined;
  return answersBehind.get(arrival.error);
}

/** The URL elicitation error is an instruction to the client, so it must not be wrapped. */
export function isForTheClient(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === URL_ELICITATION_REQUIRED
  );
}

/** Reads everything that is later read from a thrown value, for the answer and for the log. */
function look(error: object): void {
  if (ToolFault.isInstance(error)) error.toOutcome();
  CallCancelled.isInstance(error);
  if ("code" in error) String(error.code);
  if (error instanceof Error)
    [error.name, error.message, error.stack, error.cause].map((part) => typeof part);
}

/**
 * The thrown value, or an error in its place if a getter, a proxy or a false brand throws when the value is
 * read: that second error would otherwise become the SDK's answer, with its text.
 */
export function readableError(error: unknown): unknown {
  if ((typeof error !== "object" && typeof error !== "function") || error === null) return error;
  try {
    look(error);
    return error;
  } catch {
    return new Error("The tool threw a value that cannot be read");
  }
}

// An upstream result that has not been parsed yet: it is still the bytes of its message. Parsing a large
// result would block this thread for too long, so a door that has the bytes may have the result delivered in
// another thread.

/** Delivers a result in another thread; undefined if it must be parsed and delivered here. */
export type DeliverElsewhere = (
  state: ContractState,
  call: ToolCall,
  notes: Notes,
) => Promise<AnsweredCall | undefined>;

/** An arrival that another thread can deliver. */
type UnreadArrival = Arrival & { readonly deliverElsewhere?: DeliverElsewhere };

/** A result that is parsed at the first access, if there is one. */
export function unreadArrival(
  read: () => JsonObject,
  deliver: DeliverElsewhere,
  isDocument: boolean | undefined,
): Arrival {
  let known: JsonObject | undefined;
  const arrival: UnreadArrival = {
    kind: "result",
    isDocument,
    deliverElsewhere: deliver,
    get result() {
      known ??= read();
      return known;
    },
  };
  return arrival;
}

/** How an unparsed arrival is delivered in another thread; undefined for any other arrival. */
export function elsewhereOf(arrival: UnreadArrival): DeliverElsewhere | undefined {
  return arrival.deliverElsewhere;
}

// The parts of an answer that statistics and pages use.

/** What a model reads of a result: its texts, or its structured content if it has no text. */
export function readableOf({ content, structuredContent }: JsonObject): readonly string[] {
  const texts: string[] = [];
  for (const block of Array.isArray(content) ? content : []) {
    const text = isJsonObject(block) ? block["text"] : undefined;
    if (typeof text === "string") texts.push(text);
  }
  if (texts.length > 0 || structuredContent === undefined || isTooDeep(structuredContent)) return texts;
  return [JSON.stringify(structuredContent)];
}

/** The bytes of the texts in a result, in UTF-8, also if it was parsed in another thread. */
export function bytesOfTexts(result: Opened): number {
  const known = result[TEXT_BYTES];
  if (known !== undefined) return known;
  const { content } = result;
  const blocks: readonly JsonValue[] = Array.isArray(content) ? content : [];
  const texts = blocks.map((block) => (isJsonObject(block) ? block["text"] : undefined));
  return texts.reduce<number>((sum, text) => sum + (typeof text === "string" ? byteLength(text) : 0), 0);
}

/** A failure that the server had not marked as a failure, or that had no code for programs. */
export function isRepaired({ outcome, arrival }: AnsweredCall): boolean {
  if (outcome?.ok !== false || arrival.kind !== "result") return false;
  const { isError, structuredContent } = arrival.result;
  const data = isJsonObject(structuredContent) ? structuredContent["data"] : undefined;
  const hasCode = isJsonObject(data) && typeof data["error_code"] === "string";
  return isError !== true || !hasCode;
}

export function isCut({ outcome }: AnsweredCall): boolean {
  const level = outcome?.notes.fidelity?.level;
  return level !== undefined && level !== "full";
}

/** A text, or the beginning of a text with the length of the whole. */
export interface Readable {
  readonly length: number;
  slice(start: number, end: number): string;
}

/** The beginning of a text that is in another thread, and the length of the whole text. */
interface TextStart {
  readonly start: string;
  readonly length: number;
}

/** What statistics and pages need of a result that was parsed in another thread. */
export interface StandIn {
  /** The result, with only the beginnings of its texts. */
  readonly result: JsonObject;
  readonly texts: readonly TextStart[];
  /** The bytes of all its texts; undefined if `result` has them all. */
  readonly textBytes: number | undefined;
}

/** At most this many characters of a text are counted. */
const START_LENGTH = 32 * 1024;
/** The length of the last one includes all further texts. */
const MAX_TEXTS = 32;

function startOf(text: string): string {
  return text.slice(0, START_LENGTH);
}

/** The error code of an envelope, if it has one. */
function codeIn(structured: unknown): JsonObject {
  const data = isJsonObject(structured) ? structured["data"] : undefined;
  const code = isJsonObject(data) ? data["error_code"] : undefined;
  return typeof code === "string" ? { structuredContent: { data: { error_code: startOf(code) } } } : {};
}

function startsOf(texts: readonly string[]): readonly TextStart[] {
  const rest = texts.slice(MAX_TEXTS).reduce((sum, text) => sum + text.length, 0);
  return texts.slice(0, MAX_TEXTS).map((text, at) => ({
    start: startOf(text),
    length: text.length + (at === MAX_TEXTS - 1 ? rest : 0),
  }));
}

export function standInFor(result: JsonObject): StandIn {
  const texts = startsOf(readableOf(result).filter((text) => text !== ""));
  const content = texts.map(({ start }) => ({ type: "text", text: start }));
  const { isError, structuredContent } = result;
  return {
    result: { content, ...(isError === true ? { isError } : {}), ...codeIn(structuredContent) },
    texts,
    textBytes: bytesOfTexts(result),
  };
}

const TEXTS = Symbol("texts");
const TEXT_BYTES = Symbol("textBytes");
type Opened = JsonObject & {
  readonly [TEXTS]?: readonly Readable[];
  readonly [TEXT_BYTES]?: number | undefined;
};

/** The result that represents a result in another thread. */
export function openStandIn({ result, texts, textBytes }: StandIn): JsonObject {
  const opened: Opened = {
    ...result,
    [TEXT_BYTES]: textBytes,
    [TEXTS]: texts.map(({ start, length }) => ({ length, slice: (from, to) => start.slice(from, to) })),
  };
  return opened;
}

/** Whether the result itself is in another thread, and only the beginnings of its texts are here. */
export function isStandIn(result: Opened): boolean {
  return result[TEXTS] !== undefined;
}

/** What a model reads of a result, also if it was parsed in another thread. */
export function readableTexts(result: Opened): readonly Readable[] {
  return result[TEXTS] ?? readableOf(result);
}
