import type { JsonValue } from "../json/json-value.ts";
import { mainCollection } from "../json/main-collection.ts";
import { type CheckedExpression, checkExpression } from "./check-expression.ts";
import { Evaluation } from "./evaluate.ts";
import { explainFailure, explainMissedKeys, noteMissedKeys } from "./explain.ts";
import { Meter } from "./meter.ts";
import { noteComparison } from "./note-comparison.ts";
import type { Answer } from "./question.ts";
import { unwrapped } from "./questioned-value.ts";

/**
 * Puts an expression to a value. Throws a `ToolFault` where the expression is wrong, does not fit the value or makes too
 * much of it. The larger the value, the more may be made.
 */
export function answerQuestion(value: JsonValue, expression: string, inputBytes: number): Answer {
  const checked = checkExpression(expression);
  const inner = unwrapped(value);
  try {
    return evaluate(inner, checked, inputBytes);
  } catch (error) {
    // Readers see the wrapper, and may begin with its key.
    if (inner === value || !/\bresult\b/.test(expression)) throw error;
    return evaluate(value, checked, inputBytes);
  }
}

function evaluate(value: JsonValue, checked: CheckedExpression, inputBytes: number): Answer {
  const evaluation = new Evaluation(value, new Meter(inputBytes));
  try {
    const answer = evaluation.run(checked.node);
    const missed = evaluation.missedKeys();
    const fault = explainMissedKeys(isNothing(answer), { missed, value, checked });
    if (fault !== undefined) throw fault;
    const [unlike] = evaluation.unlikePairs();
    const notes = [noteMissedKeys(missed, checked), unlike && noteComparison(unlike)];
    const note = notes.filter((text) => text !== undefined).join(" ") || undefined;
    return { value: answer, records: countRecords(value), note };
  } catch (error) {
    throw explainFailure(error, { missed: evaluation.missedKeys(), value, checked });
  }
}

function isNothing(answer: JsonValue): boolean {
  return answer === null || (Array.isArray(answer) && answer.length === 0);
}

function countRecords(value: JsonValue): number {
  return mainCollection(value)?.items.length ?? 1;
}
