import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { headerValue } from "../../../engine/transport/http/message-headers.ts";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { CalledAddress } from "../../../engine/request/sign-in/protected-resource.ts";
import { challengeFor } from "./protected-resource.ts";
import { hashCredential, isPlaceholderCredential } from "../../../engine/request/call-request.ts";

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

// The identity of a caller at a server behind a URL: everything the server sees and could use to tell callers apart.
// Two callers that differ to the server must never be one here, or one would see what the server shows the other.

/**
 * Headers of the protocols themselves and of proxies in between. Any other header may identify the caller, whatever its
 * name. A header missing here costs a caller its own list of tools; a wrong entry shows a caller the list of another.
 */
const ordinary: ReadonlySet<string> = new Set([
  "accept",
  "accept-charset",
  "accept-language",
  "b3",
  "baggage",
  "cache-control",
  "cdn-loop",
  "cf-connecting-ip",
  "cf-ipcountry",
  "cf-ray",
  "cf-visitor",
  "content-encoding",
  "content-language",
  "content-type",
  "date",
  "dnt",
  "forwarded",
  "idempotency-key",
  "last-event-id",
  "max-forwards",
  "origin",
  "pragma",
  "priority",
  "purpose",
  "range",
  "referer",
  "sentry-trace",
  "traceparent",
  "tracestate",
  "uber-trace-id",
  "upgrade-insecure-requests",
  "user-agent",
  "via",
  "x-amzn-trace-id",
  "x-client-ip",
  "x-cloud-trace-context",
  "x-correlation-id",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-prefix",
  "x-forwarded-proto",
  "x-forwarded-scheme",
  "x-forwarded-server",
  "x-real-ip",
  "x-request-id",
  "x-request-start",
  "x-requested-with",
  "x-trace-id",
]);
const ordinaryStarts = ["mcp-", "sec-", "if-", "x-b3-", "x-datadog-", "x-envoy-"];

/** Names of headers whose value is a proof: only the caller has it. */
const proof = /auth|assertion|cookie|credential|jwt|key|passw|secret|session|signature|token/;

export interface ForwardedCaller {
  /** For a caller with a proof; it names the caller's own archives. */
  readonly callerHash: string | undefined;
  /** For a caller without a proof, from what anyone could send: it only separates what servers may show differently. */
  readonly variantHash: string | undefined;
}

const noCaller: ForwardedCaller = { callerHash: undefined, variantHash: undefined };

function isOrdinary(name: string): boolean {
  return ordinary.has(name) || ordinaryStarts.some((start) => name.startsWith(start));
}

/**
 * The caller behind the headers that its server receives. `fixed` are the operator's own headers, which replace the
 * caller's: they say nothing about the caller.
 */
export function forwardedCaller(
  headers: ForwardedHeaders,
  fixed: Readonly<Record<string, string>>,
): ForwardedCaller {
  const telling = Object.entries(headers).filter(
    ([name, value]) =>
      !isOrdinary(name) &&
      !Object.hasOwn(fixed, name) &&
      !(name === "authorization" && isPlaceholderCredential(value)),
  );
  if (telling.length === 0) return noCaller;
  const sorted = telling.toSorted(([left], [right]) => (left < right ? -1 : 1));
  const hash = hashCredential(JSON.stringify(sorted));
  const isProven = telling.some(([name]) => proof.test(name));
  return isProven
    ? { callerHash: hash, variantHash: undefined }
    : { callerHash: undefined, variantHash: hash };
}
