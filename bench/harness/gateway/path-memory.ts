import { printTable } from "../report.ts";
import { type OpenPath, openHttp, openStdio } from "./open-paths.ts";
import { peakMbOf, rssMbOf } from "./process-usage.ts";

/** Least squares over the second half of the samples, in MB for 100 calls. */
function slopeOf(samples: readonly number[], callsPerSample: number): number {
  const half = samples.slice(Math.floor(samples.length / 2));
  const mean = (half.length - 1) / 2;
  const average = half.reduce((sum, value) => sum + value, 0) / half.length;
  const top = half.reduce((sum, value, index) => sum + (index - mean) * (value - average), 0);
  const bottom = half.reduce((sum, _value, index) => sum + (index - mean) ** 2, 0);
  return (top / bottom / callsPerSample) * 100;
}

async function measurePath(path: OpenPath, calls: number) {
  const idleMb = rssMbOf(path.rootPid);
  const samples: number[] = [];
  const step = Math.max(1, Math.floor(calls / 40));
  for (let call = 0; call < calls; call++) {
    await path.call("struct", "1 MB");
    if (call % step === step - 1) samples.push(rssMbOf(path.rootPid));
  }
  const afterMb = samples.at(-1) ?? Number.NaN;
  const figures = { idleMb, afterMb, peakMb: peakMbOf(path.rootPid), mbPer100Calls: slopeOf(samples, step) };
  await path.close();
  return figures;
}

/** RSS of the gateway alone: after its start and a list, and after many results of 1 MB. */
export async function measureMemory(calls: number) {
  const stdio = await measurePath(await openStdio("gateway"), calls);
  const http = await measurePath(await openHttp("gateway"), calls);
  console.log(`\nMemory of the gateway, ${calls} results of 1 MB\n`);
  printTable(
    ["path", "idle MB", "limit", "after MB", "limit", "peak MB", "slope, MB per 100 calls"],
    [["stdio", stdio, 80] as const, ["HTTP", http, 100] as const].map(
      ([name, { idleMb, afterMb, peakMb, mbPer100Calls }, limit]) => [
        name,
        idleMb.toFixed(0),
        String(limit),
        afterMb.toFixed(0),
        "170",
        peakMb.toFixed(0),
        mbPer100Calls.toFixed(2),
      ],
    ),
  );
  return { calls, stdio, http };
}
