import { randomUUID } from "node:crypto";
import type { MaybePromise } from "../../../core/pipeline/maybe-promise.ts";
import { SharedLink } from "../shared-link.ts";
import type { Link } from "../../../engine/transport/link.ts";
import type { ConnectionOrigin, Upstream } from "../upstream/upstream.ts";
import { LegacySession } from "./legacy-session.ts";
import { type NoSlot, ProcessSlots, type Slot } from "./process-slots.ts";
import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { type MarkedArgument, markedArguments } from "../../../engine/transport/marked-arguments.ts";

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
  openSession(origin: ConnectionOrigin): MaybePromise<OpenedSession | NoRoom> {
    const open = (slot: Slot | NoSlot): OpenedSession | NoRoom => {
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
    };
    const slot = this.#slots.take(origin.principal);
    return slot instanceof Promise ? slot.then(open) : open(slot);
  }

  /** The process that the modern requests of this caller share. */
  shared(origin: ConnectionOrigin): MaybePromise<SharedProcess | NoRoom> {
    const { principal } = origin;
    const known = this.#shared.get(principal) ?? this.#coming.get(principal);
    if (known !== undefined) return known;
    const slot = this.#slots.take(principal);
    if (!(slot instanceof Promise)) return this.#share(origin, slot);
    const coming = slot.then((taken) => {
      this.#coming.delete(principal);
      return this.#share(origin, taken);
    });
    this.#coming.set(principal, coming);
    return coming;
  }

  #share(origin: ConnectionOrigin, slot: Slot | NoSlot): SharedProcess | NoRoom {
    if (typeof slot === "string") return slot;
    const connected = this.#connect(origin, slot);
    if (typeof connected === "string") return connected;
    const { principal } = origin;
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

/** An SDK client reads this many pages of a list. */
const MAX_PAGES = 64;
/** A server that does not list its tools in this time is called without the check, like a server without marks. */
const MAX_WAIT_MS = 10_000;

type Tools = ReadonlyMap<string, readonly MarkedArgument[]>;

function noteTools(result: JsonObject, into: Map<string, readonly MarkedArgument[]>): void {
  const { tools } = result;
  for (const tool of Array.isArray(tools) ? tools : []) {
    if (!isJsonObject(tool) || typeof tool["name"] !== "string") continue;
    const marked = markedArguments(tool["inputSchema"]);
    if (marked.length > 0) into.set(tool["name"], marked);
  }
}

/**
 * Reads a server's list of tools page by page, with the version and capabilities of the request that needs it.
 * Undefined if the server ended meanwhile, or did not answer.
 */
function readTools(link: Link, meta: JsonObject): Promise<Tools | undefined> {
  return new Promise((resolve) => {
    const found = new Map<string, readonly MarkedArgument[]>();
    let pages = 0;
    const end = (tools: Tools | undefined): void => {
      clearTimeout(timer);
      link.close();
      resolve(tools);
    };
    const timer = setTimeout(() => end(undefined), MAX_WAIT_MS);
    const ask = (cursor: unknown): void => {
      pages += 1;
      const params = cursor === undefined ? { _meta: meta } : { _meta: meta, cursor };
      link.send(JSON.stringify({ jsonrpc: "2.0", id: pages, method: "tools/list", params }));
    };
    link.listen({
      message: (bytes) => {
        const message = jsonIn(bytes.toString());
        const result = isJsonObject(message) ? message["result"] : undefined;
        if (!isJsonObject(result)) return end(found);
        noteTools(result, found);
        const { nextCursor } = result;
        return typeof nextCursor === "string" && pages < MAX_PAGES ? ask(nextCursor) : end(found);
      },
      oversized: () => end(found),
      closed: () => end(undefined),
      interrupted: () => end(undefined),
    });
    ask(undefined);
  });
}

/** How long a list is trusted; a server of this era reports changes only to subscribers. */
const MAX_AGE_MS = 300_000;

/** The arguments that a server's tools expect in headers. Read once for each process, when the first tool is called. */
class MarkedTools {
  #tools: Tools | Promise<Tools | undefined> | undefined;
  #readAt = 0;

  /** The marked arguments of a tool: synchronous if they are known and not older than `maxAgeMs`. */
  find(
    name: string,
    meta: JsonObject,
    open: () => Link,
    maxAgeMs: number = MAX_AGE_MS,
  ): readonly MarkedArgument[] | Promise<readonly MarkedArgument[]> {
    const now = Date.now();
    if (now - this.#readAt > maxAgeMs) this.#tools = undefined;
    if (this.#tools === undefined) {
      this.#readAt = now;
      this.#tools = readTools(open(), meta).then((tools) => (this.#tools = tools));
    }
    const tools = this.#tools;
    if (tools instanceof Promise) return tools.then((ready) => ready?.get(name) ?? []);
    return tools.get(name) ?? [];
  }
}
