// The order of a check: greet, list twice, call what may be called, say a few things that are wrong, and write it all
// down. It judges nothing.

import type { ServerRecord, ToolRecord } from "../../../core/rules/server-record.ts";
import type { CheckOptions, CheckProgress } from "../check-options.ts";
import { callTool, type Caller } from "./call-tool.ts";
import { exchangeAll } from "./exchanges.ts";
import { cancel, isGood } from "./follow-up.ts";
import { toolsIn, walkList } from "./list-tools.ts";
import type { Way } from "./open-link.ts";
import { reasons } from "../report/coverage.ts";
import { type Against, type ProbeOptions, probeTool, reasonAgainst } from "./probe-tool.ts";

const UNKNOWN_TOOL = "waybill_check_no_such_tool";
/** The slowest tools are the ones that somebody would call off. */
const MAX_CANCELLED = 3;

export interface Probe extends Caller {
  readonly way: Way;
  readonly options: ProbeOptions;
  readonly dialect: CheckOptions["dialect"];
  /** Why the check ended before its plan did; undefined while it goes on. */
  readonly stopped: () => string | undefined;
  readonly tell: (progress: Omit<CheckProgress, "elapsedMs">) => void;
}

async function probeTools(probe: Probe, listed: readonly ToolRecord[]): Promise<readonly ToolRecord[]> {
  const { server, options, tell } = probe;
  const chosen = listed.filter((tool) => reasonAgainst(tool, options) === undefined);
  const probed = new Set(chosen.slice(0, options.limits.tools));
  const tools: ToolRecord[] = [];
  let done = 0;
  for (const tool of listed) {
    const over = probe.stopped() ?? server.gone;
    let against: Against | undefined =
      reasonAgainst(tool, options) ??
      (probed.has(tool) ? undefined : reasons.tooMany) ??
      (over === undefined ? undefined : { because: over });
    if (against === undefined) {
      tell({ phase: "probe", tool: tool.name, done, planned: probed.size });
      against = await probeTool(probe, tool, listed, options);
      done += 1;
    }
    tools.push({ ...tool, notProbed: against?.because, remedy: against?.remedy });
  }
  return tools;
}

/** The first good call of each of the slowest tools, called off. */
async function cancelSome(probe: Probe, tools: readonly ToolRecord[]): Promise<void> {
  // What changes something is not called more often than somebody asked for.
  const harmless = tools.filter(({ isReadOnly }) => isReadOnly || probe.options.all === true);
  const first = harmless.flatMap(
    ({ name }) => probe.recorder.calls.find((call) => call.tool === name && isGood(call)) ?? [],
  );
  const slowest = first.toSorted((one, other) => other.durationMs - one.durationMs);
  for (const call of slowest.slice(0, MAX_CANCELLED)) await cancel(probe, call, probe.options.limits.callMs);
}

type Seen = Pick<ServerRecord, "listings" | "tools" | "exchanges">;

async function lookAround(probe: Probe): Promise<Seen> {
  const { way, options, tell, countTokens } = probe;
  const { listPages } = options.limits;
  tell({ phase: "list", done: 0, planned: 2 });
  const first = await walkList(probe, listPages);
  tell({ phase: "list", done: 1, planned: 2 });
  const listings = [first, await walkList(probe, listPages)];
  const tools = await probeTools(probe, toolsIn(first, countTokens));
  if (options.definitionsOnly === true) return { listings, tools, exchanges: [] };
  await callTool(probe, { tool: UNKNOWN_TOOL, purpose: "unknown-tool", arguments: {} });
  await cancelSome(probe, tools);
  const exchanges = await exchangeAll(probe, way);
  return { listings, tools, exchanges };
}

/** Probes a server that was started. */
export async function probeServer(probe: Probe, hasStarted: boolean): Promise<ServerRecord> {
  const { way, server, recorder, dialect } = probe;
  const seen = hasStarted ? await lookAround(probe) : { listings: [], tools: [], exchanges: [] };
  return {
    target: way.name,
    transport: way.transport,
    era: server.era,
    protocolVersion: server.protocolVersion,
    greeting: server.greeting,
    ...seen,
    calls: recorder.calls,
    problems: recorder.problems,
    messages: recorder.messages,
    dialect,
  };
}
