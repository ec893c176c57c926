/** The parent that a request names, in the W3C's words. */
export interface Traceparent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const form = /^00-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/;
const zeros = /^0+$/;

/**
 * Reads a `traceparent` of version 00 (https://www.w3.org/TR/trace-context/). Capitals, other versions, ids of zeros
 * and anything before or behind make it no parent at all, since a wrong parent misleads more than none.
 */
export function parseTraceparent(value: unknown): Traceparent | undefined {
  if (typeof value !== "string") return undefined;
  const { traceId = "0", spanId = "0", flags = "" } = form.exec(value)?.groups ?? {};
  if (zeros.test(traceId) || zeros.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
