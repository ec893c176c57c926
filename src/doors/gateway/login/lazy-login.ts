// The login of one caller at one server, loaded when it is needed: a server that asks for nothing costs one look for a
// file, and everything else waits until there is a login or the server refuses a request.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../../engine/observe/log-event.ts";
import type { CredentialRefusal, Credentials } from "../../../engine/transport/http/credentials.ts";
import type { HttpFailure } from "../../../engine/transport/http/http-failure.ts";
import type { OAuthOptions } from "../gateway-options.ts";
import { type Machine, loginFolder, thisMachine } from "../state-folder.ts";
import { type LoginKey, loginName, loginUrl } from "./login.ts";
import type { UpstreamLogin } from "./upstream-login.ts";

export interface LazyLoginOptions {
  /** The name of the upstream. */
  readonly name: string;
  readonly url: string;
  /** The caller over HTTP; "" for the user of this machine. */
  readonly caller: string;
  readonly own: OAuthOptions;
  readonly log: Log;
  /** The caller's browser is on this machine. */
  readonly isLocal: boolean;
  readonly signedIn: () => void;
  /** Where logins are kept. Default: this machine. */
  readonly machine?: Machine | undefined;
}

export class LazyLogin implements Credentials {
  readonly #options: LazyLoginOptions;
  readonly #key: LoginKey;
  readonly #hasLogin: boolean;
  #loading: Promise<UpstreamLogin> | undefined;
  #login: UpstreamLogin | undefined;

  constructor(options: LazyLoginOptions) {
    const { url, caller, machine = thisMachine() } = options;
    this.#options = options;
    this.#key = { url: loginUrl(url), caller };
    const folder = loginFolder(machine);
    this.#hasLogin = folder !== undefined && existsSync(join(folder, `${loginName(this.#key)}.json`));
  }

  header(): string | undefined {
    return this.#login?.header();
  }

  ready(): Promise<void> | undefined {
    if (this.#login !== undefined) return this.#login.ready();
    return this.#hasLogin ? this.#load().then((login) => login.ready()) : undefined;
  }

  async refused(refusal: CredentialRefusal): Promise<HttpFailure | undefined> {
    return (await this.#load()).refused(refusal);
  }

  /** Resolves when the open sign-in is finished, or after this time; true if the server lets us in. */
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
    const { name, caller, own, log, isLocal, signedIn, machine = thisMachine() } = this.#options;
    const [{ UpstreamLogin: Login }, { openLoginStore }] = await Promise.all([
      import("./upstream-login.ts"),
      import("./login-store.ts"),
    ]);
    const whose = { upstream: name, ...(caller === "" ? {} : { caller }) };
    const { clientId: id, clientSecret: secret, clientMetadataUrl: metadataUrl, scope } = own;
    return new Login({
      key: this.#key,
      own: { id, secret, metadataUrl, scope },
      store: openLoginStore(machine),
      isLocal,
      opened: (address) => log.warn("sign-in-needed", { ...whose, address }),
      signedIn: () => {
        log.info("signed-in", whose);
        signedIn();
      },
      failed: (why) => log.warn("sign-in-failed", { ...whose, why }),
      unrenewed: (why) => log.warn("login-not-renewed", { ...whose, why }),
      unkept: (error) => log.warn("login-not-kept", { ...whose, err: error }),
    });
  }
}
