import { findPair, looksRandom } from "./find-pair.ts";
import { type Finder, type Finding, isMasked } from "./mask.ts";
import { readGlue, readName } from "./read-pair.ts";
import { labelOfName } from "./secret-name.ts";
import { isPlaceholder, isPlainWord } from "./stand-in.ts";
import { bareEnd, keyRunEnd, lineEnd, matchesAt, quotedEnd } from "./value-end.ts";

const scheme =
  /(?:(?<one>bearer|basic|token|bot|apikey|api-key|key|dpop|negotiate|ntlm)|digest|hawk|oauth|aws4-hmac-sha256)(?:[ \t]{1,4}|%20|\+)/iy;
// Any other scheme: its name, then something no sentence has there.
const otherScheme = /[A-Z][\w-]{1,40}[ \t]{1,4}(?=(?<next>[^\s,;"'`\\]{1,256}))/y;
const firstCookie = /[\w!#$%&'*+.^`|~-]{1,128}=/y;
const bearerToken = /bearer(?:[ \t]{1,4}|%20|\+)(?=[\w.~+/=-]{0,63}\d)[\w.~+/-]{16,65536}={0,2}/iy;
const bearerWord = /bearer(?:[ \t]{1,4}|%20|\+)/iy;

/** Finds the credentials of an `Authorization` header. A scheme that everybody knows stays, any other goes with them. */
export const findAuthorization: Finder = (text, at, end, from) => {
  const name = readName(text, at, end, from);
  if (labelOfName(lastSegment(name.text)) !== "AUTHORIZATION") return undefined;
  const glue = readGlue(text, name);
  if (glue === undefined || (glue.isJson && glue.quote === "")) return undefined;
  scheme.lastIndex = glue.valueAt;
  const found = scheme.exec(text);
  const start = glue.valueAt + (found?.[0].length ?? 0);
  const isOther = found === null && hasOtherScheme(text, start);
  const last = credentialsEnd(text, start, glue, found, isOther);
  const value = text.slice(start, last);
  if (value === "" || isMasked(value) || isPlaceholder(value)) return undefined;
  if (!glue.isJson && !isOther && (isPlainWord(value) || (found === null && !looksRandom(value, "TOKEN"))))
    return undefined;
  return { start, end: last, label: "AUTHORIZATION" };
};

/** `SSWS 00abc…`, `SharedKey account:…`; not "Required for this call". */
function hasOtherScheme(text: string, at: number): boolean {
  otherScheme.lastIndex = at;
  const next = otherScheme.exec(text)?.groups?.["next"] ?? "";
  return !isPlaceholder(next) && (looksRandom(next, "TOKEN") || /^\S{24,}$/.test(next));
}

function credentialsEnd(
  text: string,
  start: number,
  glue: { readonly quote: string; readonly depth: number },
  found: RegExpExecArray | null,
  isOther: boolean,
): number {
  if (glue.quote !== "") return quotedEnd(text, start, glue.quote, glue.depth);
  if (isOther) return lineEnd(text, start);
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

const header =
  /-{4,5} ?BEGIN(?:[ +]|%20)[A-Z0-9 +%]{0,40}PRIVATE(?:[ +]|%20)KEY(?:(?:[ +]|%20)BLOCK)? ?-{4,5}/y;
const footer =
  /-{4,5} ?END(?:[ +]|%20)[A-Z0-9 +%]{0,40}PRIVATE(?:[ +]|%20)KEY(?:(?:[ +]|%20)BLOCK)? ?-{4,5}/y;
const puttyHeader = /Private-Lines: ?\d{1,4}/y;
const keyMaterial = /[A-Za-z0-9+/=]{16}/;
const nesting = /[{}[\]<>]/;
// A mail quotes its lines, and a page breaks them.
const lineMarks = /\n[ \t]{0,8}> ?|<br ?\/?>/gi;
// A line of the key, or one of the headers older formats put before it.
const keyLine =
  /(?:\s|\\{1,7}[nrt]){0,256}(?:(?:Proc-Type|DEK-Info|Comment|Version|Hash|Private-MAC|Private-Hash)\\?: [^\r\n"'\\]{0,256}|[A-Za-z0-9+/=]{16,4096}|[A-Za-z0-9+/=]{1,15}(?=[\r\n"'`]|\\{1,7}[nr"]|$))/y;

/** Finds a private key whole, header to footer; without a footer, as far as the lines are key material. */
export const findPrivateKey: Finder = (text, at) => {
  const begin = text.startsWith("Private-Lines", at) ? puttyHeader : header;
  begin.lastIndex = at;
  if (!begin.test(text)) return undefined;
  const bodyAt = begin.lastIndex;
  const end = begin === header ? (footerEnd(text, bodyAt) ?? linesEnd(text, bodyAt)) : linesEnd(text, bodyAt);
  const isKey = keyMaterial.test(text.slice(bodyAt, end));
  return isKey ? { start: at, end, label: "PRIVATE_KEY" } : undefined;
};

/** The next row of dashes must be the footer, in the same string or list: else the key was cut short. */
function footerEnd(text: string, bodyAt: number): number | undefined {
  const dashesAt = text.indexOf("----", bodyAt);
  if (dashesAt < 0 || nesting.test(text.slice(bodyAt, dashesAt).replaceAll(lineMarks, ""))) return undefined;
  footer.lastIndex = dashesAt;
  return footer.test(text) ? footer.lastIndex : undefined;
}

function linesEnd(text: string, bodyAt: number): number {
  let end = bodyAt;
  for (;;) {
    keyLine.lastIndex = end;
    if (!keyLine.test(text)) return end;
    end = keyLine.lastIndex;
  }
}

const authorityEnd = /[\s/?#"'<>\\`]/g;
// A "/" in the password makes the part before it an impossible port, so the "@" further on ends the credentials.
const oddPassword = /[^\s"'<>\\`]{1,256}@(?=[\w.-]+(?::\d+)?(?:[/?#\s"'\\]|$))/y;
const port = /^(?:\d{0,5}|port)$/i;

/** Finds the password of `scheme://user:password@host`; `end` stands behind the colon. */
export const findUrlPassword: Finder = (text, _at, end) => {
  authorityEnd.lastIndex = end;
  const authority = text.slice(end, authorityEnd.exec(text)?.index);
  let length = authority.lastIndexOf("@");
  if (length < 0 && authority.length <= 256 && !port.test(authority) && !isPlaceholder(authority)) {
    oddPassword.lastIndex = end;
    length = (oddPassword.exec(text)?.[0].length ?? 0) - 1;
  }
  if (length <= 0) return undefined;
  const password = text.slice(end, end + length);
  if (isMasked(password) || isPlaceholder(password)) return undefined;
  return { start: end, end: end + length, label: "URL_PASSWORD" };
};
