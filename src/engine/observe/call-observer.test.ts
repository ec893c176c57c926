import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CallEvents } from "../call/call-events.ts";
import type { CallFacts, ObservedCall } from "./call-facts.ts";
import { type CallObserverOptions, createCallObserver } from "./call-observer.ts";
import { listen, stopListening } from "./open-telemetry.fixture.ts";

const call = { tool: "task_query", requestId: "req_1" };
const success: CallFacts = { ok: true, dialect: "response-v2", profile: "standard", durationMs: 5 };
const failure = (errorType: string, errorCode: string): CallFacts => ({
  ...success,
  ok: false,
  errorType,
  errorCode,
});
const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

/** Calls as the engine runs them, watched by an observer. */
function observing(options: CallObserverOptions = {}) {
  const failures: unknown[] = [];
  const events = new CallEvents((error) => failures.push(error));
  events.listen({ start: createCallObserver(options) });
  const observe = <Result>(
    seen: ObservedCall,
    run: () => Promise<Result>,
    facts: () => CallFacts,
  ): Promise<Result> => {
    const watches = events.start(() => seen);
    return watches === undefined ? run() : events.watch(watches, run, facts);
  };
  return { observe, failures };
}

describe("createCallObserver with SDKs listening", () => {
  let heard: ReturnType<typeof listen>;
  beforeEach(() => {
    heard = listen();
  });
  afterEach(stopListening);

  it("makes one server span with what is known before and after the call", async () => {
    const { observe } = observing({ serverName: "demo" });
    const facts = { ...success, bytes: 900, cacheHit: true, redactions: 2 };
    await observe(
      { ...call, tenant: "acme", session: "s-1" },
      async () => "done",
      () => facts,
    );
    const [span, ...others] = heard.spans();
    expect(others).toEqual([]);
    expect(span).toMatchObject({ name: "waybill.tool_call", kind: SpanKind.SERVER });
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
    expect(span?.attributes).toEqual({
      "mcp.method.name": "tools/call",
      "mcp.tool.name": "task_query",
      "mcp.session.id": "s-1",
      "waybill.server": "demo",
      "waybill.request_id": "req_1",
      "waybill.tenant": "acme",
      "waybill.outcome": "success",
      "waybill.dialect": "response-v2",
      "waybill.profile": "standard",
      "waybill.bytes": 900,
      "waybill.cache_hit": true,
      "waybill.redactions": 2,
      "waybill.duration_ms": 5,
    });
  });

  it("takes its parent from traceparent and tracestate", async () => {
    const traceparent = `00-${traceId}-${spanId}-01`;
    await observing().observe(
      { ...call, traceparent, tracestate: "a=1,b=2" },
      async () => 1,
      () => success,
    );
    const [span] = heard.spans();
    expect(span?.spanContext().traceId).toBe(traceId);
    expect(span?.parentSpanContext).toMatchObject({ spanId, isRemote: true });
    expect(span?.spanContext().traceState?.serialize()).toBe("a=1,b=2");
  });

  it("ignores an invalid traceparent and keeps the span around it as parent", async () => {
    const tracer = trace.getTracer("test");
    const around = tracer.startSpan("around");
    await context.with(trace.setSpan(context.active(), around), () =>
      observing().observe(
        { ...call, traceparent: `00-${traceId}-${spanId}` },
        async () => 1,
        () => success,
      ),
    );
    expect(heard.spans()[0]?.parentSpanContext?.spanId).toBe(around.spanContext().spanId);
    expect(heard.spans()[0]?.links).toEqual([]);
  });

  it("links the span around it when the request names another parent", async () => {
    const around = trace.getTracer("test").startSpan("around");
    const traceparent = `00-${traceId}-${spanId}-01`;
    await context.with(trace.setSpan(context.active(), around), () =>
      observing().observe(
        { ...call, traceparent },
        async () => 1,
        () => success,
      ),
    );
    expect(heard.spans()[0]?.parentSpanContext?.spanId).toBe(spanId);
    expect(heard.spans()[0]?.links[0]?.context.spanId).toBe(around.spanContext().spanId);
  });

  it("is the parent of spans the tool makes, across awaits", async () => {
    await observing().observe(
      call,
      async () => {
        await Promise.resolve();
        trace.getTracer("tool").startSpan("query").end();
      },
      () => success,
    );
    const [query, own] = heard.spans();
    expect(query?.parentSpanContext?.spanId).toBe(own?.spanContext().spanId);
  });

  it.each([
    ["validation", "VALIDATION_ERROR", SpanStatusCode.UNSET],
    ["not_found", "NOT_FOUND", SpanStatusCode.UNSET],
    ["rate_limit", "RATE_LIMIT_EXCEEDED", SpanStatusCode.UNSET],
    ["internal", "INTERNAL_ERROR", SpanStatusCode.ERROR],
    ["unavailable", "UNAVAILABLE", SpanStatusCode.ERROR],
  ])("gives a failure of type %s its code and the right status", async (type, code, status) => {
    await observing().observe(
      call,
      async () => 1,
      () => failure(type, code),
    );
    const [span] = heard.spans();
    expect(span?.status.code).toBe(status);
    expect(span?.attributes).toMatchObject({
      "waybill.outcome": "failure",
      "error.type": type,
      "waybill.error_code": code,
    });
  });

  // shows 000.31, 001.108
  it("counts calls, errors, time and bytes", async () => {
    const { observe } = observing();
    await observe(
      call,
      async () => 1,
      () => ({ ...success, bytes: 40 }),
    );
    await observe(
      call,
      async () => 1,
      () => ({ ...success, bytes: 60, durationMs: 15 }),
    );
    await observe(
      call,
      async () => 1,
      () => failure("not_found", "NOT_FOUND"),
    );
    const tool = "task_query";
    expect(await heard.points("waybill.calls")).toEqual([
      { attributes: { tool, outcome: "success" }, value: 2 },
      { attributes: { tool, outcome: "failure" }, value: 1 },
    ]);
    expect(await heard.points("waybill.errors")).toEqual([
      { attributes: { tool, error_type: "not_found", error_code: "NOT_FOUND" }, value: 1 },
    ]);
    expect(await heard.points("waybill.duration")).toMatchObject([
      { attributes: { tool, outcome: "success" }, value: { count: 2, sum: 20 } },
      { attributes: { tool, outcome: "failure" }, value: { count: 1, sum: 5 } },
    ]);
    expect(await heard.points("waybill.bytes")).toMatchObject([
      { attributes: { tool }, value: { count: 2, sum: 100 } },
    ]);
  });

  it("passes a rejection on, counts it, and keeps its text out of the span", async () => {
    const error = new Error("no route to db-7");
    const observed = observing().observe(
      call,
      () => Promise.reject(error),
      () => success,
    );
    await expect(observed).rejects.toBe(error);
    const [span] = heard.spans();
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span?.events).toEqual([]);
    expect(JSON.stringify(span?.attributes)).not.toContain("db-7");
    expect(await heard.points("waybill.errors")).toMatchObject([
      { attributes: { error_type: "internal" }, value: 1 },
    ]);
  });

  it("gives the result and ends the span when describing it fails", async () => {
    const { observe, failures } = observing();
    const observed = observe(
      call,
      async () => "done",
      () => {
        throw new Error("bad describe");
      },
    );
    expect(await observed).toBe("done");
    expect(heard.spans()).toHaveLength(1);
    expect(failures).toMatchObject([{ message: "bad describe" }]);
  });

  it("follows the providers when others are registered", async () => {
    const { observe } = observing();
    await observe(
      call,
      async () => 1,
      () => success,
    );
    stopListening();
    const others = listen();
    await observe(
      call,
      async () => 1,
      () => success,
    );
    expect(heard.spans()).toHaveLength(1);
    expect(others.spans()).toHaveLength(1);
    expect(await others.points("waybill.calls")).toMatchObject([{ value: 1 }]);
  });
});

describe("createCallObserver without listeners", () => {
  afterEach(stopListening);

  it("only runs the call", async () => {
    const result = Promise.resolve(7);
    const describing = () => {
      throw new Error("not called");
    };
    expect(observing().observe(call, () => result, describing)).toBe(result);
    expect(await result).toBe(7);
    await expect(observing().observe(call, () => Promise.reject(new Error("x")), describing)).rejects.toThrow(
      "x",
    );
  });

  it("survives a tracer that throws", async () => {
    const { observe, failures } = observing();
    const broken = () => {
      throw new Error("broken SDK");
    };
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan: broken, startActiveSpan: broken }) });
    expect(
      await observe(
        call,
        async () => 7,
        () => success,
      ),
    ).toBe(7);
    expect(failures).toMatchObject([{ message: "broken SDK" }]);
  });
});
