// Which requests our listeners take: by where they come from, and by the length of their body.

import { isAddress } from "../../../core/text/network-address.ts";
import { type Refusal, bodyTooLarge, failedRefusal, refusalBody, refuse, tellRefusal } from "./refusal.ts";
import { CONNECTION_CLOSED } from "../../../core/protocol/names.ts";
import type { IncomingMessage, ServerResponse } from "node:http";

/** The names that programs use for their own machine. */
const ownMachine = ["localhost", "127.0.0.1", "[::1]"];

/** Addresses that mean every address of the machine, so no Host header can be checked against them. */
const anyAddress = new Set(["0.0.0.0", "::", "[::]"]);

/** How many verdicts are cached; clients send the same few values again and again. */
const MAX_REMEMBERED = 100;

/** The parts of a request that the guard reads. */
interface GuardedHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

export interface GuardOptions {
  /** The address on which the server listens. */
  readonly host: string;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
}

function forbidden(message: string): Refusal {
  return { status: 403, code: CONNECTION_CLOSED, message };
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** A name without its port, as in URLs: lower case, IPv6 in brackets. */
function hostnameOf(name: string): string {
  const bracketed =
    name.includes(":") && !name.startsWith("[") && name.split(":").length > 2 ? `[${name}]` : name;
  return parse(`http://${bracketed}`)?.hostname ?? name.toLowerCase();
}

/** A whole origin without a path; the `origin` of a URL is "null" for the schemes of editors and extensions. */
function originOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/** An entry of the list in the form that is compared: a name, a whole origin, or all origins of a scheme. */
function allowedOrigin(entry: string): string {
  const url = entry.includes("//") ? parse(entry) : undefined;
  return url === undefined ? entry.toLowerCase() : originOf(url);
}

function isAllowedOrigin(origin: URL, allowed: ReadonlySet<string>): boolean {
  return (
    allowed.has(origin.hostname) || allowed.has(originOf(origin)) || allowed.has(`${origin.protocol}//*`)
  );
}

/** Whether a Host header is an address and not a name. In a DNS rebinding attack the header is always a name. */
function isNamedByAddress(host: string): boolean {
  const hostname = parse(`http://${host}`)?.hostname ?? "";
  return isAddress(hostname.replace(/^\[(.*)\]$/, "$1"));
}

type Check = (value: string) => Refusal | undefined;

function remembering(check: Check): Check {
  const known = new Map<string, Refusal | undefined>();
  return (value) => {
    if (known.has(value)) return known.get(value);
    const verdict = check(value);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(value, verdict);
    return verdict;
  };
}

/**
 * Keeps web pages away from a gateway that they may reach through the user's browser: the Host header must be
 * a name of this machine, and the Origin header, if present, an allowed page. A gateway that listens on every
 * address requires a token from every caller instead, and checks Host only if names are configured.
 * `byAddress` is for requests to the address of a pod or machine, as Prometheus sends them: any address
 * passes as Host.
 */
export function requestGuard({
  host,
  allowedHosts,
  allowedOrigins,
}: GuardOptions): (headers: GuardedHeaders, byAddress?: boolean) => Refusal | undefined {
  const hosts = new Set([...ownMachine, host, ...(allowedHosts ?? [])].map(hostnameOf));
  const takesAnyHost = anyAddress.has(host) && allowedHosts === undefined;
  const origins = new Set((allowedOrigins ?? ownMachine).map(allowedOrigin));
  const checkHost = remembering((value) => {
    const hostname = parse(`http://${value}`)?.hostname;
    if (hostname === undefined) return forbidden(`Invalid Host header: ${value}`);
    return takesAnyHost || hosts.has(hostname) ? undefined : forbidden(`Invalid Host: ${hostname}`);
  });
  const checkOrigin = remembering((value) => {
    const origin = parse(value);
    if (origin === undefined || origin.hostname === "") return forbidden(`Invalid Origin header: ${value}`);
    return isAllowedOrigin(origin, origins) ? undefined : forbidden(`Invalid Origin: ${origin.hostname}`);
  });
  return ({ host: named, origin }, byAddress = false) => {
    if (named === undefined || named === "") return forbidden("Missing Host header");
    const refusal = byAddress && isNamedByAddress(named) ? undefined : checkHost(named);
    return refusal ?? (origin === undefined || origin === "" ? undefined : checkOrigin(origin));
  };
}

const allowedHeaders =
  "authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name";

/** Lets a web page whose origin was accepted read the response: otherwise browsers keep it from the page. */
export function headersForPage(origin: string): Readonly<Record<string, string>> {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "mcp-session-id, www-authenticate",
    vary: "origin",
  };
}

