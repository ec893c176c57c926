// What `waybill login`, `logout` and `logins` do, without a terminal: the command line prints and asks.

import { type OwnClient, revokeLogin } from "./authorization.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { type Login, loginUrl } from "./login.ts";
import type { KeptLogin, LoginStore } from "./login-store.ts";
import { type PendingSignIn, openSignIn } from "./sign-in.ts";
import { signInError } from "./sign-in-error.ts";
import { UnreadableLogin } from "./sealed-text.ts";
import { challengeIn } from "./upstream-login.ts";

/** What a server said to a request without credentials. */
export interface ServerProbe {
  readonly status: number;
  readonly challenge: string | undefined;
}

/** Asks a server what it wants. Throws a SignInError if it cannot be reached. */
export async function probeServer(url: string): Promise<ServerProbe> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  try {
    const answer = await guardedFetch(url)(url, { method: "POST", headers, body });
    return { status: answer.status, challenge: answer.headers.get("www-authenticate") ?? undefined };
  } catch (error) {
    throw signInError(error);
  }
}

export interface TerminalSignIn {
  readonly url: string;
  /** A caller of a gateway over HTTP; "" for the user of this machine. */
  readonly caller: string;
  readonly own: OwnClient;
  readonly store: LoginStore;
  readonly probe: ServerProbe;
  readonly timeoutMs: number;
  /** Called when a person can begin. */
  readonly opened: (pending: PendingSignIn) => void;
}

/** Signs the user of this machine in, and keeps the login. */
export async function signInFromTerminal({
  url,
  caller,
  own,
  store,
  probe,
  timeoutMs,
  opened,
}: TerminalSignIn): Promise<Login> {
  const key = { url: loginUrl(url), caller };
  const pending = await openSignIn({
    key,
    own,
    previous: await previousLogin(store, key),
    challenge: challengeIn(probe),
    fetch: guardedFetch(key.url),
    isAwaited: true,
    keep: (login) => store.locked(key, () => store.write(login)),
    timeoutMs,
  });
  opened(pending);
  return pending.done;
}

/** One that cannot be read is replaced. */
async function previousLogin(
  store: LoginStore,
  key: Parameters<LoginStore["read"]>[0],
): Promise<Login | undefined> {
  try {
    return await store.read(key);
  } catch (error) {
    if (error instanceof UnreadableLogin) return undefined;
    throw error;
  }
}

/** Forgets a login here, and asks its authorization server to do so too; whether it did. */
export async function signOut(store: LoginStore, kept: KeptLogin): Promise<{ readonly isRevoked: boolean }> {
  return store.locked(kept, async () => {
    await store.remove(kept);
    const isRevoked = kept.login !== undefined && (await revokeLogin(kept.login, guardedFetch(kept.url)));
    return { isRevoked };
  });
}
