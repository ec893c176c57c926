// What is asked of an authorization server. A server chooses its authorization server, and both may be hostile: so every
// answer is bounded in size and time, no redirect is followed here, and an address is only connected to if it reaches no
// further into our networks than the server itself: a server on the internet cannot point to this machine.

import { lookup } from "node:dns/promises";
import * as http from "node:http";
import * as https from "node:https";
import { type LookupFunction, isIP } from "node:net";
import {
  type AddressReach,
  addressReach,
  parseAddress,
  plainHost,
} from "../../../engine/digest/fetching/address.ts";

/** As the SDK calls it. */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Refused, or failed. A TypeError, as `fetch` throws it: of any other error the SDK believes that the server has no
 * metadata, and goes on with a guess.
 */
export class GuardedFetchError extends TypeError {
  override readonly name = "GuardedFetchError";
}

const MAX_BODY_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 32 * 1024;
const MAX_URL_CHARACTERS = 8_192;
const TIMEOUT_MS = 10_000;

/** In order: reached from everywhere, from the network, from this machine alone. */
const reaches: readonly AddressReach[] = ["public", "network", "machine"];
/** To a server on this machine its operator may have given an authorization server anywhere. */
const allowedFrom: Readonly<Record<AddressReach, readonly AddressReach[]>> = {
  public: ["public"],
  network: ["public", "network"],
  machine: reaches,
};

interface Place {
  readonly addresses: readonly string[];
  readonly reach: AddressReach;
}

/** The fetch for the authorization server of one MCP server. */
export function guardedFetch(serverUrl: string, timeoutMs: number = TIMEOUT_MS): GuardedFetch {
  return async (address, init = {}) => {
    const url = checkedUrl(address);
    const { addresses } = await checkPlace(serverUrl, url);
    return send(url, addresses, init, timeoutMs);
  };
}

/** Throws a GuardedFetchError if a server may not point to an address, as one on the internet to this machine. */
export async function checkPlace(serverUrl: string, url: URL): Promise<Place> {
  const [from, place] = await Promise.all([ownReach(new URL(serverUrl)), findPlace(url)]);
  if (!allowedFrom[from].includes(place.reach))
    throw new GuardedFetchError(
      `${url.host} is an address of this ${place.reach}, to which a server elsewhere may not point`,
    );
  if (url.protocol === "http:" && place.reach === "public")
    throw new GuardedFetchError(`${url.host} is asked over http, where https belongs`);
  return place;
}

/** A name that others give out may point to this machine whenever they like, and gains nothing by it. */
async function ownReach(server: URL): Promise<AddressReach> {
  const { reach } = await findPlace(server);
  const host = plainHost(server);
  const isOwnName = isIP(host) !== 0 || host === "localhost" || host.endsWith(".localhost");
  return reach === "machine" && !isOwnName ? "public" : reach;
}

function checkedUrl(address: string | URL): URL {
  const text = String(address);
  if (text.length > MAX_URL_CHARACTERS || !URL.canParse(text))
    throw new GuardedFetchError("The server names an address that is no URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new GuardedFetchError("The server names an address that is not one of http or https");
  if (url.username !== "" || url.password !== "")
    throw new GuardedFetchError("The server names an address with a password in it");
  return url;
}

/** One forbidden address refuses them all: it would be chance which one is connected to. */
async function findPlace(url: URL): Promise<Place> {
  const host = plainHost(url);
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const found = addresses.map((text) => {
    const address = parseAddress(text);
    const reach = address === undefined ? undefined : addressReach(address);
    if (reach === undefined)
      throw new GuardedFetchError(`${url.host} is an address that nothing may connect to`);
    return reach;
  });
  // The address that is furthest inside our networks counts.
  const [reach = "public"] = reaches.filter((each) => found.includes(each)).toReversed();
  if (addresses.length === 0) throw new GuardedFetchError(`${host} has no address`);
  return { addresses, reach };
}

async function resolve(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    throw new GuardedFetchError(`${host} was not found (${code})`);
  }
}

/** Connects to the addresses that were checked, without asking a resolver again. */
function pinned(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first = { address: "", family: 0 }] = answers;
    if (options.all === true) callback(null, answers);
    else callback(null, first.address, first.family);
  };
}

function send(
  url: URL,
  addresses: readonly string[],
  { method = "GET", headers, body }: RequestInit,
  timeoutMs: number,
): Promise<Response> {
  const text =
    body instanceof URLSearchParams ? body.toString() : typeof body === "string" ? body : undefined;
  const isSecure = url.protocol === "https:";
  const route = { lookup: pinned(addresses), autoSelectFamily: true };
  return new Promise((settle, fail) => {
    const failed = (why: string): void => {
      clearTimeout(timer);
      request.destroy();
      fail(new GuardedFetchError(`${url.host} ${why}`));
    };
    const request = (isSecure ? https : http).request(url, {
      method,
      agent: isSecure ? new https.Agent(route) : new http.Agent(route),
      headers: {
        "user-agent": "waybill",
        ...Object.fromEntries(new Headers(headers)),
        connection: "close",
        ...(text === undefined ? {} : { "content-length": Buffer.byteLength(text) }),
      },
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const timer = setTimeout(() => failed(`did not answer in ${timeoutMs / 1_000} s`), timeoutMs);
    request.on("error", ({ code = "unknown reason" }: NodeJS.ErrnoException) => failed(`failed (${code})`));
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > MAX_BODY_BYTES) failed(`answered with more than ${MAX_BODY_BYTES} bytes`);
      });
      response.on("error", () => failed("broke off its answer"));
      response.on("end", () => {
        clearTimeout(timer);
        settle(toResponse(response, Buffer.concat(chunks)));
      });
    });
    request.end(text);
  });
}

/** Statuses with which a Response may have no body. */
const bodiless: readonly number[] = [204, 205, 304];

function toResponse({ statusCode = 502, headers }: http.IncomingMessage, body: Buffer): Response {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") given.set(name, value);
  const isBodiless = bodiless.includes(statusCode);
  const text = isBodiless ? null : body.toString("utf8");
  return new Response(text, {
    status: statusCode < 200 || statusCode > 599 ? 502 : statusCode,
    headers: given,
  });
}
