import { type Violation, violate } from "../../contract/rule.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { hasLoneSurrogate } from "../../json/lone-surrogate.ts";
import { appendPointer } from "../../json/pointer.ts";
import { mapObject } from "../../json/set-own.ts";
import { jsonRules } from "./json-rules.ts";

const MAX_FINDINGS = 100;

interface Signs {
  holdsUndefined: boolean;
  holdsSurrogate: boolean;
}

function look(root: JsonValue): Signs {
  const signs: Signs = { holdsUndefined: false, holdsSurrogate: false };
  const pending: (JsonValue | undefined)[] = [root];
  while (pending.length > 0) {
    const node = pending.pop();
    if (node === undefined) signs.holdsUndefined = true;
    else if (typeof node === "string") signs.holdsSurrogate ||= hasLoneSurrogate(node);
    else if (Array.isArray(node)) for (const item of node) pending.push(item);
    else if (isJsonObject(node)) {
      for (const [key, item] of Object.entries(node)) {
        signs.holdsSurrogate ||= hasLoneSurrogate(key);
        pending.push(item);
      }
    }
  }
  return signs;
}

function withoutUndefined(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isJsonObject(value)) return value;
  return mapObject(value, (item: JsonValue | undefined) =>
    item === undefined ? undefined : withoutUndefined(item),
  );
}

/** Pointers of the keys and texts that hold half a surrogate pair, in document order. */
function locateSurrogates(node: JsonValue, path: string, found: string[]): string[] {
  if (found.length >= MAX_FINDINGS) return found;
  if (typeof node === "string" && hasLoneSurrogate(node)) found.push(path);
  if (Array.isArray(node)) node.forEach((item, index) => locateSurrogates(item, `${path}/${index}`, found));
  else if (isJsonObject(node)) {
    for (const [key, item] of Object.entries(node)) {
      const at = appendPointer(path, key);
      if (hasLoneSurrogate(key)) found.push(at);
      locateSurrogates(item, at, found);
    }
  }
  return found;
}

/**
 * A value as its JSON text would give it: properties that are undefined are absent, and half a surrogate pair is
 * reported. The value has passed `violationsOfValue`, so its depth is limited.
 */
export function settleValue(value: JsonValue): { json: JsonValue; violations: Violation[] } {
  const { holdsUndefined, holdsSurrogate } = look(value);
  const json = holdsUndefined ? withoutUndefined(value) : value;
  const places = holdsSurrogate ? locateSurrogates(json, "", []) : [];
  const violations = places.map((path) => {
    const found = `The text at ${path || "the root"} holds half a surrogate pair`;
    return violate(jsonRules["json/lone-surrogate"], path, found);
  });
  return { json, violations };
}
