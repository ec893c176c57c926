import { randomUUID } from "node:crypto";
import { SharedLink } from "../shared-link.ts";
import type { Link } from "../../link/link.ts";
import type { ConnectionOrigin, Upstream } from "../upstream/upstream.ts";
import { LegacySession } from "./legacy-session.ts";
import { MarkedTools } from "./marked-tools.ts";

export interface ProcessOptions {
  /** Processes at once. */
  readonly maxProcesses: number;
  /** How long a process without requests is kept. */
  readonly idleMs: number;
  /** A legacy session is over. */
  readonly sessionEnded?: ((id: string) => void) | undefined;
  /** Hears of what was dropped. */
  readonly note: ((text: string) => void) | undefined;
}

/** A process that the modern requests of one caller share. */
export interface SharedProcess {
  readonly link: SharedLink;
  readonly marks: MarkedTools;
}

const MIN_SWEEP_MS = 50;
const MAX_SWEEP_MS = 30_000;

/**
 * The processes of one command: one for each legacy session, and one for the modern requests of each caller. There are
 * never more than the limit; room is made by ending the one that was longest idle.
 */
export class CommandProcesses {
  readonly #upstream: Upstream;
  readonly #options: ProcessOptions;
  readonly #sessions = new Map<string, LegacySession>();
  readonly #shared = new Map<string, SharedProcess>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(upstream: Upstream, options: ProcessOptions) {
    this.#upstream = upstream;
    this.#options = options;
    const everyMs = Math.min(MAX_SWEEP_MS, Math.max(MIN_SWEEP_MS, options.idleMs / 4));
    this.#sweeper = setInterval(() => this.#sweep(), everyMs).unref();
  }

  get size(): number {
    return this.#sessions.size + this.#shared.size;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /** The session of this id, if it is the caller's own: whoever guesses an id must not get another's session. */
  session(id: string, principal: string): LegacySession | undefined {
    const session = this.#sessions.get(id);
    return session?.principal === principal ? session : undefined;
  }

  /** A new session and the link to its process; undefined where every process is in use. */
  openSession(
    origin: ConnectionOrigin,
  ): { readonly session: LegacySession; readonly link: Link } | undefined {
    if (!this.#makeRoom()) return undefined;
    const id = randomUUID();
    const session = new LegacySession(id, origin.principal, () => {
      this.#sessions.delete(id);
      this.#options.sessionEnded?.(id);
    });
    this.#sessions.set(id, session);
    return { session, link: this.#upstream.connect(origin) };
  }

  /** The process that this caller's modern requests share; undefined where every process is in use. */
  shared(origin: ConnectionOrigin): SharedProcess | undefined {
    const { principal } = origin;
    const known = this.#shared.get(principal);
    if (known !== undefined) return known;
    if (!this.#makeRoom()) return undefined;
    const onClosed = (): void => {
      if (this.#shared.get(principal) === made) this.#shared.delete(principal);
    };
    const link = new SharedLink(this.#upstream.connect(origin), { onClosed, note: this.#options.note });
    const made: SharedProcess = { link, marks: new MarkedTools() };
    this.#shared.set(principal, made);
    return made;
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const session of this.#sessions.values()) session.end("the gateway stopped");
    for (const { link } of this.#shared.values()) link.close();
    this.#shared.clear();
  }

  #makeRoom(): boolean {
    if (this.size < this.#options.maxProcesses) return true;
    const [oldest] = this.#idle().toSorted((left, right) => left.since - right.since);
    oldest?.end();
    return oldest !== undefined;
  }

  #sweep(): void {
    const before = Date.now() - this.#options.idleMs;
    for (const { since, end } of this.#idle()) if (since < before) end();
  }

  #idle(): { readonly since: number; readonly end: () => void }[] {
    const idle: { since: number; end: () => void }[] = [];
    for (const session of this.#sessions.values()) {
      const since = session.idleSince;
      if (since !== undefined) idle.push({ since, end: () => session.end("the session was idle") });
    }
    for (const [principal, { link }] of this.#shared) {
      if (link.size > 0) continue;
      const end = (): void => {
        this.#shared.delete(principal);
        link.close();
      };
      idle.push({ since: link.usedAt, end });
    }
    return idle;
  }
}
