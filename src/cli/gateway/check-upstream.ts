// Runs `waybill check` on a server for the page of a gateway. Doors do not import each other, so the checker is passed
// in from here.

import { withoutUndefined } from "../../core/json/json-value.ts";
import { runCheck } from "../../doors/check/check-server.ts";
import type { CheckProgress, CheckTarget } from "../../doors/check/check-options.ts";
import type { CheckReport } from "../../doors/check/report/check-report.ts";
import type { RunCheck } from "../../doors/gateway/dashboard/dashboard-parts.ts";
import type { CheckSummary } from "../../doors/gateway/dashboard/protocol/places.ts";
import type { UpstreamOptions } from "../../doors/gateway/gateway-options.ts";

/** A server is checked in a separate process or session, with the variables that it has behind the gateway. */
function targetOf(upstream: UpstreamOptions): CheckTarget {
  if (upstream.url !== undefined) {
    const { url, headers, transport } = upstream;
    return { url, ...withoutUndefined({ headers, transport }) };
  }
  const { command, args, env, inheritEnv = false, cwd } = upstream;
  return { command, inheritEnv, ...withoutUndefined({ args, env, cwd }) };
}

const phaseWords = {
  connect: "Connecting",
  list: "Listing its tools",
  judge: "Judging what came back",
} as const;

function sayProgress({ phase, tool, done, planned }: CheckProgress): string {
  if (phase === "probe") return `Calling ${tool ?? "its tools"} (${done} of ${planned} tools done)`;
  return phaseWords[phase];
}

function summaryOf({ coverage, score, counts, calls, durationMs, findings }: CheckReport): CheckSummary {
  const { error, warning, info, passed, untested } = counts;
  return {
    coverage: coverage.says,
    score: score?.value ?? null,
    reasons: score?.reasons ?? [],
    counts: { error, warning, info, passed, untested },
    calls,
    durationMs: Math.round(durationMs),
    findings: findings.map(({ rule, severity, tool, message, fix }) => ({
      rule,
      severity,
      tool,
      message,
      fix,
    })),
  };
}

/** Checks the servers that `upstreams` names at that moment; what a server writes to stderr goes to `note`. */
export function checkUpstream(
  upstreams: () => Readonly<Record<string, UpstreamOptions>>,
  note: (upstream: string, line: string) => void,
): RunCheck {
  return async (name, tell, signal) => {
    const all = upstreams();
    const upstream = Object.hasOwn(all, name) ? all[name] : undefined;
    if (upstream === undefined) throw new Error(`The configuration names no server "${name}" any more.`);
    const { report } = await runCheck(targetOf(upstream), {
      signal,
      onStderr: (line) => note(name, line),
      onProgress: (progress) => tell(sayProgress(progress), progress.done, progress.planned),
    });
    if (!report.isReachable)
      throw new Error(`The server could not be reached: ${report.stopped ?? "it did not answer"}.`);
    return summaryOf(report);
  };
}
