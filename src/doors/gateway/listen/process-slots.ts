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
  take(principal: string): Slot | NoSlot | Promise<Slot | NoSlot> {
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
