import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { headerValue } from "../../../engine/transport/http/parameter-headers.ts";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { type CalledAddress, challengeFor } from "./protected-resource.ts";

/** Headers of one connection, which are never forwarded. */
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

/** Headers that the gateway sets itself: the server's own name, the length, and the compression of a body. */
const ownToServer: ReadonlySet<string> = new Set(["host", "content-length", "accept-encoding", "expect"]);
const ownToClient: ReadonlySet<string> = new Set(["content-length", "content-encoding"]);
const credentials: ReadonlySet<string> = new Set(["authorization", "cookie"]);

/** Headers named by the `Connection` header also belong to the connection. */
function namedBy(connection: string | undefined): ReadonlySet<string> {
  return new Set((connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
}

export type ForwardedHeaders = Record<string, string>;

/** The client's headers as its server receives them. Credentials are included only if the operator allows it. */
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

/** The headers of a call that the gateway makes under another name: they repeat the name in its body. */
export function headersFor(headers: ForwardedHeaders, { params }: JsonObject): ForwardedHeaders {
  const name = isJsonObject(params) ? params["name"] : undefined;
  const isNamed = headers["mcp-name"] !== undefined && typeof name === "string";
  return isNamed ? { ...headers, "mcp-name": headerValue(name) } : headers;
}

/**
 * The server's headers as the client receives them; the body is never compressed here, and its length is computed
 * again. `called` is the address at which the client calls the server, if credentials pass and it may sign in.
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

/** The headers of the gateway's own request beside a client's, without those that are about that one request. */
export function headersOfOwnMessage(headers: ForwardedHeaders, method: string): ForwardedHeaders {
  const isOfTheCall = (name: string): boolean =>
    name === "mcp-name" || name === "last-event-id" || name.startsWith("mcp-param-");
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !isOfTheCall(name)));
  return kept["mcp-method"] === undefined ? kept : { ...kept, "mcp-method": method };
}
