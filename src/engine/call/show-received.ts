import { describeReceived } from "../../core/contract/brief-text.ts";
import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { labelOfName } from "../../core/text/redact/mask.ts";

/** Longer values are content, not a typing mistake. */
const MAX_SHOWN = 40;

function hasSecretName(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasSecretName);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, item]) => labelOfName(key) !== undefined || hasSecretName(item));
}

/**
 * A rejected value as a refusal may show it: the value itself if it is short, on one line, not under a
 * secret's name and without a secret in it; else its type and length. `names` is the path to the value.
 */
export function showReceived(
  value: JsonValue | undefined,
  names: readonly string[],
  mask: (text: string) => string,
): JsonValue {
  if (value === undefined || value === null) return null;
  if (names.some((name) => labelOfName(name) !== undefined)) return describeReceived(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // The first characters of a long text are enough to see that it is too long.
  const isShort = text.length <= MAX_SHOWN && !/[\r\n\u2028\u2029]/.test(text);
  return isShort && !hasSecretName(value) && mask(text) === text ? value : describeReceived(value);
}

/** Shorter values may be in a message by chance. */
const MIN_REPEATED = 4;
const valibotEnd = /^Invalid [\w ]+: (?:Expected (.+)|Received .*?) but received .*$/s;
const arkTypeEnd = / \(was .*\)$/s;

/**
 * A schema library's message without the rejected value, which some libraries repeat; only `received` may
 * show the value. `instead` replaces a message that contains the value.
 */
export function withoutValue(
  message: string,
  value: JsonValue | undefined,
  instead = "is not allowed",
): string {
  const [, expected] = valibotEnd.exec(message) ?? [];
  const kept = expected === undefined ? message.replace(arkTypeEnd, "") : `must be ${expected}`;
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  const start = text.slice(0, 2 * MIN_REPEATED);
  const isRepeated = typeof value === "string" && text.length >= MIN_REPEATED && kept.includes(start);
  return isRepeated ? instead : kept;
}
