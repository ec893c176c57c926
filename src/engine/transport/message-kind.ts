import { isJsonObject, jsonIn } from "../../core/json/json-value.ts";
import { glance, rawIdOf } from "./raw-message.ts";

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
