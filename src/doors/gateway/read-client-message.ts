// What a client says, judged before anything of it leaves as the bytes it came in: it must be text, and mean the same to
// everybody who reads it.

import { isUtf8 } from "node:buffer";
import { isJsonObject, jsonIn } from "../../core/json/json-value.ts";
import { jsonRpcCodes } from "../../core/protocol/json-rpc-error.ts";
import { type DoubledKey, findDoubledKey } from "../../engine/transport/doubled-keys.ts";

import { nameKeyOf } from "../../engine/transport/http/message-headers.ts";
import { idToRepeat } from "../../engine/transport/http/refusal.ts";
import { type ReadMessage, readMessage } from "../../engine/session/read-message.ts";

/** Why a message of a client goes no further. */
export interface ClientFault {
  readonly code: number;
  readonly message: string;
}

/** For bytes that are no UTF-8: what one reader replaces, another refuses or reads as other letters. */
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

/** A fault, and the id that its answer repeats. */
interface AnsweredFault extends ClientFault {
  readonly id: string | number | null;
}

/** Some servers run a tool for whoever calls it, and only leave out the answer; nothing here judges what has no id. */
function isUnansweredCall(json: unknown): boolean {
  return isJsonObject(json) && json["method"] === "tools/call" && json["id"] === undefined;
}

/**
 * The member that says what a request is about, where it is no string. Rules such as `hide` compare it as one, and some
 * servers make one of whatever it is: to them `["read"]` is `read`.
 */
function namelessKey(json: unknown): string | undefined {
  if (!isJsonObject(json)) return undefined;
  const { method, params } = json;
  const key = typeof method === "string" ? nameKeyOf(method) : undefined;
  if (key === undefined) return undefined;
  const named = isJsonObject(params) ? params[key] : undefined;
  // Where nothing is named nothing of ours is asked for, but a call must name its tool.
  const isLeftOut = named === undefined && method !== "tools/call";
  return typeof named === "string" || isLeftOut ? undefined : key;
}

/** Why a message of a client goes no further, given as text and as what JSON.parse makes of it. */
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

/** Reads one message of a client as `readMessage` does, and answers as well what could mean two things. */
export function readClientMessage(bytes: Buffer): ReadMessage {
  if (!isUtf8(bytes)) return refused({ ...notUtf8, id: null });
  const text = bytes.toString();
  const read = readMessage(text);
  if (read.kind === "answer") return read;
  // What is no message, and gets no answer, may still be handed on.
  const fault = clientFault(text, read.kind === "message" ? read.message : jsonIn(text));
  return fault === undefined ? read : refused(fault);
}
