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

/** What this person's own configuration says must not change a walk. */
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

async function walkCall(
  gateway: Gateway,
  transport: Transport,
  bytes: number,
  expected: Expected,
): Promise<PassedFile[]> {
  const client = new Client({ name: "walker", version: "1.0.0" });
  try {
    await client.connect(transport);
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
  }
}

/** A tool call by the SDK's client through two streams, as on stdin and stdout, so that every file passed is the gateway's. */
export async function walkGateway(bytes: number, expected: Expected): Promise<PassedFile[]> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const gateway = openGateway(optionsOf(), { stdin, stdout });
  await gateway.listen();
  // It reads lines from one stream and writes them to another; nothing in it is about servers but its name.
  return walkCall(gateway, new StdioServerTransport(stdout, stdin), bytes, expected);
}

export async function walkGatewayOverHttp(bytes: number, expected: Expected): Promise<PassedFile[]> {
  const gateway = openGateway(optionsOf({ port: 0 }), {});
  const { urls } = await gateway.listen();
  const transport = new StreamableHTTPClientTransport(new URL(urls["records"] ?? ""));
  return walkCall(gateway, transport, bytes, expected);
}
