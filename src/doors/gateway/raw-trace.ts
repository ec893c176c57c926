import type { CarriedTrace } from "../../engine/request/call-origin.ts";
import { type Span, memberSpans } from "../../engine/transport/raw-message.ts";

/** A text with one part replaced by another text. */
function spliced(text: string, { start, end }: Span, inside: string): string {
  return text.slice(0, start) + inside + text.slice(end);
}

function isObjectAt(text: string, span: Span | undefined): span is Span {
  return span !== undefined && text[span.start] === "{";
}

/** The object at `from` with a member set; its other members stay as they are written. */
function withMember(text: string, from: number, name: string, value: string): string {
  const members = memberSpans(text, from);
  const known = members.get(name);
  if (known !== undefined) return spliced(text, known, value);
  const inside = text.indexOf("{", from) + 1;
  const comma = members.size === 0 ? "" : ",";
  return spliced(text, { start: inside, end: inside }, `${JSON.stringify(name)}:${value}${comma}`);
}

/**
 * A request that names its span in `params._meta`, as the W3C defines it. Everything else is unchanged: numbers that
 * JavaScript would write differently, and the order of members.
 */
export function withTrace(bytes: Buffer, { traceparent, tracestate }: CarriedTrace): Buffer {
  // One character for each byte, so that invalid UTF-8 is kept too.
  const text = bytes.toString("latin1");
  const params = memberSpans(text).get("params");
  if (!isObjectAt(text, params)) return bytes;
  const meta = memberSpans(text, params.start).get("_meta");
  if (meta !== undefined && !isObjectAt(text, meta)) return bytes;
  const said = { traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
  if (meta === undefined) return Buffer.from(withMember(text, params.start, "_meta", latin1(said)), "latin1");
  const named = withMember(text, meta.start, "traceparent", latin1(traceparent));
  const changed =
    tracestate === undefined ? named : withMember(named, meta.start, "tracestate", latin1(tracestate));
  return Buffer.from(changed, "latin1");
}

/** JSON whose characters are its UTF-8 bytes. */
function latin1(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("latin1");
}
