import type { JsonValue } from "../../../core/json/json-value.ts";
import { mainCollection } from "../../../core/json/main-collection.ts";
import { checkExpression } from "./check-expression.ts";
import { Evaluation } from "./evaluate.ts";
import { pathTo } from "./example-question.ts";
import { Meter } from "./meter.ts";

/** Each is put to the whole value, which may be large: after this time no further one is tried. */
const MAX_MS = 500;

/** What holds or does not hold for a record. */
const CONDITION = /^!?(?:matches|contains|starts_with|ends_with|after|before)\(|^[\w."]+ *(?:[=!]=|[<>])/;

/** Whether an expression gives an answer: neither a fault nor null, and every key is there. */
function hasAnswer(value: JsonValue, expression: string): boolean {
  try {
    const { node } = checkExpression(expression);
    const evaluation = new Evaluation(value, new Meter(0));
    const answer = evaluation.run(node);
    // A sum of what is no number is 0.
    if (answer === null || (answer === 0 && expression.includes("to_number("))) return false;
    if (Array.isArray(answer) && answer.length === 0 && !expression.includes("[?")) return false;
    return evaluation.missedKeys().length === 0;
  } catch {
    return false;
  }
}

/** The expression itself, put to every item of the list that the value is about, and as a condition for them. */
function variantsOf(expression: string, value: JsonValue): readonly string[] {
  const main = mainCollection(value);
  if (main === undefined) return [expression];
  const list = pathTo(main.pointer);
  const [each, where] = [`${list}[*].${expression}`, `${list}[?${expression}]`];
  return CONDITION.test(expression) ? [expression, where] : [expression, each];
}

/** The first of some expressions that has an answer; one that nobody has tried is not shown. */
export function firstAnswered(
  value: JsonValue,
  candidates: Iterable<string | undefined>,
): string | undefined {
  const end = Date.now() + MAX_MS;
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    for (const variant of variantsOf(candidate, value)) {
      if (hasAnswer(value, variant)) return variant;
      if (Date.now() > end) return undefined;
    }
  }
  return undefined;
}
