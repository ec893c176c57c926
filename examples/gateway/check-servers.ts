import { type CheckProgress, checkServer } from "waybill/check";
import type { CommandUpstream, DashboardOptions } from "waybill/gateway";

function says({ phase, tool = "its tools", done, planned }: CheckProgress): string {
  return phase === "probe" ? `calls ${tool} (${done} of ${planned})` : phase;
}

/**
 * Lets the dashboard check these servers. Each gets a process of its own for it, as behind the gateway; only tools that
 * say they are read-only are called.
 */
export function checkServers(
  upstreams: Readonly<Record<string, CommandUpstream>>,
): NonNullable<DashboardOptions["check"]> {
  return async (name, tell, signal) => {
    const upstream = upstreams[name];
    if (upstream === undefined) throw new Error(`There is no server ${name} here.`);
    const { command, args, env, cwd } = upstream;
    const report = await checkServer(
      { command, args, env, cwd, inheritEnv: false },
      { signal, onProgress: (progress) => tell(says(progress), progress.done, progress.planned) },
    );
    const { coverage, score, counts, calls, durationMs, findings } = report;
    return {
      coverage: coverage.says,
      score: score?.value ?? null,
      reasons: score?.reasons ?? [],
      counts,
      calls,
      durationMs,
      findings,
    };
  };
}
