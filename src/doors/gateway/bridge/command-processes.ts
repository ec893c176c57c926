import { randomUUID } from "node:crypto";
import { SharedLink } from "./shared-link.ts";
import type { Link } from "../../../engine/transport/link.ts";
import type { ConnectionOrigin, Upstream } from "../upstream/upstream.ts";
import { LegacySession } from "./legacy-session.ts";
import { MarkedTools } from "./modern-headers.ts";
import type { ServerResponse } from "node:http";
import type { Handover } from "../../../engine/request/call-request.ts";
import type { RequestFacts } from "../listen/http-listener.ts";
import type { OpenReplies } from "../listen/http-reply.ts";

export interface ProcessOptions {
  /** Processes at once. */
  readonly maxProcesses: number;
  /** The most processes of one caller. */
  readonly maxPerCaller: number;
  /** How long an idle process is kept. */
  readonly idleMs: number;
  /** Called when a legacy session is over. */
  readonly sessionEnded?: ((id: string) => void) | undefined;
  /** Receives notes on what was dropped. */
  readonly note: ((text: string) => void) | undefined;
}

/** A process that the modern requests of one caller share. */
export interface SharedProcess {
  readonly link: SharedLink;
  readonly marks: MarkedTools;
}

/** A new session and the link to its process. */
export interface OpenedSession {
  readonly session: LegacySession;
  readonly link: Link;
}

/** Why a client gets no process: no slot is free, or this machine cannot start more. */
type NoRoom = NoSlot | "exhausted";

interface Idle {
  readonly principal: string;
  readonly since: number;
  readonly end: () => void;
}

const MIN_SWEEP_MS = 50;
const MAX_SWEEP_MS = 30_000;

/**
 * The processes of one command: one for each legacy session, and one for the modern requests of each caller. If there
 * is no room, the process that was idle longest is ended.
 */
