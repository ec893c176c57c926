export interface Traceparent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The W3C trace context of version 00; anything else, and ids of zeros, is no parent. */
export function parseTraceparent(text: string | undefined): Traceparent | undefined {
  const match = pattern.exec(text ?? "");
  if (match === null) return undefined;
  const [, traceId = "", spanId = "", flags = "00"] = match;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
