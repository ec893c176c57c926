// Keys of a message that two readers may read in two ways. JSON.parse takes the last of two members of one name, others
// the first; Go reads names without regard to case. Where a message leaves as the bytes it came in, a rule that was
// applied to one reading would not hold for the other, so such a message is refused. One pass over the text, after
// JSON.parse has judged it.

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
} from "../../core/json/scan-token.ts";
import { nameOf, skipValue } from "./raw-message.ts";

const FEW_KEYS = 12;

/** A key that must not stand where it stands. */
export interface DoubledKey {
  readonly key: string;
  /** The key that it is read as by some; the same one where it stands there twice. */
  readonly like: string;
  /** The object that it stands in, as a path; empty for the message itself. */
  readonly where: "" | "params" | "params.arguments" | "params._meta";
}

/** Kelvin's sign and the long s are a k and an s to Go; the two steps together make them so. */
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
/** All that is read of params here, whatever the method. */
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
  /** The place behind the value. */
  readonly end: number;
  readonly found?: DoubledKey | undefined;
}

/** The keys of an object so far. Most objects have few, and a look through a short list is cheaper than a set. */
class Keys {
  readonly #first: string[] = [];
  #all: Set<string> | undefined;

  /** False for a key that was there before. */
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

/** Where the next quote, brace or bracket stands, or another end of the text. */
function nextPart(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Digits, commas and most of the rest that stands between the parts.
    if (code < OPEN_BRACKET && code !== QUOTE) continue;
    if (code === QUOTE || code === OPEN_BRACE || code === CLOSE_BRACE) return at;
    if (code === OPEN_BRACKET || code === CLOSE_BRACKET) return at;
  }
  return at;
}

/** Looks through a value for an object, at any depth, with a key that stands there twice. */
function scanDeep(text: string, from: number, where: DoubledKey["where"]): Scanned {
  const open: (Keys | undefined)[] = [];
  let keys: Keys | undefined;
  for (let at = from; at < text.length; at = nextPart(text, at)) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = skipString(text, at);
      if (end < 0) return { end: text.length };
      if (keys !== undefined && text.charCodeAt(skipSpace(text, end)) === COLON) {
        const key = nameOf(text, at, end);
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

/** Reads the value of a member, where it is known what it has to say. */
type ScanMember = (key: string, at: number) => Scanned;

/** Looks through the members of one object for a key that stands there twice, or is another one's but for its case. */
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
    const key = nameOf(text, at, end);
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

/** The first key of a message that is not the same to every reader; undefined where all read it alike. */
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
