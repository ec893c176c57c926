// A server's process for one connection, restarted when it dies. The connection continues if the new process greets
// like the old one; open requests are lost, and the listener is told.

import { TOOLS_CHANGED_MESSAGE } from "../../../core/protocol/names.ts";
import type { ChildLink } from "../../../engine/transport/child-process.ts";
import type { Link, LinkListener } from "../../../engine/transport/link.ts";
import { kindOf } from "../../../engine/transport/raw-message.ts";
import {
  SessionReplay,
  fromGeneration,
  isPingAnswer,
  isReplayAnswer,
  toGeneration,
} from "./session-replay.ts";
import type { UpstreamHealth } from "./upstream.ts";

interface RestartOptions {
  readonly start: () => ChildLink;
  /**
   * The server's code is being edited, so only `restart` replaces its process: if it dies, the connection waits. It may
   * take any time to start, and greet differently.
   */
  readonly isEdited?: boolean | undefined;
  /** How long the server may take for its first answer. Default: 60,000. */
  readonly startTimeoutMs?: number | undefined;
  /** The first pause before a restart; each further pause is twice as long. Default: 500. */
  readonly firstPauseMs?: number | undefined;
  readonly note: (text: string) => void;
  /** Called when `health` has changed. */
  readonly changed?: (() => void) | undefined;
  /** Called once, when the connection is closed and none of its processes is left. */
  readonly onEnd?: (() => void) | undefined;
}

const START_TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran this long had started well, so the count of pauses starts again. */
const SETTLED_MS = 5_000;
/** After this many failures in a row another attempt is pointless. */
const MAX_TRIES = 10;

const listChanged = Buffer.from(TOOLS_CHANGED_MESSAGE);

export class RestartingChild implements Link {
  readonly #options: RestartOptions;
  readonly #replay = new SessionReplay();
  readonly #alive = new Set<ChildLink>();
  #child: ChildLink;
  #generation = 1;
  #tries = 0;
  #startedMs = Date.now();
  #listener: LinkListener | undefined;
  #phase: "up" | "greeting" | "waiting" | "closed" = "up";
  /** Whether any process of this connection has ever sent anything. */
  #hasSpoken = false;
  /** Whether the process was asked to end because another is to be started. */
  #isReplaced = false;
  /** Whether the process has sent nothing since it was last asked for a sign of life. */
  #owesSign = false;
  #openPings = 0;
  #timer: NodeJS.Timeout | undefined;
  #health: UpstreamHealth = { state: "starting", restarts: 0 };

  constructor(options: RestartOptions) {
    this.#options = options;
    this.#child = this.#start();
  }

  get health(): UpstreamHealth {
    return this.#health;
  }

