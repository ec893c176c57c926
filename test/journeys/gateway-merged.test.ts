import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as V1Client } from "mcp-sdk-1-32/client/index.js";
import { StreamableHTTPClientTransport as V1Http } from "mcp-sdk-1-32/client/streamableHttp.js";
import { MCPServerStreamableHttp } from "@openai/agents";
import { describe, expect, it, onTestFinished } from "vitest";
import { eachRow } from "../../src/engine/retrieve/each-row.fixture.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import { serveEverything } from "./everything-over-http.fixture.ts";
import { startMerged, publishedUpstreams, shortName } from "./merged-servers.fixture.ts";
import { type PublishedServer, makeFolder, notCalled, published } from "./published-servers.fixture.ts";

interface Call {
  readonly name: string;
  readonly arguments: JsonObject;
}

interface MergedClient {
  readonly names: () => Promise<readonly string[]>;
  readonly call: (name: string, args: JsonObject) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

interface SdkClient {
  connect(transport: never): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(params: { name: string; arguments: JsonObject }): Promise<unknown>;
  close(): Promise<void>;
}

async function ofSdk(client: SdkClient, transport: object): Promise<MergedClient> {
  await client.connect(transport as never);
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

const about = { name: "merged", version: "1.0.0" };

const clients: Readonly<Record<string, (url: URL) => Promise<MergedClient>>> = {
  "SDK v1": (url) => ofSdk(new V1Client(about), new V1Http(url)),
  "SDK v2, legacy": (url) => ofSdk(new Client(about), new StreamableHTTPClientTransport(url)),
  "SDK v2, modern": (url) =>
    ofSdk(
      new Client(about, { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
      new StreamableHTTPClientTransport(url),
    ),
  "OpenAI Agents": async (url) => {
    const server = new MCPServerStreamableHttp({
      url: url.href,
      name: "merged",
      // One of the tools waits 8 s for a viewer that no test has; the default is 5 s.
      clientSessionTimeoutSeconds: 30,
    });
    await server.connect();
    return {
      names: async () => (await server.listTools()).map(({ name }) => name),
      call: async (name, args) => ({ content: await server.callTool(name, args) }),
      close: () => server.close(),
    };
  },
};

/** A tool of each server whose result is larger than a small budget. */
const large: Readonly<Record<string, readonly [tool: string, args: (folder: string) => JsonObject]>> = {
  memory: [
    "create_entities",
    () => ({ entities: many((at) => ({ name: `n${at}`, entityType: "t", observations: [] })) }),
  ],
  filesystem: ["directory_tree", (folder) => ({ path: folder })],
  everything: ["get-resource-links", () => ({ count: 10 })],
  "sequential-thinking": [
    "sequentialthinking",
    () => ({ branchFromThought: 1, branchId: many((at) => `branch ${at}`).join(", ") }),
  ],
  pdf: ["read_pdf_bytes", () => ({})],
  fastmcp: ["rows", () => ({ count: 400 })],
};

/** It answers at once when `interact` has left something for the viewer, which no test has. */
const afterInteract = { poll_pdf_commands: { viewUUID: "none" } };
/** The one can only be called as a task, which a test below does; the other gives back what was cut. */
const notCalledPlainly = notCalled.filter((name) => !(name in afterInteract));

interface Retrieved {
  readonly items: readonly { readonly pointer: string; readonly value?: JsonValue; readonly text?: string }[];
  readonly cursor: string | undefined;
}

function textsOf(result: unknown): readonly string[] {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] };
  return content.map(({ text = "" }) => text);
}

async function retrievePage(client: MergedClient, args: JsonObject): Promise<Retrieved> {
  const [text = ""] = textsOf(await client.call("waybill_retrieve", args));
  const { data, meta } = JSON.parse(text) as {
    readonly data: Pick<Retrieved, "items">;
    readonly meta: { readonly pagination?: { readonly cursor?: string } };
  };
  return { items: eachRow(data.items), cursor: meta.pagination?.cursor ?? undefined };
}

/** All that an archive has, page after page: one value in pieces of its text, or a list item by item. */
async function retrieveWhole(client: MergedClient, archive: string): Promise<unknown> {
  const values: unknown[] = [];
  let pieces = "";
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? {} : { cursor };
    const page = await retrievePage(client, { archive, pointer: "", ...more });
    for (const { pointer, value, text = "" } of page.items) {
      if (pointer === "" && value === undefined) pieces += text;
      else values.push(isJsonObject(value) ? (value["block"] ?? value) : value);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return pieces === "" ? values : JSON.parse(pieces);
}

/** What a server answers by itself, as far as a cut leaves anything of it out: its data, or its blocks beside a text. */
async function directAnswer(server: PublishedServer, folder: string, call: Call): Promise<unknown> {
  const client = new Client(about);
  const env = server.env?.(makeFolder()) ?? {};
  const args = [...server.nodeArgs(folder)];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
  try {
    const result = await client.callTool(call);
    const [text = ""] = textsOf(result);
    const blocks = result.content as readonly object[];
    return result.structuredContent ?? (blocks.length === 1 ? JSON.parse(text) : blocks.slice(1));
  } finally {
    await client.close();
  }
}

function many<Value>(make: (at: number) => Value): Value[] {
  return Array.from({ length: 200 }, (_, at) => make(at));
}

describe("six published servers at one address", () => {
  it.each(Object.keys(clients))(
    "are listed and called by %s, every tool, without a refusal",
    async (kind) => {
      const folder = makeFolder();
      const merge = await startMerged(publishedUpstreams(folder));
      onTestFinished(() => merge.close());
      const client = await clients[kind]?.(merge.url);
      if (client === undefined) throw new Error(kind);
      onTestFinished(() => client.close());
      const listed = await client.names();
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed.filter((name) => name === "waybill_retrieve")).toHaveLength(1);
      const given = published.map((server) => server.calls(folder));
      const calls = Object.assign({}, ...given, afterInteract) as Record<string, JsonObject>;
      expect(listed).toEqual(expect.arrayContaining(Object.keys(calls)));
      const refused: string[] = [];
      let called = 0;
      const inOrder = [...Object.keys(calls), ...listed.filter((name) => calls[name] === undefined)];
      for (const name of inOrder.filter((one) => !notCalledPlainly.includes(one))) {
        called += 1;
        await client
          .call(name, calls[name] ?? {})
          .catch((error: unknown) => refused.push(`${name}: ${String(error)}`));
      }
      expect(refused).toEqual([]);
      expect(called).toBe(listed.length - notCalledPlainly.length);
    },
    120_000,
  );

  it.each(Object.keys(clients))(
    "have a cut result each, which the one retrieval tool gives back to %s",
    async (kind) => {
      const folder = makeFolder();
      for (let at = 0; at < 100; at += 1) writeFileSync(join(folder, `file-${at}.txt`), String(at));
      const merge = await startMerged(publishedUpstreams(folder), { budget: { tokens: 300 } });
      onTestFinished(() => merge.close());
      const client = await clients[kind]?.(merge.url);
      if (client === undefined) throw new Error(kind);
      onTestFinished(() => client.close());
      await client.names();
      for (const server of published) {
        const [name = "", argsOf] = large[shortName(server)] ?? [];
        const call = { name, arguments: { ...server.calls(folder)[name], ...argsOf?.(folder) } };
        const cut = JSON.stringify(await client.call(call.name, call.arguments));
        const [archive = "none"] =
          /(?<=archive\\*":\\*")[0-9a-f]{12}/.exec(cut) ?? /sha256:[0-9a-f]{64}/.exec(cut) ?? [];
        const whole = await directAnswer(server, folder, call);
        expect([server.server, await retrieveWhole(client, archive)]).toEqual([server.server, whole]);
        expect(cut).not.toContain(JSON.stringify(whole));
        expect(cut.length).toBeLessThan(JSON.stringify(whole).length);
      }
    },
    120_000,
  );
});

describe("a server behind a URL and a command at one address", () => {
  it.each(["SDK v1", "SDK v2, modern"])("are one server for %s", async (kind) => {
    const folder = makeFolder();
    const everything = await serveEverything();
    onTestFinished(() => everything.close());
    const { memory, filesystem } = publishedUpstreams(folder);
    if (memory === undefined || filesystem === undefined) throw new Error("a server is missing");
    const merge = await startMerged({ memory, everything: { url: everything.url }, filesystem });
    onTestFinished(() => merge.close());
    const client = await clients[kind]?.(merge.url);
    if (client === undefined) throw new Error(kind);
    onTestFinished(() => client.close());
    expect(await client.names()).toEqual(expect.arrayContaining(["echo", "read_graph", "read_file"]));
    expect(JSON.stringify(await client.call("echo", { message: "far" }))).toContain("Echo: far");
    expect(JSON.stringify(await client.call("read_graph", {}))).toContain("entities");
  });

  it("have tasks, which are asked of the server that has them", async () => {
    const everything = await serveEverything();
    onTestFinished(() => everything.close());
    const { memory } = publishedUpstreams(makeFolder());
    if (memory === undefined) throw new Error("a server is missing");
    const merge = await startMerged({ memory, everything: { url: everything.url } });
    onTestFinished(() => merge.close());
    const client = new V1Client(about, { capabilities: { tasks: {} } });
    await client.connect(new V1Http(merge.url));
    onTestFinished(() => client.close());
    await client.listTools();
    const seen = new Set<string>();
    const params = { name: "simulate-research-query", arguments: { topic: "mills" } };
    for await (const { type } of client.experimental.tasks.callToolStream(params, undefined, {
      task: { ttl: 60_000 },
    }))
      seen.add(type);
    expect([...seen]).toEqual(["taskCreated", "taskStatus", "result"]);
    const { tasks } = await client.experimental.tasks.listTasks();
    expect(tasks).toMatchObject([{ status: "completed" }]);
  }, 60_000);
});
