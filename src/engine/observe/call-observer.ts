// Watches a tool call: one span and four metrics. It never changes a result, and without an SDK it does nothing.

import {
  context,
  createNoopMeter,
  metrics,
  type Counter,
  type Histogram,
  type MeterProvider,
  type Attributes,
  type Context,
  type Link,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  createTraceState,
  isSpanContextValid,
  trace,
} from "@opentelemetry/api";
import type { CallFacts, CallListener, CallWatch, ObservedCall } from "./call-facts.ts";

export interface CallObserverOptions {
  readonly serverName?: string | undefined;
}

/** What each call starts: a span if a tracer is registered, counts if a meter is, otherwise nothing. */
export function createCallObserver({ serverName }: CallObserverOptions = {}): NonNullable<
  CallListener["start"]
> {
  return (call: ObservedCall): CallWatch | undefined => {
    const tracer = findTracer();
    if (tracer === undefined && !hasMeter()) return undefined;
    const startedMs = performance.now();
    const started = tracer === undefined ? undefined : startCallSpan(tracer, call, serverName);
    return {
      around: started === undefined ? undefined : (run) => context.with(started.inside, run),
      end: (facts: CallFacts | undefined) => {
        if (facts !== undefined) {
          if (started !== undefined) endCallSpan(started.span, facts);
          countCall(call.tool, facts);
          return;
        }
        if (started !== undefined) abandonCallSpan(started.span);
        countCall(call.tool, { ok: false, durationMs: performance.now() - startedMs });
      },
    };
  };
}

interface Instruments {
  readonly calls: Counter;
  readonly errors: Counter;
  readonly duration: Histogram;
  readonly bytes: Histogram;
}

/** The part of a call's facts that is counted. */
interface CountedFacts {
  readonly ok: boolean;
  readonly errorCode?: string;
  readonly errorType?: string;
  readonly bytes?: number;
  readonly durationMs: number;
}

/** By the provider, which is an object of OpenTelemetry. */
const made = new WeakMap<MeterProvider, Instruments | "unused">();

function make(provider: MeterProvider): Instruments | "unused" {
  const meter = provider.getMeter(SCOPE_NAME);
  if (meter === createNoopMeter()) return "unused";
  return {
    calls: meter.createCounter(metricNames.calls, { description: "Tool calls", unit: "{call}" }),
    errors: meter.createCounter(metricNames.errors, { description: "Failed tool calls", unit: "{call}" }),
    duration: meter.createHistogram(metricNames.duration, { description: "Time of a tool call", unit: "ms" }),
    bytes: meter.createHistogram(metricNames.bytes, { description: "Bytes of a result's texts", unit: "By" }),
  };
}

/** The instruments of the provider that is registered now, made once for each; undefined if there is no provider. */
function instruments(): Instruments | undefined {
  const provider = metrics.getMeterProvider();
  let known = made.get(provider);
  if (known === undefined) {
    known = make(provider);
    made.set(provider, known);
  }
  return known === "unused" ? undefined : known;
}

function hasMeter(): boolean {
  return instruments() !== undefined;
}

function countCall(tool: string, facts: CountedFacts): void {
  const to = instruments();
  if (to === undefined) return;
  const labels = { [metricAttributes.tool]: tool, [metricAttributes.outcome]: outcomeOf(facts) };
  to.calls.add(1, labels);
  to.duration.record(facts.durationMs, labels);
  if (facts.bytes !== undefined) to.bytes.record(facts.bytes, { [metricAttributes.tool]: tool });
  if (facts.ok) return;
  to.errors.add(1, {
    [metricAttributes.tool]: tool,
    [metricAttributes.errorType]: facts.errorType ?? "internal",
    [metricAttributes.errorCode]: facts.errorCode ?? "INTERNAL_ERROR",
  });
}

const SCOPE_NAME = "waybill";
export const SPAN_NAME = "waybill.tool_call";

