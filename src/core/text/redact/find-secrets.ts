import {
  type Finder,
  type SecretRange,
  isMasked,
  labelOfName,
  isEncodedLogin,
  isPlaceholderSecret,
  isPlainWord,
} from "./mask.ts";
import {
  findPair,
  looksRandom,
  keyRunEnd,
  matchesAt,
  bareEnd,
  quotedEnd,
  lineEnd,
  readName,
  closesString,
  readGlue,
} from "./find-pair.ts";
import { type SecretShape, secretShapes } from "./secret-shapes.ts";
import { type TriggerKind, nextTrigger } from "./triggers.ts";

const scheme =
  /(?:(?<one>bearer|basic|token|bot|apikey|api-key|key|dpop|negotiate|ntlm)|digest|hawk|oauth|aws4-hmac-sha256)(?:[ \t]{1,4}|%20|\+)/iy;
// Any other scheme: its name, then something that no sentence has there.
const otherScheme = /[A-Z][\w-]{1,40}[ \t]{1,4}(?=(?<next>[^\s,;"'`\\]{1,256}))/y;
const firstCookie = /[\w!#$%&'*+.^`|~-]{1,128}=/y;
const bearerToken = /bearer(?:[ \t]{1,4}|%20|\+)(?=[\w.~+/=-]{0,63}\d)[\w.~+/-]{16,65536}={0,2}/iy;
const bearerWord = /bearer(?:[ \t]{1,4}|%20|\+)/iy;

/** Finds the credentials of an `Authorization` header. A well-known scheme stays, any other is masked with them. */
const findAuthorization: Finder = (text, at, end, from) => {
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
  if (value === "" || isMasked(value) || isPlaceholderSecret(value)) return undefined;
  if (!glue.isJson && !isOther && (isPlainWord(value) || (found === null && !looksRandom(value, "TOKEN"))))
    return undefined;
  return { start, end: last, label: "AUTHORIZATION" };
};

/** `SSWS 00abc…`, `SharedKey account:…`; not "Required for this call". */
function hasOtherScheme(text: string, at: number): boolean {
  otherScheme.lastIndex = at;
  const next = otherScheme.exec(text)?.groups?.["next"] ?? "";
  return !isPlaceholderSecret(next) && (looksRandom(next, "TOKEN") || /^\S{24,}$/.test(next));
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

/** Finds the whole value of a `Cookie` or `Set-Cookie` header. */
const findCookie: Finder = (text, at, end, from): SecretRange | undefined => {
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

/** Finds `Bearer …` without a header name before it. */
const findBearer: Finder = (text, at, end, from) => {
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
// A line of the key, or one of the headers that older formats put before it.
const keyLine =
  /(?:\s|\\{1,7}[nrt]){0,256}(?:(?:Proc-Type|DEK-Info|Comment|Version|Hash|Private-MAC|Private-Hash)\\?: [^\r\n"'\\]{0,256}|[A-Za-z0-9+/=]{16,4096}|[A-Za-z0-9+/=]{1,15}(?=[\r\n"'`]|\\{1,7}[nr"]|$))/y;

/** Finds a whole private key, header to footer; without a footer, as far as the lines are key material. */
const findPrivateKey: Finder = (text, at) => {
  const begin = text.startsWith("Private-Lines", at) ? puttyHeader : header;
  begin.lastIndex = at;
  if (!begin.test(text)) return undefined;
  const bodyAt = begin.lastIndex;
  const end = begin === header ? (footerEnd(text, bodyAt) ?? linesEnd(text, bodyAt)) : linesEnd(text, bodyAt);
  const isKey = keyMaterial.test(text.slice(bodyAt, end));
  return isKey ? { start: at, end, label: "PRIVATE_KEY" } : undefined;
};

/** The next row of dashes must be the footer, in the same string or list: otherwise the key was cut short. */
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

/** Finds the password of `scheme://user:password@host`; `end` is after the colon. */
const findUrlPassword: Finder = (text, _at, end) => {
  authorityEnd.lastIndex = end;
  const authority = text.slice(end, authorityEnd.exec(text)?.index);
  let length = authority.lastIndexOf("@");
  if (length < 0 && authority.length <= 256 && !port.test(authority) && !isPlaceholderSecret(authority)) {
    oddPassword.lastIndex = end;
    length = (oddPassword.exec(text)?.[0].length ?? 0) - 1;
  }
  if (length <= 0) return undefined;
  const password = text.slice(end, end + length);
  if (isMasked(password) || isPlaceholderSecret(password)) return undefined;
  return { start: end, end: end + length, label: "URL_PASSWORD" };
};

/** How far back a shell line is read to find the program that it runs. */
const MAX_BACK = 512;
const runsCurl = /(?:^|[\s;|&("'`/$=>])curl(?:\.exe)?\s/;
const brokenLine = /[^\\\r]\r?\n/g;

/** The shell line up to here; a backslash before a line end continues the line. */
function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_BACK), at + 1);
  const breaks = [...before.matchAll(brokenLine)];
  const last = breaks.at(-1);
  return last === undefined ? before : before.slice(last.index + last[0].length);
}

const loginValue = /[ \t=]{0,4}(?:(?<slashes>\\{0,7})(?<quote>["']))?(?<user>[^\s:"'\\[\]]{1,128}):/y;

/** Finds the password of `curl -u user:password`. Elsewhere `-u 1000:1000` is a user and a group. */
const findLogin: Finder = (text, at, end) => {
  loginValue.lastIndex = end;
  const found = loginValue.exec(text);
  if (found === null || !runsCurl.test(lineBefore(text, at))) return undefined;
  const { slashes = "", quote } = found.groups ?? {};
  return passwordAt(text, loginValue.lastIndex, quote ?? "", slashes.length);
};

function passwordAt(text: string, start: number, quote: string, depth: number): SecretRange | undefined {
  const end = quote === "" ? bareEnd(text, start) : quotedEnd(text, start, quote, depth);
  const value = text.slice(start, end);
  if (value === "" || isMasked(value) || isPlaceholderSecret(value)) return undefined;
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

/** Finds the password of `CREATE USER bob IDENTIFIED BY 'password'`; in prose, things are identified by their names. */
const findSqlPassword: Finder = (text, at) => {
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

/** Finds `Basic …` without a header name before it: base64 of a user and a password. */
const findBasic: Finder = (text, at) => {
  basicValue.lastIndex = at;
  const value = basicValue.exec(text)?.groups?.["value"] ?? "";
  if (!isEncodedLogin(value)) return undefined;
  const start = basicValue.lastIndex;
  return { start, end: keyRunEnd(text, start + value.length), label: "AUTHORIZATION" };
};

/** Finds `"auth": "…"` of a container registry and `_auth=…` of a package registry: a user and a password in base64. */
const findEncodedLogin: Finder = (text, at, end, from) => {
  const name = readName(text, at, end, from);
  if (!/^_?auth$/i.test(name.text.slice(name.text.lastIndexOf(":") + 1))) return undefined;
  const glue = readGlue(text, name);
  if (glue === undefined) return undefined;
  const { valueAt: start, quote, depth } = glue;
  const last = quote === "" ? bareEnd(text, start, start + 1_100) : quotedEnd(text, start, quote, depth);
  return isEncodedLogin(text.slice(start, last)) ? { start, end: last, label: "AUTHORIZATION" } : undefined;
};

const shapeOfPrefix = new Map(
  secretShapes.flatMap((shape) => shape.prefixes.map((prefix) => [prefix, shape] as const)),
);

const findShape: Finder = (text, at, end, from) => {
  const shape = shapeOfPrefix.get(text.slice(at, end));
  if (shape === undefined) return undefined;
  shape.pattern.lastIndex = at;
  if (!shape.pattern.test(text)) return undefined;
  const start = shapeStart(text, at, from, shape);
  return { start, end: keyRunEnd(text, shape.pattern.lastIndex), label: shape.label };
};

function shapeStart(text: string, at: number, from: number, { lead, keeps }: SecretShape): number {
  if (keeps !== undefined) return matchesAt(keeps, text, at) ? keeps.lastIndex : at;
  if (lead === undefined) return at;
  const floor = Math.max(from, at - lead.max);
  let start = at;
  while (start > floor && lead.of.test(text[start - 1] ?? "")) start--;
  return start;
}

const wordFinders: Readonly<Record<string, Finder>> = {
  authorization: findAuthorization,
  cookie: findCookie,
  bearer: findBearer,
  basic: findBasic,
  auth: findEncodedLogin,
  identified: findSqlPassword,
};

const findNamed: Finder = (text, at, end, from) =>
  findFieldValue(text, at, end, from) ??
  (wordFinders[text.slice(at, end).toLowerCase()] ?? findPair)(text, at, end, from);

const finders: Readonly<Record<TriggerKind, Finder>> = {
  shape: findShape,
  word: findNamed,
  url: findUrlPassword,
  key: findPrivateKey,
  login: findLogin,
};

/** The secrets of a text, in order, without overlaps. */
export function findSecrets(text: string): readonly SecretRange[] {
  const findings: SecretRange[] = [];
  let from = 0;
  for (let trigger = nextTrigger(text, 0); trigger !== undefined;) {
    const { kind, start, end } = trigger;
    const finding = finders[kind](text, start, end, from);
    const isNew = finding !== undefined && finding.start >= from && finding.end > finding.start;
    if (isNew) {
      findings.push(finding);
      from = finding.end;
    }
    // A prefix that does not begin a key may overlap a name before a secret.
    trigger = nextTrigger(text, isNew ? finding.end : kind === "shape" ? start + 1 : end);
  }
  return findings;
}

/** How far a tag is read to either side. */
const MAX_TAG = 1_024;
const tagStart = /<(?:input|add|param|property|setting|entry)\b(?![^]*[<>])/i;
const escapedStart = /\\u003[cC](?:input|add|param|property|setting|entry)\b(?![^]*(?:[<>]|\\u003[ceCE]))/i;
const namingAttribute = /[\s"'](?:type|name|key|id)\s{0,2}=\s{0,2}\\{0,7}["']?$/i;
const valueAttribute = /[\s"']value\s{0,2}=\s{0,2}(?:(?<slashes>\\{0,7})(?<quote>["']))?/gi;

/** Finds the value of `<input type="password" value="…">`, in either order, and of `<add key="Password" value="…"/>`. */
const findFieldValue: Finder = (text, at, end, from) => {
  const name = readName(text, at, end, from);
  if (!namingAttribute.test(text.slice(Math.max(from, name.start - 24), name.start))) return undefined;
  const label = labelOfName(name.text);
  if (label === undefined) return undefined;
  const floor = Math.max(from, name.start - MAX_TAG);
  const before = text.slice(floor, name.start);
  const opened = tagStart.exec(before) ?? escapedStart.exec(before);
  if (opened === null) return undefined;
  const tagAt = floor + opened.index;
  const behind = text.slice(name.end, name.end + MAX_TAG);
  const close = behind.search(/>|\\u003[eE]/);
  const tag = text.slice(tagAt, close < 0 ? name.end + MAX_TAG : name.end + close);
  const found = tag.matchAll(valueAttribute).next().value;
  if (found === undefined) return undefined;
  const { slashes = "", quote = "" } = found.groups ?? {};
  const start = tagAt + found.index + found[0].length;
  const last =
    quote === "" ? bareEnd(text, start, start + MAX_TAG) : quotedEnd(text, start, quote, slashes.length);
  const value = text.slice(start, last);
  const isSecret =
    /[A-Za-z0-9]/.test(value) &&
    !isMasked(value) &&
    !isPlaceholderSecret(value) &&
    labelOfName(value) === undefined;
  return isSecret ? { start, end: last, label } : undefined;
};
