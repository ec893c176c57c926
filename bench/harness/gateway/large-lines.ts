import { quantile } from "../compare-sides.ts";
import { printTable } from "../report.ts";
import { type OpenPath, openStdio } from "./open-paths.ts";

const MB = 1_000_000;

async function timeLine(path: OpenPath, bytes: number): Promise<number> {
  const started = performance.now();
  const { content } = await path.client.callTool({ name: "line", arguments: { size: bytes } }, undefined, {
    timeout: 120_000,
  });
  const [first] = content as { text: string }[];
  if (first === undefined || first.text.length > 1 * MB) throw new Error("The line was not cut.");
  return performance.now() - started;
}

/** Lines that end the connection of an SDK client, and how time grows with their length. */
export async function measureLarge() {
  const path = await openStdio("gateway");
  await timeLine(path, MB);
  const timesOf = async (bytes: number, runs: number): Promise<number> => {
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await timeLine(path, bytes));
    return quantile(times, 0.5);
  };
  const one = await timesOf(MB, 9);
  const nine = await timesOf(9 * MB, 9);
  const sixtyFour = await timesOf(64 * MB, 3);
  // Both sides are still there.
  await path.call("text", "1 KB");
  await path.close();
  const growth = nine / one;
  console.log("\nLong lines through the gateway, cut and archived\n");
  printTable(
    ["line", "median ms"],
    [
      ["1 MB", one.toFixed(1)],
      ["9 MB", nine.toFixed(1)],
      ["64 MB", sixtyFour.toFixed(0)],
    ],
  );
  console.log(`\n9 MB against 1 MB: ${growth.toFixed(1)} times (limit 10); the connection held.`);
  return { oneMbMs: one, nineMbMs: nine, sixtyFourMbMs: sixtyFour, growth };
}
