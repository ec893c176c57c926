import type { BrokenServer } from "./broken-server.ts";

/** One for every rule about servers. */
export const brokenServers: readonly BrokenServer[] = [];
