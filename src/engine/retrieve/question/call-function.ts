import type { JsonValue } from "../../../core/json/json-value.ts";
import type { NodeOf } from "./expression-node.ts";
import { type Evaluator, type FunctionCall, WrongArgument } from "./function-call.ts";
import { type FunctionName, type Parameter, parametersOf } from "./function-signatures.ts";
import { listFunctions } from "./list-functions.ts";
import type { Meter } from "./meter.ts";
import type { InnerTexts } from "./open-text.ts";
import { textFunctions } from "./text-functions.ts";
import { valueFunctions } from "./value-functions.ts";
import { type Kind, describeValue, isOfKind } from "./value-kinds.ts";

const calls: Record<FunctionName, FunctionCall> = { ...listFunctions, ...textFunctions, ...valueFunctions };

/** Thrown where a function cannot work with what it was given. */
export class FunctionFailed extends Error {
  override readonly name = "FunctionFailed";
  readonly node: NodeOf<"Function">;
  /** What was wrong with an argument's type; undefined where the function itself refused. */
  readonly mismatch:
    | { readonly index: number; readonly kinds: readonly Kind[]; readonly given: string }
    | undefined;

  constructor(node: NodeOf<"Function">, message: string, mismatch?: FunctionFailed["mismatch"]) {
    super(message);
    this.node = node;
    this.mismatch = mismatch;
  }
}

type Argument = JsonValue | Evaluator;

/** A function of the expression, ready to be called with its arguments. */
export function prepareCall(
  node: NodeOf<"Function">,
  meter: Meter,
  texts: InnerTexts,
): (args: Argument[]) => JsonValue {
  const call = calls[node.name as FunctionName] as unknown as (
    meter: Meter,
    ...args: readonly Argument[]
  ) => JsonValue;
  const parameters = parametersOf(node.name) ?? [];
  return (args) => {
    for (let index = 0; index < args.length; index++) {
      const argument = args[index];
      if (argument === undefined || typeof argument === "function") continue;
      const kinds = kindsAt(parameters, index);
      if (kinds.some((kind) => isOfKind(argument, kind))) continue;
      if (argument === null) return null;
      const opened = texts.open(argument);
      if (opened !== argument && kinds.some((kind) => isOfKind(opened, kind))) {
        args[index] = opened;
        continue;
      }
      throw new FunctionFailed(node, "type", { index, kinds, given: describeValue(argument) });
    }
    try {
      return call(meter, ...args);
    } catch (error) {
      throw error instanceof WrongArgument ? new FunctionFailed(node, error.message) : error;
    }
  };
}

function kindsAt(parameters: readonly Parameter[], index: number): readonly Kind[] {
  return (parameters[index] ?? parameters.at(-1))?.kinds ?? [];
}
