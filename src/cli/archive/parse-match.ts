import { InvalidArgumentError } from "commander";
import type { JsonValue } from "../../json/json-value.ts";
import { printable } from "../output/printable.ts";

export interface MatchCondition {
  readonly path: string;
  readonly value: JsonValue;
}

/** `path=value`, once more for each `--match`. What reads as JSON is that value; anything else is text. */
export function addMatch(text: string, before: readonly MatchCondition[] = []): readonly MatchCondition[] {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Give path=value, such as user.login=ada.");
  const path = text.slice(0, at);
  if (before.some((condition) => condition.path === path)) {
    throw new InvalidArgumentError(`${path} is given twice, and no item can be equal to both.`);
  }
  return [...before, { path, value: readValue(text.slice(at + 1)) }];
}

function readValue(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Says how values were read that could have been meant as text, for somebody who found nothing. */
export function describeReadings(match: readonly MatchCondition[]): string[] {
  return match
    .filter(({ value }) => typeof value !== "string")
    .map(({ path, value }) => {
      const text = JSON.stringify(value);
      const kind = value === null ? "null" : `the ${typeof value} ${text}`;
      return `waybill: ${printable(path)} was compared with ${printable(kind)}; for the text write --match '${printable(path)}="${printable(text)}"'.`;
    });
}
