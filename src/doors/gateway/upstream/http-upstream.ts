import type { UrlUpstream } from "../gateway-options.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { MAX_MESSAGE_BYTES } from "../../../engine/transport/stream-link.ts";
import type { HttpFailure } from "../../../engine/transport/http/http-failure.ts";
import { HttpLink, type HttpLinkOptions } from "../../../engine/transport/http/http-link.ts";
import type { Credentials } from "../../../engine/transport/http/credentials.ts";
import { isRefusal } from "../../../engine/transport/http/sign-of-life.ts";
import { openMcpTarget } from "../../../engine/transport/http/old-transport/old-transport.ts";
import type { ConnectionOrigin, Upstream, UpstreamHealth } from "./upstream.ts";

/** How long the first answer may take. Default: 60,000. */
export const START_TIMEOUT_MS = 60_000;

/** The state of a server, judged by the last request to it that showed one. */
export class HttpHealth {
  readonly #changed: ((health: UpstreamHealth) => void) | undefined;
  #isKnown = false;
  #failure: HttpFailure | undefined;

  /** `changed`: for a server that is not probed; called after every request that showed a state. */
  constructor(changed?: (health: UpstreamHealth) => void) {
    this.#changed = changed;
  }

  /**
   * Called after every request; undefined is a sign of life. A failure of one request alone (its address, its
   * credentials, its time) shows neither that the server can be called nor that it cannot: what is known stays.
   */
  note(failure: HttpFailure | undefined): void {
    // Where nothing else asks, the first request has to tell.
    const isFirst = this.#changed !== undefined && !this.#isKnown;
    if (failure !== undefined && !failure.isDown && !isFirst) return;
    this.#isKnown = failure === undefined || failure.isDown;
    this.#failure = failure;
    this.#changed?.(this.get());
  }

  get(): UpstreamHealth {
    if (this.#failure !== undefined) return { state: "down", reason: this.#failure.message, restarts: 0 };
    return { state: this.#isKnown ? "up" : "starting", restarts: 0 };
  }
}

/** Signs in to a server for a client on stdio. */
export interface UpstreamSignIn extends Pick<HttpLinkOptions, "inPlace" | "instead"> {
  readonly credentials: Credentials;
  /** Called when the server lets us in, with what clients hear then. */
  onSignedIn(listener: (told: readonly Buffer[]) => void): void;
  /** Called with the reason if no connection can go on. */
  onEnd(listener: (why: string) => void): void;
  close(): void;
}

/** What connections of several callers share. */
interface SharedHttp {
  /** The login of each caller, where callers have logins of their own. */
  readonly credentialsOf?: ((principal: string) => Credentials) | undefined;
  readonly health?: HttpHealth | undefined;
}

/**
 * A server behind a URL, for a client on stdio: each connection is one session. Such a client has
 * no credentials of its own, so the server sees the operator's headers, or those of the user who signed in.
 */
export function openHttpUpstream(
  name: string,
  options: UrlUpstream,
  signIn?: UpstreamSignIn,
  { credentialsOf, health = new HttpHealth() }: SharedHttp = {},
): Upstream {
  const target = {
    ...openMcpTarget(options.url, options.headers, options),
    credentials: signIn?.credentials,
  };
  const links = new Map<HttpLink, () => void>();
  signIn?.onSignedIn((told) => {
    for (const link of links.keys()) link.letIn(told);
  });
  signIn?.onEnd((why) => {
    for (const link of links.keys()) link.end(why);
  });
  return {
    name,
    connect: ({ principal }: ConnectionOrigin, ended?: () => void): Link => {
      const credentials = credentialsOf?.(principal);
      const link = new HttpLink({
        target: credentials === undefined ? target : { ...target, credentials },
        maxMessageBytes: options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
        startTimeoutMs: options.startTimeoutMs ?? START_TIMEOUT_MS,
        report: (failure) => {
          // The user is asked to sign in, which says nothing against the server.
          const isAsked = signIn !== undefined && failure !== undefined && isRefusal(failure.status);
          if (!isAsked) health.note(failure);
        },
        inPlace: signIn?.inPlace,
        instead: signIn?.instead,
        onClose: () => {
          links.get(link)?.();
          ended?.();
        },
      });
      links.set(link, () => void links.delete(link));
      return link;
    },
    health: () => health.get(),
    close: async () => {
      await Promise.all([...links.keys()].map((link) => closed(links, link)));
      signIn?.close();
      target.close();
    },
  };
}

/** Resolves once a link has ended its session at the server. */
function closed(links: Map<HttpLink, () => void>, link: HttpLink): Promise<void> {
  return new Promise((resolve) => {
    links.set(link, () => {
      links.delete(link);
      resolve();
    });
    link.close();
  });
}
