// Over HTTP every caller that the gateway has checked has a login of its own at the server.

import type { CredentialRefusal, Credentials } from "../../../engine/transport/http/credentials.ts";
import type { HttpFailure } from "../../../engine/transport/http/http-failure.ts";
import { CallerSignIn, type SignInOptions } from "./upstream-sign-in.ts";

export type CallerLoginsOptions = Omit<SignInOptions, "caller">;

/** Callers whose logins are kept in memory; those of others are read again. */
const MAX_CALLERS = 1_000;
const BAD_GATEWAY = 502;

export class CallerLogins {
  readonly #options: CallerLoginsOptions;
  /** In the order of use. */
  readonly #signIns = new Map<string, CallerSignIn>();

  constructor(options: CallerLoginsOptions) {
    this.#options = options;
  }

  /** For requests that are passed on one by one. */
  credentialsOf(caller: string): Credentials {
    const { credentials } = this.signInOf(caller);
    return {
      header: () => credentials.header(),
      ready: () => credentials.ready(),
      refused: (refusal) => refusedTo(credentials, refusal),
    };
  }

  /** For connections of the caller. */
  signInOf(caller: string): CallerSignIn {
    const signIn = this.#signIns.get(caller) ?? new CallerSignIn({ ...this.#options, caller });
    this.#signIns.delete(caller);
    this.#signIns.set(caller, signIn);
    const [oldest] = this.#signIns.keys();
    if (this.#signIns.size > MAX_CALLERS && oldest !== undefined) {
      this.#signIns.get(oldest)?.close();
      this.#signIns.delete(oldest);
    }
    return signIn;
  }

  close(): void {
    for (const signIn of this.#signIns.values()) signIn.close();
  }
}

/** A 401 of ours would say that the caller's own token is wrong. */
async function refusedTo(login: Credentials, refusal: CredentialRefusal): Promise<HttpFailure | undefined> {
  const failure = await login.refused(refusal);
  return failure && { ...failure, status: BAD_GATEWAY };
}
