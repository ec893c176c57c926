// A JSON-RPC message as its bytes. Ids and `_meta` are copied as text, because JavaScript may write a number
// differently: 12345678901234567890, or 1.0. This module does not check whether the text is JSON; JSON.parse
// does.

import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipSpace,
  skipString,
  SPACE,
} from "../../core/json/scan-json.ts";
import { isJsonObject, jsonIn } from "../../core/json/json-value.ts";

/** The range of a member's value in a text: from its first character to the one after its last. */
export interface MemberSpan {
  readonly start: number;
  readonly end: number;
}

export function skipValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at);
      if (at < 0) return text.length;
      if (depth === 0) return at;
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (code === COMMA || code <= 0x20)) return at;
    at += 1;
  }
  return text.length;
}

/**
 * The name between two quotes. A name with an escape that JSON does not know is left as written: this
 * function must not throw on a server's output.
 */
export function memberName(text: string, from: number, end: number): string {
  const name = text.slice(from + 1, end - 1);
  if (!name.includes("\\")) return name;
  try {
    return JSON.parse(text.slice(from, end)) as string;
  } catch {
    return name;
  }
}

/** One member of an object: its name, the offset of the name, and the range of its value. */
interface Member {
  readonly name: string;
  readonly from: number;
  readonly value: MemberSpan;
}

function* membersOf(text: string, from: number): Generator<Member> {
  let at = skipSpace(text, skipSpace(text, from) + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const end = skipString(text, at);
    if (end < 0) return;
    const start = skipSpace(text, skipSpace(text, end) + 1);
    const valueEnd = skipValue(text, start);
    yield { name: memberName(text, at, end), from: at, value: { start, end: valueEnd } };
    at = skipSpace(text, valueEnd);
    if (text.charCodeAt(at) !== COMMA) return;
    at = skipSpace(text, at + 1);
  }
}

/** The members of the object that starts at `from`. For a duplicate name the last member counts, as in JSON.parse. */
export function memberSpans(text: string, from = 0): Map<string, MemberSpan> {
  const spans = new Map<string, MemberSpan>();
  for (const { name, value } of membersOf(text, from)) spans.set(name, value);
  return spans;
}

/** The offset of a member's value, found without reading the text after it: the first member of that name counts. */
export function memberStart(text: string, from: number, name: string): number | undefined {
  let at = skipSpace(text, skipSpace(text, from) + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const end = skipString(text, at);
    if (end < 0) return undefined;
    const start = skipSpace(text, skipSpace(text, end) + 1);
    if (memberName(text, at, end) === name) return start;
    at = skipSpace(text, skipValue(text, start));
    if (text.charCodeAt(at) !== COMMA) return undefined;
    at = skipSpace(text, at + 1);
  }
  return undefined;
}

/** The bytes of each message in a list. */
export function elementsOf(bytes: Buffer): readonly Buffer[] {
  const text = byteText(bytes);
  const elements: Buffer[] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_BRACKET) {
    const end = skipValue(text, at);
    elements.push(bytes.subarray(at, end));
    at = skipSpace(text, end);
    if (text.charCodeAt(at) !== COMMA) break;
    at = skipSpace(text, at + 1);
  }
  return elements;
}

/** The object at a place without some of its members; all others stay as written. */
function withoutMembers(text: string, { start }: MemberSpan, names: readonly string[]): string {
  const kept = [...membersOf(text, start)].filter(({ name }) => !names.includes(name));
  return `{${kept.map(({ from, value }) => text.slice(from, value.end)).join(",")}}`;
}

/** The JSON texts of all ids of a message; a valid message has one. */
export function rawIdsIn(bytes: Buffer): readonly string[] {
  const ids = [...membersOf(byteText(bytes), 0)].filter(({ name }) => name === "id");
  return ids.map(({ value }) => bytes.toString("utf8", value.start, value.end));
}

/** A call without some of its arguments; all other bytes stay as they were. */
export function withoutRawArguments(bytes: Buffer, names: readonly string[]): Buffer {
  const text = byteText(bytes);
  const params = memberSpans(text).get("params");
  const args = params && memberSpans(text, params.start).get("arguments");
  if (args === undefined || text.charCodeAt(args.start) !== OPEN_BRACE) return bytes;
  const changed = text.slice(0, args.start) + withoutMembers(text, args, names) + text.slice(args.end);
  return Buffer.from(changed, "latin1");
}

