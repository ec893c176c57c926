// Checks a client's message before it is forwarded as the bytes it came in: it must be text, and mean the same to every
// reader.

import { isUtf8 } from "node:buffer";
import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { jsonRpcCodes } from "../../../core/protocol/json-rpc-error.ts";
import { type DoubledKey, findDoubledKey } from "../../../engine/transport/doubled-keys.ts";
import {
  withRawId,
  withoutRawArguments,
  type MemberSpan,
  memberSpans,
} from "../../../engine/transport/raw-message.ts";
import type { Handover, CarriedTrace } from "../../../engine/request/call-request.ts";
import { nameKeyOf } from "../../../engine/transport/http/message-headers.ts";
import { idToRepeat } from "../../../engine/transport/http/refusal.ts";
import { type ReadMessage, readMessage } from "../../../engine/session/read-message.ts";

/** Why a message of a client is not forwarded. */
export interface ClientFault {
  readonly code: number;
  readonly message: string;
}

/** For bytes that are not UTF-8: one reader replaces them, another refuses them or reads other letters. */
export const notUtf8: ClientFault = {
  code: jsonRpcCodes.parseError.code,
  message: `${jsonRpcCodes.parseError.message}: the message is not UTF-8. Send it as UTF-8, binary data as base64.`,
};

const MAX_SHOWN_KEY = 64;

function describe({ key, like, where }: DoubledKey): string {
  const shown = JSON.stringify(key.slice(0, MAX_SHOWN_KEY));
  const place = where === "" ? "the message" : where;
  if (key === like) return `${place} has the key ${shown} twice. Send it once.`;
  return `${place} has the key ${shown}, which some servers read as ${JSON.stringify(like)}. Write ${JSON.stringify(like)}, once.`;
}

/** A fault, and the id to use in the answer. */
interface AnsweredFault extends ClientFault {
  readonly id: string | number | null;
}

/** A tool call without an id: some servers run it and only omit the answer, but our rules need an id. */
function isUnansweredCall(json: unknown): boolean {
  return isJsonObject(json) && json["method"] === "tools/call" && json["id"] === undefined;
}

/**
 * The member that names what a request is about, if it is not a string. Rules such as `hide` compare strings, and some
 * servers convert any value to a string: to them `["read"]` is `read`.
 */
function namelessKey(json: unknown): string | undefined {
  if (!isJsonObject(json)) return undefined;
  const { method, params } = json;
  const key = typeof method === "string" ? nameKeyOf(method) : undefined;
  if (key === undefined) return undefined;
  const named = isJsonObject(params) ? params[key] : undefined;
  // A request that names nothing does not concern these rules, but a call must name its tool.
  const isLeftOut = named === undefined && method !== "tools/call";
  return typeof named === "string" || isLeftOut ? undefined : key;
}

/** Why a message of a client is not forwarded; given as text and as parsed by JSON.parse. */
export function clientFault(text: string, json: unknown): AnsweredFault | undefined {
  const doubled = findDoubledKey(text);
  if (doubled !== undefined) {
    const { code, message } = doubled.where === "" ? jsonRpcCodes.invalidRequest : jsonRpcCodes.invalidParams;
    const isOfId = doubled.where === "" && doubled.like === "id";
    return { code, message: `${message}: ${describe(doubled)}`, id: isOfId ? null : idToRepeat(json) };
  }
  if (isUnansweredCall(json)) {
    const { code, message } = jsonRpcCodes.invalidRequest;
    return { code, message: `${message}: tools/call needs an id.`, id: null };
  }
  const nameless = namelessKey(json);
  if (nameless === undefined) return undefined;
  const { code, message } = jsonRpcCodes.invalidParams;
  return { code, message: `${message}: params.${nameless} must be a string.`, id: idToRepeat(json) };
}

function refused({ code, message, id }: AnsweredFault): ReadMessage {
  return { kind: "answer", answer: { jsonrpc: "2.0", error: { code, message }, id } };
}

