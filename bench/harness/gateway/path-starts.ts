import { showSpread, spreadOf, quantile } from "../compare-sides.ts";
import { printTable } from "../report.ts";
import { type StdioPath, openStdio } from "./open-paths.ts";

async function startOnce(name: StdioPath): Promise<number> {
  const started = performance.now();
  const path = await openStdio(name);
  const took = performance.now() - started;
  await path.close();
  return took;
}

/** From the start of the process until `tools/list` is answered; what each bridge adds to the server's own start. */
export async function measureStarts(rounds: number) {
  const names = ["direct", "parse bridge", "gateway"] as const;
  const times = new Map<StdioPath, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const took = await startOnce(name);
      if (round >= 0) times.get(name)?.push(took);
    }
  }
  const of = (name: StdioPath): readonly number[] => times.get(name) ?? [];
  const medians = names.map((name) => ({ name, ms: quantile(of(name), 0.5) }));
  const [direct = 0, bridge = 0, gateway = 0] = medians.map(({ ms }) => ms);
  const whole = spreadOf(
    of("gateway").map((took, round) => took / (of("parse bridge")[round] ?? Number.NaN)),
  );
  const addedRatio = (gateway - direct) / (bridge - direct);
  console.log("\nStart, until tools/list is answered\n");
  printTable(
    ["path", "median ms", "added ms"],
    medians.map(({ name, ms }) => [name, ms.toFixed(0), (ms - direct).toFixed(0)]),
  );
  console.log(
    `\nAdded by the gateway, times what the parse bridge adds: ${addedRatio.toFixed(2)} (limit 1.4)`,
  );
  console.log(`The whole start, times that with the parse bridge: ${showSpread(whole)}`);
  return { medians, addedRatio, whole };
}
