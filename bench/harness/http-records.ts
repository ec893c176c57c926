import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Variant } from "./build-record-server.ts";
import type { Side } from "./compare-sides.ts";

const program = fileURLToPath(new URL("./record-http-server.ts", import.meta.url));

interface Usage {
  readonly cpuUs: number;
  readonly rssMb: number;
}

/** A server process of its own and an SDK client of the modern era that calls its tools one after the other. */
export interface HttpRecords extends Side {
  readonly rssMb: () => Promise<number>;
  readonly close: () => Promise<void>;
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error("The HTTP server of the bench has no stdout.");
  const started = once(child.stdout, "data") as Promise<[Buffer]>;
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The HTTP server ended at once.")));
  const [port] = await Promise.race([started, ended]);
  return Number(port.toString());
}

export async function openHttpRecords(variant: Variant, tools: number): Promise<HttpRecords> {
  const args = ["--import", "tsx", program, variant, String(tools)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const base = `http://127.0.0.1:${await portOf(child)}`;
  const usage = async (): Promise<Usage> => (await fetch(`${base}/usage`)).json() as Promise<Usage>;
  const client = new Client(
    { name: "bench", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`)));
  await client.listTools();
  let next = 0;
  return {
    call: async () => {
      const name = `records_${(next++ % tools) + 1}`;
      const { isError, structuredContent } = await client.callTool({ name, arguments: {} });
      if (isError === true || structuredContent === undefined) throw new Error(`${variant}: ${name} failed.`);
    },
    serverCpuUs: async () => (await usage()).cpuUs,
    rssMb: async () => (await usage()).rssMb,
    close: async () => {
      await client.close();
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
