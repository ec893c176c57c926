import { secretShapes } from "./secret-shapes.ts";

export type TriggerKind = "shape" | "word" | "url" | "key" | "login";

/** A place worth checking: a literal that every secret of some kind has at its start or in its name. */
export interface Trigger {
  readonly kind: TriggerKind;
  readonly start: number;
  readonly end: number;
}

function anyCase(source: string): string {
  return source.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

const words = [
  "authorization",
  "cookie",
  "bearer",
  "passw",
  "passphrase",
  "_pass",
  "pwd",
  "secret",
  "token",
  "jwt",
  "basic",
  "identified",
];
const keyWords = ["api", "account", "access", "private", "signing", "encryption", "master"];
// Longest first: "sk-ant-" before "sk-".
const prefixes = secretShapes.flatMap((shape) => shape.prefixes).toSorted((a, b) => b.length - a.length);

/** Prefixes that are also the beginning of words: a quick test of what follows saves a closer one. */
const ahead: Readonly<Record<string, RegExp>> = {
  SK: /[0-9a-f]{8}/y,
  pat: /[A-Za-z0-9]{14}\./y,
  dapi: /[0-9a-f]{8}/y,
  "fc-": /[0-9a-f]{8}/y,
  "key-": /[0-9a-f]{32}/y,
  "API-": /[A-Z0-9]{26}/y,
  secret_: /[A-Za-z0-9]{43}/y,
  access_token$: /(?:production|sandbox)\$/y,
  cio: /[A-Za-z0-9]{32}/y,
  oy2: /[a-z0-9]{43}/y,
  "ico-": /[A-Za-z0-9]{32}/y,
  "-us": /\d/y,
  "sl.": /[\w=.-]{100}/y,
  "t1.": /[\w-]{8}/y,
};
const wordSource = [
  anyCase([...words, `(?:${keyWords.join("|")})[-_ ]?key`].join("|")),
  // Only as a name by itself; "author" and "authority" are other words.
  String.raw`[aA]uth(?=\\{0,7}["']?\s{0,8}[:=])`,
].join("|");
const urlSource = String.raw`:\\?/\\?/[^\s/?#"'<>\\:[\x60]{0,256}:`;
const keySource = "-{4,5} ?BEGIN(?:[ +]|%20)|Private-Lines: ";
const loginSource = String.raw`[ \t]-u|--(?:proxy-)?user`;
const sources = [wordSource, urlSource, keySource, loginSource];
const trigger = new RegExp(sources.map((source) => `(${source})`).join("|"), "y");

/** Five bits for each character: letters fold their case, and collisions only cost a check. */
function fold(code: number): number {
  return code & 31;
}

function placeOf(start: string): number {
  const [a = 0, b = 0, c = 0] = Array.from(start.slice(0, 3), (letter) => fold(letter.charCodeAt(0)));
  return (a << 10) | (b << 5) | c;
}

const starts = [
  ...words,
  ...keyWords,
  "://",
  String.raw`:\/`,
  "----",
  "Private",
  " -u",
  "\t-u",
  "--user",
  "--proxy",
];

const WORD = 1;
const SHAPE = 2;
/** What may begin with three characters: a word or a sign, a key, or both. */
const kindsAt = new Uint8Array(1 << 15);
for (const start of starts) kindsAt[placeOf(start)] = WORD;

interface Prefix {
  readonly text: string;
  /** The first three characters, as they are written. */
  readonly first: number;
}

/** The prefixes of keys by their first three characters, longest first. */
const prefixesAt: (Prefix[] | undefined)[] = Array.from({ length: 1 << 15 });
for (const prefix of prefixes) {
  const firsts = prefix === "SK" ? Array.from("0123456789abcdef", (digit) => `SK${digit}`) : [prefix];
  for (const first of firsts) {
    const place = placeOf(first);
    kindsAt[place] = (kindsAt[place] ?? 0) | SHAPE;
    (prefixesAt[place] ??= []).push({ text: prefix, first: firstOf(first, 0) });
  }
}

/** Most texts that share a table entry differ here already, by case or by a sign. */
function firstOf(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) ^ (text.charCodeAt(at + 1) << 8) ^ text.charCodeAt(at + 2);
}

/** The next trigger at or after `from`. Almost all of a text passes with one table lookup for each character. */
export function nextTrigger(text: string, from: number): Trigger | undefined {
  const { length } = text;
  let last = 0;
  for (let index = from; index < length; index++) {
    last = ((last << 5) | fold(text.charCodeAt(index))) & 0x7fff;
    const kinds = kindsAt[last] ?? 0;
    if (kinds !== 0 && index >= from + 2) {
      const at = index - 2;
      const found =
        ((kinds & SHAPE) === 0 ? undefined : prefixAt(text, at, last)) ??
        ((kinds & WORD) === 0 ? undefined : wordAt(text, at));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function prefixAt(text: string, at: number, place: number): Trigger | undefined {
  const first = firstOf(text, at);
  for (const prefix of prefixesAt[place] ?? []) {
    if (prefix.first !== first || !text.startsWith(prefix.text, at)) continue;
    const end = at + prefix.text.length;
    const follows = ahead[prefix.text];
    if (follows !== undefined) {
      follows.lastIndex = end;
      if (!follows.test(text)) continue;
    }
    return { kind: "shape", start: at, end };
  }
  return undefined;
}

const wordKinds = ["word", "url", "key", "login"] as const;

function wordAt(text: string, at: number): Trigger | undefined {
  trigger.lastIndex = at;
  const found = trigger.exec(text);
  if (found === null) return undefined;
  const kind = wordKinds.find((_, group) => found[group + 1] !== undefined) ?? "word";
  return { kind, start: at, end: trigger.lastIndex };
}
