import { fileURLToPath } from "node:url";
import { Client as Client24, StreamableHTTPClientTransport as Http24 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio24 } from "@modelcontextprotocol/client/stdio";
import { Client as Client132 } from "mcp-sdk-1-32/client/index.js";
import { StdioClientTransport as Stdio132 } from "mcp-sdk-1-32/client/stdio.js";
import { StreamableHTTPClientTransport as Http132 } from "mcp-sdk-1-32/client/streamableHttp.js";
import { CreateMessageRequestSchema } from "mcp-sdk-1-32/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { runCheck } from "../../src/doors/check/check-server.ts";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import type { UrlUpstream } from "../../src/doors/gateway/gateway-options.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { serveEverything } from "./everything-over-http.fixture.ts";

const TIMEOUT_MS = 60_000;
const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function oldServer(): Promise<string> {
  const server = await serveEverything("sse");
  opened.push(server.close);
  return server.url;
}

/** The gateway over HTTP in front of the server. */
async function overHttp(url: string, transport: UrlUpstream["transport"]): Promise<URL> {
  const gateway = createGateway({
    upstreams: { old: { url, transport } },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  opened.push(() => gateway.close());
  const { urls } = await gateway.listen();
  return new URL(urls["old"] ?? "");
}

function onStdio(url: string): {
  command: string;
  args: string[];
  stderr: "ignore";
} {
  return {
    command: process.execPath,
    args: ["--import", "tsx", main, "gateway", "--upstream", url],
    stderr: "ignore",
  };
}

const clients = {
  "2.4.0": [Client24, Http24, Stdio24],
  "1.32.2": [Client132, Http132, Stdio132],
} as const;
type Version = keyof typeof clients;

/** A client that lets the server ask its model. */
function clientOf(version: Version): Client24 {
  const make = clients[version][0] as unknown as new (info: object, options: object) => Client24;
  const client = new make(
    { name: "journey", version: "1" },
    { capabilities: { sampling: {} }, versionNegotiation: { mode: "auto" } },
  );
  const asked = version === "2.4.0" ? "sampling/createMessage" : CreateMessageRequestSchema;
  const set = client.setRequestHandler.bind(client) as unknown as (
    schema: unknown,
    handle: () => object,
  ) => void;
  set(asked, () => ({
    model: "m",
    role: "assistant",
    content: { type: "text", text: "said the model" },
  }));
  opened.push(() => client.close());
  return client;
}

function textOf(result: unknown): string {
  const { content } = result as { content: readonly { text?: string }[] };
  return content.map(({ text = "" }) => text).join("\n");
}

/** Everything that takes another way over one stream: lists, calls, progress, requests of the server. */
async function journeyOf(client: Client24, version: Version): Promise<object> {
  const { tools } = await client.listTools();
  const call = (name: string, args: Record<string, unknown>, more: object = {}): Promise<unknown> => {
    const call = { name, arguments: args };
    return version === "2.4.0"
      ? client.callTool(call, more)
      : (client as unknown as Client132).callTool(call, undefined, more);
  };
  const progress: number[] = [];
  const onprogress = ({ progress: at }: { progress: number }): void => void progress.push(at);
  const long = await call("trigger-long-running-operation", { duration: 0.6, steps: 3 }, { onprogress });
  return {
    tools: tools.length,
    echo: textOf(await call("echo", { message: "old ways" })),
    long: textOf(long),
    // A client may drop the last one, which comes together with the answer.
    progress: progress.slice(0, 2),
    sampled: textOf(await call("trigger-sampling-request", { prompt: "say" })).includes("said the model"),
  };
}

const whole = {
  tools: 15,
  echo: "Echo: old ways",
  long: expect.stringContaining("completed") as string,
  progress: [1, 2],
  sampled: true,
};

describe("a published server of the transport of 2024 behind the gateway", () => {
  it.each(isFullRun ? (Object.keys(clients) as Version[]) : (["2.4.0"] as const))(
    "serves a client of SDK %s over HTTP, where no setting says what it speaks",
    async (version) => {
      const client = clientOf(version);
      const Http = clients[version][1] as typeof Http24;
      await client.connect(new Http(await overHttp(await oldServer(), undefined)));
      expect(await journeyOf(client, version)).toEqual(whole);
    },
    TIMEOUT_MS,
  );

  it.runIf(isFullRun)(
    "leaves it unknown whether a call was run, when its process ends in the middle",
    async () => {
      const server = await serveEverything("sse");
      opened.push(server.close);
      const client = clientOf("2.4.0");
      await client.connect(new Http24(await overHttp(server.url, undefined)));
      const onprogress = (): void => void server.close();
      const long = {
        name: "trigger-long-running-operation",
        arguments: { duration: 40, steps: 80 },
      };
      const result = await client.callTool(long, { onprogress });
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result)).toMatch(/executed\W+unknown/);
    },
    TIMEOUT_MS,
  );

  it.runIf(isFullRun)(
    "serves a client of SDK 2.4.0 over HTTP, and it was said what it speaks",
    async () => {
      const client = clientOf("2.4.0");
      await client.connect(new Http24(await overHttp(await oldServer(), "sse")));
      expect(await journeyOf(client, "2.4.0")).toEqual(whole);
    },
    TIMEOUT_MS,
  );

  it.runIf(isFullRun).each(Object.keys(clients) as Version[])(
    "serves a client of SDK %s on stdio",
    async (version) => {
      const client = clientOf(version);
      const Stdio = clients[version][2] as typeof Stdio24;
      await client.connect(new Stdio(onStdio(await oldServer())));
      expect(await journeyOf(client, version)).toEqual(whole);
    },
    TIMEOUT_MS,
  );

  it.runIf(isFullRun)(
    "can be checked",
    async () => {
      const { report } = await runCheck({ url: await oldServer() }, { definitionsOnly: true });
      expect(report.isReachable).toBe(true);
      expect(report.server?.name).toContain("everything");
    },
    TIMEOUT_MS,
  );
});
