// Signing in for the one user of a gateway on stdio.

import type { Log } from "../../../engine/observe/log-event.ts";
import type { Outgoing } from "../../../engine/transport/http/message-headers.ts";
import { outgoing } from "../../../engine/transport/http/message-headers.ts";
import { withoutRawParams } from "../../../engine/transport/raw-message.ts";
import type { OAuthOptions } from "../gateway-options.ts";
import type { Machine } from "../state-folder.ts";
import type { UpstreamSignIn } from "../upstream/http-upstream.ts";
import { DISCOVER } from "../../../core/protocol/names.ts";
import { openTarget } from "../../../engine/transport/http/http-target.ts";
import { speaksModern } from "./promised-era.ts";
import { LazyLogin } from "./lazy-login.ts";
import { StandIn, isAccepted } from "./stand-in.ts";

export interface StdioSignInOptions {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly own: OAuthOptions;
  readonly log: Log;
  /** Where logins are kept. Default: this machine. */
  readonly machine?: Machine | undefined;
}

/** How long a call waits whose client has opened the address: less than the minute that clients wait by default. */
const WAIT_MS = 45_000;

export function stdioSignIn(options: StdioSignInOptions): UpstreamSignIn {
  const { name, url, headers } = options;
  const standIn = new StandIn(name);
  const listeners: ((told: readonly Buffer[]) => void)[] = [];
  const login = new LazyLogin({
    ...options,
    caller: "",
    isLocal: true,
    signedIn: () => {
      const told = standIn.completed();
      for (const listener of listeners) listener(told);
    },
  });
  const ends: ((why: string) => void)[] = [];
  const confirm = async (asked: Outgoing): Promise<void> => {
    const target = { ...openTarget(url, headers), credentials: login };
    const isKept = await speaksModern(target, asked);
    target.close();
    if (!isKept) for (const end of ends) end(otherEra);
  };
  return {
    credentials: login,
    inPlace: (sent, failure) => standIn.answer(sent, failure),
    instead: (sent) => {
      if (sent.method === "initialize") standIn.greeted(sent.message);
      const { promised } = standIn;
      if (promised !== undefined && sent.method !== DISCOVER && login.header() !== undefined) {
        standIn.promised = undefined;
        return confirm(promised).then(() => sent);
      }
      if (sent.method !== "tools/call" || !isAccepted(sent.message)) return undefined;
      return login.finished(WAIT_MS).then((isIn) => (isIn ? unanswered(sent) : sent));
    },
    onSignedIn: (listener) => void listeners.push(listener),
    onEnd: (end) => void ends.push(end),
    close: () => login.close(),
  };
}

const otherEra =
  "the server speaks an earlier revision of the protocol than the client was told before the sign-in: connect again";

/** The call without the client's answers in it, for which the server did not ask. */
function unanswered(sent: Outgoing): Outgoing {
  return outgoing(withoutRawParams(sent.bytes, ["inputResponses", "requestState"])) ?? sent;
}