/** Every attribute of the span. */
export const spanAttributes = {
  method: "mcp.method.name",
  tool: "mcp.tool.name",
  session: "mcp.session.id",
  server: "waybill.server",
  requestId: "waybill.request_id",
  tenant: "waybill.tenant",
  outcome: "waybill.outcome",
  errorCode: "waybill.error_code",
  errorType: "error.type",
  dialect: "waybill.dialect",
  profile: "waybill.profile",
  bytes: "waybill.bytes",
  cacheHit: "waybill.cache_hit",
  redactions: "waybill.redactions",
  durationMs: "waybill.duration_ms",
} as const;

/** Every attribute of the metrics. All have few values: no ids, no texts. */
export const metricAttributes = {
  tool: "tool",
  outcome: "outcome",
  errorType: "error_type",
  errorCode: "error_code",
} as const;

export const metricNames = {
  calls: "waybill.calls",
  errors: "waybill.errors",
  duration: "waybill.duration",
  bytes: "waybill.bytes",
} as const;

export const outcomes = ["success", "failure"] as const;

function outcomeOf({ ok }: { readonly ok: boolean }): (typeof outcomes)[number] {
  return ok ? "success" : "failure";
}

/** OpenTelemetry leaves out an attribute that is undefined. */
function attributesOfCall(call: ObservedCall, serverName: string | undefined): Attributes {
  return {
    [spanAttributes.method]: "tools/call",
    [spanAttributes.tool]: call.tool,
    [spanAttributes.requestId]: call.requestId,
    [spanAttributes.server]: serverName,
    [spanAttributes.tenant]: call.tenant,
    [spanAttributes.session]: call.session,
  };
}

function attributesOfFacts(facts: CallFacts): Attributes {
  return {
    [spanAttributes.outcome]: outcomeOf(facts),
    [spanAttributes.errorCode]: facts.errorCode,
    [spanAttributes.errorType]: facts.errorType,
    [spanAttributes.dialect]: facts.dialect,
    [spanAttributes.profile]: facts.profile,
    [spanAttributes.bytes]: facts.bytes,
    [spanAttributes.cacheHit]: facts.cacheHit,
    [spanAttributes.redactions]: facts.redactions,
    [spanAttributes.durationMs]: facts.durationMs,
  };
}

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
interface CallSpan {
  readonly span: Span;
  readonly inside: Context;
}

// The API's own proxy delegates to this as long as no SDK is registered.
const noTracing: TracerProvider = new ProxyTracerProvider().getDelegate();
const serverTrouble: ReadonlySet<string | undefined> = new Set(["internal", "unavailable"]);

let lastProvider: TracerProvider | undefined;
let lastTracer: Tracer | undefined;

/** The tracer of the SDK that is registered now, or undefined. */
function findTracer(): Tracer | undefined {
  const global = trace.getTracerProvider();
  const provider = global instanceof ProxyTracerProvider ? global.getDelegate() : global;
  if (provider === noTracing) return undefined;
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

/** The active span, in the form of headers and `_meta`, or undefined. */
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

function startCallSpan(tracer: Tracer, call: ObservedCall, serverName: string | undefined): CallSpan {
  const { parent, links } = parentage(call);
  const attributes = attributesOfCall(call, serverName);
  const span = tracer.startSpan(SPAN_NAME, { kind: SpanKind.SERVER, attributes, links }, parent);
  return { span, inside: trace.setSpan(parent, span) };
}

/** A caller's mistake is an answer like any other; only a failure of the server itself marks the span as an error. */
function endCallSpan(span: Span, facts: CallFacts): void {
  span.setAttributes(attributesOfFacts(facts));
  if (!facts.ok && serverTrouble.has(facts.errorType ?? "internal"))
    span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** For a call without a result. The error's text is left out: it goes to the log, redacted. */
function abandonCallSpan(span: Span): void {
  span.setAttributes({ [spanAttributes.outcome]: "failure", [spanAttributes.errorType]: "internal" });
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
