// One endpoint for several servers of a gateway: what they have in common for all connections, and the processes that
// modern requests share.

import { createRequire } from "node:module";
import type { Handover } from "../../../engine/request/call-request.ts";
import type { Log } from "../../../engine/observe/log-event.ts";
import type { SharedRedis } from "../../../engine/archive/redis/shared-redis.ts";
import { mergeFolder } from "../state-folder.ts";
import { openBridge } from "../bridge/bridge.ts";
import { termsOf } from "../bridge/bridge-options.ts";
import { IDLE_MS, MAX_PROCESSES } from "../bridge/command-handler.ts";
import { CommandProcesses, handoverOf } from "../bridge/command-processes.ts";
import type { NoteRefusal, RequestFacts } from "../listen/http-listener.ts";
import type { ServedSource } from "../served-set.ts";
import type { ConnectionOrigin, Upstream } from "../upstream/upstream.ts";
import { KnownLists } from "./known-lists.ts";
import type { PrefixMode } from "./merged-names.ts";
import { type MergedServer, MergedServers, type MergedServersOptions } from "./merged-servers.ts";
import { type KnownEra, modernFace } from "./modern-face.ts";
import type { ModernCaller } from "./modern-merge.ts";
import { OneExchange } from "./one-exchange.ts";
import { sharedLists } from "./shared-lists.ts";
import { SessionServers } from "./session-servers.ts";

export interface EndpointServer extends MergedServer {
  readonly upstream: Upstream;
  /** The connections for modern requests. */
  readonly processes: CommandProcesses;
}

export interface EndpointOptions {
  /** The servers, in the order of the configuration. */
  readonly sources: readonly ServedSource[];
  readonly prefix?: PrefixMode | undefined;
  /** How each is reached. The code that opened them closes them, after the endpoint. */
  readonly upstreams: ReadonlyMap<ServedSource, Upstream>;
  readonly log: Log;
  /** Where the last lists are kept. Default: a folder of the user. */
  readonly folder?: string | undefined;
  /** Keeps them in place of a folder, for all replicas. */
  readonly redis?: SharedRedis | undefined;
  /** For the access log; `path` is where the endpoint is, undefined on stdio. */
  readonly noteRefusal?: NoteRefusal | undefined;
  readonly path?: string | undefined;
  /** How long a server that was given up is left alone. Default: 30,000. */
  readonly retryMs?: number | undefined;
  readonly listMs?: MergedServersOptions["listMs"];
}

/** Connections to a URL cost no process. */
const MAX_CONNECTIONS = 1_000;

function packageVersion(): string {
  try {
    const { version } = createRequire(import.meta.url)("waybill/package.json") as { version: string };
    return version;
  } catch {
    return "0";
  }
}

const nowhere: Handover = { extra: undefined, sessionId: undefined };

/** The facts of the caller as one server knows them. */
export function factsFor(facts: RequestFacts, server: string): RequestFacts {
  const { authInfo, headers, principal } = facts.each?.get(server) ?? facts;
  return { ...facts, authInfo, headers, principal };
}

export class MergedEndpoint {
  readonly servers: MergedServers;
  readonly version = packageVersion();
  readonly retryMs: number | undefined;
  readonly note: (text: string) => void;
  readonly #servers: readonly EndpointServer[];

  constructor(options: EndpointOptions) {
    const { sources, prefix = "collision", log, redis, retryMs } = options;
    const folder = redis === undefined ? (options.folder ?? mergeFolder()) : undefined;
    const shared = redis && sharedLists(redis);
    this.retryMs = retryMs;
    this.note = (text) => log.warn("gateway-dropped", { what: text });
    let isTold = false;
    const failed = (error: unknown): void => {
      if (!isTold) log.warn("lists-not-kept", { err: error });
      isTold = true;
    };
    this.#servers = sources.flatMap((source) => {
      const upstream = options.upstreams.get(source);
      return upstream === undefined ? [] : [this.#open(source, upstream, { folder, shared, failed })];
    });
    const { noteRefusal, path, listMs } = options;
    this.servers = new MergedServers({
      servers: this.#servers,
      prefix,
      listMs,
      refused: ({ name, code, caller }) =>
        noteRefusal?.(
          { status: 200, code, message: "" },
          { method: "tools/call", path, tool: name, caller, durationMs: 0 },
        ),
    });
  }

  #open(
    source: ServedSource,
    upstream: Upstream,
    kept: ConstructorParameters<typeof KnownLists>[1],
  ): EndpointServer {
    const { name, options, state } = source;
    const era: KnownEra = { era: undefined };
    const isCommand = options.command !== undefined;
    const maxProcesses = isCommand ? (options.maxProcesses ?? MAX_PROCESSES) : MAX_CONNECTIONS;
    const maxPerCaller = isCommand ? (options.maxProcessesPerCaller ?? maxProcesses) : MAX_CONNECTIONS;
    const processes = new CommandProcesses(modernFace(upstream, era, this.version), {
      maxProcesses,
      maxPerCaller,
      idleMs: (isCommand ? options.idleMs : undefined) ?? IDLE_MS,
      note: (text) => state.log.warn("gateway-dropped", { upstream: name, what: text }),
    });
    return { name, options, state, upstream, processes, known: new KnownLists(options, kept) };
  }

  /** The servers that a caller may use. */
  serversOf({ each }: ConnectionOrigin): readonly EndpointServer[] {
    return each === undefined ? this.#servers : this.#servers.filter(({ name }) => each.has(name));
  }

  server(name: string): EndpointServer | undefined {
    return this.#servers.find((server) => server.name === name);
  }

  /** The fewest processes that a command of the endpoint may have: a legacy connection takes one of each. */
  get maxSessions(): number {
    const limits = this.#servers.map(({ options }) =>
      options.command === undefined ? MAX_CONNECTIONS : (options.maxProcesses ?? MAX_PROCESSES),
    );
    return Math.min(...limits);
  }

  /** As the one upstream of all legacy connections. */
  asUpstream(name: string): Upstream {
    return {
      name,
      connect: (origin, ended) => new SessionServers(this, origin, ended),
      health: () => ({ state: "up", restarts: 0 }),
      close: async () => undefined,
    };
  }

  /** One caller of the modern era; on stdio, the user. */
  callerOf(facts: RequestFacts, isLocal = false): ModernCaller {
    const handoverFor = (server: string): Handover =>
      isLocal ? nowhere : handoverOf(factsFor(facts, server), undefined);
    return {
      servers: this.serversOf(facts),
      handover: handoverFor,
      exchange: async ({ name }, body, to) => {
        const server = this.server(name);
        if (server === undefined) return undefined;
        const own = factsFor(facts, name);
        const process = server.processes.shared(own.principal) ?? (await server.processes.openShared(own));
        if (typeof process === "string") return undefined;
        const exchange = new OneExchange(body, to);
        const { state, options } = server;
        openBridge({
          state,
          client: exchange,
          upstream: process.link.share(),
          handover: () => handoverFor(name),
          ...termsOf(options),
          isJudged: true,
          note: (text) => state.log.warn("gateway-dropped", { upstream: name, what: text }),
        });
        return exchange;
      },
    };
  }

  async close(): Promise<void> {
    this.servers.close();
    for (const { processes } of this.#servers) processes.close();
    await Promise.all(this.#servers.map(({ known }) => known.settled()));
  }
}
