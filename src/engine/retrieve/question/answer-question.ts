import type { JsonValue } from "../../../core/json/json-value.ts";
import { mainCollection } from "../../../core/json/main-collection.ts";
import { type CheckedExpression, checkExpression } from "./check-expression.ts";
import { Evaluation } from "./evaluate.ts";
import type { MissedKey } from "./key-use.ts";
import { explainFailure, explainMissedKeys, explainText, knownOf, noteMissedKeys } from "./explain.ts";
import { Meter } from "./meter.ts";
import { noteComparison } from "./note-comparison.ts";
import { noteEscapes } from "./note-escapes.ts";
import type { Answer } from "./question.ts";
import { unwrapped } from "./questioned-value.ts";
import { ReadNotes } from "./read-json.ts";

/**
 * Puts an expression to a value. Throws a `ToolFault` where the expression is wrong, does not fit the value or makes too
 * much of it. The larger the value, the more may be made.
 */
export function answerQuestion(
  value: JsonValue,
  expression: string,
  inputBytes: number,
  notes: ReadNotes = new ReadNotes(),
): Answer {
  const { inner, around } = unwrapped(value, notes);
  const checked = checkExpression(expression, () => knownOf(inner));
  const meter = (): Meter => new Meter(inputBytes, notes);
  if (around === undefined || !expression.includes(around.key)) return evaluate(inner, checked, meter());
  // Readers see what is around it, and may begin with its key.
  const first = attempt(inner, checked, meter());
  if (!misses(first, around.key)) return settle(first);
  const second = attempt(around.value, checked, meter());
  return settle("error" in second || misses(second, around.key) ? first : second);
}

type Attempt =
  | { readonly answer: Answer; readonly missed: readonly MissedKey[] }
  | { readonly error: unknown; readonly missed: readonly MissedKey[] };

function evaluate(value: JsonValue, checked: CheckedExpression, meter: Meter): Answer {
  return settle(attempt(value, checked, meter));
}

function attempt(value: JsonValue, checked: CheckedExpression, meter: Meter): Attempt {
  const evaluation = new Evaluation(value, meter);
  try {
    const answer = evaluation.run(checked.node);
    const missed = evaluation.missedKeys();
    const fault = explainMissedKeys(isNothing(answer), { missed, value, checked });
    if (fault !== undefined) return { error: fault, missed };
    const askedText = evaluation.askedText();
    if (answer === null && askedText !== undefined)
      return { error: explainText(askedText, value, checked), missed };
    const [unlike] = evaluation.unlikePairs();
    const notes = [
      noteMissedKeys(missed, checked),
      unlike && noteComparison(unlike),
      noteEscapes(checked.node),
      ...meter.notes.said,
    ];
    const note = notes.filter((text) => text !== undefined).join(" ") || undefined;
    return { answer: { value: answer, records: countRecords(value), note }, missed };
  } catch (error) {
    const missed = evaluation.missedKeys();
    return { error: explainFailure(error, { missed, value, checked }), missed };
  }
}

function misses({ missed }: Attempt, key: string): boolean {
  return missed.some(({ node }) => node.name === key);
}

function settle(made: Attempt): Answer {
  if ("error" in made) throw made.error;
  return made.answer;
}

function isNothing(answer: JsonValue): boolean {
  return answer === null || (Array.isArray(answer) && answer.length === 0);
}

function countRecords(value: JsonValue): number {
  return mainCollection(value)?.items.length ?? 1;
}
