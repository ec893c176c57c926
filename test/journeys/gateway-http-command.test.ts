import { fileURLToPath } from "node:url";
import { Client as Client24, StreamableHTTPClientTransport as Http24 } from "@modelcontextprotocol/client";
import { Client as Client118 } from "mcp-sdk-1-18/client/index.js";
import { StreamableHTTPClientTransport as Http118 } from "mcp-sdk-1-18/client/streamableHttp.js";
import { Client as Client125 } from "mcp-sdk-1-25/client/index.js";
import { StreamableHTTPClientTransport as Http125 } from "mcp-sdk-1-25/client/streamableHttp.js";
import { Client as Client132 } from "mcp-sdk-1-32/client/index.js";
import { StreamableHTTPClientTransport as Http132 } from "mcp-sdk-1-32/client/streamableHttp.js";
import { CreateMessageRequestSchema, ListRootsRequestSchema } from "mcp-sdk-1-32/types.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import type { CommandUpstream } from "../../src/doors/gateway/gateway-options.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const TIMEOUT_MS = 60_000;
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const everything = pathOf("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const pidServer: CommandUpstream = {
  command: process.execPath,
  args: ["--import", "tsx", pathOf("pid-server.fixture.ts")],
  maxProcesses: 4,
};

const opened: (() => Promise<unknown>)[] = [];

async function open(upstream: CommandUpstream): Promise<URL> {
  const gateway = createGateway({
    upstreams: { served: upstream },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  opened.push(() => gateway.close());
  const { urls } = await gateway.listen();
  return new URL(urls["served"] ?? "");
}

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

type Call = (name: string, args?: Readonly<Record<string, unknown>>) => Promise<string>;

function textOf(result: unknown): string {
  const { content } = result as { content: readonly { text?: string }[] };
  return content.map(({ text = "" }) => text).join("\n");
}

/** A client that negotiates the era it can have. */
async function connect(
  url: URL,
  mode: "auto" | "legacy",
): Promise<{ readonly call: Call; readonly era: unknown }> {
  const client = new Client24({ name: "journey", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new Http24(url));
  opened.push(() => client.close());
  const call: Call = async (name, args = {}) => textOf(await client.callTool({ name, arguments: args }));
  return { call, era: client.getProtocolEra() };
}

const versions = {
  "1.18.2": [Client118, Http118],
  "1.25.3": [Client125, Http125],
  "1.32.2": [Client132, Http132],
  "2.4.0": [Client24, Http24],
} as const;

describe.runIf(isFullRun)("a published server behind the gateway over HTTP", () => {
  it.each(Object.entries(versions))(
    "serves a client of SDK %s as it would on stdio",
    async (version, [Client, Http]) => {
      const url = await open({ command: process.execPath, args: [everything, "stdio"] });
      const make = Client as unknown as new (info: object, options: object) => Client24;
      const client = new make(
        { name: "journey", version: "1" },
        { capabilities: { sampling: {}, roots: { listChanged: true } } },
      );
      const [sampling, roots] =
        version === "2.4.0"
          ? ["sampling/createMessage", "roots/list"]
          : [CreateMessageRequestSchema, ListRootsRequestSchema];
      const message = { model: "m", role: "assistant", content: { type: "text", text: "So it is written." } };
      client.setRequestHandler(sampling as never, (() => message) as never);
      client.setRequestHandler(roots as never, (() => ({ roots: [{ uri: "file:///w" }] })) as never);
      const transport = new (Http as unknown as new (url: URL) => Http24)(url);
      await client.connect(transport);
      opened.push(() => client.close());
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining(["echo", "trigger-sampling-request", "get-roots-list", "waybill_retrieve"]),
      );
      const call: Call = async (name, args = {}) => textOf(await client.callTool({ name, arguments: args }));
      expect(await call("echo", { message: "hello" })).toBe("Echo: hello");
      expect(await call("trigger-sampling-request", { prompt: "x", maxTokens: 5 })).toContain(
        "So it is written.",
      );
      expect(await call("get-roots-list")).toContain("file:///w");
      const steps: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void steps.push(progress);
      const long = { name: "trigger-long-running-operation", arguments: { duration: 0.3, steps: 3 } };
      const options = version === "2.4.0" ? [{ onprogress }] : [undefined, { onprogress }];
      await client.callTool(long, ...(options as []));
      // The SDKs may drop the last one, which can come together with the result.
      expect(steps.slice(0, 2)).toEqual([1, 2]);
      expect((await client.listResources()).resources.length).toBeGreaterThan(0);
      await transport.terminateSession();
    },
    TIMEOUT_MS,
  );
});

function kill(pid: string): void {
  process.kill(Number(pid), "SIGKILL");
}

describe.runIf(isFullRun)("processes behind the gateway over HTTP", () => {
  it(
    "are one for each legacy session and one for all modern requests, and end with the gateway",
    async () => {
      const url = await open(pidServer);
      const modern = await Promise.all([connect(url, "auto"), connect(url, "auto")]);
      const legacy = [await connect(url, "legacy"), await connect(url, "legacy")];
      expect(modern.map(({ era }) => era)).toEqual(["modern", "modern"]);
      const shared = await Promise.all(modern.map(({ call }) => call("pid")));
      const own = await Promise.all(legacy.map(({ call }) => call("pid")));
      expect(new Set(shared).size).toBe(1);
      expect(new Set([...shared, ...own]).size).toBe(3);
      for (const close of opened.splice(0).reverse()) await close();
      for (const pid of [...shared, ...own]) expect(() => kill(pid)).toThrow("ESRCH");
    },
    TIMEOUT_MS,
  );

  it(
    "that are killed are started again, and everybody who waits is answered once",
    async () => {
      const url = await open(pidServer);
      const clients = [await connect(url, "auto"), await connect(url, "auto"), await connect(url, "legacy")];
      for (const { call } of clients) {
        const pid = await call("pid");
        const waiting = call("echo", { text: "late", ms: 20_000 }).catch((error: unknown) => String(error));
        await new Promise((resolve) => setTimeout(resolve, 100));
        kill(pid);
        expect(await waiting).not.toBe("late");
        await vi.waitFor(async () => expect(await call("pid")).toMatch(/^\d+/), {
          timeout: 10_000,
          interval: 200,
        });
        expect(await call("pid")).not.toBe(pid);
      }
    },
    TIMEOUT_MS,
  );

  it(
    "answer many clients of both eras at once, each with its own",
    async () => {
      const url = await open(pidServer);
      const legacy = await Promise.all(Array.from({ length: 3 }, () => connect(url, "legacy")));
      const modern = await Promise.all(Array.from({ length: 12 }, () => connect(url, "auto")));
      const asked = [...legacy, ...modern].flatMap(({ call }, who) =>
        Array.from({ length: 10 }, async (_, at) => {
          const text = `${who}-${at}`;
          expect(await call("echo", { text, ms: (who * 7 + at * 13) % 40 })).toBe(text);
        }),
      );
      await Promise.all(asked);
    },
    TIMEOUT_MS,
  );
});
