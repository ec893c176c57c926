import type { IncomingMessage } from "node:http";
import { withinDeadline } from "../../runtime/deadline.ts";
import { type Target, checkUrl, findAddresses, followLocation, parseUrl } from "./check-url.ts";
import { connectionFault, fetchFault, statusFault, waitFault } from "./fetch-fault.ts";
import { type FetchSettings, readSettings } from "./fetch-settings.ts";
import type { FetchCallOptions, FetchedDocument, Fetcher, FetcherOptions } from "./fetcher.ts";
import { readBody } from "./read-body.ts";
import { sendRequest } from "./send-request.ts";

const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

/** 206 is not among them: a part of a document is not what was asked for. */
const documentStatuses: readonly number[] = [200, 201, 202, 203, 204, 205];

/** What one fetch carries from hop to hop. */
interface Journey {
  readonly settings: FetchSettings;
  /** Ends everything under way. Its reason is what the caller gets, whatever error the ending caused. */
  readonly ending: AbortController;
  readonly onProgress: (done: number, total?: number) => void;
  /** The URLs that led on. */
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

/** A body without a length ends with the connection; Node takes one that was torn off for whole. */
function checkEnd({ headers, socket }: IncomingMessage): void {
  const hasEnd = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  if (!hasEnd && socket.errored !== null) throw socket.errored;
}

/** One hop: look up, check, connect, and either read the document or learn where to go next. */
async function visit(target: Target, journey: Journey): Promise<FetchedDocument | Target> {
  const { settings, ending, onProgress, redirects } = journey;
  const addresses = await findAddresses(target, settings);
  // A resolver cannot be stopped, so its answer may come when the fetch is over.
  ending.signal.throwIfAborted();
  const response = await sendRequest(target, addresses, settings, ending);
  try {
    const status = response.statusCode ?? 0;
    if (redirectStatuses.includes(status)) {
      redirects.push(target.url.href);
      return nextTarget(response, target, journey);
    }
    if (!documentStatuses.includes(status)) throw statusFault(response);
    const bytes = await readBody(response, settings, onProgress);
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
      // It is the caller's own abort, and says nothing about the server.
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
 * Makes a function that fetches documents of the public internet and nothing else. A host is looked up once for each hop,
 * every answer is checked, and only what was checked is connected to; a redirect is checked like a first URL.
 */
export function createFetcher(options: FetcherOptions = {}): Fetcher {
  const settings = readSettings(options);
  return (url, call = {}) => fetchDocument(url, settings, call);
}
