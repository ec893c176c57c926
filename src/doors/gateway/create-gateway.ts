// Assembles the gateway: options become contracts and upstreams, and one listener serves them on stdio or over HTTP.

import type { DashboardOptions } from "./dashboard/dashboard-parts.ts";
import { keepLink } from "./keep-link.ts";
import type { OpenedDashboard } from "./dashboard/open-dashboard.ts";
import { openBridge } from "./bridge/bridge.ts";
import { termsOf } from "./bridge/bridge-options.ts";
import { oauthOf } from "./auth/auth-options.ts";
import type { Log } from "../../engine/observe/log-event.ts";
import { checkGatewayOptions } from "./check-gateway-options.ts";
import type {
  Gateway,
  GatewayAddresses,
  GatewayEnd,
  GatewayOptions,
  GatewaySummary,
  HttpOptions,
  UpstreamOptions,
} from "./gateway-options.ts";
import {
  type EarlyServer,
  type StdioListener,
  type StdioStreams,
  connectOnStdio,
  listenOnStdio,
} from "./bridge/stdio.ts";
import { ServedSet, type ServedSource } from "./served-set.ts";
import { localTenant } from "./upstream-contract.ts";
import { childUpstream } from "./upstream/child-upstream.ts";
import { healthLog } from "./upstream/health-log.ts";
import type { Upstream, UpstreamHealth } from "./upstream/upstream.ts";

/** On stdio the SDKs end the connection at a longer line. */
const MAX_STDIO_BYTES = 10 * 1024 * 1024;

/** Extra options for callers inside this package: their own streams, and a server that is already started. */
export interface GatewayParts extends StdioStreams {
  readonly early?: EarlyServer | undefined;
  /** The upstreams come from the configuration file, so they change with it. */
  readonly followsFile?: boolean | undefined;
  /** Receives what servers write to stderr. Default: this process's stderr, prefixed with the server's name. */
  readonly serverNote?: ServerNote | undefined;
  /** Receives a link to the dashboard when a browser came without one. Default: this process's stderr. */
  readonly announce?: ((link: string) => void) | undefined;
  /** The folder of the built dashboard page. Default: in the package. */
  readonly pageFolder?: string | undefined;
}

type ServerNote = (upstream: string, line: string) => void;

/** Serves upstreams, on stdio or over HTTP. */
interface Listener extends Pick<GatewayAddresses, "merged" | "endpoints"> {
  readonly urls: Readonly<Record<string, string>>;
  health(name: string): UpstreamHealth | undefined;
  close(): Promise<void>;
}

/** Code for HTTP is loaded only if HTTP is used, and that for signing in only if a user has to sign in. */
async function openUpstream(
  name: string,
  options: UpstreamOptions,
  note: ServerNote | undefined,
  log: Log,
): Promise<Upstream> {
  const changed = healthLog(log, name);
  if (options.url === undefined)
    return childUpstream(name, options, { note: note && ((line) => note(name, line)), changed });
  const { HttpHealth, openHttpUpstream } = await import("./upstream/http-upstream.ts");
  const health = new HttpHealth(changed);
  const own = oauthOf(options.auth);
  if (own === undefined) return openHttpUpstream(name, options, { health });
  const { CallerSignIn } = await import("./login/upstream-sign-in.ts");
  const { url, headers } = options;
  const signIn = new CallerSignIn({ name, url, headers, caller: "", own, log, isLocal: true });
  return openHttpUpstream(name, options, {
    signInOf: () => signIn,
    health,
    closed: () => signIn.close(),
  });
}

