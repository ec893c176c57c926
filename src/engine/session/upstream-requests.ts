import { faults } from "../../core/contract/faults.ts";
import { randomBase64url } from "../runtime/random-text.ts";
import type { Handover } from "../request/call-request.ts";
import type { DeliverElsewhere } from "../call/raw-result.ts";
import { CallCancelled } from "../call/unanswered.ts";
import type { JsonObject } from "../../core/json/json-value.ts";

/** Where the session's own messages go. */
export interface SessionPorts {
  readonly toServer: (message: JsonObject, handover: Handover) => void;
}

/** Limits the requests that wait for an answer: the SDKs' own tables have no limit. */
export const MAX_PENDING = 10_000;

/** How long a closed connection's server object is kept for a run whose answer others wait for. */
const LINGER_MS = 60_000;

/** A request to the server, and who hears its response. */
export interface UpstreamRequest {
  readonly message: JsonObject;
  readonly handover: Handover;
  /** It may go under the id that the client gave it; otherwise it gets one that only we know. */
  readonly mayKeepId: boolean;
  /** Others wait for the answer too, so it outlives the connection. */
  readonly isShared: boolean;
  /** Takes the server's response; gives what is sent at once, if anything is. */
  readonly settle: (response: JsonObject, hasClientId: boolean) => JsonObject | undefined;
  /** Takes it while it is still bytes, where whoever asked can do without reading it. */
  readonly settleUnread?: ((response: UnreadResponse) => void) | undefined;
  readonly fail: (error: unknown) => void;
}

/** A large response of the server that nobody has read yet. */
export interface UnreadResponse {
  readonly id: unknown;
  readonly read: () => JsonObject;
  readonly deliver: DeliverUnread;
}

/** Delivers the result in a response elsewhere; it is given up with the signal. */
export type DeliverUnread = (
  ...given: [...Parameters<DeliverElsewhere>, signal: AbortSignal]
) => ReturnType<DeliverElsewhere>;

interface Waiting extends UpstreamRequest {
  readonly hasClientId: boolean;
}

/** Why a request is not answered: it was sent and is lost, or it was not sent at all. */
export type InterruptFault = (wasSent: boolean) => Error;

const CLOSED = "The connection was closed";

function gone(): Error {
  return faults.unavailable("The connection to the server was closed");
}

/** What the handler's signal says; the server is one's own, so it may know. */
function reasonOf(reason: unknown): string {
  if (typeof reason === "string" && reason !== "") return reason;
  return reason instanceof Error && reason.message !== ""
    ? reason.message
    : "Nobody waits for the answer any more";
}

/** What one connection's session has asked its server and not heard of yet. */
export class UpstreamRequests {
  readonly #ports: SessionPorts;
  readonly #waiting = new Map<unknown, Waiting>();
  /** Ids whose answer comes too late. */
  readonly #given = new Set<unknown>();
  #prefix = "";
  #made = 0;
  #isClosed = false;
  /** Set while the server is away. */
  #outage: InterruptFault | undefined;
  #onIdle: (() => void) | undefined;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  /** Whether a response with this id is one that we wait for, or one that nobody waits for any more. */
  owns(id: unknown): boolean {
    return this.#waiting.has(id) || this.#given.has(id);
  }

  /** The ids that the server was given for what it has not answered yet. */
  waitingIds(): readonly unknown[] {
    return [...this.#waiting.keys()];
  }

  /** A client that uses an id again, for something else, waits for that. */
  reuse(id: unknown): void {
    this.#given.delete(id);
  }

  clientIdOf(id: unknown): unknown {
    return this.#waiting.get(id)?.message["id"] ?? id;
  }

  settle(response: JsonObject): JsonObject | undefined {
    const { id } = response;
    if (this.#given.delete(id)) return undefined;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#tellIdle();
    return waiting?.settle(response, waiting.hasClientId);
  }

  /** The same for one that is still bytes, which is read only where that is needed. */
  settleUnread(unread: UnreadResponse): JsonObject | undefined {
    const waiting = this.#waiting.get(unread.id);
    if (waiting?.settleUnread === undefined) return this.settle(unread.read());
    this.#waiting.delete(unread.id);
    this.#tellIdle();
    waiting.settleUnread(unread);
    return undefined;
  }

  /** Sends a request to the server; the function it gives back stops waiting for the response. */
  ask(request: UpstreamRequest): (reason?: unknown) => void {
    if (this.#isClosed || this.#outage !== undefined) {
      request.fail(this.#outage?.(false) ?? gone());
      return () => undefined;
    }
    const { message, handover, mayKeepId } = request;
    // An id that is in use, or whose late answer may still come, would mix up two answers.
    const hasClientId = mayKeepId && !this.owns(message["id"]);
    const id = hasClientId ? message["id"] : this.#newId();
    this.#waiting.set(id, { ...request, hasClientId });
    try {
      this.#ports.toServer(hasClientId ? message : { ...message, id: id as string }, handover);
    } catch (error) {
      this.#waiting.delete(id);
      throw error;
    }
    return (reason) => this.#stop(id, reason);
  }

  /** The server is away: what was asked is lost, shared runs too, and nothing more is asked until it is back. */
  interrupt(fault: InterruptFault): void {
    this.#outage = fault;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    // A new process knows none of the old ids, so no late answer can come.
    this.#given.clear();
    for (const { fail } of lost) fail(fault(true));
    this.#tellIdle();
  }

  restore(): void {
    this.#outage = undefined;
  }

  /** Ends one request with a fault, as if that had been its answer; false where nobody waits for it. */
  refuse(id: unknown, fault: Error): boolean {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#given.delete(id);
    waiting?.fail(fault);
    this.#tellIdle();
    return waiting !== undefined;
  }

  /** The connection is gone. Gives a promise where a run goes on that others wait for, until it is over. */
  close(): Promise<void> | undefined {
    this.#isClosed = true;
    const own = [...this.#waiting].filter(([, { isShared }]) => !isShared);
    for (const [id, { fail }] of own) {
      this.#stop(id, CLOSED);
      // Whoever asked has gone: that is no trouble of the server.
      fail(new CallCancelled(CLOSED));
    }
    this.#given.clear();
    if (this.#waiting.size === 0) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#giveUp(), LINGER_MS);
      // Only Node's timers have it; elsewhere no timer keeps a process.
      (timer as { readonly unref?: () => void }).unref?.();
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #giveUp(): void {
    for (const [id, { fail }] of this.#waiting) {
      this.#stop(id, CLOSED);
      fail(gone());
    }
  }

  #tellIdle(): void {
    if (this.#waiting.size === 0) this.#onIdle?.();
  }

  /** A client must not be able to guess it, or it could take an answer that is not its own. */
  #newId(): string {
    if (this.#prefix === "") this.#prefix = randomBase64url(9);
    this.#made += 1;
    return `waybill-${this.#prefix}-${this.#made}`;
  }

  /** Nobody waits any more: the server is told (if its client did not do that), and its late answer is dropped. */
  #stop(id: unknown, reason: unknown): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#given.add(id);
    const [oldest] = this.#given;
    if (this.#given.size > MAX_PENDING) this.#given.delete(oldest);
    const isTold = waiting.hasClientId && CallCancelled.isInstance(reason);
    if (!isTold) {
      const params = { requestId: id as string, reason: reasonOf(reason) };
      const message = { jsonrpc: "2.0", method: "notifications/cancelled", params };
      this.#ports.toServer(message, waiting.handover);
    }
    this.#tellIdle();
  }
}
