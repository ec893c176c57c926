// Signing in for the one user of a gateway on stdio. A server that asks for nothing costs one look for a file: all else
// is loaded when there is a login, or when the server refuses a request.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../../engine/observe/log-event.ts";
import type { Credentials } from "../../../engine/transport/http/credentials.ts";
import type { Outgoing } from "../../../engine/transport/http/message-headers.ts";
import { outgoing } from "../../../engine/transport/http/message-headers.ts";
import { withoutRawParams } from "../../../engine/transport/raw-message.ts";
import type { OAuthOptions } from "../gateway-options.ts";
import { type Machine, loginFolder, thisMachine } from "../state-folder.ts";
import type { UpstreamSignIn } from "../upstream/http-upstream.ts";
import { loginName, loginUrl } from "./login.ts";
import { StandIn, isAnswered } from "./stand-in.ts";
import type { UpstreamLogin } from "./upstream-login.ts";

export interface StdioSignInOptions {
  readonly name: string;
  readonly url: string;
  readonly own: OAuthOptions;
  readonly log: Log;
  /** Where logins are kept. Default: this machine. */
  readonly machine?: Machine | undefined;
}

/** How long a call waits whose client has opened the address: less than the minute that clients wait by default. */
const WAIT_MS = 45_000;

export function stdioSignIn(options: StdioSignInOptions): UpstreamSignIn {
  const { name, log } = options;
  const standIn = new StandIn(name);
  const listeners: ((told: readonly Buffer[]) => void)[] = [];
  const login = new LazyLogin(options, () => {
    log.info("signed-in", { upstream: name });
    const told = standIn.completed();
    for (const listener of listeners) listener(told);
  });
  return {
    credentials: login,
    inPlace: (sent, failure) => standIn.answer(sent, failure),
    instead: (sent) => {
      if (sent.method === "initialize") standIn.greeted(sent.message);
      if (sent.method !== "tools/call" || !isAnswered(sent.message)) return undefined;
      return login.finished(WAIT_MS).then((isIn) => (isIn ? unanswered(sent) : sent));
    },
    onSignedIn: (listener) => void listeners.push(listener),
    close: () => login.close(),
  };
}

/** The call as the server would have got it at first: it did not ask for the answers in it. */
function unanswered(sent: Outgoing): Outgoing {
  return outgoing(withoutRawParams(sent.bytes, ["inputResponses", "requestState"])) ?? sent;
}

class LazyLogin implements Credentials {
  readonly #options: StdioSignInOptions;
  readonly #signedIn: () => void;
  readonly #hasLogin: boolean;
  #loading: Promise<UpstreamLogin> | undefined;
  #login: UpstreamLogin | undefined;

  constructor(options: StdioSignInOptions, signedIn: () => void) {
    this.#options = options;
    this.#signedIn = signedIn;
    const folder = loginFolder(options.machine ?? thisMachine());
    const key = { url: loginUrl(options.url), caller: "" };
    this.#hasLogin = folder !== undefined && existsSync(join(folder, `${loginName(key)}.json`));
  }

  header(): string | undefined {
    return this.#login?.header();
  }

  ready(): Promise<void> | undefined {
    if (this.#login !== undefined) return this.#login.ready();
    return this.#hasLogin ? this.#load().then((login) => login.ready()) : undefined;
  }

  async refused(refusal: Parameters<Credentials["refused"]>[0]) {
    const login = await this.#load();
    return login.refused(refusal);
  }

  async finished(waitMs: number): Promise<boolean> {
    return (await this.#load()).finished(waitMs);
  }

  close(): void {
    this.#login?.close();
  }

  #load(): Promise<UpstreamLogin> {
    this.#loading ??= this.#open().then((login) => (this.#login = login));
    return this.#loading;
  }

  async #open(): Promise<UpstreamLogin> {
    const { name, url, own, log, machine = thisMachine() } = this.#options;
    const [{ UpstreamLogin: Login }, { openLoginStore }] = await Promise.all([
      import("./upstream-login.ts"),
      import("./login-store.ts"),
    ]);
    return new Login({
      key: { url: loginUrl(url), caller: "" },
      own: {
        id: own.clientId,
        secret: own.clientSecret,
        metadataUrl: own.clientMetadataUrl,
        scope: own.scope,
      },
      store: openLoginStore(machine),
      opened: (address) => log.warn("sign-in-needed", { upstream: name, address }),
      signedIn: this.#signedIn,
      failed: (why) => log.warn("sign-in-failed", { upstream: name, why }),
    });
  }
}
