// The MCP inspector's command line as a client of the gateway. It needs Node 22.19, so it runs under Node 24.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { fetchNode24, fetchPackage } from "../services/npm-package.fixture.ts";
import { gatewayArgs, makeFolder, published } from "./published-servers.fixture.ts";

const node24 = isFullRun ? fetchNode24() : undefined;
const inspector = isFullRun
  ? fetchPackage({ name: "@modelcontextprotocol/inspector", version: "2.12.0" })
  : undefined;
const launcher = join(inspector ?? "", "clients/launcher/build/index.js");

interface Inspected {
  readonly code: number | null;
  readonly result: { readonly [key: string]: unknown };
  readonly stderr: string;
}

/** One run of the inspector against a server of its config. */
async function inspect(config: string, server: string, words: readonly string[]): Promise<Inspected> {
  const args = [launcher, "--cli", "--config", config, "--server", server, ...words];
  const child = spawn(node24 ?? "", args, {
    env: { ...process.env, HOME: join(config, ".."), MCP_INSPECTOR_SECRET_STORE: "memory" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  // What comes after the result is one line about it.
  const json = /^\{\n[^]*?^\}/m.exec(stdout)?.[0] ?? "{}";
  return { code, result: JSON.parse(json) as Inspected["result"], stderr };
}

/** A config with a server behind the gateway, and the same one directly. */
function configOf(
  name: string,
  more: readonly string[] = [],
): { readonly config: string; readonly folder: string } {
  const folder = makeFolder();
  const config = join(folder, "inspector.json");
  const nodeArgs = published.find(({ server }) => server === name)?.nodeArgs(folder) ?? [];
  const behind = gatewayArgs(["--store", "memory", ...more], [process.execPath, ...nodeArgs]);
  const mcpServers = {
    direct: { command: process.execPath, args: nodeArgs },
    gateway: { command: process.execPath, args: behind },
  };
  writeFileSync(config, JSON.stringify({ mcpServers }));
  return { config, folder };
}

const namesIn = ({ result }: Inspected): readonly unknown[] =>
  (result["tools"] as readonly { readonly name: string }[]).map(({ name }) => name);

describe.runIf(node24 !== undefined && inspector !== undefined)("the MCP inspector's command line", () => {
  it("lists, calls and reads through the gateway as it does without", { timeout: 120_000 }, async () => {
    const { config } = configOf("server-everything");
    const [listed, direct, echoed, templates, failed] = await Promise.all([
      inspect(config, "gateway", ["--method", "tools/list", "--strict"]),
      inspect(config, "direct", ["--method", "tools/list", "--strict"]),
      inspect(config, "gateway", [
        "--method",
        "tools/call",
        "--tool-name",
        "echo",
        "--tool-arg",
        "message=hi",
      ]),
      inspect(config, "gateway", ["--method", "resources/templates/list"]),
      inspect(config, "gateway", ["--method", "tools/call", "--tool-name", "get-sum", "--tool-arg", "a=x"]),
    ]);
    expect(listed.code).toBe(direct.code);
    expect(namesIn(listed)).toEqual([...namesIn(direct), "waybill_retrieve"]);
    expect(echoed).toMatchObject({ code: 0, result: { content: [{ type: "text", text: "Echo: hi" }] } });
    expect(JSON.stringify(templates.result)).toContain("waybill://archive/{hash}");
    expect(failed.result).toMatchObject({ isError: true });
    expect(JSON.stringify(failed.result)).toContain("VALIDATION_ERROR");
  });

  it("gets a long result cut, and what was cut from the archive", { timeout: 120_000 }, async () => {
    const { config, folder } = configOf("server-filesystem", [
      "--store",
      join(makeFolder(), "archive"),
      "--budget",
      "500",
    ]);
    const text = Array.from({ length: 2_000 }, (_, at) => `line ${at} of a long file\n`).join("");
    writeFileSync(join(folder, "long.txt"), text);
    const read = [
      "--method",
      "tools/call",
      "--tool-name",
      "read_text_file",
      "--tool-arg",
      `path=${join(folder, "long.txt")}`,
    ];
    const cut = await inspect(config, "gateway", read);
    expect(cut.code).toBe(0);
    const [, hash = ""] = /sha256:([0-9a-f]{64})/.exec(JSON.stringify(cut.result)) ?? [];
    const retrieve = [
      "--tool-name",
      "waybill_retrieve",
      "--tool-arg",
      `archive=${hash}`,
      "query=file",
      "limit=1",
    ];
    const rest = await inspect(config, "gateway", ["--method", "tools/call", ...retrieve]);
    expect(rest).toMatchObject({ code: 0, result: { structuredContent: { success: true } } });
    const whole = await inspect(config, "gateway", [
      "--method",
      "resources/read",
      "--uri",
      `waybill://archive/${hash}`,
    ]);
    const [{ text: kept }] = whole.result["contents"] as [{ readonly text: string }];
    expect(JSON.parse(kept)).toMatchObject({ content: text });
  });
});
