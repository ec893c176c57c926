import * as http from "node:http";
import type { IncomingMessage } from "node:http";
import { withinDeadline } from "../../runtime/deadline.ts";
import { connectionFault, fetchFault, readFetchedBody, statusFault, waitFault } from "./read-body.ts";
import {
  type FetchCallOptions,
  type FetchSettings,
  type FetchedDocument,
  type Fetcher,
  type FetcherOptions,
  readSettings,
} from "./fetch-settings.ts";
import * as https from "node:https";
import { type LookupFunction, isIP } from "node:net";
import { type HostAndPort, isInRange, isPublicAddress, parseAddress, plainHost } from "./address.ts";

const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

/** Without 206: a part of a document is not the requested document. */
const documentStatuses: readonly number[] = [200, 201, 202, 203, 204, 205];

/** The state of one fetch from hop to hop. */
interface Journey {
  readonly settings: FetchSettings;
  /** Ends all work of the fetch. The caller gets its reason, whatever error the abort caused. */
  readonly ending: AbortController;
  readonly onProgress: (done: number, total?: number) => void;
  /** The URLs that redirected. */
  readonly redirects: string[];
}

function nextTarget(response: IncomingMessage, target: Target, { settings, redirects }: Journey): Target {
  const redirect = target.redirect + 1;
  if (redirect > settings.maxRedirects) throw fetchFault("redirect_limit", { redirect });
  const next = checkUrl(followLocation(response.headers.location, target), redirect, settings);
  if (target.url.protocol === "https:" && next.url.protocol === "http:") {
    throw fetchFault("downgrade", { redirect });
  }
  if (redirects.includes(next.url.href)) throw fetchFault("redirect_loop", { redirect });
  return next;
}

/** A body without a length ends with the connection; Node takes a broken one for complete. */
function checkEnd({ headers, socket }: IncomingMessage): void {
  const hasEnd = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  if (!hasEnd && socket.errored !== null) throw socket.errored;
}

/** One hop: look up, check, connect, and either read the document or get the next target. */
async function visit(target: Target, journey: Journey): Promise<FetchedDocument | Target> {
  const { settings, ending, onProgress, redirects } = journey;
  const addresses = await findAddresses(target, settings);
  // A resolver cannot be stopped, so its answer may come after the fetch has ended.
  ending.signal.throwIfAborted();
  const response = await sendRequest(target, addresses, settings, ending);
  try {
    const status = response.statusCode ?? 0;
    if (redirectStatuses.includes(status)) {
      redirects.push(target.url.href);
      return nextTarget(response, target, journey);
    }
    if (!documentStatuses.includes(status)) throw statusFault(response);
    const bytes = await readFetchedBody(response, settings, onProgress);
    ending.signal.throwIfAborted();
    checkEnd(response);
    return { url: target.url.href, contentType: response.headers["content-type"], bytes, redirects };
  } finally {
    response.destroy();
  }
}

async function follow(first: Target, journey: Journey): Promise<FetchedDocument> {
  const { signal } = journey.ending;
  let target = first;
  try {
    for (;;) {
      const found = await visit(target, journey);
      if ("bytes" in found) return found;
      target = found;
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : connectionFault(error, target.redirect);
  }
}

async function fetchDocument(
  url: string,
  settings: FetchSettings,
  call: FetchCallOptions,
): Promise<FetchedDocument> {
  const first = checkUrl(parseUrl(url), 0, settings);
  const ending = new AbortController();
  const onProgress: Journey["onProgress"] = (done, total) => {
    try {
      call.onProgress?.(done, total);
    } catch (error) {
      // The abort is the caller's own, and says nothing about the server.
      ending.abort(error);
    }
  };
  const journey: Journey = { settings, ending, onProgress, redirects: [] };
  const { timeoutMs } = settings;
  return withinDeadline(() => follow(first, journey), {
    timeoutMs,
    onTimeout: () => waitFault(timeoutMs, "total"),
    signal: call.signal,
    onStop: (reason) => ending.abort(reason),
  });
}

/**
 * Makes a function that fetches documents only from the public internet. A host is looked up once for each
 * hop, every address is checked, and only checked addresses are connected to; a redirect is checked like a
 * first URL.
 */
export function createFetcher(options: FetcherOptions = {}): Fetcher {
  const settings = readSettings(options);
  return (url, call = {}) => fetchDocument(url, settings, call);
}

const MAX_HEADER_BYTES = 32 * 1024;
const MAX_INFORMATIONAL_ANSWERS = 8;

/** How long one address may take before the next is tried in parallel. */
const NEXT_ADDRESS_MS = 1_000;

const ACCEPT = "text/html,application/xhtml+xml,application/pdf,text/markdown,text/plain;q=0.9,*/*;q=0.5";

/** Answers with the checked addresses, so that connecting does not ask a resolver again. */
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
    // Only once: the data that has arrived is parsed to its end, and may contain thousands more.
    if (informational !== MAX_INFORMATIONAL_ANSWERS + 1) return;
    ending.abort(fetchFault("headers", { redirect: target.redirect }));
  });
}

