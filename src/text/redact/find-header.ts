import type { Finder, Finding } from "./finding.ts";
import { findPair } from "./find-pair.ts";
import { isPlaceholder, isPlainWord, looksRandom } from "./judge-value.ts";
import { isMasked } from "./mask.ts";
import { readGlue, readName } from "./read-pair.ts";
import { labelOfName } from "./secret-name.ts";
import { bareEnd, keyRunEnd, lineEnd, matchesAt, quotedEnd } from "./value-end.ts";

const scheme =
  /(?:(?<one>bearer|basic|token|bot|apikey|api-key|key|dpop|negotiate|ntlm)|digest|hawk|oauth|aws4-hmac-sha256)(?:[ \t]{1,4}|%20|\+)/iy;
const firstCookie = /[\w!#$%&'*+.^`|~-]{1,128}=/y;
const bearerToken = /bearer(?:[ \t]{1,4}|%20|\+)(?=[\w.~+/=-]{0,63}\d)[\w.~+/-]{16,65536}={0,2}/iy;
const bearerWord = /bearer(?:[ \t]{1,4}|%20|\+)/iy;

/** Finds the credentials of an `Authorization` header; the scheme stays. */
export const findAuthorization: Finder = (text, at, end, from) => {
  const name = readName(text, at, end, from);
  if (labelOfName(lastSegment(name.text)) !== "AUTHORIZATION") return undefined;
  const glue = readGlue(text, name);
  if (glue === undefined || (glue.isJson && glue.quote === "")) return undefined;
  scheme.lastIndex = glue.valueAt;
  const found = scheme.exec(text);
  const start = glue.valueAt + (found?.[0].length ?? 0);
  const last = credentialsEnd(text, start, glue, found);
  const value = text.slice(start, last);
  if (value === "" || isMasked(value) || isPlaceholder(value)) return undefined;
  if (!glue.isJson && (isPlainWord(value) || (found === null && !looksRandom(value, "TOKEN"))))
    return undefined;
  return { start, end: last, label: "AUTHORIZATION" };
};

function credentialsEnd(
  text: string,
  start: number,
  glue: { readonly quote: string; readonly depth: number },
  found: RegExpExecArray | null,
): number {
  if (glue.quote !== "") return quotedEnd(text, start, glue.quote, glue.depth);
  if (found === null) return bareEnd(text, start, start + 128);
  return found.groups?.["one"] === undefined ? lineEnd(text, start) : bareEnd(text, start);
}

/** Finds all of a `Cookie` or `Set-Cookie` header behind its name. */
export const findCookie: Finder = (text, at, end, from): Finding | undefined => {
  const name = readName(text, at, end, from);
  if (labelOfName(lastSegment(name.text)) !== "COOKIE") return undefined;
  const glue = readGlue(text, name);
  if (glue === undefined) return undefined;
  if (glue.isJson) return findPair(text, at, end, from);
  if (!matchesAt(firstCookie, text, glue.valueAt)) return undefined;
  const last =
    glue.quote === "" ? lineEnd(text, glue.valueAt) : quotedEnd(text, glue.valueAt, glue.quote, glue.depth);
  return isMasked(text.slice(glue.valueAt, last))
    ? undefined
    : { start: glue.valueAt, end: last, label: "COOKIE" };
};

/** Finds `Bearer …` where no header name stands before it. */
export const findBearer: Finder = (text, at, end, from) => {
  if (!matchesAt(bearerToken, text, at)) return findPair(text, at, end, from);
  const last = keyRunEnd(text, bearerToken.lastIndex);
  return matchesAt(bearerWord, text, at)
    ? { start: bearerWord.lastIndex, end: last, label: "AUTHORIZATION" }
    : undefined;
};

/** `document.cookie` and `headers.authorization` are named by their last part. */
function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
