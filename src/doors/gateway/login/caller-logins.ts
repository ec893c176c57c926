// Over HTTP every caller that the gateway has checked has a login of its own at the server.

import type { CredentialRefusal, Credentials } from "../../../engine/transport/http/credentials.ts";
import type { HttpFailure } from "../../../engine/transport/http/http-failure.ts";
import { LazyLogin, type LazyLoginOptions } from "./lazy-login.ts";

export type CallerLoginsOptions = Omit<LazyLoginOptions, "caller" | "signedIn">;

/** Callers whose logins are kept in memory; those of others are read again. */
const MAX_CALLERS = 1_000;
const BAD_GATEWAY = 502;

export class CallerLogins {
  readonly #options: CallerLoginsOptions;
  /** In the order of use. */
  readonly #logins = new Map<string, LazyLogin>();

  constructor(options: CallerLoginsOptions) {
    this.#options = options;
  }

  of(caller: string): Credentials {
    const login = this.#loginOf(caller);
    return {
      header: () => login.header(),
      ready: () => login.ready(),
      refused: (refusal) => refusedTo(login, refusal),
    };
  }

  #loginOf(caller: string): LazyLogin {
    const known = this.#logins.get(caller);
    const login = known ?? new LazyLogin({ ...this.#options, caller, signedIn: () => undefined });
    this.#logins.delete(caller);
    this.#logins.set(caller, login);
    const [oldest] = this.#logins.keys();
    if (this.#logins.size > MAX_CALLERS && oldest !== undefined) {
      this.#logins.get(oldest)?.close();
      this.#logins.delete(oldest);
    }
    return login;
  }

  close(): void {
    for (const login of this.#logins.values()) login.close();
  }
}

/** A 401 of ours would say that the caller's own token is wrong. */
async function refusedTo(login: LazyLogin, refusal: CredentialRefusal): Promise<HttpFailure | undefined> {
  const failure = await login.refused(refusal);
  return failure && { ...failure, status: BAD_GATEWAY };
}
