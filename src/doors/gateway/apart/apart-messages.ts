import type { DialectId } from "../../../core/contract/dialect-id.ts";
import type { Outcome } from "../../../core/contract/outcome.ts";
import type { AnsweredCall } from "../../../engine/call/run-call.ts";
import type { StandIn } from "../../../engine/call/stand-in.ts";
import type { TroubleEvent } from "../../../engine/observe/call-facts.ts";
import type { KeptPart, Parcel } from "../../../core/pipeline/parcel.ts";
import type { PlainCall } from "./plain-call.ts";

/** The first message of a worker: one that never sends it is not ours, or could not load what it needs. */
export const READY = { kind: "ready", name: "waybill-result-worker" } as const;

export type Bytes = Uint8Array<ArrayBuffer>;

export function asBuffer({ buffer, byteOffset, byteLength }: Bytes): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Bytes that can be given away: those that are a part of something larger would take the rest with them. */
export function ownBytes(bytes: Buffer): Bytes {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}

/** What a worker is told. It delivers one result at a time. */
export type ApartRequest =
  | { readonly kind: "deliver"; readonly bytes: Bytes; readonly call: PlainCall }
  /** What became of the part that it wanted kept; undefined where that failed. */
  | { readonly kind: "kept"; readonly kept: KeptPart | undefined };

/** How a result was delivered. */
export interface ApartDelivery {
  readonly kind: "delivered";
  /** The JSON of the result as it leaves; undefined where it leaves as it came. */
  readonly text: Bytes | undefined;
  /** The message as it came, where it leaves so. */
  readonly bytes: Bytes | undefined;
  /** The result for those who look at it here, or what stands for a large one. */
  readonly sent: StandIn;
  /** The server's own result. */
  readonly arrived: StandIn;
  /** Without data where that is large. */
  readonly outcome: Outcome | undefined;
  readonly dialect: DialectId | undefined;
  readonly source: AnsweredCall["source"];
  readonly trace: Parcel["trace"] | undefined;
}

export type ApartMessage =
  | typeof READY
  | ApartDelivery
  /** It holds no answer, or cannot be read: whoever has the bytes deals with them. */
  | { readonly kind: "unread"; readonly bytes: Bytes }
  /** A piece of the next part that is to be kept. */
  | { readonly kind: "piece"; readonly bytes: Bytes }
  | { readonly kind: "keep"; readonly name: string; readonly contentType: string }
  | { readonly kind: "trouble"; readonly event: TroubleEvent }
  | {
      readonly kind: "log";
      readonly level: "debug" | "info" | "warn" | "error";
      readonly event: string;
      readonly fields: object;
    };
