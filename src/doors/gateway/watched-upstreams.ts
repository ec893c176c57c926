// The gateway as its dashboard sees it: every upstream with its contract, its state, and a way to call it like any
// client. Loaded only if there is a dashboard.

import { basename } from "node:path";
import type { WatchedGateway, WatchedUpstream } from "./dashboard/dashboard-parts.ts";
import type { UpstreamNow } from "./dashboard/protocol/traffic.ts";
import { type Link, memoryLinks } from "../../engine/transport/link.ts";
import { openBridge } from "./bridge/bridge.ts";
import { termsOf } from "./bridge/bridge-options.ts";
import type { UpstreamOptions } from "./gateway-options.ts";
import type { ServedSource, ServedSet } from "./served-set.ts";
import { childUpstream } from "./upstream/child-upstream.ts";
import { openHttpUpstream } from "./upstream/http-upstream.ts";
import type { Upstream, UpstreamHealth } from "./upstream/upstream.ts";

export interface WatchedParts {
  readonly transport: WatchedGateway["transport"];
  readonly served: ServedSet;
  readonly config: WatchedGateway["config"];
  readonly urls: () => Readonly<Record<string, string>>;
  /** The state of an upstream; undefined before it is served. */
  readonly health: (name: string) => UpstreamHealth | undefined;
  /** Receives what servers write to stderr. */
  readonly serverNote?: ((upstream: string, line: string) => void) | undefined;
}

/** How a server is reached, without possible secrets: arguments, folders, a query, a password. */
function reachOf({ command, url }: UpstreamOptions): string {
  if (command !== undefined) return basename(command);
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** The page's own connections: for a command a separate process, so that no client's session is disturbed. */
class PageConnections {
  readonly #parts: WatchedParts;
  readonly #open = new Set<() => Promise<void>>();

  constructor(parts: WatchedParts) {
    this.#parts = parts;
  }

  async connect({ name, options, state }: ServedSource): Promise<Link> {
    const upstream = this.#upstream(name, options);
    const [client, far] = memoryLinks();
    const bridge = openBridge({
      state,
      client: far,
      upstream: upstream.connect({ principal: "page" }),
      ...termsOf(options),
      note: (text) => state.log.warn("gateway-dropped", { upstream: name, what: text }),
      onClose: () => void end(),
    });
    const end = async (): Promise<void> => {
      await upstream.close();
      this.#open.delete(close);
    };
    const close = async (): Promise<void> => {
      bridge.close();
      await end();
    };
    this.#open.add(close);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((close) => close()));
  }

  #upstream(name: string, options: UpstreamOptions): Upstream {
    if (options.url !== undefined) return openHttpUpstream(name, options);
    const { serverNote } = this.#parts;
    return childUpstream(name, options, { note: serverNote && ((line) => serverNote(name, line)) });
  }
}

export interface WatchedUpstreams extends WatchedGateway {
  /** Ends the connections that were opened for the page. */
  close(): Promise<void>;
}

/** The gateway for a dashboard. An upstream is the same object as long as it is served. */
export function watchUpstreams(parts: WatchedParts): WatchedUpstreams {
  const { transport, served, config, urls, health } = parts;
  const connections = new PageConnections(parts);
  const known = new WeakMap<ServedSource, WatchedUpstream>();
  const watch = (one: ServedSource): WatchedUpstream => {
    const { name, state, options } = one;
    const kind = options.url === undefined ? "command" : "url";
    const now = (): UpstreamNow => {
      const { state, reason, restarts } = health(name) ?? { state: "starting", restarts: 0 };
      return { name, kind, reach: reachOf(options), state, reason, restarts };
    };
    return { name, state, now, connect: () => connections.connect(one) };
  };
  const watched = (one: ServedSource): WatchedUpstream => {
    const made = known.get(one) ?? watch(one);
    known.set(one, made);
    return made;
  };
  return {
    transport,
    config,
    urls,
    ledger: served.ledger,
    redis: transport === "http" ? () => served.redis() : undefined,
    upstreams: () => served.all().map(watched),
    onChange: (listener) => served.onChange(listener),
    close: () => connections.close(),
  };
}
