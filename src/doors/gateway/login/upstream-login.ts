// The credentials of one caller at one server behind a URL: read from the store, refreshed ahead of time and once more
// when the server refuses them, by one process at a time. Where a person is needed, a sign-in is opened and its address
// given; until then the server answers as before.

import {
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
} from "@modelcontextprotocol/client";
import type { CredentialRefusal, Credentials } from "../../../engine/transport/http/credentials.ts";
import { type HttpFailure, statusFailure } from "../../../engine/transport/http/http-failure.ts";
import { type Challenge, type OwnClient, refreshLogin } from "./authorization.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { type Login, type LoginKey, isEnding } from "./login.ts";
import type { LoginStore } from "./login-store.ts";
import { type PendingSignIn, openSignIn } from "./sign-in.ts";
import { signInError } from "./sign-in-error.ts";
import { UnreadableLogin } from "./sealed-text.ts";

export interface UpstreamLoginOptions {
  readonly key: LoginKey;
  readonly own: OwnClient;
  /** Undefined for a user without a home: logins then end with the process. */
  readonly store: LoginStore | undefined;
  /** The caller's browser is on this machine, so that it can come back here. */
  readonly isLocal: boolean;
  /** A person is needed: called once for each sign-in that is opened. */
  readonly opened: (address: string) => void;
  /** The server lets us in from now on. */
  readonly signedIn: () => void;
  readonly failed: (why: string) => void;
}

/** How often the store is looked at: another process may sign in or out. */
const LOOK_MS = 1_000;
/** After a refresh ahead of time has failed, the tokens are shown until the server refuses them. */
const PAUSE_MS = 10_000;

export class UpstreamLogin implements Credentials {
  readonly #options: UpstreamLoginOptions;
  readonly #fetch;
  #login: Login | undefined;
  #stamp: string | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** Why the stored login cannot be read. */
  #problem: string | undefined;
  #working: Promise<void> | undefined;
  #pending: PendingSignIn | undefined;
  #opening: Promise<PendingSignIn> | undefined;
  #pendingScope: string | undefined;

  constructor(options: UpstreamLoginOptions) {
    this.#options = options;
    this.#fetch = guardedFetch(options.key.url);
  }

  header(): string | undefined {
    return headerOf(this.#login);
  }

  ready(): Promise<void> | undefined {
    if (this.#working !== undefined) return this.#working;
    const isStale = this.#options.store !== undefined && performance.now() - this.#lookedAt > LOOK_MS;
    if (!isStale && !this.#shouldRefresh()) return undefined;
    const work = this.#look()
      .then(() => (this.#shouldRefresh() ? this.#refreshAhead() : undefined))
      .finally(() => (this.#working = undefined));
    this.#working = work;
    return work;
  }

  async refused(refusal: CredentialRefusal): Promise<HttpFailure | undefined> {
    const challenge = challengeIn(refusal);
    try {
      if (await this.#isBetter(refusal)) return undefined;
    } catch (error) {
      const { reason, message } = signInError(error);
      if (reason === "unreachable")
        return failureOf(refusal, `${message}. The sign-in cannot be renewed now`);
    }
    if (!refusal.isWaitedFor || (refusal.status === 403 && !this.#widens(challenge)))
      return statusFailure(answerOf(refusal));
    return this.#signIn(refusal, challenge);
  }

  /** Resolves when the open sign-in is finished, or after this time; true if the server lets us in. */
  async finished(waitMs: number): Promise<boolean> {
    const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), waitMs).unref());
    const done = this.#pending?.done.then(
      () => true,
      () => false,
    );
    return Promise.race([done ?? this.header() !== undefined, late]);
  }

  close(): void {
    this.#pending?.close();
  }

  #shouldRefresh(): boolean {
    const { tokens } = this.#login ?? {};
    if (tokens?.refresh === undefined || performance.now() < this.#pausedUntil) return false;
    return isEnding(tokens, Date.now());
  }

  /** Reads the login again if another process has written it. */
  async #look(): Promise<void> {
    const { store, key } = this.#options;
    this.#lookedAt = performance.now();
    const stamp = (await store?.stampOf(key)) ?? "";
    if (stamp === this.#stamp) return;
    this.#problem = undefined;
    try {
      this.#login = await store?.read(key);
    } catch (error) {
      if (!(error instanceof UnreadableLogin)) throw error;
      this.#login = undefined;
      this.#problem = error.message;
    }
    this.#stamp = stamp;
  }

  async #refreshAhead(): Promise<void> {
    try {
      await this.#alone(async () => {
        if (this.#shouldRefresh()) await this.#refresh();
      });
    } catch {
      this.#pausedUntil = performance.now() + PAUSE_MS;
    }
  }

  /** True if something else than what was shown may be shown now. */
  async #isBetter({ shown, isSecond, status }: CredentialRefusal): Promise<boolean> {
    return this.#alone(async () => {
      const now = this.header();
      if (now !== undefined && now !== shown) return true;
      if (status === 403 || isSecond || now === undefined) {
        if (status === 401 && now !== undefined) await this.#drop();
        return false;
      }
      if (this.#login?.tokens?.refresh === undefined) await this.#drop();
      else await this.#refresh();
      return this.header() !== undefined;
    });
  }

  /** Runs while no other process changes the login, and after it was read again. */
  async #alone<Value>(run: () => Promise<Value>): Promise<Value> {
    const { store, key } = this.#options;
    if (store === undefined) return run();
    return store.locked(key, async () => {
      await this.#look();
      return run();
    });
  }

  async #refresh(): Promise<void> {
    const login = this.#login;
    if (login === undefined) return;
    try {
      await this.#keep(await refreshLogin(login, this.#fetch));
    } catch (error) {
      const { reason } = signInError(error);
      // A registration that is not known any more is not used for the next sign-in either.
      if (reason === "client-refused") await this.#forget();
      else if (reason !== "unreachable") await this.#drop();
      if (reason === "unreachable") throw error;
    }
  }

