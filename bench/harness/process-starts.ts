import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Spread, quantile, spreadOf } from "./compare-sides.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

function runNode(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: root });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Milliseconds to import modules in a fresh process. */
function importMs(...modules: readonly string[]): number {
  const imports = modules.map((name) => `await import(${JSON.stringify(name)});`).join(" ");
  const script = `const start = performance.now(); ${imports} console.log(performance.now() - start);`;
  return Number(runNode(["--input-type=module", "-e", script]));
}

export interface ColdImport {
  readonly sdkMs: number;
  readonly bothMs: number;
  /** What `waybill/server` adds, as a share of the SDK's own time in the same round. */
  readonly added: Spread;
}

export function compareImports(rounds: number): ColdImport {
  const sdk: number[] = [];
  const both: number[] = [];
  for (let round = 0; round < rounds; round++) {
    sdk.push(importMs("@modelcontextprotocol/server"));
    both.push(importMs("@modelcontextprotocol/server", "waybill/server"));
  }
  const shares = both.map((time, round) => time / (sdk[round] ?? Number.NaN) - 1);
  return { sdkMs: quantile(sdk, 0.5), bothMs: quantile(both, 0.5), added: spreadOf(shares) };
}

export interface CommandStart {
  readonly command: string;
  readonly medianMs: number;
  /** Against `node -e 0` in the same round. */
  readonly ratio: Spread;
}

/** Wall time of whole processes: an empty Node, then commands of the built package. */
export function compareCommands(rounds: number): CommandStart[] {
  const { bin } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { bin: { waybill: string } };
  const file = "test/fixtures/seeds/000-L010-standard-envelope.json";
  const commands = [
    { command: "node -e 0", args: ["-e", "0"] },
    { command: "waybill --version", args: [bin.waybill, "--version"] },
    { command: "waybill validate", args: [bin.waybill, "validate", file] },
  ];
  const times: number[][] = commands.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { args }] of commands.entries()) {
      const start = performance.now();
      runNode(args);
      times[index]?.push(performance.now() - start);
    }
  }
  return commands.map(({ command }, index) => {
    const own = times[index] ?? [];
    const ratios = own.map((time, round) => time / (times[0]?.[round] ?? Number.NaN));
    return { command, medianMs: quantile(own, 0.5), ratio: spreadOf(ratios) };
  });
}
