// Watches a tool call: one span and four metrics. It never changes a result, and without an SDK it does nothing.

import {
  context,
  createNoopMeter,
  metrics,
  type Counter,
  type Histogram,
  type MeterProvider,
} from "@opentelemetry/api";
import type { CallFacts, CallListener, CallWatch, ObservedCall } from "./call-facts.ts";
import { abandonCallSpan, endCallSpan, findTracer, startCallSpan } from "./call-span.ts";
import { metricAttributes, metricNames, outcomeOf, SCOPE_NAME } from "./telemetry-names.ts";

export { traceNow } from "./call-span.ts";

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

const made = new WeakMap<MeterProvider, Instruments | "nobody">();

function make(provider: MeterProvider): Instruments | "nobody" {
  const meter = provider.getMeter(SCOPE_NAME);
  if (meter === createNoopMeter()) return "nobody";
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
  return known === "nobody" ? undefined : known;
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
