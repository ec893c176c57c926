import type { DialectId } from "../contract/dialect-id.ts";
import type { Outcome } from "../contract/outcome.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import type { RenderOptions } from "../pipeline/dialect/dialect.ts";
import { dialects } from "../pipeline/dialect/dialects.ts";

export interface RenderedResult {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
}

/** An outcome as `mirror` delivers it. */
export function renderResult(id: DialectId, outcome: Outcome, options: RenderOptions): RenderedResult {
  const json = dialects[id].render(outcome, options);
  if (dialects[id].level === "result") return json as unknown as RenderedResult;
  return {
    content: [{ type: "text", text: JSON.stringify(json) }],
    ...(isJsonObject(json) ? { structuredContent: json } : {}),
    ...(outcome.ok ? {} : { isError: true }),
  };
}

export const success = (data: JsonValue): Outcome => ({ ok: true, data, notes: { requestId: "req_1" } });

export const stub = success({
  omitted: { count: 3, keys: ["id", "title"], sample: { id: "T-1" }, bytes: 123_456 },
});

/** The Stub of one long text. */
export const digestStub = success({
  omitted: {
    count: 1,
    keys: ["body"],
    bytes: 123_456,
    digest: { version: "1.0", content_type: "digest/v1", summary: "All is well.", evidence_snippets: [] },
    pointer: "/body",
  },
});

export const failures: readonly Outcome[] = [
  { ok: false, fault: { message: "Gone.", code: "NOT_FOUND", type: "not_found" }, notes: {} },
  {
    ok: false,
    fault: {
      message: "Slow down.",
      code: "RATE_LIMIT_EXCEEDED",
      type: "rate_limit",
      remediation: "Wait.",
      details: { limit: 10, code: 7 },
      data: { retry_after_seconds: 3, tasks: "none", result: null },
    },
    notes: { requestId: "req_2", warnings: [{ message: "Careful." }] },
  },
];
