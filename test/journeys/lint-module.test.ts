import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder = "";

beforeAll(() => {
  // Inside of the repository, so that the modules find tsx, Zod and Waybill as those of a project do.
  mkdirSync(join(root, ".cache"), { recursive: true });
  folder = mkdtempSync(join(root, ".cache", "lint-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as a process of its own on a module with this source; it must end by itself. */
async function waybill(command: string, source: string, ...more: readonly string[]): Promise<Ended> {
  writeFileSync(join(folder, "server.ts"), source);
  const args = ["--import", "tsx", join(root, "src/cli/main.ts"), command, "server.ts", ...more];
  const env = { ...process.env, TSX_TSCONFIG_PATH: join(root, "tsconfig.json") };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const exitCode = await new Promise<number | null>((done) => child.once("close", done));
  return { exitCode, stdout, stderr };
}

const source = `
import { defineTool, serve } from "waybill/server";
import * as z from "zod";

interface Order { readonly id: string }
const orders: readonly Order[] = [];
const find = defineTool(
  "orders.find",
  { description: "Finds an order by its id.", inputSchema: z.object({ id: z.string() }) },
  ({ id }) => ({ order: orders.find((order) => order.id === id) ?? null }),
);
setInterval(() => console.log("still here"), 1_000);
console.log("a server that prints");
await serve({ name: "shop", version: "1.0.0", tools: [find], http: true });
`;

describe.runIf(isFullRun)("a TypeScript module that serves, prints and never ends", () => {
  it("is linted and left, its output apart from the report", async () => {
    const { exitCode, stdout, stderr } = await waybill("lint", source, "--json", "--strict");
    expect(exitCode).toBe(1);
    const { data } = JSON.parse(stdout) as { data: { findings: { rule: string }[] } };
    expect(data.findings.map(({ rule }) => rule)).toEqual(["definition/name-portable"]);
    expect(stderr).toContain("a server that prints");
  });

  it("has a page", async () => {
    const { exitCode, stdout } = await waybill("docs", source);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^# shop 1\.0\.0\n/);
    expect(stdout).toContain("| `id` | string | yes |  |");
  });
});
