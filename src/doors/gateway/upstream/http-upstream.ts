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

/** What a sign-in changes for a connection. */
export type SignedInLink = Pick<HttpLink, "letIn" | "end">;

/** What a connection gets in place of a server that has not let its caller in yet. */
export interface LinkSignIn extends Pick<HttpLinkOptions, "inPlace" | "instead"> {
  /** The connection has ended. */
  leave(): void;
}

/** Signs in to a server for one caller. */
export interface UpstreamSignIn {
  readonly credentials: Credentials;
  attach(link: SignedInLink): LinkSignIn;
}

export interface HttpUpstreamParts {
  /** Signs in for a caller; undefined: no one has to. */
  readonly signInOf?: ((principal: string) => UpstreamSignIn) | undefined;
  readonly health?: HttpHealth | undefined;
  /** Called when the last connection has ended. */
  readonly closed?: (() => void) | undefined;
}

/**
 * A server behind a URL as connections: each is one session. Their clients have no credentials of their own for the
 * server, so it sees the operator's headers, or those of the caller who signed in.
 */
export function openHttpUpstream(
  name: string,
  options: UrlUpstream,
  { signInOf, health = new HttpHealth(), closed: allClosed }: HttpUpstreamParts = {},
): Upstream {
  const target = openMcpTarget(options.url, options.headers, options);
  const links = new Map<HttpLink, () => void>();
  return {
    name,
    connect: ({ principal }: ConnectionOrigin, ended?: () => void): Link => {
      const signIn = signInOf?.(principal);
      const attached = signIn?.attach({
        letIn: (told) => link.letIn(told),
        end: (why) => link.end(why),
      });
      const link: HttpLink = new HttpLink({
        target: signIn === undefined ? target : { ...target, credentials: signIn.credentials },
        maxMessageBytes: options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
        startTimeoutMs: options.startTimeoutMs ?? START_TIMEOUT_MS,
        report: (failure) => {
          // The user is asked to sign in, which says nothing against the server.
          const isAsked = signIn !== undefined && failure !== undefined && isRefusal(failure.status);
          if (!isAsked) health.note(failure);
        },
        inPlace: attached?.inPlace,
        instead: attached?.instead,
        onClose: () => {
          attached?.leave();
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
      allClosed?.();
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