  get #isEdited(): boolean {
    return this.#options.isEdited === true;
  }

  /** Not even the first process could be started. */
  get isRefused(): boolean {
    return this.#generation === 1 && this.#child.isRefused === true;
  }

  /** Resolves when none of its processes is left. */
  async ended(): Promise<void> {
    await Promise.all([...this.#alive].map((child) => child.ended));
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    this.#hear(this.#child);
  }

  send(message: Uint8Array | string): void {
    if (this.#phase === "closed") return;
    this.#replay.sent(message);
    if (this.#phase !== "up") return;
    if (!this.#hasSpoken && this.#timer === undefined) this.#limitStart();
    const sent = this.#generation === 1 ? message : toGeneration(message, this.#generation);
    if (sent !== undefined) this.#child.send(sent);
  }

  /** Asks the running process for a sign of life. */
  ping(): void {
    if (this.#phase !== "up" || !this.#hasSpoken) return;
    const { restarts } = this.#health;
    if (this.#owesSign) {
      this.#shows({ state: "down", reason: "the server does not answer", restarts });
      return;
    }
    this.#owesSign = true;
    this.#openPings += 1;
    this.#child.send(this.#replay.ping);
  }

  get waitingBytes(): number {
    return this.#child.waitingBytes ?? 0;
  }

  hold(isHeld: boolean): void {
    this.#child.hold?.(isHeld);
  }

  /** Replaces the process of a server that is edited: the old one is asked to end first, and may send until then. */
  restart(): void {
    if (this.#phase === "waiting") return this.#restart();
    if (this.#phase === "closed" || this.#isReplaced) return undefined;
    this.#isReplaced = true;
    return this.#child.stop();
  }

  close(): void {
    if (this.#phase === "closed") return;
    this.#phase = "closed";
    clearTimeout(this.#timer);
    if (this.#isEdited) this.#child.stop();
    else this.#child.close();
    this.#tellEnd();
  }

  #shows(health: UpstreamHealth): void {
    this.#health = health;
    this.#options.changed?.();
  }

  #tellEnd(): void {
    void this.ended().then(() => this.#options.onEnd?.());
  }

  #start(): ChildLink {
    const child = this.#options.start();
    this.#startedMs = Date.now();
    this.#alive.add(child);
    void child.ended.then(() => this.#alive.delete(child));
    return child;
  }

  #hear(child: ChildLink): void {
    child.listen({
      message: (bytes) => {
        if (child === this.#child) this.#take(bytes);
      },
      oversized: (message) => {
        if (child === this.#child) this.#listener?.oversized(message);
      },
      closed: (why) => {
        if (child === this.#child) this.#lost(why);
      },
      drained: () => {
        if (child === this.#child) this.#listener?.drained?.();
      },
    });
  }

  /** A process that sends nothing at all must not keep its client waiting forever. */
  #limitStart(): void {
    if (this.#isEdited) return;
    const limitMs = this.#options.startTimeoutMs ?? START_TIMEOUT_MS;
    this.#timer = setTimeout(() => {
      this.#child.close();
      this.#lost(`the server did not answer within ${limitMs} ms`);
    }, limitMs);
  }

  #take(bytes: Buffer): void {
    if (this.#phase === "closed" || this.#phase === "waiting") return undefined;
    if (!this.#hasSpoken) this.#spoke();
    if (this.#owesSign) this.#gaveSign();
    if (this.#openPings > 0 && this.#isPingAnswer(bytes)) return undefined;
    if (this.#generation > 1) return this.#takeLater(bytes);
    if (this.#replay.isWaiting) this.#replay.answered(bytes, kindOf(bytes));
    return this.#listener?.message(bytes);
  }

  /** Takes a message of a process that is not the first one. */
  #takeLater(bytes: Buffer): void {
    const seen = kindOf(bytes);
    if (seen.kind === "response" && isReplayAnswer(seen.rawId)) return this.#heardReplay(bytes, seen.rawId);
    this.#replay.answered(bytes, seen);
    return this.#listener?.message(fromGeneration(bytes, seen, this.#generation));
  }

  /** Whatever a process sends shows that it is not stuck. */
  #gaveSign(): void {
    this.#owesSign = false;
    if (this.#health.state === "down") this.#shows({ state: "up", restarts: this.#health.restarts });
  }

  #isPingAnswer(bytes: Buffer): boolean {
    const { kind, rawId } = kindOf(bytes);
    if (kind !== "response" || !isPingAnswer(rawId)) return false;
    this.#openPings -= 1;
    return true;
  }

  #spoke(): void {
    this.#hasSpoken = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shows({ state: "up", restarts: this.#health.restarts });
  }

  #heardReplay(bytes: Buffer, rawId: string): void {
    if (this.#isReplaced) return undefined;
    if (!this.#replay.isGreetingAnswer(rawId)) {
      if (this.#replay.hasOtherTools(rawId, bytes)) this.#listener?.message(listChanged);
      return undefined;
    }
    clearTimeout(this.#timer);
    if (this.#replay.isSameServer(bytes)) return this.#greeted();
    if (!this.#isEdited) {
      this.#child.close();
      return this.#giveUp("the server came back with another version, capabilities or instructions");
    }
    this.#options.note("the server greets differently now; a client sees that when it connects again");
    return this.#greeted();
  }

  #greeted(): void {
    this.#phase = "up";
    this.#timer = undefined;
    this.#shows({ state: "up", restarts: this.#health.restarts + 1 });
    if (!this.#isEdited) this.#options.note("started again");
    for (const message of this.#replay.afterGreeting()) this.#child.send(message);
    this.#listener?.restored?.();
  }

  #lost(why: string): void {
    if (this.#phase === "closed") return;
    clearTimeout(this.#timer);
    if (this.#isEdited) return this.#lostEdited(why);
    if (Date.now() - this.#startedMs >= SETTLED_MS) this.#tries = 0;
    // A server that never worked will not work the next time; its command or its settings are wrong.
    if (!this.#hasSpoken || this.#tries >= MAX_TRIES) return this.#giveUp(why);
    const pauseMs = this.#pauseMs();
    this.#tries += 1;
    this.#phase = "waiting";
    this.#shows({ state: "down", reason: why, restarts: this.#health.restarts, retryInMs: pauseMs });
    this.#options.note(`${why}; it is started again in ${pauseMs} ms`);
    this.#listener?.interrupted?.({ reason: why, retryInMs: pauseMs });
    this.#timer = setTimeout(() => this.#restart(), pauseMs);
    return undefined;
  }

  #lostEdited(reason: string): void {
    const isReplaced = this.#isReplaced;
    this.#isReplaced = false;
    this.#phase = "waiting";
    this.#listener?.interrupted?.({ reason, retryInMs: isReplaced ? 0 : undefined });
    if (isReplaced) this.restart();
  }

  #pauseMs(): number {
    const first = this.#options.firstPauseMs ?? FIRST_PAUSE_MS;
    return Math.min(first * 2 ** this.#tries, LONGEST_PAUSE_MS);
  }

  /** Waits for the old process, which may have been told to end and need some time. */
  #restart(): void {
    if (this.#alive.size > 0)
      return void this.ended().then(() => {
        if (this.#phase === "waiting") this.#restart();
      });
    this.#generation += 1;
    this.#owesSign = false;
    this.#openPings = 0;
    this.#child = this.#start();
    this.#phase = "greeting";
    this.#hear(this.#child);
    const { greeting } = this.#replay;
    if (greeting === undefined) return this.#greeted();
    this.#child.send(greeting);
    return this.#limitStart();
  }

  #giveUp(why: string): void {
    this.#phase = "closed";
    this.#shows({ state: "down", reason: why, restarts: this.#health.restarts });
    this.#listener?.closed(why);
    this.#tellEnd();
  }
}
