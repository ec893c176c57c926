import type { BrokenServer } from "./broken-server.ts";
import { brokenResponses } from "./broken/carried.ts";
import { brokenListings } from "./broken/listings.ts";
import { brokenMessages } from "./broken/messages.ts";
import { brokenProtocol } from "./broken/protocol.ts";

/** One for every rule about servers. */
export const brokenServers: readonly BrokenServer[] = [...brokenProtocol, ...brokenMessages, ...brokenListings, ...brokenResponses];
