import { ToolFault } from "../contract/tool-fault.ts";
import { jsonChunks } from "../json/json-chunks.ts";
import type { JsonValue } from "../json/json-value.ts";
import { mainCollection } from "../json/main-collection.ts";
import { checkExpression } from "./check-expression.ts";
import { Evaluation } from "./evaluate.ts";
import { explainFailure, explainMissedKeys, noteMissedKeys } from "./explain.ts";
import { Meter } from "./meter.ts";
import type { QuestionAnswer } from "./question-messages.ts";
import { unwrapped } from "./questioned-value.ts";

export interface QuestionLimits {
  readonly maxAnswerBytes: number;
  /** How large the value is, as JSON text. */
  readonly inputBytes: number;
}

/** Puts an expression to a value. Throws a `ToolFault` where it is wrong, does not fit the value or goes over a limit. */
export function answerQuestion(value: JsonValue, expression: string, limits: QuestionLimits): QuestionAnswer {
  const node = checkExpression(expression);
  const inner = unwrapped(value);
  try {
    return evaluate(inner, node, limits);
  } catch (error) {
    // Readers see the wrapper, and may begin with its key.
    if (inner === value || !/\bresult\b/.test(expression)) throw error;
    return evaluate(value, node, limits);
  }
}

function evaluate(
  value: JsonValue,
  node: ReturnType<typeof checkExpression>,
  { maxAnswerBytes, inputBytes }: QuestionLimits,
): QuestionAnswer {
  const evaluation = new Evaluation(value, new Meter(inputBytes));
  try {
    const answer = evaluation.run(node);
    const missed = evaluation.missedKeys();
    if (isNothing(answer)) {
      const fault = explainMissedKeys(missed, value);
      if (fault !== undefined) throw fault;
    }
    const text = writeAnswer(answer, maxAnswerBytes);
    return { kind: "answer", text, records: countRecords(value), note: noteMissedKeys(missed) };
  } catch (error) {
    throw explainFailure(error, evaluation.missedKeys(), value);
  }
}

function isNothing(answer: JsonValue): boolean {
  return answer === null || (Array.isArray(answer) && answer.length === 0);
}

function countRecords(value: JsonValue): number {
  return mainCollection(value)?.items.length ?? 1;
}

/** The answer's text. It may be far longer than what it was made of, so that it is counted while it is written. */
function writeAnswer(answer: JsonValue, maxBytes: number): string {
  const parts: string[] = [];
  let bytes = 0;
  for (const chunk of jsonChunks(answer)) {
    bytes += Buffer.byteLength(chunk);
    if (bytes > maxBytes)
      throw new ToolFault(`The answer is longer than ${maxBytes} bytes.`, {
        errorCode: "TOO_LARGE",
        remediation: "Ask for less: fewer fields, a filter, a slice such as [:100], or a count.",
        details: { reason: "long_answer", max_bytes: maxBytes },
      });
    parts.push(chunk);
  }
  return parts.join("");
}
