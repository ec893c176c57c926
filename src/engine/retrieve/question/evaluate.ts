// Evaluates a parsed expression on a value. The parser comes from the JMESPath community; the evaluation is
// ours, because theirs reaches into prototypes, sorts numbers as text and has no limits. An expression
// becomes a function once, so that a list of records is walked without reading the tree again. Never returns
// undefined.

import { type JsonValue, isJsonObject, setOwn } from "../../../core/json/json-value.ts";
import { prepareCall } from "./call-function.ts";
import {
  type UnlikePair,
  ComparedTypes,
  comparison,
  computation,
  isTrue,
  negation,
} from "./compare-values.ts";
import type { ExpressionNode, NodeOf } from "./expression-node.ts";
import { type Evaluator, type Meter, type MissedKey, CONSTANTS, KeyUse } from "./meter.ts";
import { InnerTexts } from "./questioned-value.ts";

type Scope = ReadonlyMap<string, { value: JsonValue }>;

export class Evaluation {
  readonly #meter: Meter;
  readonly #root: JsonValue;
  readonly #texts: InnerTexts;
  readonly #keys: KeyUse[] = [];
  readonly #comparisons: ComparedTypes[] = [];
  #askedText: ExpressionNode | undefined;
  #conditions = 0;
  #references = 0;

  constructor(root: JsonValue, meter: Meter) {
    this.#root = root;
    this.#meter = meter;
    this.#texts = new InnerTexts(meter);
  }

  run(node: ExpressionNode): JsonValue {
    return this.#prepare(node, new Map())(this.#root);
  }

  /** Keys that the question uses and that no object had. */
  missedKeys(): MissedKey[] {
    return this.#keys.flatMap((use) => use.missed() ?? []);
  }

  /** The first part that asked for the items of a text, which has none. */
  askedText(): ExpressionNode | undefined {
    return this.#askedText;
  }

  /** Comparisons that never met two values of one type. */
  unlikePairs(): UnlikePair[] {
    return this.#comparisons.flatMap((types) => types.unlike() ?? []);
  }

  #prepare(node: ExpressionNode, scope: Scope): Evaluator {
    switch (node.type) {
      case "Current":
      case "Identity":
        return (value) => value;
      case "Root":
        return () => this.#root;
      case "Literal": {
        const literal = node.value as JsonValue;
        return () => literal;
      }
      case "Field":
        return this.#field(node, CONSTANTS.get(node.name));
      case "Index":
        return (value) => {
          const list = this.#texts.open(value);
          return Array.isArray(list) ? ((list.at(node.value) as JsonValue | undefined) ?? null) : null;
        };
      case "Slice":
        return (value) => sliceOf(this.#meter, value, node);
      case "Subexpression":
      case "IndexExpression":
      case "Pipe":
        return this.#chain(node, scope);
      case "Projection":
      case "ValueProjection":
      case "FilterProjection":
        return this.#projection(node, scope);
      case "Flatten":
        return this.#flatten(node, scope);
      case "MultiSelectList":
        return this.#list(node, scope);
      case "MultiSelectHash":
        return this.#object(node, scope);
      case "Function":
        return this.#call(node, scope);
      case "LetExpression":
        return this.#let(node, scope);
      case "Variable": {
        const variable = scope.get(node.name);
        return () => variable?.value ?? null;
      }
      case "Unary":
      case "Arithmetic":
        return this.#arithmetic(node, scope);
      case "AndExpression":
      case "OrExpression":
      case "NotExpression":
      case "Comparator":
      case "Ternary":
      case "Binding":
      case "ExpressionReference":
        break;
    }
    return this.#logic(node, scope);
  }

  #field(node: NodeOf<"Field">, constant?: JsonValue): Evaluator {
    const use = new KeyUse(node, constant, {
      isCondition: this.#conditions > 0,
      isForEach: this.#references > 0,
    });
    this.#keys.push(use);
    return (value) => use.read(typeof value === "string" ? this.#texts.open(value) : value);
  }

