// Every upstream of a gateway over HTTP, with what operators ask for beside them. Loaded only where HTTP is wanted.

import { checkGatewayOptions } from "../check-gateway-options.ts";
import { followGatewayFile } from "../config/follow-gateway-file.ts";
import type { CommandUpstream, GatewayAuth, GatewayOptions, HttpOptions } from "../gateway-options.ts";
import { GatewayMetrics } from "../metrics/gateway-metrics.ts";
import { metricsPage } from "../metrics/metrics-page.ts";
import type { Served, ServedSet } from "../served-set.ts";
import { childUpstream } from "../upstream/child-upstream.ts";
import type { UpstreamHealth } from "../upstream/upstream.ts";
import { MAX_PROCESSES, commandHandler } from "./command-handler.ts";
import { createHttpListener } from "./http-listener.ts";
import { proxyHandler } from "./proxy-http.ts";
import { type OpenedUpstream, ReloadableUpstreams } from "./reloadable-upstreams.ts";

const noAuth: GatewayAuth = {};

export interface OverHttp {
  readonly urls: Readonly<Record<string, string>>;
  /** How one upstream is doing; undefined where it is not served any more. */
  health(name: string): UpstreamHealth | undefined;
  close(): Promise<void>;
}

/** How many processes one caller may have where nobody says so: half, unless nobody is there to have the other half. */
function shareOf({ auth, maxProcesses = MAX_PROCESSES }: CommandUpstream): number {
  const { tokens = {}, jwt } = typeof auth === "object" ? auth.gateway : noAuth;
  const isSeveral = jwt !== undefined || Object.keys(tokens).length > 1;
  return isSeveral ? Math.ceil(maxProcesses / 2) : maxProcesses;
}

/** What answers the requests to one upstream: processes of a command, or the server behind a URL. */
function openUpstream(
  { name, options, state }: Served,
  serverNote: OverHttpOptions["serverNote"],
  closeState: () => Promise<void>,
): OpenedUpstream {
  const note = (text: string): void => state.log.warn("gateway-dropped", { upstream: name, what: text });
  if (options.url !== undefined) {
    const { handle, describe, health, close } = proxyHandler(state, options);
    const closeAll = async (): Promise<void> => {
      await close();
      await closeState();
    };
    return { handle, describe, health, close: closeAll };
  }
  const upstream = childUpstream(name, options, {
    note: serverNote && ((line) => serverNote(name, line)),
  });
  const maxProcessesPerCaller = options.maxProcessesPerCaller ?? shareOf(options);
  const handler = commandHandler({ ...options, maxProcessesPerCaller, state, upstream, note });
  return {
    ...handler,
    close: async () => {
      await handler.close();
      await upstream.close();
      await closeState();
    },
  };
}

export interface OverHttpOptions {
  readonly upstreams: GatewayOptions["upstreams"];
  readonly http: HttpOptions;
  /** The configuration whose upstreams these are; a change of it is applied while calls run. */
  readonly followed: GatewayOptions["config"];
  readonly served: ServedSet;
  /** Takes what servers write to stderr. */
  readonly serverNote?: ((upstream: string, line: string) => void) | undefined;
}

/** Serves until it is closed. */
export async function listenOverHttp({
  upstreams,
  http,
  followed,
  served,
  serverNote,
}: OverHttpOptions): Promise<OverHttp> {
  await served.openStore();
  const metrics: GatewayMetrics = new GatewayMetrics({
    upstreams: () => open.health(),
    sessions: () => open.sessions(),
    tokens: () => served.tokens(),
  });
  const open: ReloadableUpstreams = new ReloadableUpstreams({
    open: (name, options) => {
      const one = served.add(name, options);
      one.state.events.listen(metrics.listener(name));
      return openUpstream(one, serverNote, () => served.remove(one));
    },
    onFailure: (name, error) => served.log.error("upstream-not-closed", { upstream: name, err: error }),
    onRefused: (name, reason) => metrics.refused(name, reason),
  });
  open.apply(upstreams);
  const stopFollowing = followGatewayFile(followed, {
    apply: (next) => {
      // An edit must not open to everybody what could not have been started so.
      checkGatewayOptions({ upstreams: next, http });
      open.apply(next);
    },
    log: served.log,
  });
  const listener = createHttpListener({
    ...http,
    upstreams: () => open.served(),
    pages: new Map([["/metrics", metricsPage(metrics)]]),
    note: (text) => served.log.warn("http-trouble", { what: text }),
  });
  const close = async (): Promise<void> => {
    stopFollowing();
    listener.drain();
    await open.close();
    await listener.close();
  };
  try {
    const { urls } = await listener.listen();
    const health = (name: string): UpstreamHealth | undefined => new Map(open.health()).get(name);
    return { urls, health, close };
  } catch (error) {
    await close();
    throw error;
  }
}
