// The identity of a caller at a server behind a URL: everything the server sees and could use to tell callers apart.
// Two callers that differ to the server must never be one here, or one would see what the server shows the other.

import { hashCredential, isPlaceholder } from "../../../engine/request/call-origin.ts";
import type { ForwardedHeaders } from "./proxy-headers.ts";

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

const nobody: ForwardedCaller = { callerHash: undefined, variantHash: undefined };

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
      !isOrdinary(name) && !Object.hasOwn(fixed, name) && !(name === "authorization" && isPlaceholder(value)),
  );
  if (telling.length === 0) return nobody;
  const sorted = telling.toSorted(([left], [right]) => (left < right ? -1 : 1));
  const hash = hashCredential(JSON.stringify(sorted));
  const isProven = telling.some(([name]) => proof.test(name));
  return isProven
    ? { callerHash: hash, variantHash: undefined }
    : { callerHash: undefined, variantHash: hash };
}
