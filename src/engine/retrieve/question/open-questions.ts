// Questions are answered in worker threads: an expression can use up all time and memory, and then only its
// own worker is lost. One worker stays ready for small questions; it keeps no process alive.

import { type Tell, type Turn, type TurnEnding, WorkerHost } from "../../runtime/worker-host.ts";
import { assertLength, checkExpression } from "./check-expression.ts";
import type {
  QuestionAnswer,
  QuestionOptions,
  FoundLines,
  Questioned,
  Questions,
  TextSearch,
} from "./question.ts";
import {
  type SourceBytes,
  type QuestionMessage,
  type QuestionWork,
  questionThread,
} from "./question-messages.ts";
import { jsonChunks } from "../../../core/json/json-chunks.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { faults } from "../../../core/contract/faults.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import { PieceJoiner } from "./answer-pieces.ts";

/** Parsing a large value takes time before the question begins, and twice as long on a busy machine. */
const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_TIMEOUT_MS_PER_MIB = 200;
const DEFAULT_MAX_ANSWER_BYTES = 16 * 1024 * 1024;

const MIB = 1024 * 1024;
/** The heap of a worker for values of up to this size. */
const WARM_HEAP_MIB = 256;
const WARM_BYTES = 8 * MIB;
/** A parsed value takes up to about ten times its text; the results of a question come on top. */
const HEAP_FACTOR = 16;
const MAX_HEAP_MIB = 4_096;

const host = new WorkerHost<QuestionWork, QuestionMessage>(questionThread, {
  places: 2,
  heapMib: WARM_HEAP_MIB,
});
let opened: Promise<Questions | undefined> | undefined;

/**
 * Opens the questions; undefined if no worker can start, which is determined once and reported once. The
 * first call starts the worker that stays ready.
 */
export function openQuestions(say?: (message: string) => void): Promise<Questions | undefined> {
  opened ??= start(say);
  return opened;
}

async function start(say: ((message: string) => void) | undefined): Promise<Questions | undefined> {
  if (await host.warmUp()) return { check, ask, search };
  say?.("Questions to results (select) are not offered: no worker thread can be started here.");
  return undefined;
}

/**
 * Up to this length an expression is parsed in this thread, in a few milliseconds; explaining a long one can
 * take a hundred.
 */
const SHORT_LENGTH = 200;

async function check(expression: string): Promise<void> {
  if (expression.length <= SHORT_LENGTH) return void checkExpression(expression);
  assertLength(expression);
  await run({ value: null }, { expression, isOnlyRead: true }, {});
}

async function ask(
  questioned: Questioned,
  expression: string,
  options: QuestionOptions = {},
): Promise<QuestionAnswer> {
  // The worker parses the expression: it has the value and can show an expression that fits.
  assertLength(expression);
  return run(questioned, { expression }, options);
}

async function search(
  questioned: Questioned,
  asked: TextSearch,
  options: QuestionOptions = {},
): Promise<FoundLines> {
  const { value } = await run(questioned, { expression: "", search: asked }, options);
  return value as unknown as FoundLines;
}

/** What is asked, and how an answer may be. */
interface Asked {
  readonly expression: string;
  /** Instead of an expression: lines of a text to search for. */
  readonly search?: TextSearch | undefined;
  /** The expression is only parsed, to check it. */
  readonly isOnlyRead?: boolean | undefined;
}

type Done =
  | { readonly kind: "answer"; readonly answer: QuestionAnswer }
  | Extract<QuestionMessage, { readonly kind: "fault" }>;

async function run(questioned: Questioned, asked: Asked, options: QuestionOptions): Promise<QuestionAnswer> {
  const { signal, maxAnswerBytes = DEFAULT_MAX_ANSWER_BYTES } = options;
  signal?.throwIfAborted();
  let timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const ending = await host.run(signal, async (): Promise<Turn<QuestionWork, QuestionMessage, Done>> => {
    const { source, bytes } = await sourceOf(questioned);
    timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS + DEFAULT_TIMEOUT_MS_PER_MIB * (bytes / MIB);
    const joiner = new PieceJoiner();
    return {
      timeoutMs,
      heapMib: heapFor(bytes),
      send: (tell, isOver) => send(tell, { ...asked, maxAnswerBytes }, source, isOver),
      hear: (message, tell) => {
        if (message.kind === "ready") return undefined;
        if (message.kind === "fault") return message;
        const value = joiner.add(message.piece);
        if (value !== undefined) return { kind: "answer", answer: { value, ...message.head } };
        return tell({ kind: "more" });
      },
    };
  });
  if (ending === undefined)
    throw new Error("A worker for questions could be started before, and now it cannot.");
  return answerOf(ending, timeoutMs);
}

