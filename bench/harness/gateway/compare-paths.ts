import { type Spread, quantile, spreadOf } from "../compare-sides.ts";
import { cpuUsOf } from "./process-usage.ts";

/** One way from the client in this process to the tool. */
export interface Path {
  readonly name: string;
  /** Every process behind the client: the gateway and the server. */
  readonly pids: () => readonly number[];
  readonly call: (tool: string, size: string) => Promise<unknown>;
}

export interface PathFigures {
  readonly name: string;
  /** Processor time of client, gateway and server together, in µs a call. */
  readonly cpuUs: number;
  readonly wallUs: number;
  /** Without the client: what runs behind it. */
  readonly behindUs: number;
  readonly cpu: Spread;
  readonly wall: Spread;
  readonly behind: Spread;
}

interface Turn {
  readonly cpuUs: number;
  readonly wallUs: number;
  readonly behindUs: number;
}

async function takeTurn(path: Path, tool: string, size: string, calls: number): Promise<Turn> {
  const pids = path.pids();
  const before = cpuUsOf(pids);
  const own = process.cpuUsage();
  const start = performance.now();
  for (let index = 0; index < calls; index++) await path.call(tool, size);
  const wallUs = ((performance.now() - start) * 1_000) / calls;
  const { user, system } = process.cpuUsage(own);
  const behindUs = (cpuUsOf(pids) - before) / calls;
  return { cpuUs: (user + system) / calls + behindUs, wallUs, behindUs };
}

/** Turn by turn, the order rotating; two rounds warm everything up and are dropped. The first path is the baseline. */
export async function comparePaths(
  paths: readonly Path[],
  tool: string,
  size: string,
  calls: number,
  rounds: number,
): Promise<readonly PathFigures[]> {
  const turns = paths.map((): Turn[] => []);
  for (let round = -2; round < rounds; round++) {
    for (let turn = 0; turn < paths.length; turn++) {
      const index = (turn + round + 2) % paths.length;
      const path = paths[index];
      if (path === undefined) continue;
      const taken = await takeTurn(path, tool, size, calls);
      if (round >= 0) turns[index]?.push(taken);
    }
  }
  const baseline = turns[0] ?? [];
  return paths.map(({ name }, index) => {
    const own = turns[index] ?? [];
    const median = (key: keyof Turn): number =>
      quantile(
        own.map((turn) => turn[key]),
        0.5,
      );
    const against = (key: keyof Turn): Spread =>
      spreadOf(own.map((turn, round) => turn[key] / (baseline[round]?.[key] ?? Number.NaN)));
    return {
      name,
      cpuUs: median("cpuUs"),
      wallUs: median("wallUs"),
      behindUs: median("behindUs"),
      cpu: against("cpuUs"),
      wall: against("wallUs"),
      behind: against("behindUs"),
    };
  });
}
