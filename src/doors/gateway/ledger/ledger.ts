// What a stdio gateway adds to the ledger of its user. Counting costs a call a few additions; the file is written some
// seconds later, and at the end.

import type { ContractState } from "../../../engine/call/contract-state.ts";
import type { Log } from "../../../engine/observe/log-event.ts";
import { loadCounter } from "../../../core/tokens/token-counter.ts";
import { CallTally } from "../call-tally.ts";
import type { LedgerRow } from "./ledger-file.ts";

/** How long counts wait for the file: what a killed gateway loses. */
const WRITE_AFTER_MS = 10_000;
/** How long a write waits for other gateways; at the end the person who closes a client waits too. */
const WAIT_MS = 30_000;
const LAST_WAIT_MS = 5_000;
/** A page may ask every second: the file is not written for each. */
const FRESH_MS = 5_000;

/** The day by the clock of this machine. */
export function dayOf(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

interface Open {
  readonly day: string;
  readonly server: string;
  readonly tally: CallTally;
}

export class Ledger {
  readonly #path: string;
  readonly #log: Log;
  readonly #now: () => Date;
  readonly #open = new Map<string, Open>();
  /** Counts that could not be written yet. */
  #unwritten: readonly LedgerRow[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isTroubled = false;
  #freshUntilMs = 0;

  constructor(path: string, log: Log, now: () => Date = () => new Date()) {
    this.#path = path;
    this.#log = log;
    this.#now = now;
  }

  /** Counts the calls of one server. */
  follow(server: string, { events }: Pick<ContractState, "events">): void {
    events.onAnswer({
      answered: ({ tool }, answered) => {
        if (answered.dialect === undefined) return;
        this.#tallyOf(server).note(tool, answered);
        this.#timer ??= setTimeout(() => void this.write(), WRITE_AFTER_MS).unref();
      },
    });
  }

  /** Writes what was counted since the last write; never rejects. */
  write(waitMs = WAIT_MS): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#add(waitMs));
    return this.#writing;
  }

  /** The ledger with what was counted here; what the last seconds brought may be missing. */
  async read(): Promise<readonly LedgerRow[]> {
    const now = performance.now();
    if (now >= this.#freshUntilMs) {
      this.#freshUntilMs = now + FRESH_MS;
      await this.write(LAST_WAIT_MS);
    }
    const { readLedger } = await import("./ledger-file.ts");
    return readLedger(this.#path);
  }

  close(): Promise<void> {
    return this.write(LAST_WAIT_MS);
  }

  #tallyOf(server: string): CallTally {
    const day = dayOf(this.#now());
    const key = `${day} ${server}`;
    const known = this.#open.get(key);
    if (known !== undefined) return known.tally;
    const tally = new CallTally();
    this.#open.set(key, { day, server, tally });
    return tally;
  }

  async #add(waitMs: number): Promise<void> {
    if (this.#open.size === 0 && this.#unwritten.length === 0) return;
    let rows = this.#unwritten;
    try {
      rows = [...rows, ...(await this.#rows())];
      const { addToLedger } = await import("./ledger-file.ts");
      const { isNew, movedTo } = await addToLedger(this.#path, rows, waitMs);
      this.#unwritten = [];
      this.#isTroubled = false;
      if (isNew) this.#log.warn("ledger-started", { file: this.#path, hint: whatItIs });
      if (movedTo !== undefined) this.#log.warn("ledger-damaged", { file: this.#path, movedTo });
    } catch (error) {
      await this.#keep(rows);
      if (!this.#isTroubled) this.#log.warn("ledger-not-written", { file: this.#path, err: error });
      this.#isTroubled = true;
    }
  }

  /** The counts so far, which are then no longer open. */
  async #rows(): Promise<readonly LedgerRow[]> {
    const counter = await loadCounter();
    const rows = [...this.#open.values()].map(({ day, server, tally }): LedgerRow => {
      const { calls, tokensIn, tokensOut, isEstimated, cuts, retrievals, errorsRepaired } =
        tally.summary(counter);
      return {
        day,
        server,
        calls,
        tokens_in: tokensIn,
        tokens_out: tokensOut,
        is_estimated: isEstimated,
        cuts,
        retrievals,
        errors_repaired: errorsRepaired,
      };
    });
    this.#open.clear();
    return rows;
  }

  /** For the next write; a file that can never be written must not fill the memory. */
  async #keep(rows: readonly LedgerRow[]): Promise<void> {
    const { withinLimits } = await import("./ledger-file.ts");
    this.#unwritten = withinLimits(rows);
  }
}

const whatItIs =
  "Calls of all stdio gateways of this user are counted there, by day and server, without contents; `waybill ledger` shows them, and --ledger off ends it";