/** The heap of a worker that answers one question about a large value; undefined for the worker that stays ready. */
function heapFor(bytes: number): number | undefined {
  if (bytes <= WARM_BYTES) return undefined;
  return Math.min(WARM_HEAP_MIB + Math.ceil((bytes / MIB) * HEAP_FACTOR), MAX_HEAP_MIB);
}

function answerOf(ending: TurnEnding<Done>, timeoutMs: number): QuestionAnswer {
  if (ending.kind === "late") throw tooSlow(timeoutMs);
  if (ending.kind === "memory") throw tooHeavy();
  if (ending.kind === "broken") throw broken();
  if (ending.kind === "stopped") throw ending.reason;
  if (ending.value.kind === "fault") throw new ToolFault(ending.value.message, ending.value.options);
  return ending.value.answer;
}

/** What a worker gets to parse, and its length. */
interface QuestionSource {
  readonly source: SourceBytes | readonly string[];
  readonly bytes: number;
}

/** Copied and written without a pause: a few milliseconds. */
const COPY_BYTES = 8 * 1024 * 1024;
const WRITE_LENGTH = 1024 * 1024;

/** Prepares a value or bytes for the worker, with pauses: a large one must not block this thread. */
async function sourceOf(questioned: Questioned): Promise<QuestionSource> {
  if (!("bytes" in questioned)) return writeTexts(questioned.value);
  const { sha256, hasTables = false, isText = false, isGiven = false } = questioned;
  const bytes = isGiven && isWhole(questioned.bytes) ? questioned.bytes : await copyOf(questioned.bytes);
  return { source: { bytes, sha256, hasTables, isText }, bytes: bytes.byteLength };
}

/** Transferring bytes that are part of a larger buffer would transfer the rest too. */
function isWhole(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
}

/** The worker gets a copy: the original may be part of a larger buffer, and stays with its owner. */
async function copyOf(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.byteLength);
  for (let start = 0; start < bytes.byteLength; start += COPY_BYTES) {
    if (start > 0) await pause();
    copy.set(bytes.subarray(start, start + COPY_BYTES), start);
  }
  return copy;
}

async function writeTexts(value: JsonValue): Promise<QuestionSource> {
  const texts: string[] = [];
  let length = 0;
  let sincePause = 0;
  for (const text of jsonChunks(value)) {
    texts.push(text);
    length += text.length;
    sincePause += text.length;
    if (sincePause > WRITE_LENGTH) {
      sincePause = 0;
      await pause();
    }
  }
  return { source: texts, bytes: length };
}

/** How much text is posted before a pause. */
const PAUSE_LENGTH = 1024 * 1024;

async function send(
  tell: Tell<QuestionWork>,
  { isOnlyRead = false, search, ...asked }: Asked & { readonly maxAnswerBytes: number },
  source: QuestionSource["source"],
  isOver: () => boolean,
): Promise<undefined> {
  const request = { kind: "ask", ...asked, search, isOnlyRead } as const;
  if ("bytes" in source) return tell({ ...request, source }, [source.bytes.buffer]);
  let sincePause = 0;
  for (const text of source) {
    if (isOver()) return undefined;
    tell({ kind: "part", text });
    sincePause += text.length;
    if (sincePause > PAUSE_LENGTH) {
      sincePause = 0;
      await pause();
    }
  }
  return tell({ ...request, source: undefined });
}

/** Lets all other work that waits on this thread run first. */
function pause(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0));
}

function tooSlow(timeoutMs: number): ToolFault {
  return faults.timeout(timeoutMs, {
    remediation: "Ask for less: filter first, or split the question.",
    details: { reason: "slow_question" },
  });
}

function tooHeavy(): ToolFault {
  return new ToolFault("The question takes more memory than a question may take.", {
    errorCode: "TOO_LARGE",
    remediation: "Ask for less: filter first, take fewer fields, or count.",
    details: { reason: "out_of_memory" },
  });
}

function broken(): ToolFault {
  return new ToolFault("The question could not be answered: its worker ended.", {
    errorCode: "INTERNAL_ERROR",
    remediation: "Ask again; if it happens twice, ask in another way.",
    details: { reason: "worker_ended" },
  });
}
