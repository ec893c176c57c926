// The entry file of a worker thread that answers questions. open-questions.ts starts it, and no module
// imports it: a build must put it where that module searches for it.
import { parentPort } from "node:worker_threads";
import type { AnswerPiece } from "./answer-pieces.ts";
import { answerQuestion } from "./answer-question.ts";
import { answerSearch } from "./answer-search.ts";
import { boundedPieces } from "./bounded-pieces.ts";
import { checkExpression } from "./check-expression.ts";
import { explainLimit } from "./explain.ts";
import { openText } from "./open-text.ts";
import {
  type AnswerHead,
  READY,
  type WorkerMessage,
  type WorkerRequest,
  toFaultMessage,
} from "./question-messages.ts";
import { readBytes, readTexts } from "./questioned-value.ts";
import { ReadNotes } from "./read-json.ts";

function tell(message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
  parentPort?.postMessage(message);
}

let texts: string[] = [];
let current: { readonly pieces: Generator<AnswerPiece>; readonly head: AnswerHead } | undefined;

function answer(request: Extract<WorkerRequest, { readonly kind: "ask" }>): typeof current {
  const { source, expression, maxAnswerBytes, search, isOnlyRead } = request;
  const parts = texts;
  texts = [];
  if (isOnlyRead) {
    checkExpression(expression);
    return { pieces: boundedPieces(null, maxAnswerBytes), head: { records: 0, note: undefined } };
  }
  const notes = new ReadNotes();
  const { value: sent, bytes } = source === undefined ? readTexts(parts, notes) : readBytes(source, notes);
  const { value, records, note } =
    search === undefined
      ? answerQuestion(openText(sent, notes), expression, bytes, notes)
      : answerSearch(sent, search);
  return { pieces: boundedPieces(value, maxAnswerBytes), head: { records, note } };
}

function tellNext(): void {
  const next = current?.pieces.next();
  if (current === undefined || next === undefined || next.done === true) current = undefined;
  else tell({ kind: "piece", piece: next.value, head: current.head });
}

parentPort?.on("message", (request: WorkerRequest) => {
  try {
    if (request.kind === "part") texts.push(request.text);
    else {
      if (request.kind === "ask") current = answer(request);
      tellNext();
    }
  } catch (error) {
    current = undefined;
    tell(toFaultMessage(explainLimit(error)));
  }
});
tell(READY);
