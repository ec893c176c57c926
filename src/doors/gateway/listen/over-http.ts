// All upstreams of a gateway over HTTP, with pages for operators. Loaded only if HTTP is used.

import { checkGatewayOptions } from "../check-gateway-options.ts";
import { followGatewayFile } from "../config/read-gateway-config.ts";
import type {
  CommandUpstream,
  GatewayAuth,
  GatewayOptions,
  HttpOptions,
  UpstreamOptions,
} from "../gateway-options.ts";
import { metricsPage } from "../../../engine/observe/call-metrics.ts";
import { GatewayMetrics } from "../metrics/gateway-metrics.ts";
import type { ServedSource, ServedSet } from "../served-set.ts";
import { childUpstream } from "../upstream/child-upstream.ts";
import { healthLog } from "../upstream/health-log.ts";
import type { UpstreamHealth } from "../upstream/upstream.ts";
import { MAX_PROCESSES, commandHandler } from "../bridge/command-handler.ts";
import { createHttpListener, type DescribeUpstream, type ServedUpstream } from "./http-listener.ts";
import { probeCommand } from "../probe/probe-command.ts";
import { isRequired, readinessOf } from "../probe/readiness.ts";
import { UpstreamProbe } from "../probe/upstream-probe.ts";
import { proxyHandler } from "../reverse-proxy/reverse-proxy.ts";
import { authenticate } from "../auth/authenticate.ts";
import type { Admitted } from "../../../engine/request/sign-in/verdict.ts";
import { planReload } from "../config/draining-set.ts";
import { type DrainingHandler, DrainingHandlers } from "./draining-handlers.ts";
import { ALL, MergedEndpoints, type SourceInUse } from "../merge/merged-endpoints.ts";

const noAuth: GatewayAuth = {};

export interface OverHttp {
  readonly urls: Readonly<Record<string, string>>;
  /** The addresses of several servers: of all of them, and of each group. */
  readonly merged: string | undefined;
  readonly endpoints: Readonly<Record<string, string>>;
  /** The state of one upstream; undefined if it is no longer served. */
  health(name: string): UpstreamHealth | undefined;
  close(): Promise<void>;
}

/** How many processes one caller may have. Default: half, or all if callers are not known or there is only one. */
function shareOf({ auth, maxProcesses = MAX_PROCESSES }: CommandUpstream): number {
  const { tokens = {}, jwt } = (typeof auth === "object" ? auth.gateway : undefined) ?? noAuth;
  const isSeveral = jwt !== undefined || Object.keys(tokens).length > 1;
  return isSeveral ? Math.ceil(maxProcesses / 2) : maxProcesses;
}

/** What answers the requests to one upstream: processes of a command, or the server behind a URL. */
function openUpstream(
  source: ServedSource,
  { serverNote, http: { host } }: Pick<OverHttpOptions, "serverNote" | "http">,
  closeState: () => Promise<void>,
): OpenedUpstream {
  const { name, options, state } = source;
  const note = (text: string): void => state.log.warn("gateway-dropped", { upstream: name, what: text });
  const found = healthLog(state.log, name);
  if (options.url !== undefined) {
    const {
      handle,
      describe,
      health,
      probe: ask,
      close,
      upstream,
    } = proxyHandler(state, options, { name, host });
    const probe = new UpstreamProbe({ every: options.probe, health, ask, found });
    const closeAll = async (): Promise<void> => {
      await probe.close();
      await close();
      await closeState();
    };
    return { handle, describe, probe, close: closeAll, inUse: { source, upstream } };
  }
  const upstream = childUpstream(name, options, {
    note: serverNote && ((line) => serverNote(name, line)),
  });
  const maxProcessesPerCaller = options.maxProcessesPerCaller ?? shareOf(options);
  const isProbed = options.probe !== "off";
  const handler = commandHandler({ ...options, maxProcessesPerCaller, isProbed, state, upstream, note });
  let givesSigns = false;
  const probe: UpstreamProbe = new UpstreamProbe({
    every: options.probe,
    health: handler.health,
    found,
    ask: async (signal) => {
      const found = await probeCommand(upstream, options.startTimeoutMs, signal);
      givesSigns = found.givesSigns ?? givesSigns;
      return found.failure;
    },
    isDue: () => {
      // Those that run are asked. Where none runs, one is started again only if the last could not be.
      if (givesSigns) upstream.ping?.();
      return !handler.isRunning() && probe.health().state === "down";
    },
  });
  return {
    ...handler,
    probe,
    inUse: { source, upstream },
    close: async () => {
      await probe.close();
      await handler.close();
      await upstream.close();
      await closeState();
    },
  };
}

