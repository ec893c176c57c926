// Finds keys of a message that two readers may read differently. For two members of one name, JSON.parse
// takes the last and others the first; Go ignores the case of names. If a message is sent on as the bytes in
// which it came, a rule that was applied to one reading would not hold for the other, so such a message is
// refused. One pass over the text, after JSON.parse has accepted it.

import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipSpace,
  skipString,
} from "../../core/json/scan-json.ts";
import { memberName, skipValue } from "./raw-message.ts";

const FEW_KEYS = 12;

/** A key that is not allowed at its place. */
export interface DoubledKey {
  readonly key: string;
  /** The key as some readers read it; equal to `key` if the key is there twice. */
  readonly like: string;
  /** The path of the object that contains the key; empty for the message itself. */
  readonly where: "" | "params" | "params.arguments" | "params._meta";
}

/** Go reads the Kelvin sign as k and the long s as s; the two steps together do the same. */
function fold(key: string): string {
  return key.toUpperCase().toLowerCase();
}

function byFold(keys: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    keys.flatMap((key) => [
      [fold(key), key],
      [key, key],
    ]),
  );
}

const messageKeys = byFold(["jsonrpc", "id", "method", "params", "result", "error"]);
/** All keys of params that are read here, for every method. */
const paramKeys = byFold([
  "name",
  "arguments",
  "_meta",
  "uri",
  "taskId",
  "task",
  "requestId",
  "progressToken",
  "cursor",
  "protocolVersion",
  "capabilities",
  "clientInfo",
  "inputResponses",
  "requestState",
]);

interface Scanned {
  /** The offset after the value. */
  readonly end: number;
  readonly found?: DoubledKey | undefined;
}

/** The keys of an object so far. Most objects have few, and searching a short list is cheaper than a set. */
class Keys {
  readonly #first: string[] = [];
  #all: Set<string> | undefined;

  /** False for a key that was added before. */
  add(key: string): boolean {
    if (this.#all === undefined) {
      if (this.#first.includes(key)) return false;
      this.#first.push(key);
      if (this.#first.length > FEW_KEYS) this.#all = new Set(this.#first);
      return true;
    }
    if (this.#all.has(key)) return false;
    this.#all.add(key);
    return true;
  }
}

/** The offset of the next quote, brace or bracket, or the end of the text. */
function nextPart(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Digits, commas and most other characters between the parts.
    if (code < OPEN_BRACKET && code !== QUOTE) continue;
    if (code === QUOTE || code === OPEN_BRACE || code === CLOSE_BRACE) return at;
    if (code === OPEN_BRACKET || code === CLOSE_BRACKET) return at;
  }
  return at;
}

/** Searches a value, at any depth, for an object with a duplicate key. */
function scanDeep(text: string, from: number, where: DoubledKey["where"]): Scanned {
  const open: (Keys | undefined)[] = [];
  let keys: Keys | undefined;
  for (let at = from; at < text.length; at = nextPart(text, at)) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = skipString(text, at);
      if (end < 0) return { end: text.length };
      if (keys !== undefined && text.charCodeAt(skipSpace(text, end)) === COLON) {
        const key = memberName(text, at, end);
        if (!keys.add(key)) return { end, found: { key, like: key, where } };
      }
      at = end;
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      keys = code === OPEN_BRACE ? new Keys() : undefined;
      open.push(keys);
    } else {
      open.pop();
      if (open.length === 0) return { end: at + 1 };
      keys = open.at(-1);
    }
    at += 1;
  }
  return { end: text.length };
}

/** Scans the value of a member whose content matters. */
type ScanMember = (key: string, at: number) => Scanned;

/** Searches one object for a duplicate key, or for a key that differs from a known one only in case. */
function scanMembers(
  text: string,
  from: number,
  {
    where,
    known,
    scan,
  }: Pick<DoubledKey, "where"> & {
    readonly known: ReadonlyMap<string, string>;
    readonly scan: ScanMember;
  },
): Scanned {
  const seen = new Keys();
  let at = skipSpace(text, from + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const end = skipString(text, at);
    if (end < 0) return { end: text.length };
    const key = memberName(text, at, end);
    const like = known.get(key) ?? known.get(fold(key)) ?? key;
    if (like !== key || !seen.add(key)) return { end, found: { key, like, where } };
    const start = skipSpace(text, skipSpace(text, end) + 1);
    const value = text.charCodeAt(start) === OPEN_BRACE ? scan(key, start) : { end: skipValue(text, start) };
    if (value.found !== undefined) return value;
    at = skipSpace(text, value.end);
    if (text.charCodeAt(at) !== COMMA) break;
    at = skipSpace(text, at + 1);
  }
  return { end: at + 1 };
}

/** The first key of a message that readers may read differently; undefined if all read the message alike. */
export function findDoubledKey(text: string): DoubledKey | undefined {
  const scanParams: ScanMember = (key, at) => {
    if (key === "arguments" || key === "_meta") return scanDeep(text, at, `params.${key}`);
    return { end: skipValue(text, at) };
  };
  const scanMessage: ScanMember = (key, at) => {
    if (key !== "params") return { end: skipValue(text, at) };
    return scanMembers(text, at, { where: "params", known: paramKeys, scan: scanParams });
  };
  return scanMembers(text, skipSpace(text, 0), { where: "", known: messageKeys, scan: scanMessage }).found;
}