/** A request without some members of its params; all other bytes stay as they were. */
export function withoutRawParams(bytes: Buffer, names: readonly string[]): Buffer {
  const text = byteText(bytes);
  const params = memberSpans(text).get("params");
  if (params === undefined || text.charCodeAt(params.start) !== OPEN_BRACE) return bytes;
  const changed = text.slice(0, params.start) + withoutMembers(text, params, names) + text.slice(params.end);
  return Buffer.from(changed, "latin1");
}

/** A request without the members of `params._meta` whose names begin like this; all other bytes stay as they were. */
export function withoutRawMeta(bytes: Buffer, prefix: string): Buffer {
  const text = byteText(bytes);
  const params = memberSpans(text).get("params");
  if (params === undefined || text.charCodeAt(params.start) !== OPEN_BRACE) return bytes;
  const meta = memberSpans(text, params.start).get("_meta");
  if (meta === undefined || text.charCodeAt(meta.start) !== OPEN_BRACE) return bytes;
  const names = [...memberSpans(text, meta.start).keys()].filter((name) => name.startsWith(prefix));
  if (names.length === 0) return bytes;
  const changed = text.slice(0, meta.start) + withoutMembers(text, meta, names) + text.slice(meta.end);
  return Buffer.from(changed, "latin1");
}

