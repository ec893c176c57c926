import { faults } from "../../../core/contract/faults.ts";
import type { ToolFault } from "../../../core/contract/tool-fault.ts";
import type { Outage } from "../../../engine/transport/link.ts";
import { CONNECTION_CLOSED, INTERNAL_ERROR } from "../../../core/protocol/names.ts";

/** A JSON-RPC error made by the gateway. */
export interface BridgeFault {
  readonly code: number;
  readonly message: string;
  readonly data?: object;
}

/** The error as a response, with the text of the request's id. */
export function refusal(rawId: string, error: BridgeFault): string {
  return `{"jsonrpc":"2.0","id":${rawId},"error":${JSON.stringify(error)}}`;
}

/** Tells a server that no client waits for a request any more. */
export function cancellation(rawId: string, reason: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${rawId},"reason":"${reason}"}}`;
}

function secondsOf({ retryInMs }: Outage): number | undefined {
  return retryInMs === undefined ? undefined : Math.max(1, Math.ceil(retryInMs / 1000));
}

/** For a request other than a tool call, while the server is unavailable. */
export function serverStopped(outage: Outage): BridgeFault {
  const retryAfterSeconds = secondsOf(outage);
  return {
    code: CONNECTION_CLOSED,
    message: `The server is not running: ${outage.reason}`,
    ...(retryAfterSeconds === undefined ? {} : { data: { retry_after_seconds: retryAfterSeconds } }),
  };
}

/** For a tool call, while the server is unavailable. */
export function serverGone(outage: Outage, wasSent: boolean): ToolFault {
  const retryAfterSeconds = secondsOf(outage);
  if (!wasSent)
    return faults.unavailable(`The server is not running: ${outage.reason}`, {
      retryAfterSeconds,
      details: { executed: "no" },
    });
  return faults.unavailable(`The server stopped while it worked on this call: ${outage.reason}`, {
    retryAfterSeconds,
    details: { executed: "unknown" },
  });
}

/** For a request other than a tool call that its server has not answered in time. */
export function timedOut(): BridgeFault {
  return {
    code: CONNECTION_CLOSED,
    message: "The server did not answer in time",
    data: { error_code: "TIMEOUT", executed: "unknown" },
  };
}

/** For a message that is longer than its reader accepts. */
export function tooLong(bytes: number, maxBytes: number | undefined): BridgeFault {
  const limit = maxBytes === undefined ? "" : `: clients on stdio take at most ${maxBytes}`;
  return {
    code: INTERNAL_ERROR,
    message: `The message of ${bytes} bytes is too large${limit}`,
    data: { error_code: "TOO_LARGE", received_bytes: bytes },
  };
}

/** For a request that stays unanswered because of a bug in the gateway. */
export const internalFault: BridgeFault = { code: INTERNAL_ERROR, message: "Internal error" };

/** For a request whose answer is not JSON, or has neither a result nor an error. */
export const unreadableAnswer: BridgeFault = {
  code: CONNECTION_CLOSED,
  message: "The server's answer is not a JSON-RPC message",
  data: { executed: "yes" },
};

const NOTED_CHARACTERS = 200;

/** The beginning of a line that is not a message, for a note. */
export function lineBeginning(bytes: Buffer): string {
  return JSON.stringify(bytes.toString("utf8", 0, Math.min(bytes.length, NOTED_CHARACTERS)));
}
