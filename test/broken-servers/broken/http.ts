import type { BrokenServer } from "../broken-server.ts";
import { type HttpHabits, overHttp } from "../http-server.ts";

/** A server with one bad habit below its messages. */
function badly(rule: string, habits: HttpHabits, era: "legacy" | "modern" = "legacy"): BrokenServer {
  return {
    rule,
    era,
    transport: "http",
    change: () => undefined,
    listen: (server) => overHttp(server, habits),
  };
}

/** The statuses of HTTP. */
export const brokenHttp: readonly BrokenServer[] = [
  badly("http-status/notification", { notification: 200 }),
  badly("http-status/get", { get: 404 }),
  badly("http-status/version", { version: undefined }),
  badly("http-status/origin", { origin: undefined }),
  badly("http-status/broken-json", { brokenJson: undefined }),
  badly("http-status/session-required", { hasSessions: true, noSession: 404 }),
  badly("http-status/session-ended", { hasSessions: true, endedSession: 400 }),
  badly("http-status/unknown-method", { unknownMethod: 200 }, "modern"),
  badly("http-status/header-mismatch", { mismatch: undefined }, "modern"),
];