export class CommandProcesses {
  readonly #upstream: Upstream;
  readonly #options: ProcessOptions;
  readonly #slots: ProcessSlots;
  readonly #sessions = new Map<string, LegacySession>();
  readonly #shared = new Map<string, SharedProcess>();
  /** Shared processes that wait for a slot. */
  readonly #coming = new Map<string, Promise<SharedProcess | NoRoom>>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(upstream: Upstream, options: ProcessOptions) {
    this.#upstream = upstream;
    this.#options = options;
    const { maxProcesses, maxPerCaller, idleMs } = options;
    const endIdle = (principal: string | undefined): boolean => this.#endIdle(principal);
    this.#slots = new ProcessSlots({ maxProcesses, maxPerCaller, endIdle });
    const everyMs = Math.min(MAX_SWEEP_MS, Math.max(MIN_SWEEP_MS, idleMs / 4));
    this.#sweeper = setInterval(() => this.#sweep(), everyMs).unref();
  }

  get size(): number {
    return this.#sessions.size + this.#shared.size;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /** The session with this id, if it belongs to the caller: guessing an id must not give access to another session. */
  session(id: string, principal: string): LegacySession | undefined {
    const session = this.#sessions.get(id);
    return session?.principal === principal ? session : undefined;
  }

  /** A new session with its own process. */
  async openSession(origin: ConnectionOrigin): Promise<OpenedSession | NoRoom> {
    const slot = await this.#slots.take(origin.principal);
    if (typeof slot === "string") return slot;
    const link = this.#connect(origin, slot);
    if (typeof link === "string") return link;
    const id = randomUUID();
    const session = new LegacySession(id, origin.principal, () => {
      slot.isEnding = true;
      this.#sessions.delete(id);
      this.#options.sessionEnded?.(id);
    });
    this.#sessions.set(id, session);
    return { session, link };
  }

  /** The running process that the modern requests of this caller share. */
  shared(principal: string): SharedProcess | undefined {
    return this.#shared.get(principal);
  }

  /** A process for the modern requests of a caller who has none yet, or one that waits for a slot. */
  openShared(origin: ConnectionOrigin): Promise<SharedProcess | NoRoom> {
    const { principal } = origin;
    const coming = this.#coming.get(principal) ?? this.#share(origin);
    this.#coming.set(principal, coming);
    return coming;
  }

  async #share(origin: ConnectionOrigin): Promise<SharedProcess | NoRoom> {
    const { principal } = origin;
    const slot = await this.#slots.take(principal);
    this.#coming.delete(principal);
    if (typeof slot === "string") return slot;
    const connected = this.#connect(origin, slot);
    if (typeof connected === "string") return connected;
    const onClosed = (): void => {
      slot.isEnding = true;
      if (this.#shared.get(principal) === made) this.#shared.delete(principal);
    };
    const link = new SharedLink(connected, { onClosed, note: this.#options.note });
    const made: SharedProcess = { link, marks: new MarkedTools() };
    this.#shared.set(principal, made);
    return made;
  }

  /** Starts a process in this slot; the slot is freed if this machine has no room for a process. */
  #connect(origin: ConnectionOrigin, slot: Slot): Link | NoRoom {
    const link = this.#upstream.connect(origin, () => this.#slots.release(slot));
    if (link.isRefused !== true) return link;
    slot.isEnding = true;
    link.close();
    return "exhausted";
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.#slots.close();
    for (const session of this.#sessions.values()) session.end("the gateway stopped");
    for (const { link } of this.#shared.values()) link.close();
  }

  #endIdle(principal: string | undefined): boolean {
    const idle = this.#idle().filter((one) => principal === undefined || one.principal === principal);
    const [oldest] = idle.toSorted((left, right) => left.since - right.since);
    oldest?.end();
    return oldest !== undefined;
  }

  #sweep(): void {
    const before = Date.now() - this.#options.idleMs;
    for (const { since, end } of this.#idle()) if (since < before) end();
    for (const session of this.#sessions.values()) session.giveUpLeft(before);
  }

  #idle(): Idle[] {
    const idle: Idle[] = [];
    for (const session of this.#sessions.values()) {
      const { idleSince: since, principal } = session;
      if (since !== undefined)
        idle.push({ principal, since, end: () => session.end("the session was idle") });
    }
    for (const [principal, { link }] of this.#shared)
      if (link.size === 0) idle.push({ principal, since: link.usedAt, end: () => link.close() });
    return idle;
  }
}

/** The slot of one process, from before it starts until nothing of it is left. */
export interface Slot {
  readonly principal: string;
  /** The process was told to end. */
  isEnding: boolean;
}

/** Why there is no slot: all are in use, or all that one caller may have. */
export type NoSlot = "full" | "share";

export interface SlotLimits {
  readonly maxProcesses: number;
  readonly maxPerCaller: number;
  /** Ends the process that was idle longest, of one caller or of all; false if all are in use. */
  readonly endIdle: (principal: string | undefined) => boolean;
}

interface Waiting {
  readonly principal: string;
  readonly give: (slot: Slot | NoSlot) => void;
}

/** A process that is told to end is gone after 4 s at the latest, unless other callers wait for its work. */
const MAX_WAIT_MS = 10_000;

/**
 * Counts the processes of one command. There are never more than the limit, because a new process waits until the one
 * that made room for it is gone.
 */
export class ProcessSlots {
  readonly #limits: SlotLimits;
  readonly #slots = new Set<Slot>();
  #waiting: readonly Waiting[] = [];

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** A slot for a process of this caller: at once, or when an idle process has ended. */
  async take(principal: string): Promise<Slot | NoSlot> {
    if (this.#isFree(principal)) return this.#add(principal);
    const isShareFull = this.#countOf(principal) >= this.#limits.maxPerCaller;
    const among = isShareFull ? principal : undefined;
    if (!this.#hasEnding(among) && !this.#limits.endIdle(among)) return isShareFull ? "share" : "full";
    if (this.#isFree(principal)) return this.#add(principal);
    return new Promise((resolve) => {
      const give = (slot: Slot | NoSlot): void => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        resolve(slot);
      };
      const waiting: Waiting = { principal, give };
      const timer = setTimeout(() => give(isShareFull ? "share" : "full"), MAX_WAIT_MS).unref();
      this.#waiting = [...this.#waiting, waiting];
    });
  }

  /** Nothing is left of a process: the next waiting caller gets its slot. */
  release(slot: Slot): void {
    this.#slots.delete(slot);
    for (const { principal, give } of this.#waiting) if (this.#isFree(principal)) give(this.#add(principal));
  }

  /** No new slots are given. */
  close(): void {
    for (const { give } of this.#waiting) give("full");
  }

  #add(principal: string): Slot {
    const slot = { principal, isEnding: false };
    this.#slots.add(slot);
    return slot;
  }

  #countOf(principal: string): number {
    return [...this.#slots].filter((slot) => slot.principal === principal).length;
  }

  #isFree(principal: string): boolean {
    const { maxProcesses, maxPerCaller } = this.#limits;
    return this.#slots.size < maxProcesses && this.#countOf(principal) < maxPerCaller;
  }

  /** Whether a process is ending whose slot is not yet claimed by a waiting caller. */
  #hasEnding(among: string | undefined): boolean {
    const isAmong = ({ principal }: { readonly principal: string }): boolean =>
      among === undefined || principal === among;
    const ending = [...this.#slots].filter((slot) => slot.isEnding && isAmong(slot)).length;
    return ending > this.#waiting.filter(isAmong).length;
  }
}

/** One HTTP request, with the facts known about it. */
export interface Visit {
  readonly response: ServerResponse;
  readonly facts: RequestFacts;
}

/** What both eras need to serve the requests of a command. */
export interface ServingParts {
  readonly processes: CommandProcesses;
  readonly replies: OpenReplies;
  /** Open requests: of one legacy session, or all modern requests of one caller. */
  readonly maxOpenRequests: number;
  /** Connects a client and a server, under the contract of their upstream. */
  readonly open: (client: Link, upstream: Link, handover: () => Handover) => void;
}

/** What the engine learns about a request, in the form in which the SDKs give it. */
export function handoverOf(
  { headers, authInfo, peer }: RequestFacts,
  sessionId: string | undefined,
): Handover {
  return { extra: { requestInfo: { headers }, authInfo, peer }, sessionId };
}
