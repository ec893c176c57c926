import type { JsonValue } from "../../../core/json/json-value.ts";
import { compareValues, isEqual } from "./compare-values.ts";
import type { ComparedTypes } from "./compared-types.ts";
import type { ExpressionNode, NodeOf } from "./expression-node.ts";
import type { Evaluator } from "./function-call.ts";

/** Thrown if a computation gets a value that is not a number. */
export class NotANumber extends Error {
  override readonly name = "NotANumber";
  readonly node: ExpressionNode;

  constructor(node: ExpressionNode, message: string) {
    super(message);
    this.node = node;
  }
}

function numberFor(node: ExpressionNode, value: JsonValue): number {
  if (typeof value === "number") return value;
  throw new NotANumber(node, "it computes with numbers only");
}

/** A sign in front of a value. */
export function negation(node: NodeOf<"Unary">, operand: Evaluator): Evaluator {
  const sign = node.operator === "Minus" ? -1 : 1;
  return (value) => sign * numberFor(node, operand(value));
}

/** A result that JSON cannot write, such as a division by zero, is a failure and never becomes null. */
export function computation(node: NodeOf<"Arithmetic">, left: Evaluator, right: Evaluator): Evaluator {
  const compute = operations[node.operator];
  return (value) => {
    const result = compute(numberFor(node, left(value)), numberFor(node, right(value)));
    if (!Number.isFinite(result))
      throw new NotANumber(node, "the result is not a number, as after a division by zero");
    return result;
  };
}

type Operator = NodeOf<"Arithmetic">["operator"];

const operations: Record<Operator, (left: number, right: number) => number> = {
  Plus: (left, right) => left + right,
  Minus: (left, right) => left - right,
  Multiply: (left, right) => left * right,
  Star: (left, right) => left * right,
  Divide: (left, right) => left / right,
  Modulo: (left, right) => left % right,
  Div: (left, right) => Math.floor(left / right),
};

/** Orders numbers and, beyond JMESPath, texts: models compare dates with it. */
export function comparison(
  name: NodeOf<"Comparator">["name"],
  types: ComparedTypes,
  left: Evaluator,
  right: Evaluator,
): Evaluator {
  if (name === "EQ" || name === "NE")
    return (value) => {
      const [first, second] = [left(value), right(value)];
      types.see(first, second);
      return isEqual(first, second) === (name === "EQ");
    };
  const holds = orders[name];
  return (value) => {
    const [first, second] = [left(value), right(value)];
    types.see(first, second);
    const order = compareValues(first, second);
    return order === undefined ? null : holds(order);
  };
}

const orders = {
  GT: (order: number) => order > 0,
  GTE: (order: number) => order >= 0,
  LT: (order: number) => order < 0,
  LTE: (order: number) => order <= 0,
} as const;
