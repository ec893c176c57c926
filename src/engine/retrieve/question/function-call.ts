import type { JsonValue } from "../../../core/json/json-value.ts";
import type { Meter } from "./meter.ts";

export type List = readonly JsonValue[];
/** An expression given to a function: `&key`. */
export type Evaluator = (value: JsonValue) => JsonValue;

/**
 * The implementation of a function. Its arguments were checked against its signature, so each function
 * declares its own types for them.
 */
export type FunctionCall = (meter: Meter, ...args: never[]) => JsonValue;

/** Thrown by a function if an argument has the right type but cannot be used. The text is for the model. */
export class WrongArgument extends Error {
  override readonly name = "WrongArgument";
}
