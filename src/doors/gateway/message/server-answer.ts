// Answers of a server that are clear, but not in a form that every client reads: with two ids, with both outcomes or
// none, with an `error` that is not an error, without `jsonrpc`. The client waits, so they are normalised. The server's
// values keep their bytes: numbers keep their digits, and no depth is too deep to be copied.

import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import {
  type Glance,
  glance,
  memberSpans,
  rawIdsIn,
  memberStart,
  skipValue,
} from "../../../engine/transport/raw-message.ts";
import { type BridgeFault, unreadableAnswer } from "./faults.ts";
import { INTERNAL_ERROR } from "../../../core/protocol/names.ts";
import { rememberText, exactTextOf } from "../../../core/json/exact-text.ts";
import { skipSpace } from "../../../core/json/scan-json.ts";
import { originalOf } from "../../../engine/session/foreign-result.ts";

/** An answer, parsed and as bytes with the same meaning. */
export interface ServerAnswer {
  readonly message: JsonObject;
  readonly bytes: Buffer;
}

/** How many characters are quoted of an error that is not a JSON-RPC error. */
const SAID_CHARACTERS = 200;

function isProperError(error: unknown): boolean {
  return isJsonObject(error) && Number.isSafeInteger(error["code"]) && typeof error["message"] === "string";
}

/** What some libraries write if there is no error. */
function saysNothing(error: JsonValue | undefined): boolean {
  if (typeof error !== "object" || error === null) return !error;
  return Object.keys(error).length === 0;
}

/** True for what the strictest client reads: the version, an id and one outcome, and no other members. */
function isPlain(message: JsonObject): boolean {
  const { jsonrpc, result, error } = message;
  if (jsonrpc !== "2.0" || Object.keys(message).length !== 3) return false;
  return result !== undefined || isProperError(error);
}

function cut(text: string): string {
  if (text.length <= SAID_CHARACTERS) return text;
  // Half of a surrogate pair is not a character.
  return `${text.slice(0, SAID_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A JSON-RPC error that quotes an error which is not one. */
function wordedError(error: JsonValue, raw: string): BridgeFault {
  const { code, message } = isJsonObject(error) ? error : {};
  const own = typeof error === "string" ? error : code === undefined ? message : undefined;
  const said = typeof own === "string" && own !== "" ? own : undefined;
  return {
    code: Number.isSafeInteger(code) ? (code as number) : INTERNAL_ERROR,
    message: said === undefined ? `The server's error is no error of JSON-RPC: ${cut(raw)}` : cut(said),
  };
}

/** The outcome of an answer, as a member of its message and as the bytes of that member's value. */
interface Outcome {
  readonly name: "result" | "error";
  readonly value: JsonValue;
  readonly bytes: Buffer;
}

function ownError(fault: BridgeFault): Outcome {
  const text = JSON.stringify(fault);
  return { name: "error", value: JSON.parse(text) as JsonValue, bytes: Buffer.from(text) };
}

/** An error wins over a result beside it: missing a failure is worse than missing the result. */
function outcomeOf({ message, bytes }: ServerAnswer): Outcome {
  const { result, error } = message;
  const spans = memberSpans(bytes.toString("latin1"));
  const asWritten = (name: Outcome["name"], value: JsonValue): Outcome => {
    const span = spans.get(name);
    return { name, value, bytes: bytes.subarray(span?.start, span?.end) };
  };
  const isNoError = error === undefined || error === null;
  if (result !== undefined && (isNoError || (result !== null && saysNothing(error))))
    return asWritten("result", result);
  if (isNoError) return ownError(unreadableAnswer);
  const said = asWritten("error", error);
  return isProperError(error) ? said : ownError(wordedError(error, said.bytes.toString()));
}

/**
 * The answer with the one id that a request waits for, in a form that every client reads; unchanged if no request
 * waits. `seen` is the id found at its ends; JSON.parse reads the last id. `kind`: what a glance at the bytes showed.
 */