  #chain(node: NodeOf<"Subexpression" | "IndexExpression" | "Pipe">, scope: Scope): Evaluator {
    const left = this.#prepare(node.left, scope);
    // A name after a dot is a key, even if it is also a constant.
    const isKey = node.type === "Subexpression" && node.right.type === "Field";
    const right = isKey ? this.#field(node.right) : this.#prepare(node.right, scope);
    if (node.type !== "Subexpression") return (value) => right(left(value));
    return (value) => {
      const inner = left(value);
      return inner === null ? null : right(inner);
    };
  }

  #projection(node: NodeOf<"Projection" | "ValueProjection" | "FilterProjection">, scope: Scope): Evaluator {
    const left = this.#prepare(node.left, scope);
    const condition = node.type === "FilterProjection" ? this.#condition(node.condition, scope) : undefined;
    const right = this.#prepare(node.right, scope);
    const isSlice =
      node.left.type === "IndexExpression" && "right" in node.left && node.left.right.type === "Slice";
    return (value) => {
      const base = left(value);
      // A slice of a text is a text, not a list.
      if (isSlice && typeof base === "string") return right(base);
      const opened = this.#texts.open(base);
      const items = node.type === "ValueProjection" ? valuesIn(opened) : opened;
      if (!Array.isArray(items)) {
        if (typeof opened === "string") this.#askedText ??= node;
        return null;
      }
      const collected: JsonValue[] = [];
      for (const item of items as readonly JsonValue[]) {
        if (condition !== undefined && !isTrue(condition(item))) continue;
        const result = right(item);
        if (result !== null) collected.push(result);
      }
      this.#meter.values(collected.length);
      return collected;
    };
  }

  #condition(node: ExpressionNode, scope: Scope): Evaluator {
    this.#conditions++;
    const condition = this.#prepare(node, scope);
    this.#conditions--;
    return condition;
  }

  #flatten(node: NodeOf<"Flatten">, scope: Scope): Evaluator {
    const child = this.#prepare(node.child, scope);
    return (value) => {
      const list = this.#texts.open(child(value));
      if (!Array.isArray(list)) return null;
      const flat: JsonValue[] = [];
      for (const item of list as readonly JsonValue[]) {
        if (!Array.isArray(item)) flat.push(item);
        else {
          this.#meter.values(item.length);
          for (const inner of item as readonly JsonValue[]) flat.push(inner);
        }
      }
      this.#meter.values(list.length);
      return flat;
    };
  }

  #list(node: NodeOf<"MultiSelectList">, scope: Scope): Evaluator {
    const parts = node.children.map((child) => this.#prepare(child, scope));
    return (value) => {
      this.#meter.values(parts.length + 1);
      return parts.map((part) => part(value));
    };
  }

  #object(node: NodeOf<"MultiSelectHash">, scope: Scope): Evaluator {
    const parts = node.children.map(({ name, value }) => ({ name, part: this.#prepare(value, scope) }));
    return (value) => {
      this.#meter.values(parts.length + 1);
      const object: Record<string, JsonValue> = {};
      for (const { name, part } of parts) setOwn(object, name, part(value));
      return object;
    };
  }

  #call(node: NodeOf<"Function">, scope: Scope): Evaluator {
    const call = prepareCall(node, this.#meter, this.#texts);
    const parts = node.children.map((child) => {
      if (node.name === "not_null") return this.#condition(child, scope);
      if (child.type !== "ExpressionReference") return this.#prepare(child, scope);
      this.#references++;
      const expression = this.#prepare(child.child, scope);
      this.#references--;
      return () => expression;
    });
    return (value) => call(parts.map((part) => part(value)));
  }

  #let(node: NodeOf<"LetExpression">, scope: Scope): Evaluator {
    const bindings = node.bindings.map(({ variable, reference }) => ({
      variable,
      // A variable sees outer variables, not those of the same `let`.
      reference: this.#prepare(reference, scope),
      cell: { value: null as JsonValue },
    }));
    const inner = new Map(scope);
    for (const { variable, cell } of bindings) inner.set(variable, cell);
    const expression = this.#prepare(node.expression, inner);
    return (value) => {
      for (const { reference, cell } of bindings) cell.value = reference(value);
      return expression(value);
    };
  }

  #arithmetic(node: NodeOf<"Unary" | "Arithmetic">, scope: Scope): Evaluator {
    if (node.type === "Unary") return negation(node, this.#prepare(node.operand, scope));
    return computation(node, this.#prepare(node.left, scope), this.#prepare(node.right, scope));
  }

  #logic(
    node: NodeOf<
      | "AndExpression"
      | "OrExpression"
      | "NotExpression"
      | "Comparator"
      | "Ternary"
      | "ExpressionReference"
      | "Binding"
    >,
    scope: Scope,
  ): Evaluator {
    if (node.type === "Ternary") {
      const condition = this.#condition(node.condition, scope);
      const yes = this.#prepare(node.trueExpr, scope);
      const no = this.#prepare(node.falseExpr, scope);
      return (value) => (isTrue(condition(value)) ? yes(value) : no(value));
    }
    if (node.type === "NotExpression") {
      const child = this.#condition(node.child, scope);
      return (value) => !isTrue(child(value));
    }
    // Both are refused before an expression is evaluated.
    if (node.type === "ExpressionReference" || node.type === "Binding") return () => null;
    const left = this.#condition(node.left, scope);
    const right =
      node.type === "Comparator" ? this.#condition(node.right, scope) : this.#prepare(node.right, scope);
    if (node.type === "Comparator") {
      this.#keys.at(-1)?.noteCompared(node.right);
      const types = new ComparedTypes(node);
      this.#comparisons.push(types);
      return comparison(node.name, types, left, right);
    }
    const isAnd = node.type === "AndExpression";
    return (value) => {
      const first = left(value);
      return isTrue(first) === isAnd ? right(value) : first;
    };
  }
}

function valuesIn(value: JsonValue): JsonValue {
  return isJsonObject(value) ? Object.values(value) : null;
}

/** Where a slice starts and stops in a list of a given length: negative numbers count from the end. */
function boundsOf({ start, stop, step }: NodeOf<"Slice">, length: number): [number, number, number] {
  const by = step ?? 1;
  const cap = (index: number): number => {
    const place = index < 0 ? index + length : index;
    return by < 0 ? Math.min(Math.max(place, -1), length - 1) : Math.min(Math.max(place, 0), length);
  };
  return [
    start === null ? (by < 0 ? length - 1 : 0) : cap(start),
    stop === null ? (by < 0 ? -1 : length) : cap(stop),
    by,
  ];
}

/** A slice of a list, or of a text by its characters; null for any other value. */
function sliceOf(meter: Meter, value: JsonValue, node: NodeOf<"Slice">): JsonValue {
  if (typeof value === "string") {
    meter.values(value.length);
    return take(Array.from(value), node).join("");
  }
  if (!Array.isArray(value)) return null;
  const slice = take(value as readonly JsonValue[], node);
  meter.values(slice.length);
  return slice;
}

function take<Item>(items: readonly Item[], node: NodeOf<"Slice">): Item[] {
  const [start, stop, step] = boundsOf(node, items.length);
  if (step === 1) return items.slice(start, Math.max(start, stop));
  const taken: Item[] = [];
  for (let index = start; step > 0 ? index < stop : index > stop; index += step) {
    const item = items[index];
    if (item !== undefined) taken.push(item);
  }
  return taken;
}
