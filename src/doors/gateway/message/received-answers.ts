// Answers of a server on their way to the client: what was not changed is sent as the bytes that came.

import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { carryOriginal, isArrivalAsSent, originalOf } from "../../../engine/session/foreign-result.ts";
import { withRawId } from "../../../engine/transport/raw-message.ts";
import type { UnreadResponse } from "../../../engine/session/upstream-requests.ts";
import { unreadAnswer } from "../apart/unread-answer.ts";
import { refusal, unreadableAnswer } from "./faults.ts";
import { noteStructures, plainAnswer, writeAnswer } from "./server-answer.ts";

/** Keeps the bytes of an answer with its result or error. */
export function noteReceived(message: JsonObject, bytes: Buffer, rawId: string): void {
  const said = message["result"] ?? message["error"];
  if (isJsonObject(said)) carryOriginal(said, { bytes, rawId });
  noteStructures(message, () => bytes.toString());
}

/** A large answer to a call; it is read here only if it cannot be delivered in another thread. */
export function unreadReceived(id: unknown, message: Buffer, rawId: string): UnreadResponse {
  const { bytes, deliver } = unreadAnswer(message, (result, written) =>
    carryOriginal(result, { rawId, ...written }),
  );
  const read = (): JsonObject => {
    const json = jsonIn(bytes().toString());
    // The ends of the message name the request that it answers, and no other answer will come.
    if (!isJsonObject(json)) return jsonIn(refusal(rawId, unreadableAnswer)) as JsonObject;
    const answer = plainAnswer({ message: json, bytes: bytes() }, id, (one) => one === id);
    noteReceived(answer.message, answer.bytes, rawId);
    return answer.message;
  };
  return { id, read, deliver };
}

/** Writes an answer with the text of its request's id; the server's own parts keep their text. */
export function writeReceived(answer: JsonObject, rawId: string): Buffer | string {
  const said = answer["result"] ?? answer["error"];
  const original = isJsonObject(said) ? originalOf(said) : undefined;
  if (!isJsonObject(said) || original === undefined || !isArrivalAsSent(said, original))
    return writeAnswer(answer, rawId);
  const { bytes, text } = original;
  if (text !== undefined) return withResult(text, rawId);
  if (bytes === undefined) return writeAnswer(answer, rawId);
  return original.rawId === rawId ? bytes : withRawId(bytes, rawId);
}

function withResult(result: Buffer, rawId: string): Buffer {
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"result":`);
  return Buffer.concat([head, result, Buffer.from("}")]);
}
