import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { CallWatch } from "../../src/engine/observe/call-facts.ts";
import { expose } from "../../src/engine/observe/exposition.ts";
import { GatewayMetrics } from "../../src/doors/gateway/metrics/gateway-metrics.ts";
import { hasPromtool } from "../services/promtool.fixture.ts";
import { read } from "./deploy-files.fixture.ts";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const { groups } = parse(read("deploy/alerts.yaml")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap(({ rules: each }) => each);

function promtool(...words: readonly string[]) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const { status, stdout, stderr } = spawnSync("promtool", words, { cwd: root, encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
}

/** A page on which every family has a line. */
async function metricsPage(): Promise<string> {
  const health = { state: "idle", restarts: 1 } as const;
  const metrics = new GatewayMetrics({ upstreams: () => [["files", health]], isReady: () => true });
  const call = metrics.listener("files").start?.({ tool: "read", requestId: "r" });
  const facts = { dialect: "auto", profile: "minimal", bytes: 1, durationMs: 1 } as const;
  (call as CallWatch).end?.({ ...facts, ok: false, errorCode: "NOT_FOUND", isArchived: false });
  metrics.refused("files", "unknown-token");
  return expose(await metrics.families());
}

describe("deploy/alerts.yaml", () => {
  it("uses metrics that the gateway serves, and says what is wrong and what to look at", async () => {
    const page = await metricsPage();
    const served = new Set([...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    for (const { alert, expr, labels, annotations } of rules) {
      const used = expr.match(/\bwaybill_\w+/g) ?? [];
      expect([alert, used.length]).not.toEqual([alert, 0]);
      expect([alert, used.filter((name) => !served.has(name))]).toEqual([alert, []]);
      expect(["critical", "warning"]).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
      expect(annotations.description).toMatch(/\.$/);
    }
  });

  it("has a case for each alert", () => {
    const cases = read("test/deploy/alerts.promtool.yaml");
    expect(rules.filter(({ alert }) => !cases.includes(`alertname: ${alert}`))).toEqual([]);
  });

  it.runIf(hasPromtool())("is what Prometheus reads, and fires when it must and not else", () => {
    const checked = promtool("check", "rules", "deploy/alerts.yaml");
    expect(checked.said).toContain(`SUCCESS: ${rules.length} rules found`);
    expect(checked.status).toBe(0);
    const tested = promtool("test", "rules", "test/deploy/alerts.promtool.yaml");
    expect(tested.said).toContain("SUCCESS");
    expect(tested.status).toBe(0);
  });
});
