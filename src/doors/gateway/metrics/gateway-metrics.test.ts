import { describe, expect, it } from "vitest";
import type { CallFacts } from "../../../engine/observe/call-facts.ts";
import { Counter, HistogramFamily, expose } from "../../../engine/observe/exposition.ts";
import { GatewayMetrics } from "./gateway-metrics.ts";

const health = { state: "up", restarts: 2 } as const;
const made = (tokens = async () => ({ tokensIn: 900, tokensOut: 80 })) =>
  new GatewayMetrics({ upstreams: () => [["files", health]], sessions: () => [["files", 3]], tokens });
const success: CallFacts = { ok: true, dialect: "auto", profile: "minimal", bytes: 40, durationMs: 20 };

async function call(metrics: GatewayMetrics, tool: string, facts: CallFacts | undefined): Promise<void> {
  const watch = await metrics.listener("files").start?.({ tool, requestId: "r1" });
  watch?.end?.(facts);
}

describe("GatewayMetrics", () => {
  it("counts calls, failures, cuts, archive writes, tokens, sessions and restarts", async () => {
    const metrics = made();
    await call(metrics, "read", success);
    await call(metrics, "read", { ...success, isCut: true, isArchived: true, durationMs: 700 });
    await call(metrics, "read", { ...success, isCut: true, isArchived: false });
    await call(metrics, "read", { ...success, ok: false, errorCode: "NOT_FOUND" });
    await call(metrics, "files_retrieve", { ...success, answersRetrieval: true });
    await call(metrics, "read", undefined);
    metrics.refused("files", "unknown-token");
    const lines = expose(await metrics.families()).split("\n");
    for (const line of [
      'waybill_calls_total{upstream="files",tool="read",outcome="success"} 3',
      'waybill_calls_total{upstream="files",tool="read",outcome="failure"} 1',
      'waybill_errors_total{upstream="files",code="NOT_FOUND"} 1',
      'waybill_calls_abandoned_total{upstream="files"} 1',
      'waybill_cuts_total{upstream="files"} 2',
      'waybill_retrievals_total{upstream="files"} 1',
      'waybill_archive_writes_total{upstream="files",outcome="success"} 1',
      'waybill_archive_writes_total{upstream="files",outcome="failure"} 1',
      'waybill_result_bytes_total{upstream="files"} 200',
      "waybill_tokens_in_total 900",
      "waybill_tokens_out_total 80",
      'waybill_call_duration_seconds_bucket{upstream="files",le="0.025"} 4',
      'waybill_call_duration_seconds_bucket{upstream="files",le="+Inf"} 5',
      'waybill_call_duration_seconds_count{upstream="files"} 5',
      'waybill_auth_refusals_total{upstream="files",reason="unknown-token"} 1',
      'waybill_upstream_restarts_total{upstream="files"} 2',
      'waybill_upstream_up{upstream="files",state="up"} 1',
      'waybill_sessions{upstream="files"} 3',
      "# TYPE waybill_call_duration_seconds histogram",
    ])
      expect(lines).toContain(line);
    expect(expose(await metrics.families())).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  it("never counts backwards when an estimate gets smaller", async () => {
    let tokensIn = 1_000;
    const metrics = made(async () => ({ tokensIn, tokensOut: 1 }));
    expect(expose(await metrics.families())).toContain("waybill_tokens_in_total 1000");
    tokensIn = 900;
    expect(expose(await metrics.families())).toContain("waybill_tokens_in_total 1000");
  });
});

/** What https://prometheus.io/docs/instrumenting/exposition_formats/ allows for a line. */
const sample = /^[a-zA-Z_:][\w:]*(\{([a-zA-Z_]\w*="([^"\\\n]|\\[\\n"])*",?)*\})? (\+Inf|NaN|-?[\d.e+-]+)$/;
const remark = /^# (HELP|TYPE) [a-zA-Z_:][\w:]* \S.*$/;

describe("the text format", () => {
  it("has only lines that Prometheus reads, whatever is in a label", () => {
    const counter = new Counter("odd_total", "Odd names.");
    for (const tool of ['a"b', "c\\d", "e\nf", "ü", ""]) counter.add({ tool });
    const histogram = new HistogramFamily("odd_seconds", "Odd times.", [0.1, 1]);
    histogram.observe({ tool: 'a"b' }, 1e-9);
    const text = expose([counter, histogram]);
    const wrong = text
      .slice(0, -1)
      .split("\n")
      .filter((line) => !sample.test(line) && !remark.test(line));
    expect(wrong).toEqual([]);
    expect(text.endsWith("\n")).toBe(true);
  });

  it("counts together what callers make up beyond a thousand names", () => {
    const counter = new Counter("calls_total", "Calls.");
    for (let index = 0; index < 5_000; index++) counter.add({ upstream: "files", tool: `made-up-${index}` });
    const lines = expose([counter]).split("\n");
    expect(lines.length).toBeLessThan(1_010);
    expect(lines).toContain('calls_total{upstream="other",tool="other"} 4000');
  });

  it("puts a value on the edge of a bucket inside it, and one beyond the last into the sum only", () => {
    const histogram = new HistogramFamily("h", "H.", [1, 2]);
    for (const value of [1, 2, 3]) histogram.observe({}, value);
    expect(expose([histogram])).toContain(
      'h_bucket{le="1"} 1\nh_bucket{le="2"} 2\nh_bucket{le="+Inf"} 3\nh_sum 6\nh_count 3',
    );
  });
});
