// What a cold start costs, each in a process of its own: importing an entry after the SDK, against the SDK's own import
// in the same process, and two commands against a Node that does nothing. Rounds are interleaved.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compareCommands } from "./harness/process-starts.ts";
import { type Timing, summarize } from "./harness/race.ts";
import { printTable, writeResults } from "./harness/report.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const rounds = process.argv.includes("--quick") ? 5 : 31;
const limits: Readonly<Record<string, number>> = {
  "waybill/server": 0.45,
  "waybill --version": 1.4,
  "waybill validate": 2.2,
};
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
};

/** Imports what is named one after the other, and prints what each took: microseconds that passed, and of CPU. */
const importer = `
const took = [];
for (const name of process.argv.slice(1)) {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await import(name);
  const { user, system } = process.cpuUsage(cpu);
  took.push({ wallUs: (performance.now() - start) * 1000, cpuUs: user + system });
}
console.log(JSON.stringify(took));`;

interface Took {
  readonly wallUs: number;
  readonly cpuUs: number;
}

function runNode(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

function importAll(names: readonly string[]): readonly Took[] {
  return JSON.parse(runNode(["--input-type=module", "-e", importer, ...names])) as Took[];
}

/** The files of ours that an entry loads before it can be used. */
function countModules(entry: URL): number {
  const loaded = new Set<string>();
  const pending = [entry];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (loaded.has(at.href)) continue;
    loaded.add(at.href);
    for (const [, name = ""] of readFileSync(at, "utf8").matchAll(/\b(?:from|import)\s+"(\.[^"]+)"/g))
      pending.push(new URL(name, at));
  }
  return loaded.size;
}

const SDK = "@modelcontextprotocol/server";
const entries = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === "string"
    ? []
    : [
        {
          name: path.replace(/^\./, "waybill"),
          url: new URL(target.default, new URL("../", import.meta.url)),
        },
      ],
);

function raceImports(): { readonly wall: readonly Timing[]; readonly cpu: readonly Timing[] } {
  const took = entries.map((): { readonly sdk: Took; readonly own: Took }[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { url }] of entries.entries()) {
      const [sdk, own] = importAll([SDK, url.href]);
      // The first round reads the files from the disk.
      if (round > 0 && sdk !== undefined && own !== undefined) took[index]?.push({ sdk, own });
    }
  }
  const judge = (key: keyof Took): Timing[] =>
    entries.map(({ name }, index) => {
      const runs = took[index] ?? [];
      return summarize(
        name,
        runs.map(({ own }) => own[key]),
        runs.map(({ sdk }) => sdk[key]),
      );
    });
  return { wall: judge("wallUs"), cpu: judge("cpuUs") };
}

const imports = raceImports();
const commands = compareCommands(rounds);
const modules = Object.fromEntries(entries.map(({ name, url }) => [name, countModules(url)]));
const ms = (us: number): string => (us / 1_000).toFixed(1);
const spread = ({ ratioP10, ratioP90 }: Timing): string => `${ratioP10.toFixed(2)} to ${ratioP90.toFixed(2)}`;

console.log(`Import after ${SDK}, against its own import; median of ${rounds} processes\n`);
printTable(
  ["entry", "own modules", "added ms", "times the SDK", "p10 to p90", "CPU, times the SDK", "limit"],
  imports.wall.map((timing, index) => [
    timing.name,
    String(modules[timing.name]),
    ms(timing.medianUs),
    timing.ratio.toFixed(2),
    spread(timing),
    imports.cpu[index]?.ratio.toFixed(2) ?? "",
    limits[timing.name]?.toString() ?? "",
  ]),
);
console.log(`\nCommands, against a Node that does nothing; median of ${rounds} processes\n`);
printTable(
  ["command", "ms", "times node -e 0", "p10 to p90", "limit"],
  commands.map(({ command, medianMs, ratio }) => [
    command,
    medianMs.toFixed(1),
    ratio.median.toFixed(2),
    `${ratio.p10.toFixed(2)} to ${ratio.p90.toFixed(2)}`,
    limits[command]?.toString() ?? "",
  ]),
);
writeResults("startup", { rounds, limits, modules, imports, commands });