  async #keep(login: Login): Promise<void> {
    const { store, key } = this.#options;
    this.#login = login;
    this.#problem = undefined;
    await store?.write(login);
    this.#stamp = (await store?.stampOf(key)) ?? "";
  }

  /** The tokens are worth nothing; the registration is kept for the next sign-in. */
  async #drop(): Promise<void> {
    const login = this.#login;
    if (login?.tokens !== undefined) await this.#keep({ ...login, tokens: undefined });
  }

  async #forget(): Promise<void> {
    const { store, key } = this.#options;
    this.#login = undefined;
    await store?.remove(key);
    this.#stamp = "";
  }

  /** Whether the server asks for more than the tokens are said to give; else a new sign-in would give the same. */
  #widens({ scope }: Challenge): boolean {
    return isStrictScopeSuperset(scope, this.#login?.tokens?.scope);
  }

  async #signIn(refusal: CredentialRefusal, challenge: Challenge): Promise<HttpFailure> {
    const unopened = { signIn: { address: undefined, advice: this.#otherAdvice() } };
    if (!this.#options.isLocal) return { ...failureOf(refusal, undefined), ...unopened };
    try {
      const { address } = await this.#open(challenge);
      const advice = this.#advice(address, refusal);
      return { ...failureOf(refusal, undefined), signIn: { address, advice } };
    } catch (error) {
      return { ...failureOf(refusal, signInError(error).message), ...unopened };
    }
  }

  /** One sign-in at a time, for all that the server asked for. */
  async #open(challenge: Challenge): Promise<PendingSignIn> {
    if (this.#opening !== undefined) return this.#opening;
    if (this.#pending !== undefined && !isStrictScopeSuperset(challenge.scope, this.#pendingScope))
      return this.#pending;
    this.#pending?.close();
    const scope = computeScopeUnion(challenge.scope, this.#login?.tokens?.scope, this.#pendingScope);
    this.#opening = this.#openNew({ ...challenge, ...(scope === undefined ? {} : { scope }) }).finally(
      () => (this.#opening = undefined),
    );
    return this.#opening;
  }

  async #openNew(challenge: Challenge): Promise<PendingSignIn> {
    const { key, own, opened, signedIn, failed } = this.#options;
    const pending = await openSignIn({
      key,
      challenge,
      own,
      previous: this.#login,
      fetch: this.#fetch,
      isAwaited: false,
      keep: (login) => this.#alone(() => this.#keep(login)),
    });
    this.#pending = pending;
    this.#pendingScope = challenge.scope;
    opened(pending.address);
    const over = (): void => {
      if (this.#pending === pending) this.#pending = undefined;
    };
    void pending.done
      .then(() => {
        over();
        signedIn();
      })
      .catch((error: unknown) => {
        over();
        failed(signInError(error).message);
      });
    return pending;
  }

  #advice(address: string, { status }: CredentialRefusal): string {
    const what = status === 403 ? "sign in again, with more rights" : "sign in";
    return `Ask the user to open ${address} in a browser on this machine and ${what}; then repeat the call. ${this.#otherAdvice()}`;
  }

  #otherAdvice(): string {
    const { url, caller } = this.#options.key;
    const why = this.#problem === undefined ? "" : `${this.#problem}. `;
    if (caller === "")
      return `${why}\`waybill login ${url}\` signs in from a terminal, also with a browser on another machine.`;
    return `${why}Where the gateway runs, \`waybill login ${url} --caller ${caller}\` signs this caller in.`;
  }
}

function headerOf(login: Login | undefined): string | undefined {
  const token = login?.tokens?.access;
  return token === undefined ? undefined : `Bearer ${token}`;
}

/** What the server asks for, read by the SDK. */
export function challengeIn({
  status,
  challenge,
}: Pick<CredentialRefusal, "status" | "challenge">): Challenge {
  if (challenge === undefined) return {};
  const headers = { "www-authenticate": challenge };
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(
    new Response(null, { status, headers }),
  );
  return { resourceMetadataUrl, scope };
}

function answerOf({ status }: CredentialRefusal) {
  return { statusCode: status, headers: {} };
}

function failureOf(refusal: CredentialRefusal, more: string | undefined): HttpFailure {
  const said =
    refusal.status === 403 ? "The server wants a sign-in with more rights" : "The server wants a sign-in";
  const message = more === undefined ? said : `${said}: ${more}`;
  return { message, executed: "no", status: refusal.status, isDown: false };
}
