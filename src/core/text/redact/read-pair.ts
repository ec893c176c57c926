/** A name as it is written in the text. */
export interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What is between a name and its value. */
export interface Glue {
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
