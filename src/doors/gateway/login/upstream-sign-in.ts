// Signing in for one caller whose connections are links: the one user of a gateway on stdio, or a caller over HTTP at an
// address of several servers.

import type { Credentials } from "../../../engine/transport/http/credentials.ts";
import type { Outgoing } from "../../../engine/transport/http/message-headers.ts";
import { outgoing } from "../../../engine/transport/http/message-headers.ts";
import { withoutRawParams } from "../../../engine/transport/raw-message.ts";
import type { LinkSignIn, SignedInLink, UpstreamSignIn } from "../upstream/http-upstream.ts";
import { DISCOVER } from "../../../core/protocol/names.ts";
import { openTarget } from "../../../engine/transport/http/http-target.ts";
import { speaksModern } from "./promised-era.ts";
import { LazyLogin, type LazyLoginOptions } from "./lazy-login.ts";
import { StandIn, isAccepted } from "./stand-in.ts";

export interface SignInOptions extends Omit<LazyLoginOptions, "signedIn"> {
  /** Headers of every request to the server. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** How long a call waits whose client has opened the address: less than the minute that clients wait by default. */
const WAIT_MS = 45_000;

export class CallerSignIn implements UpstreamSignIn {
  readonly #options: SignInOptions;
  readonly #login: LazyLogin;
  readonly #links = new Map<SignedInLink, StandIn>();

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#login = new LazyLogin({ ...options, signedIn: () => this.#signedIn() });
  }

  get credentials(): Credentials {
    return this.#login;
  }

  attach(link: SignedInLink): LinkSignIn {
    const { name, caller } = this.#options;
    // Beside other servers the client is connected in any case, and wants to know why this one is missing.
    const standIn = new StandIn(name, { greetsWithoutAddress: caller !== "" });
    this.#links.set(link, standIn);
    return {
      inPlace: (sent, failure) => standIn.answer(sent, failure),
      instead: (sent) => this.#instead(sent, standIn, link),
      leave: () => void this.#links.delete(link),
    };
  }

  close(): void {
    this.#login.close();
  }

  #signedIn(): void {
    for (const [link, standIn] of this.#links) link.letIn(standIn.completed());
  }

  #instead(sent: Outgoing, standIn: StandIn, link: SignedInLink): Promise<Outgoing> | undefined {
    if (sent.method === "initialize") standIn.greeted(sent.message);
    const { promised } = standIn;
    if (promised !== undefined && sent.method !== DISCOVER && this.#login.header() !== undefined) {
      standIn.promised = undefined;
      return this.#confirm(promised, link).then(() => sent);
    }
    if (sent.method !== "tools/call" || !isAccepted(sent.message)) return undefined;
    return this.#login.finished(WAIT_MS).then((isIn) => (isIn ? unanswered(sent) : sent));
  }

  async #confirm(asked: Outgoing, link: SignedInLink): Promise<void> {
    const { url, headers } = this.#options;
    const target = { ...openTarget(url, headers), credentials: this.#login };
    const isKept = await speaksModern(target, asked);
    target.close();
    if (!isKept) link.end(otherEra);
  }
}

const otherEra =
  "the server speaks an earlier revision of the protocol than the client was told before the sign-in: connect again";

/** The call without the client's answers in it, for which the server did not ask. */
function unanswered(sent: Outgoing): Outgoing {
  return outgoing(withoutRawParams(sent.bytes, ["inputResponses", "requestState"])) ?? sent;
}