export function plainAnswer(
  read: ServerAnswer,
  seen: unknown,
  isAwaited: (id: unknown) => boolean,
  kind: Glance["kind"] = glance(read.bytes).kind,
): ServerAnswer {
  const { message, bytes } = read;
  const last = message["id"];
  const isOne = seen === last && isPlain(message);
  // Searching for more ids takes as long as parsing; messages written by SDKs have one.
  if (isOne && isAwaited(last) && kind === "response") return read;
  const ids = rawIdsIn(bytes);
  const id = [seen, last, ...ids.map(jsonIn)].find(isAwaited);
  if (id === undefined || (isOne && ids.length === 1)) return read;
  const { name, value, bytes: said } = outcomeOf(read);
  const rawId = ids.find((one) => jsonIn(one) === id) ?? JSON.stringify(id);
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"${name}":`);
  return {
    message: { jsonrpc: "2.0", id: id as string, [name]: value },
    bytes: Buffer.concat([head, said, Buffer.from("}")]),
  };
}

/** The places of a tool result's structure in a response: of a call, of a finished task, beside an error. */
const structurePaths = [
  ["result", "structuredContent"],
  ["result", "result", "structuredContent"],
  ["error", "data"],
  ["params", "result", "structuredContent"],
] as const;

/** The position of the value of a member whose name occurs once in the message: searching is faster than parsing. */
function onlyPlace(text: string, name: string): number | undefined {
  const quoted = JSON.stringify(name);
  const at = text.indexOf(quoted);
  if (at === -1 || text.includes(quoted, at + quoted.length)) return undefined;
  // Quotes inside a text are preceded by a backslash, so this is a whole text; a name is followed by a colon.
  const colon = skipSpace(text, at + quoted.length);
  return text[colon] === ":" ? skipSpace(text, colon + 1) : undefined;
}

/** The position at which the value at a path begins. */
function placeOf(text: string, path: readonly string[]): number | undefined {
  return (
    onlyPlace(text, path.at(-1) ?? "") ??
    path.reduce<number | undefined>(
      (from, name) => (from === undefined ? undefined : memberStart(text, from, name)),
      0,
    )
  );
}

function textAt(text: string, path: readonly string[]): string | undefined {
  const start = placeOf(text, path);
  return start === undefined ? undefined : text.slice(start, skipValue(text, start));
}

/** Links each structure to its text in the message, which `read` returns: a rewritten structure must keep that text. */
export function noteStructures(message: JsonObject, read: () => string): void {
  for (const path of structurePaths) {
    let value: unknown = message;
    for (const name of path) value = isJsonObject(value) ? value[name] : undefined;
    if (typeof value === "object" && value !== null) rememberText(value, () => textAt(read(), path));
  }
}

/** The texts of the members of the server's `_meta`; undefined if JSON.stringify would write the same text. */
function rawMeta(foreign: JsonObject, bytes: Buffer): Map<string, string> | undefined {
  const text = bytes.toString();
  const result = memberSpans(text).get("result");
  const meta = result && memberSpans(text, result.start).get("_meta");
  if (meta === undefined) return undefined;
  if (text.slice(meta.start, meta.end) === JSON.stringify(foreign["_meta"])) return undefined;
  const members = memberSpans(text, meta.start);
  return new Map([...members].map(([name, { start, end }]) => [name, text.slice(start, end)]));
}

function writeMeta(meta: JsonObject, theirs: JsonObject, raw: ReadonlyMap<string, string>): string {
  const members = Object.entries(meta).map(([name, value]) => {
    const text = value === theirs[name] ? raw.get(name) : undefined;
    return `${JSON.stringify(name)}:${text ?? JSON.stringify(value)}`;
  });
  return `{${members.join(",")}}`;
}

/** The text of a result's `_meta`, if JSON.stringify would write the server's part differently. */
function metaText(result: JsonObject): string | undefined {
  const { _meta: meta } = result;
  const { said, bytes } = originalOf(result) ?? {};
  const theirs = said?.["_meta"];
  if (said === undefined || bytes === undefined || !isJsonObject(meta) || !isJsonObject(theirs))
    return undefined;
  // A failure of ours keeps nothing of theirs, which may be too deep to be written.
  if (!Object.keys(meta).some((name) => meta[name] === theirs[name])) return undefined;
  const raw = rawMeta(said, bytes);
  return raw && writeMeta(meta, theirs, raw);
}

/** Writes a result of ours. The server's members of `_meta` and an unchanged structure keep their original text. */
export function writeResult(result: JsonObject): string {
  const structure = exactTextOf(result["structuredContent"]);
  const meta = metaText(result);
  if (structure === undefined && meta === undefined) return JSON.stringify(result);
  const members = Object.entries(result).map(([name, value]) => {
    const text = name === "structuredContent" ? structure : name === "_meta" ? meta : undefined;
    return `${JSON.stringify(name)}:${text ?? JSON.stringify(value)}`;
  });
  return `{${members.join(",")}}`;
}

/** Writes an answer with the text of its request's id, because JavaScript may write a number differently. */
export function writeAnswer({ result, error }: JsonObject, rawId: string): string {
  const said = isJsonObject(result) ? writeResult(result) : JSON.stringify(result);
  // A result of null is still a result.
  const outcome = said === undefined ? `"error":${JSON.stringify(error ?? null)}` : `"result":${said}`;
  return `{"jsonrpc":"2.0","id":${rawId},${outcome}}`;
}
