import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { withRawId } from "../link/raw-message.ts";
import { writeAnswer } from "./write-answer.ts";

/** A message of the server as it came in. */
interface Received {
  readonly bytes: Buffer;
  readonly rawId: string;
}

/** The bytes behind results and errors of a server, for as long as somebody may send one on as it is. */
export class ReceivedAnswers {
  readonly #received = new WeakMap<object, Received>();

  note(message: JsonObject, bytes: Buffer, rawId: string): void {
    const said = message["result"] ?? message["error"];
    if (isJsonObject(said)) this.#received.set(said, { bytes, rawId });
  }

  /** An answer of ours under the text of its request's id; what the server said itself leaves as it was said. */
  write(answer: JsonObject, rawId: string): Buffer | string {
    const said = answer["result"] ?? answer["error"];
    const received = isJsonObject(said) ? this.#received.get(said) : undefined;
    if (received === undefined)
      return writeAnswer(answer, rawId, (foreign) => this.#received.get(foreign)?.bytes);
    return received.rawId === rawId ? received.bytes : withRawId(received.bytes, rawId);
  }
}
