import { createState } from "../../../engine/call/contract-state.ts";
import type { ContractOptions } from "../../../engine/settings/contract-options.ts";
import { listenToScope } from "../../../engine/call/call-scope.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { type LinkEnd, linkPair } from "../../../engine/transport/link-pair.fixture.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { type CommandHandlerOptions, commandHandler } from "./command-handler.ts";
import { type HttpListenerOptions, createHttpListener } from "../listen/http-listener.ts";
import type { AuthenticateHeaders } from "../listen/http-listener.ts";

/** What an SDK's server object or `serveStdio` connects to. */
export class LinkTransport {
  onmessage: ((message: never) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  async start(): Promise<void> {
    this.#link.listen({
      message: (bytes) => this.onmessage?.(JSON.parse(bytes.toString()) as never),
      oversized: () => undefined,
      closed: () => this.onclose?.(),
    });
  }

  async send(message: unknown): Promise<void> {
    this.#link.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.#link.close();
    this.onclose?.();
  }
}

/** Plays the server's part on its end of a connection. */
export type Serve = (end: LinkEnd) => void;

export interface MemoryUpstream extends Upstream {
  /** The servers' ends of all connections so far. */
  readonly ends: LinkEnd[];
}

/** An upstream in this process: each connection is served by a server of its own. */
export function memoryUpstream(serve: Serve): MemoryUpstream {
  const ends: LinkEnd[] = [];
  return {
    name: "memory",
    ends,
    connect: (_origin, ended) => {
      const [ours, theirs] = linkPair();
      ends.push(theirs);
      serve(theirs);
      return {
        send: (message) => ours.send(message),
        listen: (listener) =>
          ours.listen({
            ...listener,
            closed: (why) => {
              ended?.();
              listener.closed(why);
            },
          }),
        close: () => {
          ours.close();
          ended?.();
        },
      };
    },
    health: () => ({ state: "up", restarts: 0 }),
    close: async () => undefined,
  };
}

export interface FixtureOptions {
  readonly contract?: ContractOptions;
  readonly command?: Partial<CommandHandlerOptions>;
  readonly http?: Partial<HttpListenerOptions>;
  readonly authenticate?: AuthenticateHeaders;
}

/** A gateway on loopback in front of one upstream, at `/memory/mcp`. */
export async function openGateway(upstream: Upstream, options: FixtureOptions = {}) {
  listenToScope();
  const state = createState({ logLevel: "silent", dialect: "auto", ...options.contract });
  const handler = commandHandler({ state, upstream, ...options.command });
  const authenticate: AuthenticateHeaders =
    options.authenticate ??
    (async (headers) => ({ kind: "ok", principal: "anyone", authInfo: undefined, headers }));
  const served = new Map([["memory", { authenticate, handle: handler.handle, health: handler.health }]]);
  const listener = createHttpListener({ port: 0, upstreams: () => served, ...options.http });
  const { urls } = await listener.listen();
  return {
    url: new URL(urls["memory"] ?? ""),
    listener,
    handler,
    close: async () => {
      await handler.close();
      await listener.close();
    },
  };
}