class RunningGateway implements Gateway {
  readonly #options: GatewayOptions;
  readonly #parts: GatewayParts;
  readonly #served: ServedSet;
  readonly #ended: Promise<GatewayEnd>;
  #end: (end: GatewayEnd) => void = () => undefined;
  #listening: Promise<GatewayAddresses> | undefined;
  #listener: Listener | undefined;
  #dashboard: OpenedDashboard | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: GatewayOptions, parts: GatewayParts) {
    this.#options = options;
    this.#parts = parts;
    this.#served = new ServedSet(options);
    this.#ended = new Promise((resolve) => (this.#end = resolve));
  }

  listen(): Promise<GatewayAddresses> {
    this.#listening ??= this.#listen();
    return this.#listening;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  ended(): Promise<GatewayEnd> {
    return this.#ended;
  }

  summary(): Promise<GatewaySummary> {
    return this.#served.summary();
  }

  /** The dashboard opens first, so that it sees every call; if it cannot be opened, nothing starts. */
  async #listen(): Promise<GatewayAddresses> {
    const { http, dashboard, accessLog } = this.#options;
    if (accessLog !== undefined) await this.#served.openAccessLog();
    await this.#served.openDebugLines();
    if (dashboard !== undefined) this.#dashboard = await this.#openDashboard(dashboard);
    try {
      this.#listener = http === undefined ? await this.#onStdio() : await this.#overHttp(http);
    } catch (error) {
      await this.#dashboard?.close();
      throw error;
    }
    const { urls, merged, endpoints = {} } = this.#listener;
    return {
      urls,
      ...(merged === undefined ? {} : { merged }),
      ...(Object.keys(endpoints).length === 0 ? {} : { endpoints }),
      ...(this.#dashboard === undefined ? {} : { dashboard: this.#dashboard.link }),
    };
  }

  /** Loads the code that only a dashboard needs. */
  async #openDashboard(options: DashboardOptions): Promise<OpenedDashboard> {
    const { watchUpstreams } = await import("./watched-upstreams.ts");
    const { openDashboard } = await import("./dashboard/open-dashboard.ts");
    const watched = watchUpstreams({
      transport: this.#options.http === undefined ? "stdio" : "http",
      served: this.#served,
      config: this.#options.config,
      urls: () => this.#listener?.urls ?? {},
      health: (name) => this.#listener?.health(name),
      serverNote: this.#parts.serverNote,
    });
    const { announce = (link: string) => this.#announce(link, options) } = this.#parts;
    const opened = await openDashboard(watched, options, {
      announce,
      onFailure: (error) => this.#served.log.error("dashboard-trouble", { err: error }),
      onAlone: (error) => this.#served.log.warn("dashboard-alone", { err: error }),
      onRefusedSetting: (upstream, path, error) =>
        this.#served.log.warn("dashboard-setting-refused", { upstream, path, err: error }),
      pageFolder: this.#parts.pageFolder,
    });
    return {
      link: opened.link,
      close: async () => {
        await opened.close();
        await watched.close();
      },
    };
  }

  /** The log is JSON, and others may read it: a token stands in a file of this user. */
  #announce(link: string, { auth }: DashboardOptions): void {
    if (auth !== undefined) this.#served.log.warn("dashboard", { url: link });
    else this.#served.log.warn("dashboard", { file: keepLink(link) ?? "none: set XDG_STATE_HOME" });
  }

  async #close(): Promise<void> {
    await this.#listening?.catch(() => undefined);
    await this.#dashboard?.close();
    await this.#listener?.close();
    await this.#parts.early?.upstream.close();
    await this.#served.close();
    this.#end({ by: "close", reason: "It was stopped." });
  }

  async #onStdio(): Promise<Listener> {
    if (Object.keys(this.#options.upstreams).length > 1) return this.#mergedOnStdio();
    const [name = "", options] = Object.entries(this.#options.upstreams)[0] ?? [];
    if (options === undefined) return { urls: {}, health: () => undefined, close: async () => undefined };
    // If the options are refused, nothing has been started yet.
    const { state } = this.#served.add(name, options);
    // Not awaited. Lets the user's other gateways open what an earlier process of this server archived.
    state.archive.announce(localTenant(options)).catch(() => undefined);
    const early =
      this.#parts.early ??
      connectOnStdio(await openUpstream(name, options, this.#parts.serverNote, this.#served.log));
    const listener: StdioListener = listenOnStdio(early, this.#parts, options.maxMessageBytes, (sides) =>
      openBridge({
        ...sides,
        state,
        ...termsOf(options),
        maxReplyBytes: MAX_STDIO_BYTES,
        note: (text) => state.log.warn("gateway-dropped", { upstream: name, what: text }),
      }),
    );
    // After the end, the dashboard page must not keep the process alive.
    void listener.ended.then(async (end) => {
      void this.#served.writeLedger();
      await this.#dashboard?.close();
      this.#end(end);
    });
    return { urls: {}, health: () => early.upstream.health(), close: () => listener.close() };
  }

  /** Loads the code that only several servers on stdio need. */
  async #mergedOnStdio(): Promise<Listener> {
    const { upstreams, merge } = this.#options;
    const { openStdioMerge } = await import("./merge/merge-stdio.ts");
    await this.#served.openStore();
    const sources = Object.entries(upstreams).map(([name, options]) => this.#served.add(name, options));
    const opened = new Map<ServedSource, Upstream>();
    for (const source of sources) {
      const { name, options, state } = source;
      state.archive.announce(localTenant(options)).catch(() => undefined);
      opened.set(source, await openUpstream(name, options, this.#parts.serverNote, this.#served.log));
    }
    const { stdin, stdout } = this.#parts;
    const streams = { stdin, stdout, maxReplyBytes: MAX_STDIO_BYTES };
    const listener = openStdioMerge(
      {
        sources,
        upstreams: opened,
        prefix: merge?.prefix,
        redis: await this.#served.redis(),
        log: this.#served.log,
        noteRefusal: this.#served.noteRefusal,
      },
      streams,
    );
    void listener.ended.then(async (end) => {
      await this.#dashboard?.close();
      this.#end(end);
    });
    const health = (name: string): UpstreamHealth | undefined =>
      [...opened].find(([source]) => source.name === name)?.[1].health();
    return { urls: {}, health, close: () => listener.close() };
  }

  /** Loads the code that only HTTP needs. */
  async #overHttp(http: HttpOptions): Promise<Listener> {
    const { listenOverHttp } = await import("./listen/over-http.ts");
    const { config, upstreams, merge, endpoints } = this.#options;
    const followed = this.#parts.followsFile === true ? config : undefined;
    const { serverNote } = this.#parts;
    return listenOverHttp({ upstreams, merge, endpoints, http, followed, served: this.#served, serverNote });
  }
}

/** Refuses what a gateway with these options would refuse at its start; nothing is started or opened. */
export function checkGateway(options: GatewayOptions): void {
  checkGatewayOptions(options);
  const served = new ServedSet(options);
  for (const [name, upstream] of Object.entries(options.upstreams)) served.add(name, upstream);
}

/** Like `createGateway`, with parts that only callers inside this package have. */
export function openGateway(options: GatewayOptions, parts: GatewayParts): Gateway {
  checkGatewayOptions(options);
  return new RunningGateway(options, parts);
}

/**
 * A gateway in front of servers you do not own: same tools, same names, every tool result under the contract.
 *
 * @example
 * const gateway = createGateway({
 *   upstreams: { files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] } },
 *   http: { port: 3333 },
 * });
 * const { urls } = await gateway.listen();
 */
export function createGateway(options: GatewayOptions): Gateway {
  return openGateway(options, {});
}
