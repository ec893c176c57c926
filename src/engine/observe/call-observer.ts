// Watches a tool call: one span and four metrics. It never changes a result, and when no SDK listens it watches nothing.
import { context } from "@opentelemetry/api";
import type { CallFacts, CallListener, CallWatch, ObservedCall } from "./call-facts.ts";
import { countCall, hasMeter } from "./call-metrics.ts";
import { abandonCallSpan, endCallSpan, findTracer, startCallSpan } from "./call-span.ts";

export { traceNow } from "./call-span.ts";

export interface CallObserverOptions {
  readonly serverName?: string | undefined;
}

/** What each call starts: a span where a tracer listens, counts where a meter does, nothing without either. */
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