/**
 * Sends one GET to one of the addresses and resolves with the head of the answer; its body is not read yet.
 * `ending` stops it, and is aborted with the reason if the connection is too slow.
 */
function sendRequest(
  target: Target,
  addresses: readonly string[],
  settings: FetchSettings,
  ending: AbortController,
): Promise<http.IncomingMessage> {
  const { url, host, port } = target;
  const isSecure = url.protocol === "https:";
  // Our own agent: the global one may have connections made by others, or use a proxy.
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

/** A URL that may be fetched if the addresses of its host are allowed. */
interface Target extends HostAndPort {
  readonly url: URL;
  /** How many redirects came before. */
  readonly redirect: number;
}

const MAX_URL_CHARACTERS = 8_192;

/** Names that RFC 6761, 6762, 8375 and ICANN reserve for local networks. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

function isLocalName(host: string): boolean {
  return parseAddress(host) === undefined && (!host.includes(".") || LOCAL_NAME.test(host));
}

function isListed(host: string, list: readonly string[]): boolean {
  return list.some((entry) => (entry.startsWith("*.") ? host.endsWith(entry.slice(1)) : host === entry));
}

/** Parses the caller's URL. */
function parseUrl(text: unknown): URL {
  if (typeof text === "string" && text.length <= MAX_URL_CHARACTERS && URL.canParse(text))
    return new URL(text);
  throw fetchFault("url");
}

/** The target of a redirect. Servers write UTF-8 into a header that Node reads as Latin-1. */
function followLocation(location: string | undefined, { url, redirect }: Target): URL {
  const text = Buffer.from(location ?? "", "latin1").toString("utf8");
  if (text === "" || text.length > MAX_URL_CHARACTERS || !URL.canParse(text, url.href)) {
    throw fetchFault("redirect_target", { redirect });
  }
  return new URL(text, url);
}

/** Without a fragment, which servers must not get, and without the dots at the end of a host. */
function tidied(given: URL): URL {
  const url = new URL(given);
  url.hash = "";
  url.hostname = url.hostname.replace(/\.+$/, "");
  return url;
}

/** All checks that are possible before the host is looked up. */
function checkUrl(given: URL, redirect: number, settings: FetchSettings): Target {
  if (given.protocol !== "http:" && given.protocol !== "https:") throw fetchFault("scheme", { redirect });
  if (given.username !== "" || given.password !== "") throw fetchFault("credentials", { redirect });
  const url = tidied(given);
  const host = plainHost(url);
  if (host === "") throw fetchFault(redirect === 0 ? "url" : "redirect_target", { redirect });
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const isUsualPort = settings.ports.includes(port);
  if (!isUsualPort && !settings.permits.namesPort(port)) throw fetchFault("port", { redirect });
  if (settings.allowHosts !== undefined && !isListed(host, settings.allowHosts)) {
    throw fetchFault("host_not_allowed", { redirect });
  }
  if (settings.permits.isEmpty && isLocalName(host)) throw fetchFault("local_name", { redirect });
  return { url, host, port, isUsualPort, redirect };
}

/** How many addresses are tried; the others are checked too. */
const MAX_ADDRESSES_TRIED = 4;

function checkAddress(text: string, target: Target, { denied, permits }: FetchSettings): void {
  const { redirect } = target;
  const address = parseAddress(text);
  if (address === undefined || denied.some((range) => isInRange(address, range))) {
    throw fetchFault("private_address", { redirect });
  }
  if (permits.cover(target, address)) return;
  if (!isPublicAddress(address)) throw fetchFault("private_address", { redirect });
  if (!target.isUsualPort) throw fetchFault("port", { redirect });
}

async function askResolver(
  { host, redirect }: Target,
  { resolve }: FetchSettings,
): Promise<readonly string[]> {
  try {
    return await resolve(host);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    throw fetchFault(code === "ENOTFOUND" || code === "ENODATA" ? "host" : "dns", { redirect, cause });
  }
}

/**
 * The addresses to connect to, from one look-up: they are used even if the name resolves differently a moment
 * later. One forbidden address refuses them all, because it would be chance which one is connected to.
 */
async function findAddresses(target: Target, settings: FetchSettings): Promise<readonly string[]> {
  const { host, redirect } = target;
  const addresses = parseAddress(host) === undefined ? await askResolver(target, settings) : [host];
  if (addresses.length === 0) throw fetchFault("host", { redirect });
  for (const address of addresses) checkAddress(address, target, settings);
  return addresses.slice(0, MAX_ADDRESSES_TRIED);
}
