import { type Finder, type Finding, isMasked } from "./mask.ts";
import { closesString, readGlue, readName } from "./read-pair.ts";
import { isEncodedLogin } from "./secret-name.ts";
import { isPlaceholder, isPlainWord } from "./stand-in.ts";
import { bareEnd, keyRunEnd, quotedEnd } from "./value-end.ts";

/** A shell line is read back no further than this for the program that it runs. */
const MAX_BACK = 512;
const runsCurl = /(?:^|[\s;|&("'`/$=>])curl(?:\.exe)?\s/;
const brokenLine = /[^\\\r]\r?\n/g;

/** The shell line up to here; a backslash before its end makes it go on. */
function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_BACK), at + 1);
  const breaks = [...before.matchAll(brokenLine)];
  const last = breaks.at(-1);
  return last === undefined ? before : before.slice(last.index + last[0].length);
}

const loginValue = /[ \t=]{0,4}(?:(?<slashes>\\{0,7})(?<quote>["']))?(?<user>[^\s:"'\\[\]]{1,128}):/y;

/** Finds the password of `curl -u user:password`. Elsewhere `-u 1000:1000` is a user and a group. */
export const findLogin: Finder = (text, at, end) => {
  loginValue.lastIndex = end;
  const found = loginValue.exec(text);
  if (found === null || !runsCurl.test(lineBefore(text, at))) return undefined;
  const { slashes = "", quote } = found.groups ?? {};
  return passwordAt(text, loginValue.lastIndex, quote ?? "", slashes.length);
};

function passwordAt(text: string, start: number, quote: string, depth: number): Finding | undefined {
  const end = quote === "" ? bareEnd(text, start) : quotedEnd(text, start, quote, depth);
  const value = text.slice(start, end);
  if (value === "" || isMasked(value) || isPlaceholder(value)) return undefined;
  return { start, end, label: "PASSWORD" };
}

const changesUser = /\b(?:create|alter|replace)\s{1,4}(?:user|role|login)\b|\bgrant\b/i;

/** The statement up to here. */
function statementBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_BACK), at);
  return before.slice(before.lastIndexOf(";") + 1);
}

const identifiedBy =
  /identified\s{1,4}(?:with\s{1,4}["'`]?\w{1,64}["'`]?\s{1,4})?(?:by|as)\s{1,4}(?:password\s{1,4})?(?:(?<slashes>\\{0,7})(?<quote>["'`]))?/iy;

/** Finds the password of `CREATE USER bob IDENTIFIED BY 'password'`; in prose something is identified by its name. */
export const findSqlPassword: Finder = (text, at) => {
  identifiedBy.lastIndex = at;
  const found = identifiedBy.exec(text);
  if (found === null || !changesUser.test(statementBefore(text, at))) return undefined;
  const { slashes = "", quote = "" } = found.groups ?? {};
  if (closesString(text, identifiedBy.lastIndex - slashes.length - quote.length)) return undefined;
  const finding = passwordAt(text, identifiedBy.lastIndex, quote, slashes.length);
  const isWord = quote === "" && finding !== undefined && isPlainWord(text.slice(finding.start, finding.end));
  return isWord ? undefined : finding;
};

const basicValue = /basic(?:[ \t]{1,4}|%20|\+)(?=(?<value>[A-Za-z0-9+/]{6,1024}={0,2}))/iy;

/** Finds `Basic …` where no header name stands before it: base64 of a user and a password. */
export const findBasic: Finder = (text, at) => {
  basicValue.lastIndex = at;
  const value = basicValue.exec(text)?.groups?.["value"] ?? "";
  if (!isEncodedLogin(value)) return undefined;
  const start = basicValue.lastIndex;
  return { start, end: keyRunEnd(text, start + value.length), label: "AUTHORIZATION" };
};

/** Finds `"auth": "…"` of a container registry and `_auth=…` of a package registry: a user and a password in base64. */
export const findEncodedLogin: Finder = (text, at, end, from) => {
  const name = readName(text, at, end, from);
  if (!/^_?auth$/i.test(name.text.slice(name.text.lastIndexOf(":") + 1))) return undefined;
  const glue = readGlue(text, name);
  if (glue === undefined) return undefined;
  const { valueAt: start, quote, depth } = glue;
  const last = quote === "" ? bareEnd(text, start, start + 1_100) : quotedEnd(text, start, quote, depth);
  return isEncodedLogin(text.slice(start, last)) ? { start, end: last, label: "AUTHORIZATION" } : undefined;
};