/** Reads one message of a client like `readMessage`, and also refuses messages that could have two meanings. */
export function readClientMessage(bytes: Buffer): ReadMessage {
  if (!isUtf8(bytes)) return refused({ ...notUtf8, id: null });
  const text = bytes.toString();
  const read = readMessage(text);
  if (read.kind === "answer") return read;
  // A text that is not a message and gets no answer may still be forwarded.
  const fault = clientFault(text, read.kind === "message" ? read.message : jsonIn(text));
  return fault === undefined ? read : refused(fault);
}

/** A request on its way through the session, with the bytes it came in. */
export interface CarriedRequest extends Handover {
  readonly message: JsonObject;
  readonly bytes: Buffer;
}

/** A request of the session as the server receives it: the client's own bytes if the request is the client's. */
export function bytesForServer(
  sent: JsonObject,
  { message, bytes: came, trace, taken = [], toolName }: CarriedRequest,
): Buffer {
  const isSame = sent["params"] === message["params"] || toolName !== undefined;
  if (sent["method"] !== message["method"] || !isSame) return Buffer.from(JSON.stringify(sent));
  const named = toolName === undefined ? came : withRawName(came, toolName);
  const own = taken.length === 0 ? named : withoutRawArguments(named, taken);
  const bytes = trace === undefined ? own : withTrace(own, trace);
  return sent["id"] === message["id"] ? bytes : withRawId(bytes, JSON.stringify(sent["id"]));
}

/** How long a request other than a tool call may take. Default: 300,000. */
export const REQUEST_TIMEOUT_MS = 300_000;

/** These requests wait for events that may come at any time: news, or the end of a task. */
const endless: readonly unknown[] = ["subscriptions/listen", "tasks/result"];

/** The time limit of a request; undefined if it may wait forever. Tool calls have their own time limit. */
export function timeFor(method: unknown, timeoutMs: number = REQUEST_TIMEOUT_MS): number | undefined {
  return method === "tools/call" || endless.includes(method) ? undefined : timeoutMs;
}

/** A text with one part replaced by another text. */
function spliced(text: string, { start, end }: MemberSpan, inside: string): string {
  return text.slice(0, start) + inside + text.slice(end);
}

function isObjectAt(text: string, span: MemberSpan | undefined): span is MemberSpan {
  return span !== undefined && text[span.start] === "{";
}

/** The object at `from` with a member set; its other members stay as they are written. */
function withMember(text: string, from: number, name: string, value: string): string {
  const members = memberSpans(text, from);
  const known = members.get(name);
  if (known !== undefined) return spliced(text, known, value);
  const inside = text.indexOf("{", from) + 1;
  const comma = members.size === 0 ? "" : ",";
  return spliced(text, { start: inside, end: inside }, `${JSON.stringify(name)}:${value}${comma}`);
}

/** A request for something by its name, under another name; everything else is unchanged. */
export function withRawName(bytes: Buffer, name: string): Buffer {
  const text = bytes.toString("latin1");
  const params = memberSpans(text).get("params");
  if (!isObjectAt(text, params)) return bytes;
  return Buffer.from(withMember(text, params.start, "name", latin1(name)), "latin1");
}

/**
 * A request that names its span in `params._meta`, as the W3C defines it. Everything else is unchanged: numbers that
 * JavaScript would write differently, and the order of members.
 */
export function withTrace(bytes: Buffer, { traceparent, tracestate }: CarriedTrace): Buffer {
  // One character for each byte, so that invalid UTF-8 is kept too.
  const text = bytes.toString("latin1");
  const params = memberSpans(text).get("params");
  if (!isObjectAt(text, params)) return bytes;
  const meta = memberSpans(text, params.start).get("_meta");
  if (meta !== undefined && !isObjectAt(text, meta)) return bytes;
  const said = { traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
  if (meta === undefined) return Buffer.from(withMember(text, params.start, "_meta", latin1(said)), "latin1");
  const named = withMember(text, meta.start, "traceparent", latin1(traceparent));
  const changed =
    tracestate === undefined ? named : withMember(named, meta.start, "tracestate", latin1(tracestate));
  return Buffer.from(changed, "latin1");
}

/** JSON whose characters are its UTF-8 bytes. */
function latin1(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("latin1");
}
