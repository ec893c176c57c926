// A question that failed, as a fault that helps to ask it right: the place, what is there, and an example that fits.

import { ToolFault } from "../contract/tool-fault.ts";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../json/json-value.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { FunctionFailed } from "./call-function.ts";
import { signatureOf } from "./check-parts.ts";
import { type MissedKey, NotANumber } from "./evaluate.ts";
import { exampleQuestion } from "./example-question.ts";
import { OverLimit } from "./meter.ts";
import { describeValue, wordsFor } from "./value-kinds.ts";

/** So many keys are shown; an object may be a map of thousands. */
const MAX_KEYS = 30;

function keysThere(object: JsonObject): JsonObject {
  const shown: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(object).slice(0, MAX_KEYS))
    setOwn(shown, key.slice(0, 100), describeValue(value));
  return shown;
}

/** What is at the start of the value, where no better place is known. */
function placeIn(value: JsonValue): JsonObject {
  const record = Array.isArray(value) ? (value as readonly JsonValue[]).find(isJsonObject) : value;
  return isJsonObject(record) ? { keys: keysThere(record) } : { value: describeValue(value) };
}

function sayMissed({ node: { name }, where }: MissedKey): string {
  const known = Object.keys(where);
  const meant = didYouMean(name, known);
  const hint =
    meant === undefined
      ? known.length === 0
        ? "the object there is empty"
        : `the keys there are ${known.slice(0, MAX_KEYS).join(", ")}${known.length > MAX_KEYS ? ", …" : ""}`
      : `did you mean ${meant}?`;
  return `there is no key ${JSON.stringify(name)}: ${hint}`;
}

function wrong(
  message: string,
  value: JsonValue,
  missed: MissedKey | undefined,
  more: JsonObject,
): ToolFault {
  const example = exampleQuestion(value);
  return new ToolFault(`The expression does not fit the result: ${message}.`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Correct it and ask again${example === undefined ? "." : `, for example: ${example}`}`,
    details: {
      reason: "wrong_expression",
      ...more,
      ...(missed === undefined
        ? placeIn(value)
        : { missing: missed.node.name, keys: keysThere(missed.where) }),
      ...(example === undefined ? {} : { example }),
    },
  });
}

/** An empty answer because of a key that is nowhere; undefined where every key outside of conditions was found. */
export function explainMissedKeys(missed: readonly MissedKey[], value: JsonValue): ToolFault | undefined {
  const first = missed.find(({ isCondition }) => !isCondition);
  return first === undefined ? undefined : wrong(sayMissed(first), value, first, {});
}

/** What to know about an answer in which a key was looked for that nothing has. */
export function noteMissedKeys(missed: readonly MissedKey[]): string | undefined {
  const [first] = missed;
  if (first === undefined) return undefined;
  const said = sayMissed(first);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${said.endsWith("?") ? "" : "."}`;
}

/** Any failure of a question as a `ToolFault`. */
export function explainFailure(error: unknown, missed: readonly MissedKey[], value: JsonValue): unknown {
  const [first] = missed;
  if (error instanceof FunctionFailed) {
    const { node, mismatch, message } = error;
    const said =
      mismatch === undefined
        ? `${node.name}(): ${message}`
        : `argument ${mismatch.index + 1} of ${signatureOf(node.name)} must be ${wordsFor(mismatch.kinds)}, and it is ${mismatch.given}`;
    const cause = first === undefined ? "" : `; ${sayMissed(first)}`;
    return wrong(said + cause, value, first, { function: signatureOf(node.name) });
  }
  if (error instanceof NotANumber) {
    const cause = first === undefined ? "" : `; ${sayMissed(first)}`;
    return wrong(`${error.message}${cause}`, value, first, {});
  }
  // The stack is full: the value, or what the expression makes of it, is too deep.
  if (error instanceof OverLimit || error instanceof RangeError) return overLimit(error);
  return error;
}

function overLimit(error: OverLimit | RangeError): ToolFault {
  const reason = error instanceof OverLimit ? error.reason : "too_deep_or_long";
  return new ToolFault("The question makes more than an answer may hold.", {
    errorCode: "TOO_LARGE",
    remediation: "Ask for less: filter first, take fewer fields, or count.",
    details: { reason },
  });
}
