// The entry file of a worker thread that answers questions. It is started by open-worker.ts, and nothing imports it: a
// build must put it where that file looks for it.
import { parentPort } from "node:worker_threads";
import { answerQuestion } from "./answer-question.ts";
import { type QuestionRequest, READY, type WorkerMessage, toFaultMessage } from "./question-messages.ts";
import { readSource } from "./questioned-value.ts";

function tell(message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
  parentPort?.postMessage(message);
}

function answer({ source, expression, maxAnswerBytes }: QuestionRequest): WorkerMessage {
  try {
    const { value, bytes } = readSource(source);
    return answerQuestion(value, expression, { maxAnswerBytes, inputBytes: bytes });
  } catch (error) {
    return toFaultMessage(error);
  }
}

parentPort?.on("message", (request: QuestionRequest) => tell(answer(request)));
tell(READY);
