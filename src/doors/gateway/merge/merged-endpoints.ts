// The addresses of a gateway over HTTP that serve several servers: `/mcp` for all, `/NAME/mcp` for a group. They follow
// the configuration as the servers themselves do.

import type { Log } from "../../../engine/observe/log-event.ts";
import type { GatewayOptions } from "../gateway-options.ts";
import { DrainingHandlers, type DrainingHandler } from "../listen/draining-handlers.ts";
import type { ServedUpstream } from "../listen/http-listener.ts";
import type { ServedSource } from "../served-set.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { type EndpointOptions, MergedEndpoint } from "./merged-endpoint.ts";
import { type OfServer, authenticateEach, mergedHandler } from "./merged-handler.ts";

/** The name of the endpoint of all servers, which is at `/mcp`. */
export const ALL = "";
const ALL_PATH = "/mcp";

/** One server of the gateway as it is served now. */
export interface SourceInUse {
  readonly source: ServedSource;
  readonly upstream: Upstream;
}

export interface EndpointsOptions extends Pick<
  EndpointOptions,
  "folder" | "redis" | "retryMs" | "listMs" | "noteRefusal"
> {
  readonly log: Log;
  readonly ofServer: OfServer;
  /** Called for each request that no server of an endpoint admits: with the group, or `/mcp` for all servers. */
  readonly onRefused?: ((name: string, reason: string) => void) | undefined;
}

interface Member extends DrainingHandler {
  readonly endpoint: MergedEndpoint;
  readonly uses: readonly SourceInUse[];
  readonly prefix: string | undefined;
}

type Wanted = Pick<GatewayOptions, "merge" | "endpoints">;

/** A caller's own token goes to one server only. */
function canBeMerged({ auth }: GatewayOptions["upstreams"][string]): boolean {
  return auth !== "passthrough";
}

/** The names of the servers behind each endpoint. With one server `/mcp` is its alias, and no endpoint. */
function groupsOf(
  sources: ReadonlyMap<string, SourceInUse>,
  { endpoints = {} }: Wanted,
): ReadonlyMap<string, readonly string[]> {
  const all = [...sources].filter(([, { source }]) => canBeMerged(source.options)).map(([name]) => name);
  const groups = Object.entries(endpoints).map(
    ([name, names]) => [name, names.filter((one) => sources.has(one))] as const,
  );
  return new Map(
    [...(all.length > 1 ? [[ALL, all] as const] : []), ...groups].filter(([, names]) => names.length > 0),
  );
}

export class MergedEndpoints {
  readonly #options: EndpointsOptions;
  readonly #handlers: DrainingHandlers<Member>;
  #served: ReadonlyMap<string, ServedUpstream> = new Map();

  constructor(options: EndpointsOptions) {
    this.#options = options;
    this.#handlers = new DrainingHandlers({
      onFailure: (name, error) => options.log.error("endpoint-not-closed", { endpoint: name, err: error }),
    });
  }

  /** By name, as the listener serves them. */
  served(): ReadonlyMap<string, ServedUpstream> {
    return this.#served;
  }

  apply(sources: ReadonlyMap<string, SourceInUse>, wanted: Wanted): void {
    const groups = groupsOf(sources, wanted);
    for (const [name] of this.#handlers.members.entries())
      if (!groups.has(name)) this.#handlers.members.remove(name);
    for (const [name, servers] of groups) {
      const uses = servers.flatMap((one) => sources.get(one) ?? []);
      const prefix = wanted.merge?.prefix;
      const known = this.#handlers.members.get(name);
      const isSame =
        known?.prefix === prefix &&
        known?.uses.length === uses.length &&
        known.uses.every((one, at) => one === uses[at]);
      if (!isSame) this.#handlers.members.set(name, this.#open(name, uses, prefix));
    }
    this.#served = new Map(this.#handlers.members.entries().map(([name]) => [name, this.#serve(name)]));
  }

  async close(): Promise<void> {
    this.#served = new Map();
    await this.#handlers.members.close();
  }

  #open(name: string, uses: readonly SourceInUse[], prefix: Member["prefix"]): Member {
    const { log, folder, redis, retryMs, listMs, noteRefusal } = this.#options;
    const upstreams = new Map(uses.map(({ source, upstream }) => [source, upstream]));
    const endpoint = new MergedEndpoint({
      sources: uses.map(({ source }) => source),
      upstreams,
      prefix: prefix === "always" ? "always" : "collision",
      log,
      folder,
      redis,
      retryMs,
      listMs,
      noteRefusal,
      path: name === ALL ? ALL_PATH : `/${encodeURIComponent(name)}/mcp`,
    });
    const { handle, knows, close } = mergedHandler(endpoint, name);
    return {
      endpoint,
      uses,
      prefix,
      handle,
      knows,
      close: async () => {
        await close();
        await endpoint.close();
      },
    };
  }

  #serve(name: string): ServedUpstream {
    return {
      authenticate: async (headers) => {
        const member = this.#handlers.members.get(name);
        if (member === undefined) return { kind: "ok", principal: "", authInfo: undefined, headers };
        const verdict = await authenticateEach(headers, member.endpoint, this.#options.ofServer);
        if (verdict.kind === "refused")
          this.#options.onRefused?.(name === ALL ? ALL_PATH : name, verdict.reason);
        return verdict;
      },
      handle: (request, response, facts) => this.#handlers.handle(name, request, response, facts),
      health: () => ({ state: "up", restarts: 0 }),
    };
  }
}
