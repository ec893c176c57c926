import { type JsonObject, isJsonObject, jsonIn } from "../../core/json/json-value.ts";

import { withRawId } from "../../engine/transport/raw-message.ts";
import type { UnreadResponse } from "../../engine/session/upstream-requests.ts";
import { type Written, unreadAnswer } from "./apart/unread-answer.ts";
import { refusal, unreadableAnswer } from "./bridge-faults.ts";
import { plainAnswer } from "./plain-answer.ts";
import { noteStructures } from "./structure-texts.ts";
import { writeAnswer } from "./write-answer.ts";

/** A message of the server as it was received. */
interface Received {
  readonly bytes: Buffer;
  readonly rawId: string;
}

/** The bytes of results and errors of a server, as long as one of them may be forwarded unchanged. */
export class ReceivedAnswers {
  readonly #received = new WeakMap<object, Received>();
  /** The JSON of results that were serialised in another thread. */
  readonly #written = new WeakMap<object, Buffer>();

  note(message: JsonObject, bytes: Buffer, rawId: string): void {
    const said = message["result"] ?? message["error"];
    if (isJsonObject(said)) this.#received.set(said, { bytes, rawId });
    noteStructures(message, () => bytes.toString());
  }

  /** A large answer to a call; it is read here only if it cannot be delivered in another thread. */
  unread(id: unknown, message: Buffer, rawId: string): UnreadResponse {
    const { bytes, deliver } = unreadAnswer(message, (result, written) =>
      this.#noteWritten(result, rawId, written),
    );
    const read = (): JsonObject => {
      const json = jsonIn(bytes().toString());
      // The ends of the message name the request that it answers, and no other answer will come.
      if (!isJsonObject(json)) return jsonIn(refusal(rawId, unreadableAnswer)) as JsonObject;
      const answer = plainAnswer({ message: json, bytes: bytes() }, id, (one) => one === id);
      this.note(answer.message, answer.bytes, rawId);
      return answer.message;
    };
    return { id, read, deliver };
  }

  #noteWritten(result: JsonObject, rawId: string, { text, bytes }: Written): void {
    if (bytes !== undefined) this.#received.set(result, { bytes, rawId });
    if (text !== undefined) this.#written.set(result, text);
  }

  /** Writes an answer with the text of its request's id; the server's own parts keep their text. */
  write(answer: JsonObject, rawId: string): Buffer | string {
    const said = answer["result"] ?? answer["error"];
    const written = isJsonObject(said) ? this.#written.get(said) : undefined;
    if (written !== undefined) return withResult(written, rawId);
    const received = isJsonObject(said) ? this.#received.get(said) : undefined;
    if (received === undefined)
      return writeAnswer(answer, rawId, (foreign) => this.#received.get(foreign)?.bytes);
    return received.rawId === rawId ? received.bytes : withRawId(received.bytes, rawId);
  }
}

function withResult(result: Buffer, rawId: string): Buffer {
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"result":`);
  return Buffer.concat([head, result, Buffer.from("}")]);
}