/** The answer to a browser that asks first whether a page may send these headers. */
export function headersForPreflight(asked: string | null | undefined): Readonly<Record<string, string>> {
  return {
    "access-control-allow-methods": "GET, POST, DELETE",
    // Arguments of tools may be sent as headers of any name.
    "access-control-allow-headers": asked ?? allowedHeaders,
    "access-control-max-age": "600",
  };
}

/** The same for a listener. Returns true for a browser's preflight request, which is answered here. */
export function allowPage(request: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return false;
  for (const [name, value] of Object.entries(headersForPage(origin))) response.setHeader(name, value);
  if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined)
    return false;
  response.writeHead(204, headersForPreflight(request.headers["access-control-request-headers"]));
  response.end();
  return true;
}

type Refused = ReturnType<typeof refusalBody>;

/** The limit of the SDKs' own servers: 4 MiB. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** How long a client that sends too much may continue, so that it can read its answer. */
const SEND_ON_MS = 1_000;

/**
 * Answers 413, then closes the connection. Incoming data is dropped meanwhile: closing a connection while
 * data comes in would lose the answer.
 */
function refuseBody(
  request: IncomingMessage,
  response: ServerResponse,
  refused: Refused,
  maxBytes: number,
): void {
  const { status, headers, body } = refused;
  tellRefusal(response, bodyTooLarge(maxBytes));
  response.writeHead(status, { ...headers, connection: "close" });
  // The body is complete with this write; the connection closes with the end of the response.
  response.write(body);
  const timer = setTimeout(() => request.destroy(), SEND_ON_MS);
  request.once("close", () => clearTimeout(timer));
  request.once("end", () => response.end()).resume();
}

interface BodyFaults {
  /** The answer to a body that is too long. Default: a JSON-RPC error. */
  readonly refused?: (() => Refused) | undefined;
  /** Answers if `done` fails, at once or later. Default: with status 500 and a JSON-RPC error. */
  readonly failed?: ((error: unknown) => void) | undefined;
}

/**
 * Reads the body of a request, up to a limit. A body whose announced length is above the limit is not read,
 * and a longer one is not read further; both are refused here, with a JSON-RPC error unless `refused` gives
 * another answer. If the client disconnects before the end, nothing is called.
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  done: (body: Buffer) => unknown,
  {
    refused = () => refusalBody(bodyTooLarge(maxBytes)),
    failed = () => refuse(response, failedRefusal),
  }: BodyFaults = {},
): void {
  // A broken connection is handled by its response.
  request.on("error", () => undefined);
  if (Number(request.headers["content-length"]) > maxBytes)
    return refuseBody(request, response, refused(), maxBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer): void => {
    length += chunk.length;
    if (length <= maxBytes) {
      chunks.push(chunk);
      return;
    }
    request.off("data", take).off("end", finish);
    refuseBody(request, response, refused(), maxBytes);
  };
  const serve = async (): Promise<void> => {
    const [only] = chunks;
    // The caller has returned: an exception here would end the process, not the request.
    try {
      await done(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length));
    } catch (error) {
      failed(error);
    }
  };
  const finish = (): void => void serve();
  request.on("data", take).on("end", finish);
  return undefined;
}
