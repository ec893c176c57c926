import type { Attributes } from "@opentelemetry/api";
import type { CallFacts, ObservedCall } from "./call-facts.ts";

export const SCOPE_NAME = "waybill";
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

export function outcomeOf({ ok }: { readonly ok: boolean }): (typeof outcomes)[number] {
  return ok ? "success" : "failure";
}

/** OpenTelemetry leaves out an attribute that is undefined. */
export function attributesOfCall(call: ObservedCall, serverName: string | undefined): Attributes {
  return {
    [spanAttributes.method]: "tools/call",
    [spanAttributes.tool]: call.tool,
    [spanAttributes.requestId]: call.requestId,
    [spanAttributes.server]: serverName,
    [spanAttributes.tenant]: call.tenant,
    [spanAttributes.session]: call.session,
  };
}

export function attributesOfFacts(facts: CallFacts): Attributes {
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
