import type { BrokenServer } from "./broken-server.ts";
import { brokenResponses } from "./broken/carried.ts";
import { brokenDefinitions } from "./broken/definitions.ts";
import { brokenFidelity, brokenJson } from "./broken/fidelity.ts";
import { brokenHttp } from "./broken/http.ts";
import { brokenInput } from "./broken/input.ts";
import { brokenListings } from "./broken/listings.ts";
import { brokenMessages } from "./broken/messages.ts";
import { brokenPages, brokenSizes } from "./broken/pages.ts";
import { brokenProtocol } from "./broken/protocol.ts";
import { brokenArguments, brokenCalls, brokenFailures, brokenResults } from "./broken/results.ts";

/** One for every rule about servers. */
export const brokenServers: readonly BrokenServer[] = [
  ...brokenProtocol,
  ...brokenHttp,
  ...brokenInput,
  ...brokenMessages,
  ...brokenListings,
  ...brokenDefinitions,
  ...brokenResponses,
  ...brokenResults,
  ...brokenFailures,
  ...brokenArguments,
  ...brokenCalls,
  ...brokenPages,
  ...brokenSizes,
  ...brokenFidelity,
  ...brokenJson,
];
