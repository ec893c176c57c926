import { faults } from "../../core/contract/faults.ts";
import { randomBase64url } from "../runtime/random-text.ts";
import type { Handover } from "../request/call-request.ts";
import { type DeliverElsewhere, CallCancelled } from "../call/answered-call.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { PendingRequests, MAX_PENDING } from "../../core/protocol/pending-requests.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";

/** Where the session sends its own messages. */
export interface SessionPorts {
  readonly toServer: (message: JsonObject, handover: Handover) => void;
}

/** How long a closed connection's server object is kept for a run whose answer other connections wait for. */
const LINGER_MS = 60_000;

/** A request to the server, and the handlers of its response. */
export interface UpstreamRequest {
  readonly message: JsonObject;
  readonly handover: Handover;
  /** Whether the request may keep the client's id; otherwise it gets an id that only we know. */
  readonly mayKeepId: boolean;
  /** Other callers wait for the answer too, so the request outlives the connection. */
  readonly isShared: boolean;
  /** The tool has a time limit of its own. */
  readonly hasDeadline?: boolean | undefined;
  /** Handles the server's response; returns a message to send at once, if there is one. */
  readonly settle: (response: JsonObject, hasClientId: boolean) => JsonObject | undefined;
  /** Handles the response while it is still bytes, if the caller need not parse it. */
  readonly settleUnread?: ((response: UnreadResponse) => void) | undefined;
  readonly fail: (error: unknown) => void;
  /** The request was sent once more, because the server had refused it unread. */
  readonly repeated?: (() => void) | undefined;
}

/** A large response of the server that is not parsed yet. */
export interface UnreadResponse {
  readonly id: unknown;
  readonly read: () => JsonObject;
  readonly deliver: DeliverUnread;
}

/** Delivers the result of a response in another thread; the signal aborts the delivery. */
export type DeliverUnread = (
  ...given: [...Parameters<DeliverElsewhere>, signal: AbortSignal]
) => ReturnType<DeliverElsewhere>;

interface Waiting {
  readonly request: UpstreamRequest;
  readonly hasClientId: boolean;
}

/** Why a request gets no answer: it was sent and is lost, or it was not sent at all. */
export type InterruptFault = (wasSent: boolean) => Error;

const CLOSED = "The connection was closed";

function gone(): Error {
  return faults.unavailable("The connection to the server was closed");
}

/** The reason of the handler's signal; it may be passed on because the server is our own. */
function reasonOf(reason: unknown): string {
  if (typeof reason === "string" && reason !== "") return reason;
  return reason instanceof Error && reason.message !== ""
    ? reason.message
    : "The caller no longer waits for the answer";
}

/** The requests of one connection's session that the server has not answered yet. */
export class UpstreamRequests {
  readonly #ports: SessionPorts;
  readonly #waiting = new PendingRequests<Waiting>();
  #prefix = "";
  #made = 0;
  #isClosed = false;
  /** Set while the server is away. */
  #outage: InterruptFault | undefined;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  /** Whether we wait for a response with this id, or have given up waiting for it. */
  owns(id: unknown): boolean {
    return this.#waiting.has(id) || this.#waiting.isGivenUp(id);
  }