// Exactly what JSON allows: ids that match are passed to JSON.parse, which must not throw.
const TEXT = String.raw`"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`;
const NUMBER = String.raw`-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?`;
const ID = `(${TEXT}|${NUMBER}|null)`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`;

// What the SDKs write: some put the id first, some (TypeScript v1, C#) last.
const headOf = new RegExp(
  String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?(?:"id"\s*:\s*${ID}\s*,\s*)?(?:"method"\s*:\s*"([^"\\]*)"|"(?:result|error)"\s*(:))`,
);
const lastId = new RegExp(String.raw`^"id"\s*:\s*${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`);
const beforeMember = /[,{]\s*$/;

/** Most ids are this near to an end; a longer one is found by reading the whole message. */
const NEAR_BYTES = 160;

/** ASCII bytes read the same in Latin-1, which is the cheapest way to read them. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** What the two ends of a message show without reading the rest. */
export interface Glance {
  /** The kind of message; "unclear" if only the whole message can show it. */
  readonly kind: "request" | "notification" | "response" | "unclear";
  /** The method of a request or a notification. */
  readonly method: string;
  /** The JSON text of the id; empty for a notification, or if it is unclear. */
  readonly rawId: string;
}

const unclear: Glance = { kind: "unclear", method: "", rawId: "" };

function idAtEnd(tail: string): string | undefined {
  const at = tail.lastIndexOf('"id"');
  if (at === -1 || !beforeMember.test(tail.slice(0, at))) return undefined;
  return lastId.exec(tail.slice(at))?.[1];
}

function glanceAt(head: string, tail: string): Glance {
  const found = headOf.exec(head);
  if (found === null) return unclear;
  const [, first, method, outcome] = found;
  const rawId = first ?? idAtEnd(tail);
  if (outcome !== undefined) {
    if (rawId === undefined || rawId === "null" || !isAscii(rawId)) return unclear;
    return { kind: "response", method: "", rawId };
  }
  if (method === undefined) return unclear;
  if (rawId !== undefined && isAscii(rawId)) return { kind: "request", method, rawId };
  // Names of notifications begin in this way; any other message may have an id in the middle.
  return method.startsWith("notifications/") ? { kind: "notification", method, rawId: "" } : unclear;
}

/**
 * Reads both ends of a message, as the SDKs write them. The result is right for every JSON text without
 * duplicate members.
 */
export function glance(bytes: Buffer): Glance {
  const { length } = bytes;
  const head = bytes.toString("latin1", 0, Math.min(length, NEAR_BYTES));
  return glanceAt(head, length <= NEAR_BYTES ? head : bytes.toString("latin1", length - NEAR_BYTES, length));
}

/** A message as text with one character per byte, so that offsets in it are offsets in the bytes. */
function byteText(bytes: Buffer): string {
  return bytes.toString("latin1", 0, bytes.length);
}

/** The JSON text of a message's id; undefined if it has none. */
export function rawIdOf(bytes: Buffer): string | undefined {
  const { rawId } = glance(bytes);
  if (rawId !== "") return rawId;
  const span = memberSpans(byteText(bytes)).get("id");
  return span && bytes.toString("utf8", span.start, span.end);
}

// The same expressions, which also give the offset of the id.
const headPlace = new RegExp(headOf, "d");
const lastPlace = new RegExp(lastId, "d");

/** The range of the id, if it is near an end; reading all of a large answer costs more than parsing it. */
function nearIdSpan(bytes: Buffer): MemberSpan | undefined {
  const { length } = bytes;
  const found = headPlace.exec(bytes.toString("latin1", 0, Math.min(length, NEAR_BYTES)));
  if (found === null) return undefined;
  const inFront = found.indices?.[1];
  if (inFront !== undefined) return { start: inFront[0], end: inFront[1] };
  const from = Math.max(0, length - NEAR_BYTES);
  const tail = bytes.toString("latin1", from, length);
  if (idAtEnd(tail) === undefined) return undefined;
  const at = tail.lastIndexOf('"id"');
  const place = lastPlace.exec(tail.slice(at))?.indices?.[1];
  return place && { start: from + at + place[0], end: from + at + place[1] };
}

/** The same message under another id, given as JSON text; all other bytes stay as they were. */
export function withRawId(bytes: Buffer, rawId: string): Buffer {
  const span = nearIdSpan(bytes) ?? memberSpans(byteText(bytes)).get("id");
  if (span === undefined) return bytes;
  return Buffer.concat([bytes.subarray(0, span.start), Buffer.from(rawId), bytes.subarray(span.end)]);
}

/** What the two kept ends of an oversized line say of it. */
export function endsOf(
  head: Buffer,
  tail: Buffer,
): { readonly rawId: string | undefined; readonly isResponse: boolean } {
  const [first, last] = [byteText(head), byteText(tail)];
  const { kind, rawId } = glanceAt(first, last);
  const isResponse = kind === "response" || (kind === "unclear" && mayAnswer(first, last));
  return { rawId: rawId === "" ? undefined : rawId, isResponse };
}

/** For a message in an order that no SDK writes: it names a result or an error, and no method. */
function mayAnswer(head: string, tail: string): boolean {
  const names = (name: string): boolean => head.includes(name) || tail.includes(name);
  return /^\s*\{/.test(head) && !names('"method"') && (names('"result"') || names('"error"'));
}

/** The kind of a message, as far as a transport must know it. */
export interface MessageKind {
  /** "nothing" is a line that is not a message. */
  readonly kind: "request" | "notification" | "response" | "nothing";
  /** Empty unless the message is a request or a notification. */
  readonly method: string;
  /** The JSON text of the id; empty for a message without an id. */
  readonly rawId: string;
}

const nothing: MessageKind = { kind: "nothing", method: "", rawId: "" };

function readKind(bytes: Buffer): MessageKind {
  const message = jsonIn(bytes.toString("utf8"));
  if (!isJsonObject(message)) return nothing;
  const { method, result, error } = message;
  const rawId = rawIdOf(bytes) ?? "";
  if (typeof method === "string") return { kind: rawId === "" ? "notification" : "request", method, rawId };
  return result === undefined && error === undefined ? nothing : { kind: "response", method: "", rawId };
}

/** Reads the two ends of a message, and the rest only if the ends do not show its kind. */
export function kindOf(bytes: Buffer): MessageKind {
  const { kind, method, rawId } = glance(bytes);
  return kind === "unclear" ? readKind(bytes) : { kind, method, rawId };
}

/** A message as bytes, from either form. */
export function toBytes(message: Uint8Array | string): Buffer {
  if (typeof message === "string") return Buffer.from(message);
  return Buffer.isBuffer(message) ? message : Buffer.from(message.buffer, message.byteOffset, message.length);
}

// Messages of a server in unusual forms: after a byte order mark, or in a list.

const MARK = Buffer.from("\uFEFF");

/** The bytes without the byte order mark that some runtimes write before their first text: it is not JSON. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === MARK[0] && bytes.subarray(0, MARK.length).equals(MARK)
    ? bytes.subarray(MARK.length)
    : bytes;
}

/** The messages that a server sent together: nearly always one, or those of a list, as in 2025-03-26. */
export function messagesIn(sent: Buffer): readonly Buffer[] {
  if (sent[0] === OPEN_BRACE) return [sent];
  const bytes = withoutMark(sent);
  let at = 0;
  while (at < bytes.length && (bytes[at] ?? 0) <= SPACE) at += 1;
  const list = bytes[at] === OPEN_BRACKET ? jsonIn(bytes.toString()) : undefined;
  if (!Array.isArray(list)) return [bytes];
  const messages = elementsOf(bytes).filter((_, index) => isJsonObject(list[index]));
  return messages.length === 0 ? [bytes] : messages;
}
