import { isDeepStrictEqual } from "node:util";
import type { UpstreamOptions } from "../gateway-options.ts";

type Upstreams = Readonly<Record<string, UpstreamOptions>>;

/** What a changed file requires. A server of which only the policy changed is in no list: it keeps running. */
export interface ReloadPlan {
  readonly added: readonly string[];
  /** The server is reached differently, or by other callers: it is replaced. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

const has = (upstreams: Upstreams, name: string): boolean => Object.hasOwn(upstreams, name);

export function planReload(before: Upstreams, after: Upstreams): ReloadPlan {
  const names = Object.keys(after);
  return {
    added: names.filter((name) => !has(before, name)),
    changed: names.filter((name) => has(before, name) && !isDeepStrictEqual(before[name], after[name])),
    removed: Object.keys(before).filter((name) => !has(after, name)),
  };
}

/** A named resource that requests use; it must not be closed while they do. */
export interface Drainable {
  close(): Promise<void>;
}

/** The use of one member by one request. */
export interface Lease<Member> {
  readonly member: Member;
  /** May be called more than once. */
  release(): void;
}

interface Slot<Member> {
  readonly name: string;
  readonly member: Member;
  uses: number;
  timer: NodeJS.Timeout | undefined;
  closing: Promise<void> | undefined;
}

export interface DrainingOptions {
  /** How long a leaving member waits for its requests. Default: 600,000 (10 minutes). */
  readonly maxDrainMs?: number | undefined;
  /** Receives the name of a member that cannot be closed. */
  readonly onFailure: (name: string, error: unknown) => void;
}

const MAX_DRAIN_MS = 600_000;

/**
 * Members by name that come and go while requests use them. A replaced or removed member gets no new requests from that
 * moment, and is closed when its last request is over.
 */
export class DrainingSet<Member extends Drainable> {
  readonly #options: DrainingOptions;
  readonly #current = new Map<string, Slot<Member>>();
  readonly #leaving = new Set<Slot<Member>>();

  constructor(options: DrainingOptions) {
    this.#options = options;
  }

  /** The current members, in the order in which they were added. */
  entries(): readonly (readonly [string, Member])[] {
    return [...this.#current].map(([name, { member }]) => [name, member]);
  }

  get(name: string): Member | undefined {
    return this.#current.get(name)?.member;
  }

  /** The names of leaving members that still have requests. */
  leaving(): ReadonlySet<string> {
    return new Set([...this.#leaving].map(({ name }) => name));
  }

  /** Replaces the member with this name, if there is one. */
  set(name: string, member: Member): void {
    this.remove(name);
    this.#current.set(name, { name, member, uses: 0, timer: undefined, closing: undefined });
  }

  remove(name: string): void {
    const slot = this.#current.get(name);
    if (slot === undefined) return;
    this.#current.delete(name);
    this.#leaving.add(slot);
    slot.timer = setTimeout(() => void this.#close(slot), this.#options.maxDrainMs ?? MAX_DRAIN_MS).unref();
    this.#closeIfUnused(slot);
  }

  /** Undefined if no member has the name. */
  use(name: string): Lease<Member> | undefined {
    const slot = this.#current.get(name);
    return slot && this.#lease(slot);
  }

  /** Lets a request use a leaving member if the request belongs to its open work. */
  useLeaving(name: string, belongs: (member: Member) => boolean): Lease<Member> | undefined {
    for (const slot of this.#leaving)
      if (slot.name === name && slot.closing === undefined && belongs(slot.member)) return this.#lease(slot);
    return undefined;
  }

  /** Closes all members, used or not: the caller has already waited as long as it wanted. */
  async close(): Promise<void> {
    for (const name of this.#current.keys()) this.remove(name);
    await Promise.all([...this.#leaving].map((slot) => this.#close(slot)));
  }

  #lease(slot: Slot<Member>): Lease<Member> {
    slot.uses++;
    let isOver = false;
    return {
      member: slot.member,
      release: () => {
        if (isOver) return;
        isOver = true;
        slot.uses--;
        this.#closeIfUnused(slot);
      },
    };
  }

  #closeIfUnused(slot: Slot<Member>): void {
    if (slot.uses === 0 && this.#leaving.has(slot)) void this.#close(slot);
  }

  #close(slot: Slot<Member>): Promise<void> {
    clearTimeout(slot.timer);
    slot.closing ??= slot.member
      .close()
      .catch((error: unknown) => this.#options.onFailure(slot.name, error))
      .finally(() => this.#leaving.delete(slot));
    return slot.closing;
  }
}