  /** The ids under which the server got its unanswered requests. */
  waitingIds(): readonly unknown[] {
    return [...this.#waiting.ids()];
  }

  /** A client that reuses an id for another request waits for the answer to that request. */
  reuse(id: unknown): void {
    this.#waiting.forget(id);
  }

  clientIdOf(id: unknown): unknown {
    return this.#waiting.get(id)?.request.message["id"] ?? id;
  }

  settle(response: JsonObject): JsonObject | undefined {
    const { id } = response;
    if (this.#waiting.forget(id)) return undefined;
    const waiting = this.#waiting.take(id);
    return waiting?.request.settle(response, waiting.hasClientId);
  }

  repeated(id: unknown): void {
    this.#waiting.get(id)?.request.repeated?.();
  }

  /** The same as `settle` for a response that is still bytes, which is parsed only if necessary. */
  settleUnread(unread: UnreadResponse): JsonObject | undefined {
    const settleUnread = this.#waiting.get(unread.id)?.request.settleUnread;
    if (settleUnread === undefined) return this.settle(unread.read());
    this.#waiting.take(unread.id);
    settleUnread(unread);
    return undefined;
  }

  /** Sends a request to the server; the returned function stops waiting for the response. */
  ask(request: UpstreamRequest): (reason?: unknown) => void {
    if (this.#isClosed || this.#outage !== undefined) {
      request.fail(this.#outage?.(false) ?? gone());
      return () => undefined;
    }
    const { message, handover, mayKeepId } = request;
    // With an id that is in use, or whose late answer may still come, two answers could be confused.
    const hasClientId = mayKeepId && !this.owns(message["id"]);
    const id = hasClientId ? message["id"] : this.#newId();
    this.#waiting.add(id, { request, hasClientId });
    try {
      this.#ports.toServer(hasClientId ? message : { ...message, id: id as string }, handover);
    } catch (error) {
      this.#waiting.take(id);
      throw error;
    }
    return (reason) => this.#stop(id, reason);
  }

  /** The server is away: all requests are lost, also shared ones, and nothing is sent until it is back. */
  interrupt(fault: InterruptFault): void {
    this.#outage = fault;
    // A new process knows none of the old ids, so no late answer can come.
    for (const [, { request }] of this.#waiting.takeAll()) request.fail(fault(true));
  }

  restore(): void {
    this.#outage = undefined;
  }

  /** Ends one request with a fault, as if that were its answer; false if no request waits. */
  refuse(id: unknown, fault: Error): boolean {
    this.#waiting.forget(id);
    const waiting = this.#waiting.take(id);
    waiting?.request.fail(fault);
    return waiting !== undefined;
  }

  /** The server was silent on this request of a client for too long; one with a time limit of its own goes on. */
  giveUp(clientId: unknown, fault: Error): void {
    const isMeant = ({ request }: Waiting): boolean =>
      request.message["id"] === clientId && request.hasDeadline !== true;
    this.#end(isMeant, fault, fault.message);
  }

  /** The connection is closed. If a run continues that other connections wait for, returns a promise for its end. */
  close(): Promise<void> | undefined {
    this.#isClosed = true;
    // The caller has gone: that is not a failure of the server.
    this.#end(({ request }) => !request.isShared, new CallCancelled(CLOSED));
    if (this.#waiting.size === 0) return undefined;
    return this.#waiting.idle(LINGER_MS).then(() => this.#end(() => true, gone()));
  }

  #end(isEnded: (waiting: Waiting) => boolean, fault: Error, reason = CLOSED): void {
    for (const id of this.waitingIds()) {
      const waiting = this.#waiting.get(id);
      if (waiting === undefined || !isEnded(waiting)) continue;
      this.#stop(id, reason);
      waiting.request.fail(fault);
    }
  }

  /** A client must not be able to guess the id, or it could get an answer that is not its own. */
  #newId(): string {
    if (this.#prefix === "") this.#prefix = randomBase64url(9);
    this.#made += 1;
    return `waybill-${this.#prefix}-${this.#made}`;
  }

  /** No caller waits any more: the server is told (unless its client did that), and its late answer is dropped. */
  #stop(id: unknown, reason: unknown): void {
    const waiting = this.#waiting.giveUp(id);
    if (waiting === undefined) return;
    const isTold = waiting.hasClientId && CallCancelled.isInstance(reason);
    if (!isTold) {
      const params = { requestId: id as string, reason: reasonOf(reason) };
      const message = { jsonrpc: "2.0", method: "notifications/cancelled", params };
      this.#ports.toServer(message, waiting.request.handover);
    }
  }
}

/**
 * A call that its client may cancel. It replaces an AbortController, which costs more than the rest of a
 * small call.
 */
export class RunningCall {
  #cancelled: CallCancelled | undefined;
  readonly #stops: ((reason: CallCancelled) => void)[] = [];

  get isCancelled(): boolean {
    return this.#cancelled !== undefined;
  }

  cancel(reason: unknown): void {
    if (this.#cancelled !== undefined) return;
    this.#cancelled = new CallCancelled(reason);
    for (const stop of this.#stops) stop(this.#cancelled);
  }

  /** Calls `stop` when the client gives up; at once if it already has. */
  onCancel(stop: (reason: CallCancelled) => void): void {
    if (this.#cancelled === undefined) this.#stops.push(stop);
    else stop(this.#cancelled);
  }
}

/** Calls `stop` with the reason when the signal aborts. */
export function onAbort(signal: AbortSignal, stop: (reason: unknown) => void): void {
  signal.addEventListener("abort", () => stop(signal.reason), { once: true });
}

/** What the server kept in memory for this client is lost with the old process. */
export const restarted: WarningDetail = {
  code: "UPSTREAM_RESTARTED",
  // Short profiles show only the message, so it includes the code.
  message:
    "The server was restarted since the last result (UPSTREAM_RESTARTED): what it kept in memory is gone",
};

export function resultTooLarge(bytes: number): Error {
  return new ToolFault(`The tool's answer of ${bytes} bytes is too large to be read`, {
    errorCode: "TOO_LARGE",
    remediation: "Ask for less: narrow the query, name fewer files or fields, or ask for a page.",
    details: { received_bytes: bytes, executed: "yes" },
  });
}

/** For an archive that only the upstream server announced, and that it does not return. */
export function notOurs(): ToolFault {
  return new ToolFault("The archive is not kept here: the server behind announced it", {
    errorCode: "NOT_FOUND",
    remediation: "Call the tool again with narrower arguments to see what was left out.",
    details: { resource_type: "archive" },
  });
}

export function tooMany(): Error {
  return faults.unavailable(`More than ${MAX_PENDING} calls wait for an answer on this connection`);
}
