import type { Bytes } from "../../../core/text/bytes.ts";
import type { DialectId } from "../../../core/contract/dialect-id.ts";
import type { Outcome } from "../../../core/contract/outcome.ts";
import type { AnsweredCall, StandIn } from "../../../engine/call/answered-call.ts";
import type { TroubleEvent } from "../../../engine/observe/call-facts.ts";
import type { KeptPart, Parcel } from "../../../core/pipeline/parcel.ts";
import type { PlainCall } from "./plain-call.ts";
import type { ThreadKind } from "../../../engine/runtime/worker-thread.ts";

/** The first message of a worker: a worker that never sends it is not ours, or could not load its modules. */
export const RESULT_READY = { kind: "ready", name: "waybill-result-worker" } as const;

export function asBuffer({ buffer, byteOffset, byteLength }: Bytes): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Bytes that can be transferred: a view is copied, because a transfer would take its whole buffer. */
export function ownBytes(bytes: Buffer): Bytes {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}

/** Messages to a worker. It delivers one result at a time. */
export type ApartRequest =
  | { readonly kind: "deliver"; readonly bytes: Bytes; readonly call: PlainCall }
  /** The result of keeping a part for the worker; undefined if that failed. */
  | { readonly kind: "kept"; readonly kept: KeptPart | undefined };

/** How a result was delivered. */
export interface ApartDelivery {
  readonly kind: "delivered";
  /** The JSON of the result to send; undefined if the message is sent unchanged. */
  readonly text: Bytes | undefined;
  /** The received message, if it is sent unchanged. */
  readonly bytes: Bytes | undefined;
  /** The result for observers on this thread, or a summary of a large one. */
  readonly sent: StandIn;
  /** The server's own result. */
  readonly arrived: StandIn;
  /** Without data if the data is large. */
  readonly outcome: Outcome | undefined;
  readonly dialect: DialectId | undefined;
  readonly source: AnsweredCall["source"];
  readonly trace: Parcel["trace"] | undefined;
  /** What was changed for the reader. */
  readonly changes: readonly string[] | undefined;
}

export type ApartMessage =
  | typeof RESULT_READY
  | ApartDelivery
  /** The message is not an answer, or cannot be read: the owner of the bytes handles them. */
  | { readonly kind: "unread"; readonly bytes: Bytes }
  /** A piece of the next part to keep. */
  | { readonly kind: "piece"; readonly bytes: Bytes }
  | { readonly kind: "keep"; readonly name: string; readonly contentType: string }
  | { readonly kind: "trouble"; readonly event: TroubleEvent }
  | {
      readonly kind: "log";
      readonly level: "debug" | "info" | "warn" | "error";
      readonly event: string;
      readonly fields: object;
    };

/** The threads that deliver large results. The entry file is searched for beside this file. */
export const apartThread: ThreadKind = {
  file: "result-worker",
  here: import.meta.url,
  isReady: (message) => (message as Partial<typeof RESULT_READY>).name === RESULT_READY.name,
};
