import { PassThrough } from "node:stream";
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { openGateway } from "../../src/doors/gateway/create-gateway.ts";
import type { Gateway, GatewayOptions } from "../../src/doors/gateway/gateway-options.ts";
import { memoryStore } from "../../src/engine/archive/memory-store.ts";
import { recordsServer } from "./records-server.ts";
import { type PassedFile, traceWarm } from "./trace.ts";

type Expected = "untouched" | "cut";

/** No configuration is read, and nothing is kept on the disk. */
function optionsOf(http?: GatewayOptions["http"]): GatewayOptions {
  return { upstreams: { records: recordsServer }, http, store: memoryStore(), logLevel: "silent" };
}

/** A cut result has an envelope with the name of its archive; the server's own has its text and nothing else. */
function outcomeOf(result: CallToolResult): Expected | "something else" {
  if (JSON.stringify(result).includes("content_archive_hashes")) return "cut";
  const [block, ...more] = result.content;
  const isOwn = block?.type === "text" && block.text.startsWith('{"records":[') && more.length === 0;
  return isOwn && result.structuredContent === undefined ? "untouched" : "something else";
}

const awaited = new Set(["ProcessWrap", "PipeWrap", "TCPServerWrap"]);
const LIMIT_MS = 30_000;
/** Longer than a connection to a process waits for the end of its output (`DRAIN_MS` in the transport's child process). */
const QUIET_MS = 2_500;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Processes, pipes and listeners that Node has open now. */
function countOpen(): number {
  return process.getActiveResourcesInfo().filter((kind) => awaited.has(kind)).length;
}

const openBefore = countOpen();
let lastEnd = 0;

/** What a gateway leaves behind would be seen in the next journey: so its processes end, and what waits for their end. */
async function untilQuiet(): Promise<void> {
  const from = Date.now();
  while (countOpen() > openBefore) {
    if (Date.now() - from > LIMIT_MS)
      throw new Error("A process or listener of the last journey does not end.");
    await pause(20);
    lastEnd = Date.now();
  }
  await pause(lastEnd + QUIET_MS - Date.now());
}

async function walkCall(
  gateway: Gateway,
  connect: (urls: Readonly<Record<string, string>>) => Transport,
  bytes: number,
  expected: Expected,
): Promise<PassedFile[]> {
  await untilQuiet();
  const client = new Client({ name: "walker", version: "1.0.0" });
  try {
    const { urls } = await gateway.listen();
    await client.connect(connect(urls));
    await client.listTools();
    return await traceWarm(
      async () => undefined,
      async () => {
        const result = await client.callTool({ name: "read", arguments: { bytes } });
        if (outcomeOf(result) !== expected) throw new Error(`The result is not ${expected}.`);
      },
    );
  } finally {
    await client.close();
    await gateway.close();
    lastEnd = Date.now();
  }
}

/** A tool call by the SDK's client through two streams, as on stdin and stdout, so that every file passed is the gateway's. */
export async function walkGateway(bytes: number, expected: Expected): Promise<PassedFile[]> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const gateway = openGateway(optionsOf(), { stdin, stdout });
  // It reads lines from one stream and writes them to another; nothing in it is about servers but its name.
  return walkCall(gateway, () => new StdioServerTransport(stdout, stdin), bytes, expected);
}

export async function walkGatewayOverHttp(bytes: number, expected: Expected): Promise<PassedFile[]> {
  const gateway = openGateway(optionsOf({ port: 0 }), {});
  const connect = (urls: Readonly<Record<string, string>>): Transport =>
    new StreamableHTTPClientTransport(new URL(urls["records"] ?? ""));
  return walkCall(gateway, connect, bytes, expected);
}
