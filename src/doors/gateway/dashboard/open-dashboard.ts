// Assembles the dashboard: the gateway's upstreams are watched, every part of the page gets its routes, and one HTTP
// server serves them to signed-in browsers. The gateway loads this only if there is a dashboard.

import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { SharedRedis } from "../../../engine/archive/redis/shared-redis.ts";
import { randomBase64url } from "../../../engine/runtime/random-text.ts";
import { archiveRoutes } from "./archive/archive-routes.ts";
import { clientRoutes } from "./clients/client-routes.ts";
import { checkRoutes } from "./check/check-routes.ts";
import type { DashboardOptions, ApiRoute, WatchedGateway, WatchedUpstream } from "./dashboard-parts.ts";
import type { Hello } from "./protocol/traffic.ts";
import { ledgerRoutes } from "./ledger/ledger-routes.ts";
import { Replicas, replicaName } from "./replicas/replicas.ts";
import { type NoteRefusal, SharedSettings } from "./replicas/shared-settings.ts";
import { callDetail, resultRoutes } from "./result/result-routes.ts";
import { ApiRouter } from "./serve/api-router.ts";
import { LiveFeed } from "./serve/live-feed.ts";
import { readPageFiles } from "./serve/page-files.ts";
import { PageListener, type PageTeam } from "./serve/page-listener.ts";
import { settingsRoutes } from "./settings/settings-routes.ts";
import { toolsRoutes } from "./tools/tools-routes.ts";
import { Traffic } from "./traffic/traffic.ts";
import { trafficRoutes } from "./traffic/traffic-routes.ts";

/** What only the gateway can provide. */
export interface DashboardSurroundings {
  /** Receives a link for the person who started the gateway: a browser without a link came. */
  readonly announce: (link: string) => void;
  /** Receives errors that cannot be reported to a caller. */
  readonly onFailure: (error: unknown) => void;
  /** Redis cannot be reached: calls of other replicas come later. Called once until it can again. */
  readonly onAlone?: ((error: unknown) => void) | undefined;
  /** A setting that was changed on the page of another replica cannot be applied here. */
  readonly onRefusedSetting?: NoteRefusal | undefined;
  /** The folder of the built page. Default: in the package. */
  readonly pageFolder?: string | undefined;
  /** How often changed figures are sent. Default: 1,000. */
  readonly figuresMs?: number | undefined;
}

export interface OpenedDashboard {
  /** Opens the page in one browser, once. */
  readonly link: string;
  close(): Promise<void>;
}

function packageVersion(): string {
  try {
    const { version } = createRequire(import.meta.url)("waybill/package.json") as { version: string };
    return version;
  } catch {
    // A bundled program has no package beside it.
    return "unknown";
  }
}

export async function openDashboard(
  gateway: WatchedGateway,
  options: DashboardOptions,
  {
    announce,
    onFailure,
    onAlone = () => undefined,
    onRefusedSetting = () => undefined,
    pageFolder,
    figuresMs,
  }: DashboardSurroundings,
): Promise<OpenedDashboard> {
  const startedAtMs = Date.now();
  const version = packageVersion();
  const allowed = { actions: options.actions === true, bodies: options.bodies === true };
  let replicas: Replicas | undefined;
  const hello = (): Hello => ({
    version,
    startedAtMs,
    hasActions: allowed.actions,
    hasBodies: allowed.bodies,
    hasCheck: options.check !== undefined,
    hasLedger: gateway.ledger !== undefined,
    hasTokens: options.auth !== undefined,
    transport: gateway.transport,
    urls: gateway.urls(),
    upstreams: gateway.upstreams().map(({ now }) => now()),
    ...(replicas && { replica, replicas: replicas.now, isAlone: replicas.isAlone }),
  });
  const redis = await gateway.redis?.();
  const replica = redis === undefined ? undefined : replicaName();
  const traffic = new Traffic({ bodies: allowed.bodies, replica });
  const feed = new LiveFeed(traffic, hello, figuresMs);
  const closing = new AbortController();
  const shared = redis && new SharedSettings(onRefusedSetting);
  const routes: readonly ApiRoute[] = [
    { method: "GET", path: "/api/hello", answer: hello },
    ...trafficRoutes(traffic),
    ...resultRoutes(traffic, gateway, async (row) => replicas?.detail(row)),
    ...archiveRoutes(gateway, traffic),
    ...toolsRoutes(gateway, traffic, closing.signal),
    ...checkRoutes(gateway, options.check, feed.tell, closing.signal),
    ...settingsRoutes(gateway, feed.tell, closing.signal, shared),
    ...clientRoutes(gateway),
    ...ledgerRoutes(gateway),
  ];
  const router = new ApiRouter(routes, allowed, onFailure);
  const listener = new PageListener({
    port: options.port,
    files: readPageFiles(pageFolder),
    api: (request: IncomingMessage, response: ServerResponse, url: URL) => {
      const isEvents = url.pathname === "/api/events" && request.method === "GET";
      if (isEvents) feed.open(response, request.headers["last-event-id"] as string | undefined);
      else router.take(request, response, url);
    },
    announce,
    onFailure,
    team: await teamOf(options, redis),
  });
  try {
    await listener.listen();
  } catch (error) {
    closing.abort();
    throw error;
  }
  const stopWatching = watchTraffic(gateway, traffic);
  if (redis !== undefined && replica !== undefined && shared !== undefined)
    replicas = new Replicas({
      redis,
      name: replica,
      traffic,
      settings: shared,
      describe: (row, hasBodies) => {
        const kept = traffic.kept(row.seq);
        return callDetail(row, hasBodies ? kept : kept && { ...kept, contents: undefined }, hasBodies);
      },
      onAlone,
    });
  void traffic.load();
  return {
    link: listener.link(),
    close: async () => {
      closing.abort();
      stopWatching();
      feed.close();
      await replicas?.close();
      await listener.close();
    },
  };
}

/** Every replica on one Redis takes the cookies of the others; a gateway alone ends its own with itself. */
async function teamOf(
  { auth, host, allowedHosts }: DashboardOptions,
  redis: SharedRedis | undefined,
): Promise<PageTeam | undefined> {
  if (auth === undefined) return undefined;
  const secret = await redis?.secret("dashboard").catch(() => undefined);
  return { auth, host, allowedHosts, secret: secret ?? randomBase64url(32) };
}

/**
 * Records the calls of every upstream, including those that a changed configuration adds later. A removed upstream is
 * no longer watched, but its calls stay in the list. Returns a function that stops this.
 */
function watchTraffic(gateway: WatchedGateway, traffic: Traffic): () => void {
  const watched = new Map<WatchedUpstream, () => void>();
  const stop = (upstream: WatchedUpstream): void => {
    watched.get(upstream)?.();
    watched.delete(upstream);
  };
  const look = (): void => {
    const now = new Set(gateway.upstreams());
    for (const upstream of watched.keys()) if (!now.has(upstream)) stop(upstream);
    for (const upstream of now) if (!watched.has(upstream)) watched.set(upstream, traffic.watch(upstream));
  };
  look();
  const stopLooking = gateway.onChange?.(look);
  return () => {
    stopLooking?.();
    for (const upstream of watched.keys()) stop(upstream);
  };
}
