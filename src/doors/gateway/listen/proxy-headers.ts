import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { headerValue } from "../../../engine/transport/http/parameter-headers.ts";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { type CalledAddress, challengeFor } from "./protected-resource.ts";

/** What belongs to one connection, and never to the next. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** What the gateway sets itself: the server's own name, the length, and how a body is packed. */
const ownToServer: ReadonlySet<string> = new Set(["host", "content-length", "accept-encoding", "expect"]);
const ownToClient: ReadonlySet<string> = new Set(["content-length", "content-encoding"]);
const credentials: ReadonlySet<string> = new Set(["authorization", "cookie"]);

/** Headers that the `Connection` header names belong to the connection too. */
function namedBy(connection: string | undefined): ReadonlySet<string> {
  return new Set((connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
}

export type ForwardedHeaders = Record<string, string>;

/** The client's headers as its server gets them. The client's credentials go along only where the operator says so. */
export function headersToServer(
  headers: Readonly<Record<string, string>>,
  forwardsCredentials: boolean,
): ForwardedHeaders {
  const named = namedBy(headers["connection"]);
  const isDropped = (name: string): boolean =>
    hopByHop.has(name) ||
    ownToServer.has(name) ||
    named.has(name) ||
    (!forwardsCredentials && credentials.has(name));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isDropped(name)));
}

/** The headers of a call that the gateway makes under another name: they say the name that its body says. */
export function headersFor(headers: ForwardedHeaders, { params }: JsonObject): ForwardedHeaders {
  const name = isJsonObject(params) ? params["name"] : undefined;
  const isNamed = headers["mcp-name"] !== undefined && typeof name === "string";
  return isNamed ? { ...headers, "mcp-name": headerValue(name) } : headers;
}

/**
 * The server's headers as the client gets them; the body is never packed here, and its length is counted anew. `called` is
 * the client's address for the server, where the client's credentials pass and it may sign in.
 */
export function headersToClient(
  headers: IncomingHttpHeaders,
  called: CalledAddress | undefined,
): OutgoingHttpHeaders {
  const named = namedBy(headers.connection);
  const isDropped = (name: string): boolean => hopByHop.has(name) || ownToClient.has(name) || named.has(name);
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !isDropped(name)));
  const { "www-authenticate": challenge } = headers;
  if (called === undefined || challenge === undefined) return kept;
  return { ...kept, "www-authenticate": challengeFor(called, challenge) };
}

/** The headers of a request of the gateway's own beside a client's: what speaks of that one request is left out. */
export function headersOfOwnMessage(headers: ForwardedHeaders, method: string): ForwardedHeaders {
  const isOfTheCall = (name: string): boolean =>
    name === "mcp-name" || name === "last-event-id" || name.startsWith("mcp-param-");
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !isOfTheCall(name)));
  return kept["mcp-method"] === undefined ? kept : { ...kept, "mcp-method": method };
}
