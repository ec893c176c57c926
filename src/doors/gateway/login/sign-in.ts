// One sign-in, from the address that a person opens to the tokens. It ends by the browser's return to this machine, by a
// pasted address, or after ten minutes.

import { type AttemptPlan, type Attempt, beginSignIn } from "./authorization.ts";
import { openLoopbackDoor, portIn } from "./loopback-door.ts";
import type { Login } from "./login.ts";
import { SignInError, signInError } from "./sign-in-error.ts";

export interface SignInPlan extends Omit<AttemptPlan, "redirectUri"> {
  readonly isAwaited: boolean;
  /** Keeps the login; only then the person reads that it is done. */
  readonly keep: (login: Login) => Promise<void>;
  /** How long it waits for a person. Default: ten minutes. */
  readonly timeoutMs?: number | undefined;
}

export interface PendingSignIn {
  /** A short address on this machine, for a browser here. */
  readonly address: string;
  /** The address at the authorization server, for a browser anywhere. */
  readonly authorizationAddress: string;
  /** Rejects with a SignInError. */
  readonly done: Promise<Login>;
  /** Takes what a person copied from the browser: the address it ended on, or the code alone. */
  paste(text: string): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 600_000;

export async function openSignIn(plan: SignInPlan): Promise<PendingSignIn> {
  const { isAwaited, keep, timeoutMs = TIMEOUT_MS, own, previous } = plan;
  let resolve: (login: Login) => void = () => undefined;
  let reject: (error: SignInError) => void = () => undefined;
  const done = new Promise<Login>((...settle) => ([resolve, reject] = settle));
  // A sign-in may fail while no caller waits for it.
  done.catch(() => undefined);
  let attempt: Attempt | undefined;
  let finishing: Promise<Login> | undefined;
  const returned = async (params: URLSearchParams): Promise<void> => {
    // A return that is not of this sign-in must not end it, and one that comes twice must not spend the code twice.
    if (attempt === undefined || params.get("state") !== attempt.state)
      throw new SignInError("other-state", "The browser came back from another sign-in than this one");
    finishing ??= finish(attempt, params);
    await finishing;
  };
  const finish = async (begun: Attempt, params: URLSearchParams): Promise<Login> => {
    try {
      const login = await begun.finish(params);
      await keep(login).catch((error: NodeJS.ErrnoException) => {
        throw new SignInError("not-kept", `The login cannot be kept (${error.code ?? "unknown reason"})`);
      });
      resolve(login);
      return login;
    } catch (error) {
      throw signInError(error);
    }
  };
  const wanted = own.id === undefined ? previous?.client.redirectUri : undefined;
  const door = await openLoopbackDoor(portIn(wanted), {
    isAwaited,
    target: () => attempt?.address.href,
    returned: (params) =>
      returned(params).then(
        () => ({ isGood: true, text: "You are signed in. You can close this page." }),
        (error: unknown) => {
          const failure = signInError(error);
          if (failure.reason !== "other-state") reject(failure);
          return { isGood: false, text: `${failure.message}.` };
        },
      ),
  });
  const expired = setTimeout(
    () => reject(new SignInError("expired", "The sign-in was not finished in time")),
    timeoutMs,
  );
  if (!isAwaited) expired.unref();
  const end = (): void => {
    clearTimeout(expired);
    door.close();
  };
  done.then(end, end);
  try {
    attempt = await beginSignIn({ ...plan, redirectUri: door.redirectUri });
  } catch (error) {
    reject(signInError(error));
    throw error;
  }
  const { address, state } = attempt;
  return {
    address: door.address,
    authorizationAddress: address.href,
    done,
    paste: async (text) => {
      try {
        await returned(pastedParams(text.trim(), state));
      } catch (error) {
        // A person may have pasted something else, and tries again.
        finishing = undefined;
        throw error;
      }
    },
    close: () => reject(new SignInError("expired", "The sign-in was given up")),
  };
}

/** A whole address says whose return it is; of a code alone the person who pastes it has to know. */
export function pastedParams(text: string, state: string): URLSearchParams {
  if (URL.canParse(text) && text.includes("?")) return new URL(text).searchParams;
  if (/(?:^|[?&])code=/.test(text)) return new URLSearchParams(text.replace(/^[^?]*\?/, ""));
  return new URLSearchParams({ code: text, state });
}
