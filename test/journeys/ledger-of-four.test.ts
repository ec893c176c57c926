import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readLedger } from "../../src/doors/gateway/ledger/ledger-file.ts";
import { runInProcess } from "../../src/cli/run-in-process.fixture.ts";
import { published } from "./published-servers.fixture.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const writer = fileURLToPath(new URL("ledger-writer.fixture.ts", import.meta.url));
const everything = published.find(({ server }) => server === "server-everything")?.nodeArgs("") ?? [];

let state: string;
let file: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "waybill-ledger-of-"));
  file = join(state, "waybill", "ledger", "ledger.json");
});

afterEach(() => rmSync(state, { recursive: true, force: true }));

/** A gateway on stdio, as a client starts it; resolves when it has ended. */
async function callThrough(
  name: string,
  calls: number,
  more: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const words = ["gateway", "--name", name, ...more, "--", process.execPath, ...everything];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--import", "tsx", main, ...words],
    env: { ...(process.env as Record<string, string>), XDG_STATE_HOME: state, ...environment },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (data: Buffer) => (said += data.toString()));
  const client = new Client({ name: "ledger", version: "1.0.0" });
  await client.connect(transport);
  for (let at = 0; at < calls; at++)
    await client.callTool({ name: "echo", arguments: { message: `the words of call ${at}` } });
  await client.close();
  return said;
}

describe("four processes of one user", () => {
  it("that are gateways write one ledger, which says what passed through each", async () => {
    const calls = { alpha: 3, beta: 5, gamma: 7, delta: 9 };
    const said = await Promise.all(Object.entries(calls).map(([name, count]) => callThrough(name, count)));
    const rows = await readLedger(file);
    expect(Object.fromEntries(rows.map((row) => [row.server, row.calls]))).toEqual(calls);
    expect(said.filter((text) => text.includes("ledger-started"))).toHaveLength(1);
    // What comes later is added.
    await callThrough("alpha", 2);
    const env = { HOME: state, XDG_STATE_HOME: state };
    const { stdout } = await runInProcess(["ledger", "--json", "--server", "alpha"], { env });
    const { data } = JSON.parse(stdout) as { readonly data: { readonly total: { readonly calls: number } } };
    expect(data.total.calls).toBe(5);
    const { stdout: table } = await runInProcess(["ledger"], { env });
    expect(
      table.split("\n").filter((line) => /^\d{4}-\d\d-\d\d {2}(alpha|beta|gamma|delta) /.test(line)),
    ).toHaveLength(4);
    expect(table).toMatch(/^all days +all +26 /m);
  });

  it("that add to it a hundred times lose no count, and a reader never sees half of it", async () => {
    const TIMES = 25;
    const names = ["one", "two", "three", "four"];
    const left = names.map(
      (name) =>
        new Promise<number | null>((resolve) => {
          const args = ["--import", "tsx", writer, file, name, String(TIMES)];
          spawn(process.execPath, args, { stdio: "inherit" }).on("close", resolve);
        }),
    );
    const all = Promise.all(left);
    const isOver = all.then(() => true);
    const soon = (): Promise<boolean> => new Promise((resolve) => setTimeout(() => resolve(false), 5));
    while (!(await Promise.race([isOver, soon()]))) await readLedger(file);
    expect(await all).toEqual([0, 0, 0, 0]);
    const rows = await readLedger(file);
    const counted = { shared: 4 * TIMES, ...Object.fromEntries(names.map((name) => [name, TIMES])) };
    expect(Object.fromEntries(rows.map(({ server, calls }) => [server, calls]))).toEqual(counted);
    expect(readdirSync(join(state, "waybill", "ledger"))).toEqual(["ledger.json"]);
  });

  it("write none with --ledger off, WAYBILL_LEDGER=off or the setting in a file", async () => {
    const config = join(state, "off.json");
    writeFileSync(config, '{ "ledger": "off" }');
    await Promise.all([
      callThrough("alpha", 1, ["--ledger", "off"]),
      callThrough("beta", 1, [], { WAYBILL_LEDGER: "off" }),
      callThrough("gamma", 1, ["--config", config]),
    ]);
    expect(await readLedger(file)).toEqual([]);
  });
});
