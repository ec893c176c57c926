import {
  type Attributes,
  type Context,
  type Counter,
  type Histogram,
  SpanKind,
  SpanStatusCode,
  context,
  createTraceState,
  metrics,
  trace,
} from "@opentelemetry/api";
import { parseTraceparent } from "./parse-traceparent.ts";

/** What is known of a call before it runs. */
export interface ObservedCall {
  readonly tool: string;
  readonly requestId: string;
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** What is known of it afterwards. */
export interface CallFacts {
  readonly ok: boolean;
  readonly errorCode?: string;
  readonly errorType?: string;
  readonly dialect: string;
  readonly profile: string;
  readonly tokens?: number;
  readonly cacheHit?: boolean;
  readonly durationMs: number;
}

export interface CallObserver {
  /** Runs a call inside a span, and counts it. */
  observe<Result>(
    call: ObservedCall,
    run: () => Promise<Result>,
    describe: (result: Result) => CallFacts,
  ): Promise<Result>;
}

const SCOPE = "waybill";

interface Instruments {
  readonly calls: Counter;
  readonly errors: Counter;
  readonly duration: Histogram;
  readonly tokens: Histogram;
}

function makeInstruments(): Instruments {
  const meter = metrics.getMeter(SCOPE);
  return {
    calls: meter.createCounter("waybill.calls", { description: "Tool calls by tool and outcome" }),
    errors: meter.createCounter("waybill.errors", { description: "Failed calls by tool, type and code" }),
    duration: meter.createHistogram("waybill.duration", { description: "Time of a call", unit: "ms" }),
    tokens: meter.createHistogram("waybill.tokens", { description: "Tokens of a result" }),
  };
}

/** The span of the client's trace as parent, where the request named one. */
function parentOf({ traceparent, tracestate }: ObservedCall): Context {
  const active = context.active();
  const parent = parseTraceparent(traceparent);
  if (parent === undefined) return active;
  const state = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) };
  return trace.setSpanContext(active, {
    traceId: parent.traceId,
    spanId: parent.spanId,
    traceFlags: parent.flags,
    isRemote: true,
    ...state,
  });
}

function attributesOf(facts: CallFacts): Attributes {
  return {
    "waybill.dialect": facts.dialect,
    "waybill.profile": facts.profile,
    ...(facts.cacheHit === true ? { "waybill.cache_hit": true } : {}),
    ...(facts.errorCode === undefined ? {} : { "waybill.error_code": facts.errorCode }),
    ...(facts.errorType === undefined ? {} : { "error.type": facts.errorType }),
  };
}

const serverTrouble = new Set(["internal", "unavailable"]);

function count(instruments: Instruments, tool: string, facts: CallFacts): void {
  instruments.calls.add(1, { tool, outcome: facts.ok ? "success" : "failure" });
  instruments.duration.record(facts.durationMs, { tool });
  if (facts.tokens !== undefined) instruments.tokens.record(facts.tokens, { tool });
  if (facts.ok) return;
  const { errorType = "internal", errorCode = "INTERNAL_ERROR" } = facts;
  instruments.errors.add(1, { tool, error_type: errorType, error_code: errorCode });
}

/** Spans and metrics through the OpenTelemetry API; without an SDK in the process they cost next to nothing. */
export function createCallObserver(options: { readonly serverName?: string } = {}): CallObserver {
  const { serverName } = options;
  let provider: unknown;
  let instruments: Instruments | undefined;
  const current = (): Instruments => {
    const now = metrics.getMeterProvider();
    if (instruments === undefined || provider !== now) instruments = makeInstruments();
    provider = now;
    return instruments;
  };
  return {
    observe: async (call, run, describe) => {
      const tracer = trace.getTracer(SCOPE);
      const attributes: Attributes = {
        "mcp.tool.name": call.tool,
        "waybill.request_id": call.requestId,
        ...(serverName === undefined ? {} : { "mcp.server.name": serverName }),
      };
      const parent = parentOf(call);
      const span = tracer.startSpan("waybill.tool_call", { kind: SpanKind.SERVER, attributes }, parent);
      try {
        const result = await context.with(trace.setSpan(parent, span), run);
        const facts = describe(result);
        span.setAttributes(attributesOf(facts));
        if (!facts.ok && serverTrouble.has(facts.errorType ?? "internal"))
          span.setStatus({ code: SpanStatusCode.ERROR });
        count(current(), call.tool, facts);
        return result;
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
  };
}
