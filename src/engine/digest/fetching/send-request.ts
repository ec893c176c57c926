import * as http from "node:http";
import * as https from "node:https";
import { type LookupFunction, isIP } from "node:net";
import type { Target } from "./check-url.ts";
import { fetchFault, waitFault } from "./fetch-fault.ts";
import type { FetchSettings } from "./fetch-settings.ts";

const MAX_HEADER_BYTES = 32 * 1024;
const MAX_INFORMATIONAL_ANSWERS = 8;

/** How long one address may take before the next is tried beside it. */
const NEXT_ADDRESS_MS = 1_000;

const ACCEPT = "text/html,application/xhtml+xml,application/pdf,text/markdown,text/plain;q=0.9,*/*;q=0.5";

/** Answers with what was checked, so that connecting asks no resolver again. */
function pinned(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first = { address: "", family: 0 }] = answers;
    if (options.all === true) callback(null, answers);
    else callback(null, first.address, first.family);
  };
}

function watch(
  request: http.ClientRequest,
  target: Target,
  settings: FetchSettings,
  ending: AbortController,
): void {
  const { connectTimeoutMs, idleTimeoutMs } = settings;
  const timer = setTimeout(() => ending.abort(waitFault(connectTimeoutMs, "connect")), connectTimeoutMs);
  const isOpen = target.url.protocol === "https:" ? "secureConnect" : "connect";
  request.on("socket", (socket) => socket.once(isOpen, () => clearTimeout(timer)));
  request.on("close", () => clearTimeout(timer));
  request.setTimeout(idleTimeoutMs, () => ending.abort(waitFault(idleTimeoutMs, "idle")));
  let informational = 0;
  request.on("information", () => {
    informational += 1;
    // Once: what has arrived is parsed to its end, and may hold thousands more.
    if (informational !== MAX_INFORMATIONAL_ANSWERS + 1) return;
    ending.abort(fetchFault("headers", { redirect: target.redirect }));
  });
}

/**
 * Sends one GET to one of the addresses and resolves with the answer's head; its body is not read yet. `ending` stops
 * it, and is aborted with the reason when the connection is too slow.
 */
export function sendRequest(
  target: Target,
  addresses: readonly string[],
  settings: FetchSettings,
  ending: AbortController,
): Promise<http.IncomingMessage> {
  const { url, host, port } = target;
  const isSecure = url.protocol === "https:";
  // An agent of our own: the global one may hold connections made for others, or lead to a proxy.
  const route = {
    lookup: pinned(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  };
  const agent = isSecure ? new https.Agent(route) : new http.Agent(route);
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request({
      agent,
      host,
      port,
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        accept: ACCEPT,
        "accept-encoding": "gzip, br, deflate",
        "user-agent": settings.userAgent,
        connection: "close",
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      signal: ending.signal,
      ...(isSecure && {
        rejectUnauthorized: true,
        ...(settings.ca !== undefined && { ca: settings.ca }),
      }),
    });
    watch(request, target, settings, ending);
    request.on("response", resolve);
    request.on("error", reject);
    request.on("close", () => reject(new Error("closed without an answer")));
    request.end();
  });
}