export interface OverHttpOptions extends Pick<GatewayOptions, "upstreams" | "merge" | "endpoints"> {
  readonly http: HttpOptions;
  /** The configuration that these upstreams come from; a change is applied while calls run. */
  readonly followed: GatewayOptions["config"];
  readonly served: ServedSet;
  /** Receives what servers write to stderr. */
  readonly serverNote?: ((upstream: string, line: string) => void) | undefined;
}

/** Serves until it is closed. */
export async function listenOverHttp({
  upstreams,
  merge,
  endpoints,
  http,
  followed,
  served,
  serverNote,
}: OverHttpOptions): Promise<OverHttp> {
  await served.openStore();
  const metrics: GatewayMetrics = new GatewayMetrics({
    upstreams: () => open.health(),
    isReady: () => readinessOf(open.served()) === "ready",
    sessions: () => open.sessions(),
    tokens: () => served.tokens(),
    hasAccessLog: served.noteRefusal !== undefined,
  });
  const open: ReloadableUpstreams = new ReloadableUpstreams({
    open: (name, options) => {
      const one = served.add(name, options);
      one.state.events.listen(metrics.listener(name));
      return openUpstream(one, { serverNote, http }, () => served.remove(one));
    },
    onFailure: (name, error) => served.log.error("upstream-not-closed", { upstream: name, err: error }),
    onRefused: (name, reason) => metrics.refused(name, reason),
  });
  const merged = new MergedEndpoints({
    log: served.log,
    ofServer: ofUpstream,
    redis: await served.redis(),
    noteRefusal: served.noteRefusal,
    onRefused: (name, reason) => metrics.refused(name, reason),
  });
  open.apply(upstreams);
  merged.apply(open.inUse(), { merge, endpoints });
  const stopFollowing = followGatewayFile(followed, {
    apply: (next) => {
      const options = { upstreams: next.upstreams, merge: next.merge, endpoints: next.endpoints };
      // An edit must not open an upstream to every caller if a start with these options would be refused.
      checkGatewayOptions({ ...options, http });
      open.apply(next.upstreams);
      merged.apply(open.inUse(), options);
    },
    log: served.log,
  });
  const listener = createHttpListener({
    ...http,
    upstreams: () => open.served(),
    merged: () => merged.served(),
    pages: new Map([["/metrics", metricsPage(() => metrics.families())]]),
    refused: served.noteRefusal,
    note: (text) => served.log.warn("http-trouble", { what: text }),
  });
  const close = async (): Promise<void> => {
    stopFollowing();
    listener.drain();
    await merged.close();
    await open.close();
    await listener.close();
  };
  try {
    const { urls, merged: addresses } = await listener.listen();
    open.startProbes();
    const { [ALL]: all, ...groups } = addresses;
    const health = (name: string): UpstreamHealth | undefined => new Map(open.health()).get(name);
    return { urls, merged: all, endpoints: groups, health, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One upstream with everything behind it: its contract, its handler, its processes. */
interface OpenedUpstream extends DrainingHandler {
  readonly describe?: DescribeUpstream | undefined;
  readonly probe: Pick<UpstreamProbe, "health" | "isKnown" | "start">;
  /** Open sessions of clients. */
  readonly sessions?: (() => number) | undefined;
  /** For endpoints of several servers: how this one is reached. */
  readonly inUse?: SourceInUse | undefined;
}

interface ReloadableOptions {
  /** Starts one upstream. Throws if its options are wrong; then nothing changes. */
  readonly open: (name: string, options: UpstreamOptions) => OpenedUpstream;
  readonly onFailure: (name: string, error: unknown) => void;
  /** Called for each request that was refused for its credentials. */
  readonly onRefused?: ((name: string, reason: string) => void) | undefined;
  readonly maxDrainMs?: number | undefined;
}

type Upstreams = Readonly<Record<string, UpstreamOptions>>;

interface Member extends OpenedUpstream {
  readonly options: UpstreamOptions;
}

/**
 * The caller with a name that is unique to this upstream: two upstreams may use one name for different people, whose
 * archives and limits must stay separate.
 */
function ofUpstream(name: string, admitted: Admitted): Admitted {
  const { authInfo } = admitted;
  if (authInfo === undefined) return admitted;
  return { ...admitted, authInfo: { ...authInfo, extra: { sub: `${name}/${authInfo.extra.sub}` } } };
}

/** The upstreams of a listener; a changed file adds, replaces and removes them while calls run. */
export class ReloadableUpstreams {
  readonly #options: ReloadableOptions;
  readonly #handlers: DrainingHandlers<Member>;
  #served: ReadonlyMap<string, ServedUpstream> = new Map();
  #upstreams: Upstreams = {};
  #isProbing = false;

  constructor(options: ReloadableOptions) {
    this.#options = options;
    const { maxDrainMs, onFailure } = options;
    this.#handlers = new DrainingHandlers({ maxDrainMs, onFailure });
  }

  /** The upstreams of now, for endpoints of several. */
  inUse(): ReadonlyMap<string, SourceInUse> {
    return new Map(
      this.#handlers.members.entries().flatMap(([name, { inUse }]) => (inUse ? [[name, inUse]] : [])),
    );
  }

  /** The upstreams that the listener serves now. */
  served(): ReadonlyMap<string, ServedUpstream> {
    return this.#served;
  }

  *health(): Generator<readonly [string, UpstreamHealth]> {
    for (const [name, { probe }] of this.#handlers.members.entries()) yield [name, probe.health()];
  }

  *sessions(): Generator<readonly [string, number]> {
    for (const [name, { sessions }] of this.#handlers.members.entries())
      if (sessions !== undefined) yield [name, sessions()];
  }

  /** Switches to these upstreams. All new ones are opened first: if one cannot be opened, nothing changes. */
  apply(upstreams: Upstreams): void {
    const { added, changed, removed } = planReload(this.#upstreams, upstreams);
    const opened = new Map<string, Member>();
    try {
      for (const name of [...changed, ...added]) {
        const options = upstreams[name];
        if (options !== undefined) opened.set(name, { ...this.#options.open(name, options), options });
      }
    } catch (error) {
      for (const [name, member] of opened)
        void member.close().catch((failure: unknown) => this.#options.onFailure(name, failure));
      throw error;
    }
    for (const name of removed) this.#handlers.members.remove(name);
    for (const [name, member] of opened) this.#handlers.members.set(name, member);
    const before = this.#upstreams;
    this.#upstreams = upstreams;
    this.#served = this.#list(before);
    if (this.#isProbing) this.startProbes();
  }

  /** From now on it is found out whether the upstreams can be called, also of those that are added later. */
  startProbes(): void {
    this.#isProbing = true;
    for (const [, { probe }] of this.#handlers.members.entries()) probe.start();
  }

  async close(): Promise<void> {
    this.#served = new Map();
    await this.#handlers.members.close();
  }

  #list(before: Upstreams): ReadonlyMap<string, ServedUpstream> {
    const served = new Map<string, ServedUpstream>();
    const members = this.#handlers.members.entries();
    for (const [name, { options, probe, describe }] of members)
      served.set(name, {
        ...this.#serve(name, options, () => probe.health()),
        isRequired: isRequired(options.required, members.length),
        isKnown: () => probe.isKnown,
        describe,
      });
    for (const name of this.#handlers.members.leaving()) {
      const options = before[name];
      if (served.has(name) || options === undefined) continue;
      served.set(
        name,
        this.#serve(name, options, () => ({ state: "down", reason: "removed", restarts: 0 })),
      );
    }
    return served;
  }

  #serve(name: string, { auth }: UpstreamOptions, health: ServedUpstream["health"]): ServedUpstream {
    return {
      authenticate: async (headers) => {
        const verdict = await authenticate(headers, auth);
        if (verdict.kind === "ok") return ofUpstream(name, verdict);
        this.#options.onRefused?.(name, verdict.reason);
        return verdict;
      },
      handle: (request, response, facts) => this.#handlers.handle(name, request, response, facts),
      health,
    };
  }
}
