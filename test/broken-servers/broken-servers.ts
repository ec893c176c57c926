import type { BrokenServer } from "./broken-server.ts";
import { brokenListings } from "./broken/listings.ts";
import { brokenMessages } from "./broken/messages.ts";

/** One for every rule about servers. */
export const brokenServers: readonly BrokenServer[] = [...brokenMessages, ...brokenListings];
