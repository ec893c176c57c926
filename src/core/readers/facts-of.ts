// What counts as a fact of a structure. A text of some length is a fact wherever it is said. `false`, `null`, 7 and an empty
// list say nothing without the key they stand under. A key is a fact too where it is data: an id, a path, a name.

import { type JsonValue, isJsonObject } from "../json/json-value.ts";

/** A text that is said, or a short value under its key. */
export type Fact = { readonly words: string } | { readonly key: string; readonly value: ShortValue };

/** A number in its digits. */
export type ShortValue = "true" | "false" | "null" | "empty" | `${number}`;

/** Shorter numbers are in many texts by chance. */
const LONG_NUMBER = 4;

/** The facts of the value under a key, in their order; the key itself is none of them. */
export function* factsOf(key: string, value: JsonValue): Generator<Fact> {
  const pending: (readonly [key: string, value: JsonValue])[] = [[key, value]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [under, inner] = next;
    if (typeof inner === "string") {
      if (inner !== "") yield { words: inner };
    } else if (typeof inner !== "object" || inner === null) {
      const said = String(inner) as ShortValue;
      yield typeof inner === "number" && said.length >= LONG_NUMBER
        ? { words: said }
        : { key: under, value: said };
    } else {
      const children = childrenOf(under, inner);
      if (children.length === 0) yield { key: under, value: "empty" };
      if (isJsonObject(inner)) for (const name of dataKeysIn(children)) yield { words: name };
      for (let index = children.length - 1; index >= 0; index--) {
        const child = children[index];
        if (child !== undefined) pending.push(child);
      }
    }
  }
}

type Children = readonly (readonly [key: string, value: JsonValue])[];

/** The items of a list stand under the list's own key. */
function childrenOf(key: string, value: object): Children {
  return Array.isArray(value) ? (value as JsonValue[]).map((item) => [key, item]) : Object.entries(value);
}

/** Words, as fields are named: `created_at`, `createdAt`, `content-type`, `sha256`. */
const FIELD_NAME = /^[$@_]*\p{L}+(?:[_-]\p{L}+)*\d*$/u;

/** The keys that are data. */
export function dataKeysIn(members: Children): readonly string[] {
  const areNames = isMap(members);
  return members.map(([key]) => key).filter((key) => areNames || !FIELD_NAME.test(key));
}

/** Records with the same fields, under keys that say whose they are. */
function isMap(members: Children): boolean {
  const [first, second] = members;
  if (first === undefined || second === undefined || !isJsonObject(first[1])) return false;
  const fields = Object.keys(first[1]).join();
  return (
    fields !== "" && members.every(([, value]) => isJsonObject(value) && Object.keys(value).join() === fields)
  );
}

/** A field that says of a success only that it is one. */
export function isEcho(key: string, value: JsonValue): boolean {
  if (value === true) return /^(?:ok|success|succeeded)$/i.test(key);
  return (value === false || value === null) && /^(?:is_?)?error$/i.test(key);
}

/** A fact in words. */
export function sayFact(fact: Fact): string {
  return "words" in fact ? fact.words : `${fact.key}: ${fact.value}`;
}

/** All keys of a value, at any depth. */
export function* keysIn(value: JsonValue): Generator<string> {
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (isJsonObject(next)) yield* Object.keys(next);
    for (const inner of Object.values(next)) pending.push(inner);
  }
}

const FILLERS = new Set(["is", "has", "are", "was"]);

/** The words of a name such as `isActive`; a name with digits is one word. */
export function namesIn(name: string): readonly string[] {
  if (/\p{N}/u.test(name)) return [name.toLowerCase()];
  const words = name
    .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== "");
  const telling = words.filter((word) => !FILLERS.has(word));
  return telling.length === 0 ? words : telling;
}
