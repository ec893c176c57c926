import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "mcp-sdk-1-32/client/index.js";
import { SSEClientTransport } from "mcp-sdk-1-32/client/sse.js";
import { StdioClientTransport } from "mcp-sdk-1-32/client/stdio.js";
import { StreamableHTTPClientTransport } from "mcp-sdk-1-32/client/streamableHttp.js";
import { recordsOfSize } from "../records.ts";
import type { Path } from "./compare-paths.ts";
import { processTree } from "./process-usage.ts";

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
export const cli = here("../../../dist/cli/main.js");

export const sizes = { "1 KB": 1_000, "10 KB": 10_000, "100 KB": 100_000, "1 MB": 1_000_000 } as const;

/** The store of all runs; removed at the end. */
const stateFolder = mkdtempSync(join(tmpdir(), "waybill-bench-"));
process.on("exit", () => rmSync(stateFolder, { recursive: true, force: true }));

const payloads = Object.fromEntries(
  Object.entries(sizes).map(([name, bytes]) => [name, recordsOfSize(bytes)]),
);
const payloadFile = join(stateFolder, "payloads.json");
writeFileSync(payloadFile, JSON.stringify({ payloads }));

/** The server, as a command line. */
export const upstreamCommand = [process.execPath, here("./record-upstream.mjs"), payloadFile];
export const environment = { ...process.env, XDG_STATE_HOME: stateFolder } as Record<string, string>;

export interface OpenPath extends Path {
  readonly client: Client;
  readonly rootPid: number;
  readonly close: () => Promise<void>;
}

function pathOf(name: string, client: Client, rootPid: number, close: () => Promise<void>): OpenPath {
  return {
    name,
    client,
    rootPid,
    pids: () => processTree(rootPid),
    call: async (tool, size) => {
      const result = await client.callTool({ name: tool, arguments: { size } });
      if (result.isError === true) throw new Error(`${name}: ${tool} ${size} failed.`);
      return result;
    },
    close,
  };
}

const stdioCommands = {
  direct: upstreamCommand,
  "parse bridge": [process.execPath, here("./parse-bridge.mjs"), ...upstreamCommand],
  gateway: [process.execPath, cli, "gateway", "--", ...upstreamCommand],
} as const;
export type StdioPath = keyof typeof stdioCommands;

export async function openStdio(name: StdioPath): Promise<OpenPath> {
  const [command = "", ...args] = stdioCommands[name];
  const transport = new StdioClientTransport({ command, args, env: environment, stderr: "ignore" });
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  await client.listTools();
  return pathOf(name, client, transport.pid ?? 0, () => client.close());
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    async (response) => {
      await response.body?.cancel();
      return true;
    },
    () => false,
  );
}

export async function untilUp(child: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode} before it listened.`);
    if (await answers(url)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nothing listens at ${url} after 20 s.`);
}

interface HttpPeer {
  readonly args: (port: number) => readonly string[];
  readonly path: string;
  readonly isSse?: boolean;
}

const peersFolder = here("../../../.cache/bench-peers/node_modules");
const hubConfig = join(stateFolder, "hub.json");
const [upstream = "", ...upstreamArgs] = upstreamCommand;
writeFileSync(hubConfig, JSON.stringify({ mcpServers: { up: { command: upstream, args: upstreamArgs } } }));

/** No peer: what is left when a bridge does nothing at all. */
export const floorName = "bare bridge";

/** What `npm` offers for the same work: each forwards, and does nothing else. */
export const httpPeers: Readonly<Record<string, HttpPeer>> = {
  "mcp-proxy 6.7.19": {
    args: (port) => [
      join(peersFolder, "mcp-proxy/dist/bin/mcp-proxy.mjs"),
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "--",
      ...upstreamCommand,
    ],
    path: "/mcp",
  },
  "supergateway 4.0.0": {
    args: (port) => [
      join(peersFolder, "supergateway/dist/index.js"),
      "--stdio",
      upstreamCommand.join(" "),
      "--outputTransport",
      "streamableHttp",
      "--stateful",
      "--logLevel",
      "none",
      "--port",
      String(port),
    ],
    path: "/mcp",
  },
  "mcp-hub 4.2.1": {
    args: (port) => [join(peersFolder, "mcp-hub/dist/cli.js"), "--port", String(port), "--config", hubConfig],
    path: "/mcp",
    isSse: true,
  },
  [floorName]: {
    args: (port) => [here("./bare-http-bridge.mjs"), String(port), ...upstreamCommand],
    path: "/mcp",
  },
  gateway: {
    args: (port) => [cli, "gateway", "--http", String(port), "--", ...upstreamCommand],
    path: "",
  },
};

export function arePeersInstalled(): boolean {
  return existsSync(join(peersFolder, "mcp-proxy")) && existsSync(join(peersFolder, "mcp-hub"));
}

/** The gateway names its upstream after the command; what it prints says where it is. */
async function gatewayUrl(child: ChildProcess, port: number): Promise<string> {
  let said = "";
  child.stdout?.on("data", (bytes: Buffer) => void (said += bytes.toString()));
  child.stderr?.on("data", (bytes: Buffer) => void (said += bytes.toString()));
  for (let attempt = 0; attempt < 200; attempt++) {
    const [url] = new RegExp(`http://127\\.0\\.0\\.1:${port}/\\S*mcp`).exec(said) ?? [];
    if (url !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The gateway did not say its address: ${said}`);
}

export async function openHttp(name: string): Promise<OpenPath> {
  const peer = httpPeers[name];
  if (peer === undefined) throw new Error(`No peer is called ${name}.`);
  const port = await freePort();
  const isOwn = peer.path === "";
  const stdio = ["ignore", isOwn ? "pipe" : "ignore", isOwn ? "pipe" : "ignore"] as const;
  const child = spawn(process.execPath, peer.args(port), { stdio: [...stdio], env: environment });
  const url = isOwn ? await gatewayUrl(child, port) : `http://127.0.0.1:${port}${peer.path}`;
  await untilUp(child, url);
  const client = new Client({ name: "bench", version: "1.0.0" });
  // A hub starts its servers after it listens.
  if (peer.isSse === true) await new Promise((resolve) => setTimeout(resolve, 3_000));
  const transport =
    peer.isSse === true
      ? new SSEClientTransport(new URL(url))
      : new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  const { tools } = await client.listTools();
  const close = async (): Promise<void> => {
    await client.close().catch(() => undefined);
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  };
  const path = pathOf(name, client, child.pid ?? 0, close);
  // A hub puts the server's name before each tool's.
  const named = (tool: string): string => tools.find(({ name }) => name.endsWith(tool))?.name ?? tool;
  return { ...path, call: (tool, size) => path.call(named(tool), size) };
}
