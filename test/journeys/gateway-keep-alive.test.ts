import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as Client24, StreamableHTTPClientTransport as Http24 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio24 } from "@modelcontextprotocol/client/stdio";
import { Client as Client132 } from "mcp-sdk-1-32/client/index.js";
import { StdioClientTransport as Stdio132 } from "mcp-sdk-1-32/client/stdio.js";
import { StreamableHTTPClientTransport as Http132 } from "mcp-sdk-1-32/client/streamableHttp.js";
import { afterEach, describe, expect, it } from "vitest";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import type { UpstreamOptions } from "../../src/doors/gateway/gateway-options.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const TIMEOUT_MS = 60_000;
const LONG_TIMEOUT_MS = 300_000;
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A server whose tool `echo` says nothing until it answers. */
const silentServer = {
  command: process.execPath,
  args: ["--import", "tsx", pathOf("pid-server.fixture.ts")],
} as const;

/** The client waits for less than the tool takes, as the minute of a client is for many tools. */
const short = { clientMs: 700, toolMs: 2_400, every: 200 };

/** Nothing is set: 15 s at the gateway, a minute at the client. */
const long = { toolMs: 90_000 };

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function overHttp(upstream: UpstreamOptions): Promise<string> {
  const gateway = createGateway({
    upstreams: { silent: upstream },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  opened.push(() => gateway.close());
  const { urls } = await gateway.listen();
  return urls["silent"] ?? "";
}

/** Undefined: as often as the gateway does by itself. */
type EveryMs = number | "off" | undefined;

/** How a client reaches the server: over HTTP in front of a command, or of a URL, and on stdio. */
const doors = {
  "a command over HTTP": (progressEveryMs: EveryMs) => overHttp({ ...silentServer, progressEveryMs }),
  "a URL over HTTP": async (progressEveryMs: EveryMs) =>
    overHttp({ url: await overHttp({ ...silentServer, progressEveryMs: "off" }), progressEveryMs }),
  "a command on stdio": async (every: EveryMs) => onStdio(silentServer, every),
  "a URL on stdio": async (every: EveryMs) =>
    onStdio({ url: await overHttp({ ...silentServer, progressEveryMs: "off" }) }, every),
};

/** The command line of a gateway. */
function onStdio(upstream: object, every: EveryMs): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "waybill-alive-"));
  opened.push(async () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "waybill.config.json");
  writeFileSync(file, JSON.stringify({ upstreams: { silent: { ...upstream, progress_every_ms: every } } }));
  return ["--import", "tsx", pathOf("../../src/cli/main.ts"), "gateway", "--config", file];
}

const clients = {
  "2.4.0 in the modern era": [Client24, Http24, Stdio24, "auto"],
  "2.4.0 in the legacy era": [Client24, Http24, Stdio24, "legacy"],
  "1.32.2": [Client132, Http132, Stdio132, undefined],
} as const;
type Version = keyof typeof clients;
type Door = keyof typeof doors;

interface Answered {
  readonly text: string;
  readonly progress: readonly number[];
  readonly messages: readonly (string | undefined)[];
}

interface Silence {
  /** How long the client waits for a sign of life. Undefined: the minute that it waits by itself. */
  readonly clientMs?: number | undefined;
  readonly toolMs: number;
  readonly every?: EveryMs;
}

/** A call of the silent tool through an official client that gives up after a time without progress. */
async function callSilent(version: Version, door: Door, silence: Silence): Promise<Answered> {
  const { clientMs, toolMs, every } = silence;
  const [Client, Http, Stdio, mode] = clients[version];
  const make = Client as unknown as new (info: object, options: object) => Client24;
  const client = new make({ name: "patient", version: "1" }, mode ? { versionNegotiation: { mode } } : {});
  const at = await doors[door](every);
  const transport =
    typeof at === "string"
      ? new Http(new URL(at))
      : new Stdio({ command: process.execPath, args: [...at], stderr: "ignore" });
  await client.connect(transport);
  opened.push(() => client.close());
  // By then everything is loaded that the first call needs.
  await client.callTool({ name: "pid", arguments: {} });
  const progress: number[] = [];
  const messages: (string | undefined)[] = [];
  const options = {
    ...(clientMs === undefined ? {} : { timeout: clientMs }),
    resetTimeoutOnProgress: true,
    onprogress: (said: { progress: number; message?: string | undefined }) => {
      progress.push(said.progress);
      messages.push(said.message);
    },
  };
  const call = { name: "echo", arguments: { text: "awake", ms: toolMs } };
  const result = await (mode === undefined
    ? (client as unknown as Client132).callTool(call, undefined, options)
    : client.callTool(call, options));
  const [first] = result.content as readonly { text?: string }[];
  return { text: first?.text ?? "", progress, messages };
}

const isIncreasing = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || value > (values[at - 1] ?? value));

const cases = (Object.keys(doors) as Door[]).flatMap((door) =>
  (Object.keys(clients) as Version[]).map((version) => [version, door] as const),
);

describe("a tool that says nothing for longer than its client waits", () => {
  it.each(cases)(
    "answers a client of SDK %s through %s",
    async (version, door) => {
      const { text, progress, messages } = await callSilent(version, door, short);
      expect(text).toBe("awake");
      expect(progress.length).toBeGreaterThan(2);
      expect(isIncreasing(progress)).toBe(true);
      expect(messages.at(-1)).toMatch(/^still running, \d+ s$/);
    },
    TIMEOUT_MS,
  );

  it.each(cases.filter(([version]) => version === "2.4.0 in the legacy era").slice(1, 3))(
    "loses a client of SDK %s through %s if nothing is said for it",
    async (version, door) => {
      await expect(callSilent(version, door, { ...short, every: "off" })).rejects.toThrow(/timed out/i);
    },
    TIMEOUT_MS,
  );

  it.runIf(isFullRun)(
    "answers after 90 s the clients of all SDKs, which wait for a minute by themselves",
    async () => {
      const answers = await Promise.all(cases.map(([version, door]) => callSilent(version, door, long)));
      expect(answers.map(({ text }) => text)).toEqual(cases.map(() => "awake"));
      for (const { progress, messages } of answers) {
        expect(isIncreasing(progress)).toBe(true);
        expect(messages.slice(0, 2)).toEqual(["still running, 15 s", "still running, 30 s"]);
      }
    },
    LONG_TIMEOUT_MS,
  );
});
