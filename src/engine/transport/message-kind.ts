import { isJsonObject, jsonIn } from "../../core/json/json-value.ts";
import { glance, rawIdOf } from "./raw-message.ts";

/** What a message is, as far as its carrier has to know. */
export interface MessageKind {
  /** "nothing" is a line that is no message. */
  readonly kind: "request" | "notification" | "response" | "nothing";
  /** Empty but for a request or a notification. */
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

/** Reads the two ends of a message, and the rest only where they do not tell what it is. */
export function kindOf(bytes: Buffer): MessageKind {
  const { kind, method, rawId } = glance(bytes);
  return kind === "unclear" ? readKind(bytes) : { kind, method, rawId };
}

/** A message as bytes, whatever form it was handed over in. */
export function toBytes(message: Uint8Array | string): Buffer {
  if (typeof message === "string") return Buffer.from(message);
  return Buffer.isBuffer(message) ? message : Buffer.from(message.buffer, message.byteOffset, message.length);
}
