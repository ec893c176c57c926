// Watches a tool call: one span, four metrics, a log line when it breaks. It never changes a result, never fails a
// call, and when neither an SDK nor a log listens it only runs the call.
import { context } from "@opentelemetry/api";
import type { Tracer } from "@opentelemetry/api";
import type { CallFacts, ObservedCall } from "./telemetry-names.ts";
import { countCall, hasMeter } from "./call-metrics.ts";
import { type CallSpan, abandonCallSpan, endCallSpan, findTracer, startCallSpan } from "./call-span.ts";
import type { Log } from "./log-event.ts";

export type { CallFacts } from "./telemetry-names.ts";

export interface CallObserver {
  /** Runs a call and tells whoever listens what came of it; `describe` is only called when somebody does. */
  readonly observe: <Result>(
    call: ObservedCall,
    run: () => Promise<Result>,
    describe: (result: Result) => CallFacts,
  ) => Promise<Result>;
}

export interface CallObserverOptions {
  readonly serverName?: string;
  /** Hears of every call (debug), of calls that throw (error), and of trouble in observing (warn). */
  readonly logger?: Pick<Log, "debug" | "warn" | "error">;
}

export function createCallObserver(options: CallObserverOptions = {}): CallObserver {
  const { logger, serverName } = options;
  const quietly = (action: () => void): void => {
    try {
      action();
    } catch (error) {
      logger?.warn("observe-failed", { err: error });
    }
  };

  async function watch<Result>(
    call: ObservedCall,
    run: () => Promise<Result>,
    describe: (result: Result) => CallFacts,
    tracer: Tracer | undefined,
  ): Promise<Result> {
    const startedMs = performance.now();
    let started: CallSpan | undefined;
    quietly(() => {
      if (tracer !== undefined) started = startCallSpan(tracer, call, serverName);
    });
    let result: Result;
    try {
      result = await (started === undefined ? run() : context.with(started.inside, run));
    } catch (error) {
      quietly(() => started && abandonCallSpan(started.span));
      quietly(() => countCall(call.tool, { ok: false, durationMs: performance.now() - startedMs }));
      logger?.error("tool-failed", { request_id: call.requestId, tool: call.tool, err: error });
      throw error;
    }
    let facts: CallFacts | undefined;
    quietly(() => {
      facts = describe(result);
    });
    report(call, facts, started);
    return result;
  }

  function report(call: ObservedCall, facts: CallFacts | undefined, started: CallSpan | undefined): void {
    if (facts === undefined) {
      quietly(() => started?.span.end());
      return;
    }
    quietly(() => started && endCallSpan(started.span, facts));
    quietly(() => countCall(call.tool, facts));
    logger?.debug("tool-called", { request_id: call.requestId, tool: call.tool, ...facts });
  }

  return {
    observe: (call, run, describe) => {
      const tracer = findTracer();
      if (tracer === undefined && logger === undefined && !hasMeter()) return run();
      return watch(call, run, describe, tracer);
    },
  };
}
