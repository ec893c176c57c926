import type { Log } from "../../../engine/observe/log-event.ts";
import type { UpstreamHealth } from "./upstream.ts";

/**
 * Gets the state of a server whenever it was found out, and logs one line when the server is down and one when it can be
 * called again. While the next attempt is planned, the process that ended has its own line.
 */
export function healthLog(log: Log, upstream: string): (health: UpstreamHealth) => void {
  let isDown = false;
  return ({ state, reason, retryInMs }) => {
    if (state === "starting" || retryInMs !== undefined || (state === "down") === isDown) return;
    isDown = state === "down";
    if (isDown) log.warn("upstream-down", { upstream, reason });
    else log.info("upstream-up", { upstream });
  };
}
