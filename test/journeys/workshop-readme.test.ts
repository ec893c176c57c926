// The workshop's README, followed word by word: its commands, its files, its settings, its tokens, its table of calls.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { blocksIn } from "../docs/read-blocks.ts";
import { connectClient } from "./attach-clients.fixture.ts";
import { readmeTable } from "./clients/readme-table.ts";
import { settings } from "./workshop-settings.fixture.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}examples/workshop/`;
const readme = readFileSync(`${folder}README.md`, "utf8");

/** The first cells of a table's rows, below its head. */
function firstCells(heading: string): string[] {
  const [, part = ""] = readme.split(`## ${heading}\n`);
  const [table = ""] = part.trimStart().split("\n\n");
  return table
    .split("\n")
    .slice(2)
    .map((row) => row.split("|")[1]?.trim() ?? "");
}
const codesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

const [block] = blocksIn("README.md", readme).filter(({ language }) => language === "sh");
const commands = (block?.code ?? "").split("\n").map((line) => line.replace(/ +#.*$/, ""));
const [overHttp = "", onPort = "", overStdio = ""] = commands;

/** A server that a command of the page starts; what it printed by the time it listens. */
async function start(
  command: string,
): Promise<{ readonly printed: string; readonly stop: () => Promise<number | null> }> {
  const child = spawn("sh", ["-c", `exec env ${command}`], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  await vi.waitFor(() => expect(printed).toContain("Stop with Ctrl+C."), { timeout: 60_000, interval: 50 });
  const stop = async (): Promise<number | null> => {
    child.kill("SIGINT");
    const [code] = (await once(child, "exit")) as [number | null];
    return code;
  };
  return { printed, stop };
}

describe("the workshop's README", () => {
  it("lists for every example the call that the journeys replay", () => {
    expect(readme).toContain(readmeTable());
  });

  it("names files that are there", () => {
    const named = firstCells("Where to look").flatMap(codesIn);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !existsSync(folder + name))).toEqual([]);
  });

  it("names every variable that is tried here, and no other", () => {
    expect(firstCells("Settings").map((cell) => codesIn(cell)[0])).toEqual(Object.keys(settings));
  });

  it.each(Object.entries(settings))("is right about %s", async (_, show) => {
    await expect(show()).resolves.toBeUndefined();
  });
});

describe.runIf(isFullRun)("a command of the workshop's README", { timeout: 120_000 }, () => {
  it("starts a server that prints its URL, a configuration, and a first call that works", async () => {
    const { printed, stop } = await start(overHttp);
    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(printed) ?? [];
    const [config = ""] = /\{\n {2}"mcpServers"[^]*?\n\}/.exec(printed) ?? [];
    expect(JSON.parse(config)).toEqual({ mcpServers: { workshop: { type: "http", url } } });
    const [, curl = ""] = /A first call:\n(curl [^]*?)\n\n/.exec(printed) ?? [];
    expect((await promisify(execFile)("sh", ["-c", curl])).stdout).toContain("Implement login");

    const askAs = async (token: string | undefined): Promise<{ status: number; text: string }> => {
      const params = { name: "security_scan", arguments: { path: "/runner.py", depth: "deep" } };
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      return { status: response.status, text: await response.text() };
    };
    // Tokens, and what their tiers may do; a failure of this tool is in its own dialect.
    expect(await askAs("nobody-has-this")).toMatchObject({ status: 401 });
    for (const token of [undefined, "demo-ann"]) {
      expect((await askAs(token)).text).toContain('"error_code":"upgrade_required"');
    }
    for (const token of ["demo-pat", "demo-max"]) expect((await askAs(token)).text).toContain('"risk_level"');
    expect(await stop()).toBe(0);
  });

  it("takes the port that it is told", async () => {
    expect(onPort).toBe(`PORT=8931 ${overHttp}`);
    // Another number: that one may be taken on this machine.
    const { printed, stop } = await start(onPort.replace("8931", "48931"));
    expect(printed).toContain("http://127.0.0.1:48931/mcp");
    expect(await stop()).toBe(0);
  });

  it("serves a client that starts it on stdio, in either era", async () => {
    const [command = "", ...args] = overStdio.split(" ");
    for (const era of ["legacy", "modern"] as const) {
      const transport = new StdioClientTransport({ command, args, cwd: root, stderr: "ignore" });
      const client = await connectClient("2.4.0", transport, era);
      expect((await client.listTools()).map(({ name }) => name)).toContain("spec");
      await client.close();
    }
  });
});
