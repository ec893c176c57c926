/** Something with a name that requests use, and that must not be closed while they do. */
export interface Drainable {
  close(): Promise<void>;
}

/** The use of one member by one request or session. */
export interface Lease<Member> {
  readonly member: Member;
  /** May be called more than once. */
  release(): void;
}

interface Slot<Member> {
  readonly member: Member;
  uses: number;
  isLeaving: boolean;
  closing: Promise<void> | undefined;
}

/**
 * Members by name that come and go while requests use them. One that is replaced or removed gets no new requests at
 * once, and is closed when the last of its requests is over: none of them is cut short.
 */
export class DrainingSet<Member extends Drainable> {
  readonly #current = new Map<string, Slot<Member>>();
  readonly #leaving = new Set<Slot<Member>>();
  readonly #onFailure: (name: string, error: unknown) => void;

  /** `onFailure` is told what a member throws while it is closed after its last request. */
  constructor(onFailure: (name: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** The current members, in the order in which they came. */
  entries(): readonly (readonly [string, Member])[] {
    return [...this.#current].map(([name, { member }]) => [name, member]);
  }

  get(name: string): Member | undefined {
    return this.#current.get(name)?.member;
  }

  /** Takes the place of whatever has the name. */
  set(name: string, member: Member): void {
    this.remove(name);
    this.#current.set(name, { member, uses: 0, isLeaving: false, closing: undefined });
  }

  remove(name: string): void {
    const slot = this.#current.get(name);
    if (slot === undefined) return;
    this.#current.delete(name);
    slot.isLeaving = true;
    this.#leaving.add(slot);
    this.#closeIfUnused(name, slot);
  }

  /** Undefined where nothing has the name. */
  use(name: string): Lease<Member> | undefined {
    const slot = this.#current.get(name);
    if (slot === undefined) return undefined;
    slot.uses++;
    let isOver = false;
    return {
      member: slot.member,
      release: () => {
        if (isOver) return;
        isOver = true;
        slot.uses--;
        this.#closeIfUnused(name, slot);
      },
    };
  }

  /** Closes all of them, whether used or not: the caller has waited as long as it wanted to. */
  async close(): Promise<void> {
    for (const name of this.#current.keys()) this.remove(name);
    await Promise.all([...this.#leaving].map((slot) => this.#close("", slot)));
  }

  #closeIfUnused(name: string, slot: Slot<Member>): void {
    if (slot.isLeaving && slot.uses === 0) void this.#close(name, slot);
  }

  #close(name: string, slot: Slot<Member>): Promise<void> {
    slot.closing ??= slot.member
      .close()
      .catch((error: unknown) => this.#onFailure(name, error))
      .finally(() => this.#leaving.delete(slot));
    return slot.closing;
  }
}
