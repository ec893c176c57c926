// Clients give up on a call that says nothing for a minute, although its tool still works. So a call that asked for
// progress gets some from the gateway whenever its server was silent for a while; the server's own goes on from there.

import { type JsonObject, isJsonObject, jsonObjectIn } from "../../../core/json/json-value.ts";
import { unansweredInTime } from "../../../engine/call/execute-tool.ts";
import { memberSpans } from "../../../engine/transport/raw-message.ts";

/** How long a call may be silent until the gateway says that it runs. Default: 15,000. */
const PROGRESS_EVERY_MS = 15_000;
/** How long a server may be silent altogether, if the call has no time limit of its own. */
const MAX_SILENCE_MS = 600_000;
const MAX_TIMER_MS = 2_147_483_647;
/** How much the gateway adds to the server's last value: less than any step that a server would count. */
const STEP = 0.001;
/** For values that are too large for this step. */
const RELATIVE_STEP = 1e-9;

/** Undefined if calls are left alone. */
export function openKeepAlive(everyMs: number | "off" = PROGRESS_EVERY_MS): KeepAlive | undefined {
  return everyMs === "off" ? undefined : new KeepAlive(everyMs);
}

/** What a call needs of its connection. */
export interface KeptConnection {
  /** Sends a notification to the client of the call. */
  readonly tell: (notification: string) => void;
  /** The server has said nothing for too long: the call is answered with this fault, unless it has a time limit. */
  readonly giveUp: (id: unknown, fault: Error) => void;
}

interface KeptCall {
  readonly id: unknown;
  readonly token: string | number;
  readonly connection: KeptConnection;
  readonly startedAt: number;
  /** When the server last said something of this call. */
  heardAt: number;
  /** The last value that the client got, and of how many. */
  value: number;
  total: number | undefined;
  /** The client got a value of ours, so that the server's must be above it. */
  hasOurs: boolean;
  timer: NodeJS.Timeout;
}

/** The calls of one connection whose clients asked for progress. */
export class KeepAlive {
  readonly #everyMs: number;
  readonly #maxSilenceMs: number;
  readonly #calls = new Map<string | number, KeptCall>();

  constructor(everyMs: number, maxSilenceMs: number = MAX_SILENCE_MS) {
    this.#everyMs = Math.min(everyMs, MAX_TIMER_MS);
    this.#maxSilenceMs = maxSilenceMs;
  }

  /** The answer to a call, until which its client is told that it runs, if that asked for progress. */
  during<Answer>(answer: Promise<Answer>, message: JsonObject, connection: KeptConnection): Promise<Answer> {
    const token = tokenOf(message);
    if (token === undefined || message["method"] !== "tools/call") return answer;
    const now = performance.now();
    const call: KeptCall = {
      id: message["id"],
      token,
      connection,
      startedAt: now,
      heardAt: now,
      value: 0,
      total: undefined,
      hasOurs: false,
      timer: setTimeout(() => this.#silent(call), this.#everyMs).unref(),
    };
    // The client uses the token again: the notifications of the server are for its later call.
    this.#end(this.#calls.get(token));
    this.#calls.set(token, call);
    return answer.finally(() => this.#end(call));
  }

  /** A notification of progress of the server, as the client gets it: its values never go back behind ours. */
  said(bytes: Buffer): Buffer {
    if (this.#calls.size === 0) return bytes;
    const params = jsonObjectIn(bytes.toString("utf8"))?.["params"];
    if (!isJsonObject(params)) return bytes;
    const { progressToken: token, progress, total } = params;
    const call = typeof token === "string" || typeof token === "number" ? this.#calls.get(token) : undefined;
    if (call === undefined) return bytes;
    call.heardAt = performance.now();
    call.timer.refresh();
    if (typeof progress !== "number") return bytes;
    if (typeof total === "number") call.total = total;
    if (!call.hasOurs || progress > call.value) {
      call.value = call.hasOurs ? progress : Math.max(call.value, progress);
      return bytes;
    }
    call.value = above(call.value);
    return withProgress(bytes, call.value);
  }

  #silent(call: KeptCall): void {
    const now = performance.now();
    const { connection, token, total, id } = call;
    const silentMs = now - call.heardAt;
    if (silentMs >= this.#maxSilenceMs) {
      connection.giveUp(id, unansweredInTime(silentMs));
      // Not if it has a time limit of its own, which will end it.
      if (this.#calls.get(token) !== call) return;
    }
    call.value = above(call.value);
    call.hasOurs = true;
    const of = total !== undefined && total > call.value ? { total } : {};
    const message = `still running, ${Math.round((now - call.startedAt) / 1_000)} s`;
    const params = {
      progressToken: token,
      progress: call.value,
      ...of,
      message,
    };
    connection.tell(
      JSON.stringify({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params,
      }),
    );
    call.timer.refresh();
  }

  #end(call: KeptCall | undefined): void {
    if (call === undefined) return;
    clearTimeout(call.timer);
    if (this.#calls.get(call.token) === call) this.#calls.delete(call.token);
  }
}

/** The token that a request gives for its progress. */
function tokenOf({ params }: JsonObject): string | number | undefined {
  const meta = isJsonObject(params) ? params["_meta"] : undefined;
  const token = isJsonObject(meta) ? meta["progressToken"] : undefined;
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}

/** A value a little above this one, without the noise that adding in binary leaves. */
function above(value: number): number {
  const next = Number((value + STEP).toFixed(3));
  return next > value ? next : value + Math.max(1, Math.abs(value) * RELATIVE_STEP);
}

/** The notification with another value; all other bytes stay. */
function withProgress(bytes: Buffer, value: number): Buffer {
  const text = bytes.toString("latin1");
  const params = memberSpans(text).get("params");
  const span = params && memberSpans(text, params.start).get("progress");
  if (span === undefined) return bytes;
  return Buffer.from(text.slice(0, span.start) + String(value) + text.slice(span.end), "latin1");
}
