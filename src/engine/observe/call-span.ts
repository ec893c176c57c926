import {
  type Context,
  type Link,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  context,
  createTraceState,
  isSpanContextValid,
  trace,
} from "@opentelemetry/api";
import {
  SCOPE_NAME,
  SPAN_NAME,
  attributesOfCall,
  attributesOfFacts,
  spanAttributes,
} from "./telemetry-names.ts";
import type { CallFacts, ObservedCall } from "./call-facts.ts";

/** The parent that a request names, in W3C Trace Context form. */
interface Traceparent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const form = /^00-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/;
const zeros = /^0+$/;

/**
 * Reads a `traceparent` of version 00 (https://www.w3.org/TR/trace-context/). Capitals, other versions, ids
 * of zeros and extra characters before or after are ignored, because a wrong parent misleads more than no
 * parent.
 */
export function parseTraceparent(value: unknown): Traceparent | undefined {
  if (typeof value !== "string") return undefined;
  const { traceId = "0", spanId = "0", flags = "" } = form.exec(value)?.groups ?? {};
  if (zeros.test(traceId) || zeros.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** A started span and the context of its children. */
export interface CallSpan {
  readonly span: Span;
  readonly inside: Context;
}

// The API's own proxy delegates to this as long as no SDK is registered.
const nobody: TracerProvider = new ProxyTracerProvider().getDelegate();
const serverTrouble: ReadonlySet<string | undefined> = new Set(["internal", "unavailable"]);

let lastProvider: TracerProvider | undefined;
let lastTracer: Tracer | undefined;

/** The tracer of the SDK that is registered now; undefined if there is none. */
export function findTracer(): Tracer | undefined {
  const global = trace.getTracerProvider();
  const provider = global instanceof ProxyTracerProvider ? global.getDelegate() : global;
  if (provider === nobody) return undefined;
  if (provider !== lastProvider || lastTracer === undefined) {
    lastTracer = provider.getTracer(SCOPE_NAME);
    lastProvider = provider;
  }
  return lastTracer;
}

/** A context whose span belongs to another process. */
function remoteParent(active: Context, { traceId, spanId, flags }: Traceparent, state?: string): Context {
  return trace.setSpanContext(active, {
    traceId,
    spanId,
    traceFlags: flags,
    isRemote: true,
    ...(state === undefined ? {} : { traceState: createTraceState(state) }),
  });
}

/**
 * The caller's own span is the parent, if the request names one; the active span becomes a link then. HTTP
 * headers count only without an active span: an SDK that watches HTTP has already made a span from them.
 */
function parentage(call: ObservedCall): { readonly parent: Context; readonly links: Link[] } {
  const active = context.active();
  const named = parseTraceparent(call.traceparent);
  const around = trace.getSpanContext(active);
  if (named !== undefined) {
    const links = around === undefined ? [] : [{ context: around }];
    return { parent: remoteParent(active, named, call.tracestate), links };
  }
  const carried = around === undefined ? parseTraceparent(call.carried?.traceparent) : undefined;
  const parent = carried === undefined ? active : remoteParent(active, carried, call.carried?.tracestate);
  return { parent, links: [] };
}

/** The active span, in the form of headers and `_meta`; undefined if there is none. */
export function traceNow():
  | { readonly traceparent: string; readonly tracestate: string | undefined }
  | undefined {
  const span = trace.getSpanContext(context.active());
  if (span === undefined || !isSpanContextValid(span)) return undefined;
  const flags = span.traceFlags.toString(16).padStart(2, "0");
  return {
    traceparent: `00-${span.traceId}-${span.spanId}-${flags}`,
    tracestate: span.traceState?.serialize() || undefined,
  };
}

export function startCallSpan(tracer: Tracer, call: ObservedCall, serverName: string | undefined): CallSpan {
  const { parent, links } = parentage(call);
  const attributes = attributesOfCall(call, serverName);
  const span = tracer.startSpan(SPAN_NAME, { kind: SpanKind.SERVER, attributes, links }, parent);
  return { span, inside: trace.setSpan(parent, span) };
}

/** A caller's mistake is an answer like any other; only a failure of the server itself marks the span as an error. */
export function endCallSpan(span: Span, facts: CallFacts): void {
  span.setAttributes(attributesOfFacts(facts));
  if (!facts.ok && serverTrouble.has(facts.errorType ?? "internal"))
    span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** For a call without a result. The error's text is left out: it goes to the log, redacted. */
export function abandonCallSpan(span: Span): void {
  span.setAttributes({ [spanAttributes.outcome]: "failure", [spanAttributes.errorType]: "internal" });
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
