// The entry file of a worker thread that answers questions. open-questions.ts starts it, and no module
// imports it: a build must put it where that module searches for it.

import { parentPort } from "node:worker_threads";
import { type AnswerPiece, piecesOf } from "./answer-pieces.ts";
import { answerQuestion } from "./answer-question.ts";
import { checkExpression } from "./check-expression.ts";
import { explainLimit } from "./explain.ts";
import { openText, readQuestionedBytes, readTexts } from "./questioned-value.ts";
import {
  type AnswerHead,
  QUESTION_READY,
  type QuestionMessage,
  type QuestionWork,
  toFaultMessage,
} from "./question-messages.ts";
import { ReadNotes } from "./read-json.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { findText } from "./find-text.ts";
import { compilePattern, searchLines } from "./search-lines.ts";
import type { TextSearch } from "./question.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";

function tell(message: QuestionMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
  parentPort?.postMessage(message);
}

let texts: string[] = [];
let current: { readonly pieces: Generator<AnswerPiece>; readonly head: AnswerHead } | undefined;

function answer(request: Extract<QuestionWork, { readonly kind: "ask" }>): typeof current {
  const { source, expression, maxAnswerBytes, search, isOnlyRead } = request;
  const parts = texts;
  texts = [];
  if (isOnlyRead) {
    checkExpression(expression);
    return { pieces: boundedPieces(null, maxAnswerBytes), head: { records: 0, note: undefined } };
  }
  const notes = new ReadNotes();
  const { value: sent, bytes } =
    source === undefined ? readTexts(parts, notes) : readQuestionedBytes(source, notes);
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

parentPort?.on("message", (request: QuestionWork) => {
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
tell(QUESTION_READY);

/**
 * Searches a value for lines of its text. Separate from search-lines.ts, so that only the worker loads the
 * pattern engine.
 */
function answerSearch(value: JsonValue, search: TextSearch): AnswerHead & { readonly value: JsonValue } {
  const pattern = search.pattern === undefined ? undefined : compilePattern(search.pattern);
  const { pointer, text } = findText(value, search.pointer);
  const found = searchLines(text, pointer, search, pattern);
  return { value: found as unknown as JsonValue, records: found.totalLines, note: undefined };
}

function bytesOf(piece: AnswerPiece): number {
  if (piece.kind === "value" || piece.kind === "inner") return Buffer.byteLength(piece.json);
  if (piece.kind === "text") return Buffer.byteLength(piece.text);
  return piece.kind === "key" ? Buffer.byteLength(piece.key) + 3 : 1;
}

/**
 * The pieces of an answer up to a length. An answer may be far longer than its input, because it can contain
 * a part a thousand times, so it is counted while it is written.
 */
function* boundedPieces(answer: JsonValue, maxBytes: number): Generator<AnswerPiece> {
  let bytes = 0;
  for (const piece of piecesOf(answer)) {
    bytes += bytesOf(piece);
    if (bytes > maxBytes)
      throw new ToolFault(`The answer is longer than ${maxBytes} bytes.`, {
        errorCode: "TOO_LARGE",
        remediation: "Ask for less: fewer fields, a filter, a slice such as [:100], or a count.",
        details: { reason: "long_answer", max_bytes: maxBytes },
      });
    yield piece;
  }
}
