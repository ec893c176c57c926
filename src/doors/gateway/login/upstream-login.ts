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
import { LoginInUse, type LoginInUseOptions } from "./login-in-use.ts";
import { type PendingSignIn, openSignIn } from "./sign-in.ts";
import { type SignInError, type SignInReason, signInError } from "./sign-in-error.ts";

export interface UpstreamLoginOptions {
  readonly key: LoginKey;
  readonly own: OwnClient;
  readonly store: LoginInUseOptions["store"];
  /** The caller's browser is on this machine, so that it can come back here. */
  readonly isLocal: boolean;
  /** A person is needed: called once for each sign-in that is opened. */
  readonly opened: (address: string) => void;
  /** The server lets us in from now on. */
  readonly signedIn: () => void;
  readonly failed: (why: string) => void;
  /** The tokens could not be renewed; they are kept. */
  readonly unrenewed: (why: string) => void;
  readonly unkept: LoginInUseOptions["unkept"];
}

/** How long nothing is tried again ahead of time that has just failed. */
const PAUSE_MS = 10_000;
/** Calls that waited for one attempt share its end. */
const RECENT_MS = 1_000;

/** After these the authorization server may be asked again; after others a person has to sign in. */
const passing: readonly SignInReason[] = ["unreachable", "no-metadata", "no-tokens"];
const keptNow = "The login is kept, and renewed when the authorization server works again";

export class UpstreamLogin implements Credentials {
  readonly #options: UpstreamLoginOptions;
  readonly #fetch;
  readonly #login: LoginInUse;
  /** The last attempt to renew the tokens, if it failed. */
  #failure: { readonly at: number; readonly error: SignInError } | undefined;
  /** What the server has refused though the authorization server has not. */
  #useless: { readonly header: string; readonly until: number } | undefined;
  #working: Promise<void> | undefined;
  #pending: PendingSignIn | undefined;
  #opening: Promise<PendingSignIn> | undefined;
  #pendingScope: string | undefined;

  constructor(options: UpstreamLoginOptions) {
    this.#options = options;
    this.#login = new LoginInUse(options);
    this.#fetch = guardedFetch(options.key.url);
  }

  header(): string | undefined {
    const header = headerOf(this.#login.current);
    const isUseless = header === this.#useless?.header && performance.now() < (this.#useless?.until ?? 0);
    return isUseless ? undefined : header;
  }

  ready(): Promise<void> | undefined {
    if (this.#working !== undefined) return this.#working;
    if (!this.#login.isStale && !this.#shouldRefresh()) return undefined;
    const work = this.#prepare().finally(() => (this.#working = undefined));
    this.#working = work;
    return work;
  }

  async refused(refusal: CredentialRefusal): Promise<HttpFailure | undefined> {
    const challenge = challengeIn(refusal);
    try {
      if (await this.#isBetter(refusal)) return undefined;
    } catch (error) {
      const { reason, message } = signInError(error);
      if (passing.includes(reason)) return failureOf(refusal, `${message}. ${keptNow}`);
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
    const { tokens } = this.#login.current ?? {};
    if (tokens?.refresh === undefined || this.#failedWithin(PAUSE_MS) !== undefined) return false;
    return isEnding(tokens, Date.now());
  }

  #failedWithin(ms: number): SignInError | undefined {
    const { at, error } = this.#failure ?? { at: Number.NEGATIVE_INFINITY, error: undefined };
    return performance.now() - at < ms ? error : undefined;
  }

  async #prepare(): Promise<void> {
    await this.#login.look();
    if (!this.#shouldRefresh() && !this.#login.isUnwritten) return;
    const refresh = async (): Promise<void> => {
      if (this.#shouldRefresh()) await this.#refresh();
    };
    // The tokens are shown until the server refuses them.
    await this.#login.alone(refresh).catch(() => undefined);
  }

  /** True if something else than what was shown may be shown now. Throws if that cannot be known now. */
  async #isBetter({ shown, isSecond, status }: CredentialRefusal): Promise<boolean> {
    return this.#login.alone(async () => {
      const now = this.header();
      if (now !== undefined && now !== shown) return true;
      if (status === 403 || now === undefined) return false;
      if (isSecond || this.#login.current?.tokens?.refresh === undefined) {
        // It may be the server that fails: the login is kept, and tried again later.
        this.#useless = { header: now, until: performance.now() + PAUSE_MS };
        return false;
      }
      await this.#refresh();
      return this.header() !== undefined;
    });
  }

  /** Only an authorization server that answers, and refuses, ends a login. Throws if there is no such answer. */
  async #refresh(): Promise<void> {
    const login = this.#login.current;
    if (login === undefined) return undefined;
    const known = this.#failedWithin(RECENT_MS);
    if (known !== undefined) throw known;
    try {
      const fresh = await refreshLogin(login, this.#fetch);
      this.#failure = undefined;
      return await this.#login.keep(fresh);
    } catch (thrown) {
      const error = signInError(thrown);
      // A registration that is not known any more is not used for the next sign-in either.
      if (error.reason === "client-refused") return this.#login.forget();
      if (error.reason === "refused") return this.#login.drop();
      this.#failure = { at: performance.now(), error };
      this.#options.unrenewed(error.message);
      throw error;
    }
  }

  /** Whether the server asks for more than the tokens are said to give; else a new sign-in would give the same. */
  #widens({ scope }: Challenge): boolean {
    return isStrictScopeSuperset(scope, this.#login.current?.tokens?.scope);
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
    const scope = computeScopeUnion(challenge.scope, this.#login.current?.tokens?.scope, this.#pendingScope);
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
      previous: this.#login.current,
      fetch: this.#fetch,
      isAwaited: false,
      keep: (login) => this.#login.alone(() => this.#login.keep(login)),
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
    const { problem } = this.#login;
    const why = problem === undefined ? "" : `${problem}. `;
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
