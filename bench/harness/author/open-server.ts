import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Path } from "../gateway/compare-paths.ts";
import { processTree } from "../gateway/process-usage.ts";

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const peers = here("../../../.cache/bench-peers/author/");
const CORE = "@cyanheads/mcp-ts-core@0.10.17";

/** The SDK comes first: the others are set against it. fastmcp is among the packages of this project. */
const libraries = ["SDK 2.4.0", "Waybill", "fastmcp 4.20.16", "mcp-ts-core 0.10.17"] as const;
export type Library = (typeof libraries)[number];

const sources: Readonly<Record<Library, string>> = {
  "SDK 2.4.0": "sdk-server.mjs",
  Waybill: "waybill-server.mjs",
  "fastmcp 4.20.16": "fastmcp-server.mjs",
  "mcp-ts-core 0.10.17": "mcp-ts-core-server.mjs",
};

/** Lines that an author has to write and read: without blank ones and comments. */
export function linesOf(library: Library): number {
  const lines = readFileSync(here(sources[library]), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length;
}

/** A package that needs Node 24 is no dependency of this project: it is apart, with its server beside it. */
function installCore(): void {
  mkdirSync(peers, { recursive: true });
  for (const file of ["orders.mjs", sources["mcp-ts-core 0.10.17"]]) copyFileSync(here(file), peers + file);
  if (existsSync(`${peers}node_modules/@cyanheads/mcp-ts-core`)) return;
  writeFileSync(`${peers}package.json`, '{"private":true}\n');
  console.log(`Installing ${CORE} once.`);
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", CORE];
  const { status } = spawnSync("npm", args, { cwd: peers, stdio: "inherit" });
  if (status !== 0) throw new Error(`${CORE} could not be installed: run with --node 20.`);
}

/** The path of Node 24, which is fetched from npm where it is missing. */
function findNode24(): string {
  const args = [here("../../../scripts/node24.mjs"), "--", "-p", "process.execPath"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error("Node 24 could not be fetched: run with --node 20.");
  return stdout.trim();
}

/** Which libraries run under a Node, and its program. */
export interface Runtime {
  readonly name: string;
  readonly program: string;
  readonly libraries: readonly Library[];
}

export function openRuntime(version: string): Runtime {
  const own = libraries.filter((library) => !library.startsWith("mcp-ts-core"));
  if (version !== "24") return { name: `Node ${process.version}`, program: process.execPath, libraries: own };
  installCore();
  return { name: "Node 24", program: findNode24(), libraries };
}

/** A server as its users start it, but for what it would say about development. */
export function commandOf({ program }: Runtime, library: Library) {
  const source = sources[library];
  const file = library.startsWith("mcp-ts-core") ? peers + source : here(source);
  const env = { ...process.env, NODE_ENV: "production" } as Record<string, string>;
  return { command: program, args: [file], env, stderr: "ignore" as const };
}

export interface OpenServer extends Path {
  readonly close: () => Promise<void>;
}

const callsOf: Readonly<
  Record<string, { readonly name: string; readonly arguments: { [key: string]: unknown } }>
> = {
  get: { name: "get_order", arguments: { id: "order-00007" } },
  list: { name: "list_orders", arguments: { limit: 20 } },
  "not found": { name: "get_order", arguments: { id: "order-x" } },
  "raw error": { name: "sync_orders", arguments: {} },
  "1 MB": { name: "export_orders", arguments: {} },
};
export const callNames = Object.keys(callsOf);

export function callOf(name: string) {
  const call = callsOf[name];
  if (call === undefined) throw new Error(`No call is named ${name}.`);
  return call;
}

/** From the start of the process until its tools are listed, with the client of today's SDK. */
export async function openServer(runtime: Runtime, library: Library): Promise<OpenServer> {
  const transport = new StdioClientTransport(commandOf(runtime, library));
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  await client.listTools();
  const pid = transport.pid ?? 0;
  return {
    name: library,
    pids: () => processTree(pid),
    call: async (name) => {
      const { isError } = await client.callTool(callOf(name));
      if (isError === true) throw new Error(`${library}: ${name} failed.`);
    },
    close: () => client.close(),
  };
}
