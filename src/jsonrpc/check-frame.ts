import { violate, type Violation } from "../contract/rule.ts";
import type { JsonObject } from "../json/json-value.ts";
import { appendPointer } from "../json/pointer.ts";
import { describeMember, describeValue } from "./describe-value.ts";
import { rules } from "./rules.ts";

export function checkVersion({ jsonrpc }: JsonObject, path: string): Violation[] {
  if (jsonrpc === "2.0") return [];
  return [violate(rules["jsonrpc/version"], `${path}/jsonrpc`, describeMember("jsonrpc", jsonrpc))];
}

export function checkUnknownKeys(message: JsonObject, path: string, known: ReadonlySet<string>): Violation[] {
  return Object.keys(message)
    .filter((key) => !known.has(key) && message[key] !== undefined)
    .map((key) => {
      const found = `${describeValue(key)} is no member of this message`;
      return violate(rules["jsonrpc/unknown-key"], appendPointer(path, key), found);
    });
}
