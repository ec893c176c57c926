import { jsonIn } from "../json/json-value.ts";

/** Limits the requests of one connection that wait for an answer: the SDKs' own tables have no limit. */
export const MAX_PENDING = 10_000;

/** How long a request may wait. It is given up before `late` is called: its answer is no longer expected. */
export interface Deadline<Request> {
  readonly ms: number;
  readonly late: (request: Request) => void;
}

/**
 * The requests of one connection that have no answer yet, by id. An id is the JSON value: another writer may spell
 * the same id differently. A request that needs its id's own text keeps that text itself.
 */
export class PendingRequests<Request, Id = unknown> {
  readonly #requests = new Map<Id, Request>();
  readonly #timers = new Map<Id, ReturnType<typeof setTimeout>>();
  /** Ids of requests that were given up, whose late answers are to be dropped. */
  readonly #givenUp = new Set<Id>();
  #onIdle: (() => void)[] = [];

  get size(): number {
    return this.#requests.size;
  }

  get isFull(): boolean {
    return this.#requests.size >= MAX_PENDING;
  }

  has(id: Id): boolean {
    return this.#requests.has(id);
  }

  get(id: Id): Request | undefined {
    return this.#requests.get(id);
  }

  ids(): IterableIterator<Id> {
    return this.#requests.keys();
  }

  requests(): IterableIterator<Request> {
    return this.#requests.values();
  }

  add(id: Id, request: Request, deadline?: Deadline<Request>): void {
    this.#stopTimer(id);
    this.#requests.set(id, request);
    if (deadline === undefined) return;
    const { ms, late } = deadline;
    const expire = (): void => {
      this.giveUp(id);
      late(request);
    };
    this.#timers.set(id, setTimeout(expire, ms));
  }

  /** Removes a request, because it was answered, cancelled or refused; undefined if it is not known. */
  take(id: Id): Request | undefined {
    const request = this.#requests.get(id);
    if (!this.#requests.delete(id)) return undefined;
    this.#stopTimer(id);
    if (this.#requests.size === 0) for (const end of this.#onIdle.splice(0)) end();
    return request;
  }

  /**
   * Removes the request whose answer was too long to be read. `rawId`: the text of the answer's id; if it could not be
   * read, the answer belongs to the open request, provided that there is exactly one.
   */
  takeOversized(rawId: string | undefined): Request | undefined {
    const [only] = this.#requests.keys();
    if (rawId !== undefined) return this.take(jsonIn(rawId) as Id);
    return only === undefined || this.#requests.size > 1 ? undefined : this.take(only);
  }

  /** Removes all requests. Ids that were given up are forgotten too: no answer comes any more. */
  takeAll(): readonly (readonly [Id, Request])[] {
    const all = [...this.#requests];
    this.#givenUp.clear();
    for (const [id] of all) this.take(id);
    return all;
  }

  /** Removes a request whose answer may still come, too late. */
  giveUp(id: Id): Request | undefined {
    if (!this.#requests.has(id)) return undefined;
    this.#givenUp.add(id);
    const [oldest] = this.#givenUp;
    if (this.#givenUp.size > MAX_PENDING) this.#givenUp.delete(oldest as Id);
    return this.take(id);
  }

  isGivenUp(id: Id): boolean {
    return this.#givenUp.has(id);
  }

  /** The late answer has come, or its id is used again; false if the id was not given up. */
  forget(id: Id): boolean {
    return this.#givenUp.delete(id);
  }

  /** Resolves when the last request is removed, or with false after `ms`, for which the process may be kept alive. */
  idle(ms: number, keepsProcess = false): Promise<boolean> {
    if (this.#requests.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      // Only Node's timers have `unref`; elsewhere no timer keeps a process alive.
      if (!keepsProcess) (timer as { readonly unref?: () => void }).unref?.();
      this.#onIdle.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #stopTimer(id: Id): void {
    if (this.#timers.size === 0) return;
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }
}
