import type { WatchedGateway, WatchedUpstream } from "./dashboard-parts.ts";
import type { Traffic } from "./traffic/traffic.ts";

/**
 * Notes the calls of every upstream, of those too that come later with a changed configuration. An upstream that goes is
 * let go: what it did stays in the list. The function that is given ends it.
 */
export function watchTraffic(gateway: WatchedGateway, traffic: Traffic): () => void {
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
