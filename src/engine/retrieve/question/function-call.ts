import type { JsonValue } from "../../../core/json/json-value.ts";
import type { Meter } from "./meter.ts";

export type List = readonly JsonValue[];
/** An expression given to a function: `&key`. */
export type Evaluator = (value: JsonValue) => JsonValue;

/**
 * What a function does with arguments that were checked against its signature, which is why each may name them as it
 * knows them.
 */
export type FunctionCall = (meter: Meter, ...args: never[]) => JsonValue;

/** Thrown by a function whose argument has the right type and still cannot be used. The text is for the model. */
export class WrongArgument extends Error {
  override readonly name = "WrongArgument";
}
