// One login as a process uses it: read again when another process has written it, and changed by one at a time. What
// cannot be written is used nevertheless, since the tokens before it may be spent, and is written as soon as it can be.

import type { Login, LoginKey } from "./login.ts";
import type { LoginStore } from "./login-store.ts";
import { UnreadableLogin } from "./sealed-text.ts";

export interface LoginInUseOptions {
  readonly key: LoginKey;
  /** Undefined for a user without a home: logins then end with the process. */
  readonly store: LoginStore | undefined;
  /** The login cannot be written; told once, until it can be again. */
  readonly unkept: (error: unknown) => void;
}

/** How often the store is looked at: another process may sign in or out. */
const LOOK_MS = 1_000;

export class LoginInUse {
  readonly #options: LoginInUseOptions;
  #login: Login | undefined;
  #stamp: string | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #problem: string | undefined;
  #isUnwritten = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: LoginInUseOptions) {
    this.#options = options;
  }

  get current(): Login | undefined {
    return this.#login;
  }

  /** Why the stored login cannot be read. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** What is used is not what is kept. */
  get isUnwritten(): boolean {
    return this.#isUnwritten;
  }

  get isStale(): boolean {
    return this.#options.store !== undefined && performance.now() - this.#lookedAt > LOOK_MS;
  }

  /** Reads the login again if another process has written it. */
  async look(): Promise<void> {
    const { store, key } = this.#options;
    this.#lookedAt = performance.now();
    const stamp = (await store?.stampOf(key)) ?? "";
    if (stamp === this.#stamp) return;
    const found = await this.#read();
    this.#stamp = stamp;
    // Another process has not seen our tokens: it may have dropped those before them. A sign-out counts.
    if (this.#isUnwritten && found !== undefined && gotAt(found) <= gotAt(this.#login)) return;
    this.#login = found;
    this.#isUnwritten = false;
  }

  async #read(): Promise<Login | undefined> {
    this.#problem = undefined;
    try {
      return await this.#options.store?.read(this.#options.key);
    } catch (error) {
      if (!(error instanceof UnreadableLogin)) throw error;
      this.#problem = error.message;
      return undefined;
    }
  }

  /** Runs while neither this process nor another one changes the login, and after it was read again. */
  alone<Value>(run: () => Promise<Value>): Promise<Value> {
    const { store, key } = this.#options;
    const work = async (): Promise<Value> => {
      await this.look();
      if (this.#isUnwritten) await this.#write();
      return run();
    };
    const turn = this.#turn.then(() => (store === undefined ? run() : store.locked(key, work)));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async keep(login: Login): Promise<void> {
    this.#login = login;
    this.#problem = undefined;
    await this.#write();
  }

  /** The tokens are worth nothing; the registration is kept for the next sign-in. */
  async drop(): Promise<void> {
    const login = this.#login;
    if (login?.tokens !== undefined) await this.keep({ ...login, tokens: undefined });
  }

  async forget(): Promise<void> {
    const { store, key } = this.#options;
    this.#login = undefined;
    this.#isUnwritten = false;
    try {
      await store?.remove(key);
      this.#stamp = "";
    } catch (error) {
      this.#options.unkept(error);
    }
  }

  async #write(): Promise<void> {
    const { store, key, unkept } = this.#options;
    const login = this.#login;
    if (store === undefined || login === undefined) return;
    try {
      await store.write(login);
      this.#stamp = await store.stampOf(key);
      this.#isUnwritten = false;
    } catch (error) {
      if (!this.#isUnwritten) unkept(error);
      this.#isUnwritten = true;
    }
  }
}

function gotAt(login: Login | undefined): number {
  return login?.tokens?.gotAtMs ?? 0;
}
