// One server as one connection of a merged endpoint uses it: the client's end of a bridge, which is the same bridge that
// serves the server at an address of its own.

import { randomBytes } from "node:crypto";
import type { Handover } from "../../../engine/request/call-request.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import type { Link, LinkListener, OversizedMessage } from "../../../engine/transport/link.ts";
import { toBytes, kindOf, withRawId } from "../../../engine/transport/raw-message.ts";
import type { MergedServer } from "./merged-servers.ts";

/** What a connection hears of one of its servers. */
export interface MemberListener {
  /** A message for the client, with the ids of the server. */
  readonly message: (member: MemberConnection, bytes: Buffer) => void;
  readonly closed: (member: MemberConnection) => void;
  /** How much the client has not read yet. */
  readonly waitingBytes: () => number;
  readonly hold: (isHeld: boolean) => void;
}

/** No client could guess the ids of our own requests, so that none takes them by accident. */
const OWN = `waybill-merge-${randomBytes(6).toString("hex")}-`;

export class MemberConnection implements Link {
  readonly server: MergedServer;
  readonly #hub: MemberListener;
  readonly #asked = new Map<string, (answer: Buffer | undefined) => void>();
  #listener: LinkListener | undefined;
  #last = 0;
  #isOpen = true;
  handover: Handover = { extra: undefined, sessionId: undefined };
  /** What the server said to the client's greeting; undefined before, and if it refused. */
  greeting: JsonObject | undefined;
  /** Its process runs, or it answers. */
  isUp = true;

  constructor(server: MergedServer, hub: MemberListener) {
    this.server = server;
    this.#hub = hub;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get waitingBytes(): number {
    return this.#hub.waitingBytes();
  }

  hold(isHeld: boolean): void {
    this.#hub.hold(isHeld);
  }

  /** Takes a message of the client, under the ids of the client. */
  take(bytes: Buffer, handover: Handover): void {
    this.handover = handover;
    this.#listener?.message(bytes);
  }

  oversized(message: OversizedMessage): void {
    this.#listener?.oversized(message);
  }

  /** A request of ours; `bytes` may have any id. `told` gets the id under which the server knows it. */
  askBytes(bytes: Buffer, handover: Handover, told?: (rawId: string) => void): Promise<Buffer | undefined> {
    if (!this.#isOpen) return Promise.resolve(undefined);
    this.#last += 1;
    const rawId = JSON.stringify(`${OWN}${this.#last}`);
    told?.(rawId);
    return new Promise((resolve) => {
      this.#asked.set(rawId, resolve);
      this.take(withRawId(bytes, rawId), handover);
    });
  }

  ask(method: string, params: JsonObject, handover: Handover): Promise<Buffer | undefined> {
    const message = { jsonrpc: "2.0", id: 0, method, params };
    return this.askBytes(Buffer.from(JSON.stringify(message)), handover);
  }

  /** The answer to a request of ours is no longer waited for. */
  forget(rawId: string): void {
    this.#asked.get(rawId)?.(undefined);
    this.#asked.delete(rawId);
  }

  drained(): void {
    this.#listener?.drained?.();
  }

  finished(): void {
    this.#listener?.finished?.();
  }

  leave(why: string): void {
    if (this.#isOpen) this.#listener?.closed(why);
  }

  // The bridge's side.

  listen(listener: LinkListener): void {
    this.#listener = listener;
  }

  send(message: Uint8Array | string): void {
    const bytes = toBytes(message);
    const { kind, rawId } = this.#asked.size === 0 ? { kind: "", rawId: "" } : kindOf(bytes);
    const answer = kind === "response" ? this.#asked.get(rawId) : undefined;
    if (answer === undefined) return this.#hub.message(this, bytes);
    this.#asked.delete(rawId);
    return answer(bytes);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.isUp = false;
    for (const answer of this.#asked.values()) answer(undefined);
    this.#asked.clear();
    this.#hub.closed(this);
  }
}
