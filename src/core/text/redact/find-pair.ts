import {
  type Finder,
  type SecretRange,
  isMasked,
  withoutMasks,
  skipMask,
  labelOfName,
  labelOfPair,
  hasDefault,
  isReference,
  isStandIn,
} from "./mask.ts";

const isoDate = /^\d{4}-\d{2}-\d{2}(?:T|$)/;
const url = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;

/**
 * True for code that computes a value: `match[2]`, `read(file)`, `/^[a-z]+$/`. A key never has brackets; a password
 * may.
 */
function isExpression(value: string, label: string): boolean {
  if (hasDefault(value)) return false;
  return label === "PASSWORD" ? /^[A-Za-z_$][\w$.?]{0,64}[([{]/.test(value) : /[([{]/.test(value);
}

/** True for a value that is too odd to be a word of a sentence or of code. */
export function looksRandom(value: string, label: string): boolean {
  const isPassword = label === "PASSWORD";
  if (value.length < (isPassword ? 3 : 6) || url.test(value) || isoDate.test(value)) return false;
  if (/^0x[\da-f]{1,8}$/i.test(value) || (!isPassword && /^[\d.,:]+$/.test(value))) return false;
  return /[\d!@#$%^&*+=~]/.test(value);
}

/** A longer value is not a word of a sentence; a shorter one must be read before it can be refused. */
const JUDGED_LENGTH = 128;

const lineEndsHere = /\s{0,4}(?:$|[\r\n"'`]|\\[nr"'`])/y;
const restOfConnectionString = /[^;"'\r\n\\<>]{0,128}(?=;\s?[A-Za-z][\w ]{0,30}=)/y;
const moreItems = /\s{0,8},\s{0,8}"/y;

/** Finds the value of `password=…`, `"api_key": "…"`, `--token …`, `<secret>…</secret>` and the like. */
export const findPair: Finder = (text, at, end, from) => {
  const name = readName(text, at, end, from);
  const label = labelOfName(name.text);
  if (label === undefined) return undefined;
  const glue = readGlue(text, name);
  if (glue === undefined) return undefined;
  return glue.quote === "" ? findBare(text, name.text, label, glue) : findQuoted(text, name.text, glue);
};

function findQuoted(text: string, name: string, glue: Glue): SecretRange | undefined {
  let end = quotedEnd(text, glue.valueAt, glue.quote, glue.depth);
  const value = text.slice(glue.valueAt, end);
  const label = labelOfPair(name, value);
  if (label === undefined || isMasked(value)) return undefined;
  const isMore = glue.inArray && matchesAt(moreItems, text, end + 1);
  const isNone = glue.isJson
    ? !isMore && isStandIn(value)
    : !isQuotedSecret(value.slice(0, JUDGED_LENGTH), label);
  if (isNone) return undefined;
  while (glue.inArray && matchesAt(moreItems, text, end + 1)) {
    end = quotedEnd(text, moreItems.lastIndex, '"', 0);
  }
  return { start: glue.valueAt, end, label };
}

/** In code and prose a quoted value may be a label, a type or a message. */
function isQuotedSecret(value: string, label: string): boolean {
  if (isReference(value) || !/[A-Za-z0-9]/.test(value)) return false;
  if (/\s\S+\s/.test(value) && !/\d/.test(value)) return false;
  if (label === "PASSWORD") return labelOfName(value) === undefined;
  return looksRandom(value, label) || (value.length >= 16 && !/\s/.test(value));
}

function findBare(text: string, name: string, label: string, glue: Glue): SecretRange | undefined {
  // JSON has no bare strings, and a mask in place of a number would break it.
  if (glue.isJson) return undefined;
  const start = glue.valueAt;
  const judgedEnd = judgeableEnd(text, start, glue);
  const judged = text.slice(start, judgedEnd);
  if (labelOfPair(name, judged) === undefined || isMasked(judged)) return undefined;
  if (isReference(judged) || labelOfName(judged) !== undefined || text[judgedEnd] === "(") return undefined;
  if (isExpression(withoutMasks(judged), label)) return undefined;
  const isSecret = glue.isTight
    ? judged.length >= (label === "PASSWORD" ? 3 : 4)
    : isLooseSecret(text, judged, judgedEnd, label);
  if (!isSecret) return undefined;
  return { start, end: judged.length < JUDGED_LENGTH ? judgedEnd : bareEnd(text, judgedEnd), label };
}

function judgeableEnd(text: string, start: number, glue: Glue): number {
  if (glue.isElement) return text.indexOf("<", start);
  const end = bareEnd(text, start, start + JUDGED_LENGTH);
  // In `Password=two words;Server=…` the value continues to the semicolon.
  const goesOn = glue.isTight && text[end] === " " && matchesAt(restOfConnectionString, text, end);
  return goesOn ? restOfConnectionString.lastIndex : end;
}

/** `password: hunter2` in a log or a YAML file, as opposed to "password: must be longer" and `token: Token`. */
function isLooseSecret(text: string, value: string, end: number, label: string): boolean {
  if (looksRandom(value, label)) return true;
  return label === "PASSWORD" && /^[a-z]{4,}$/.test(value) && matchesAt(lineEndsHere, text, end);
}

/** A name as it is written in the text. */
interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What is between a name and its value. */
interface Glue {
  readonly valueAt: number;
  /** The quote that opens the value, with `depth` backslashes before it; "" for a bare value. */
  readonly quote: string;
  readonly depth: number;
  /** The name is quoted, as in JSON. */
  readonly isJson: boolean;
  readonly inArray: boolean;
  /** `name=value` without blanks, or an XML element. */
  readonly isTight: boolean;
  readonly isElement: boolean;
}

const MAX_NAME_LENGTH = 64;
const namePart = /[\w.$-]/;
const nameTail = /[\w-]{0,64}/y;
const escapeTail = /^(?:[bfnrt]|u[0-9A-Fa-f]{4})/;
const percentTail = /^[0-9A-Fa-f]{2}/;
const separator =
  /(?<close>\\{0,7}["'`])?\]?(?<before>[ \t]{0,8})(?::[ \t]?(?:str|[sS]tring|&str|SecretStr|Optional\[str\])[ \t]?(?==))?(?<sign>:=|=>|={1,3}|:|：|＝|%3[dD]|%3[aA])(?<after>\s{0,8}(?:[|>][+-]?[ \t]{0,4}\r?\n[ \t]{1,16})?)/y;
const element = /(?<sign>>)(?=[^<>]{1,4096}<\\?\/)/y;
const flagBlank = /(?<sign>[ \t])(?=[^\s-])/y;
const sqlBlank = /(?<sign>[ \t])(?='[^'\s]{3,}')/y;
// `machine db login bob password hunter2`, on one line or on three: a .netrc file.
const netrcBlank =
  /(?<=\b(?:machine(?:\s|\\[nrt]){1,16}[^\s\\]{1,256}|default)(?:(?:\s|\\[nrt]){1,16}(?:login|account)(?:\s|\\[nrt]){1,16}[^\s\\]{1,256}){0,2}(?:\s|\\[nrt]){1,16}password)(?<tight>(?:\s|\\[nrt]){1,16})(?=[^\s\\])/y;
// `define('DB_PASSWORD', 'hunter2')`; elsewhere a comma after a name begins another name.
const definedComma = /(?<=\bdefine\(\s{0,4}["']\w{1,64})(?<close>["'])\s{0,4}(?<sign>,)\s{0,4}(?=["'])/y;
// A quote right before a comma or a bracket closes the string that contains the name.
const closing = /\\{0,7}["'`]\s{0,8}(?:[,:}\]]|$)/y;
const opening = /(?<array>\[\s{0,8})?[bfru]?(?:""(?=")|''(?='))?(?<slashes>\\{0,7})(?<quote>["'`])/y;

/** True for a quote that closes the string around a name, instead of opening its value. */
export function closesString(text: string, at: number): boolean {
  closing.lastIndex = at;
  return closing.test(text);
}

/** The whole identifier around a trigger, without an escape right before it. */
export function readName(text: string, at: number, end: number, from: number): Name {
  const floor = Math.max(from, at - MAX_NAME_LENGTH);
  let start = at;
  while (start > floor && namePart.test(text[start - 1] ?? "")) start--;
  const before = text[start - 1];
  const cut = before === "\\" ? escapeTail : before === "%" ? percentTail : undefined;
  if (cut !== undefined) start = Math.min(at, start + (cut.exec(text.slice(start, at))?.[0].length ?? 0));
  nameTail.lastIndex = end;
  const tail = nameTail.exec(text)?.[0] ?? "";
  return { text: text.slice(start, end) + tail, start, end: end + tail.length };
}

function matchSign(text: string, name: Name): RegExpExecArray | null {
  const patterns = [separator, definedComma];
  if (text[name.start - 1] === "<") patterns.push(element);
  if (name.text.startsWith("--")) patterns.push(flagBlank);
  if (/passw(?:or)?d$/i.test(name.text)) patterns.push(sqlBlank, netrcBlank);
  for (const pattern of patterns) {
    pattern.lastIndex = name.end;
    const found = pattern.exec(text);
    if (found !== null) return found;
  }
  return null;
}

/** Reads from the end of a name to the start of its value; undefined if the name has none. */
export function readGlue(text: string, name: Name): Glue | undefined {
  const found = matchSign(text, name);
  if (found === null) return undefined;
  const { close, before = "", tight, sign = "", after = "" } = found.groups ?? {};
  const signEnd = found.index + found[0].length;
  const isElement = sign === ">";
  const isTight = isElement || tight !== undefined || (/^(?:[=＝]|%3)/.test(sign) && before + after === "");
  const isJson = close !== undefined && text.startsWith(close, name.start - close.length);
  if (!isJson && closesString(text, signEnd)) return undefined;
  opening.lastIndex = signEnd;
  const opened = opening.exec(text);
  const { array, slashes = "", quote = "" } = opened?.groups ?? {};
  // If the name has other or deeper quotes than the value, the string around both may end here: "`password`=>",
  // "\\"password\\" =".
  const isOther = isJson && quote !== "" && (!close.endsWith(quote) || slashes.length < close.length - 1);
  if (isOther && closesString(text, signEnd)) return undefined;
  const valueAt = signEnd + (opened?.[0].length ?? 0);
  return { valueAt, quote, depth: slashes.length, isJson, inArray: array !== undefined, isTight, isElement };
}

// How deep JSON is nested in JSON: a quote is then preceded by 0, 1, 3 or 7 backslashes.
const escapeDepths = [0, 1, 3, 7] as const;
const blanks = /\s/;
const notKey = /[^\w-]/g;
const endsLikeJson = /["']\s{0,8}(?:[,:}\]]|$)/y;
const nextField = /[,;&|]\s{0,2}(?:amp;)?["']?[A-Za-z_$][\w$. -]{0,40}["']?\s{0,2}(?:=|:|%3[dD])/y;

/** True if the text matches a sticky pattern right here. */
export function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The end of a quoted value that starts at `at`, after a quote with `depth` backslashes; a line end also ends it. */
export function quotedEnd(text: string, at: number, quote: string, depth: number): number {
  let backslashes = 0;
  for (let index = at; index < text.length; index++) {
    const character = text[index];
    if (character === "\\") {
      backslashes++;
      continue;
    }
    if (character === "\n") return index;
    if (character === quote) {
      const closes = escapeDepths.findLast(
        (level) => level <= depth && backslashes >= level && (backslashes - level) % (2 * (level + 1)) === 0,
      );
      if (closes !== undefined) return index - closes;
    } else if (character === '"' && backslashes % 2 === 0 && matchesAt(endsLikeJson, text, index)) {
      // An open single quote inside a JSON string must not take the rest of the document.
      return index;
    }
    backslashes = 0;
  }
  return text.length;
}

const roles = { ordinary: 0, ends: 1, delimits: 2, opens: 3, closes: 4, escapes: 5 } as const;

const roleOf = new Uint8Array(128);
for (const [characters, role] of [
  ["\t\n\v\f\r \"'`<>", roles.ends],
  [",;&|", roles.delimits],
  ["([{", roles.opens],
  [")]}", roles.closes],
  ["\\", roles.escapes],
] as const) {
  for (const character of characters) roleOf[character.charCodeAt(0)] = role;
}

function isEscape(text: string, at: number): boolean {
  return text[at] === "\\" && /[nrtbfu"'`\\/]/.test(text[at + 1] ?? "n");
}

/** True if a comma, semicolon or bracket here is not part of the value. */
function delimits(text: string, at: number): boolean {
  const next = text[at + 1] ?? "";
  if (next === "" || blanks.test(next) || "\"'`<,;&|)]}".includes(next) || isEscape(text, at + 1))
    return true;
  return matchesAt(nextField, text, at);
}

/** The end of a bare value: a blank, a quote, an escape, or a real delimiter; `limit` at most. */
export function bareEnd(text: string, at: number, limit = text.length): number {
  const stop = Math.min(limit, text.length);
  let open = 0;
  let index = at;
  while (index < stop) {
    const code = text.charCodeAt(index);
    const role = code < 128 ? roleOf[code] : blanks.test(text[index] ?? "") ? roles.ends : roles.ordinary;
    if (role === roles.ends) return index;
    if (role === roles.escapes && isEscape(text, index)) return index;
    if (role === roles.delimits && delimits(text, index)) return index;
    if (role === roles.closes && open === 0 && delimits(text, index)) return index;
    if (role === roles.closes && open > 0) open--;
    const behindMask = role === roles.opens ? skipMask(text, index) : index;
    if (role === roles.opens && behindMask === index) open++;
    index = Math.max(behindMask, index + 1);
  }
  return Math.min(index, text.length);
}

/** The end of a run of key characters, however long. */
export function keyRunEnd(text: string, at: number): number {
  notKey.lastIndex = at;
  return notKey.exec(text)?.index ?? text.length;
}

/** The end of the line, or of the quoted or escaped string that contains the line. */
export function lineEnd(text: string, at: number): number {
  for (let index = at; index < text.length; index++) {
    const character = text[index] ?? "";
    if (
      character === "\n" ||
      character === "\r" ||
      character === '"' ||
      character === "'" ||
      character === "`"
    )
      return index;
    if (character === "\\" && isEscape(text, index)) return index;
  }
  return text.length;
}
