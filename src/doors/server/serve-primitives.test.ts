// What `serve` offers beside tools: what the author registers, the client's log, figures, and tools that change.

import { request } from "node:http";
import { PassThrough } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ResourceTemplate, completable } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { type AnyTool, defineTool } from "../../engine/settings/tool-definition.ts";
import type { ServeOptions, Served } from "./serve-options.ts";
import { serve } from "./serve.ts";

const greet = defineTool("greet", { description: "Greets" }, async (_args, { log }) => {
  await log("debug", "quiet");
  await log("warning", { password: "hunter22hunter22" }, "door");
  return { hello: true };
});

const base = { name: "served", version: "1.0.0", tools: [greet], config: false, logLevel: "silent" } as const;
const soon = { timeout: 30_000 };
const running: Served[] = [];

async function start(options: Partial<ServeOptions> = {}): Promise<Served & { url: string }> {
  const served = await serve({ ...base, http: 0, ...options });
  running.push(served);
  return { ...served, url: served.url ?? "" };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((served) => served.close()));
});

type Era = "modern" | "legacy";
const eras = ["modern", "legacy"] as const;

async function connect(url: string, era: Era, options: object = {}): Promise<Client> {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "c", version: "1.0.0" }, {
    versionNegotiation: { mode },
    ...options,
  } as never);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

const register: ServeOptions["register"] = (server) => {
  const ids = ["alpha", "beta"];
  const like = (text = ""): string[] => ids.filter((id) => id.startsWith(text));
  const template = new ResourceTemplate("note://{id}", { list: undefined, complete: { id: like } });
  server.registerResource("note", template, { mimeType: "text/plain" }, ({ href: uri }, { id }) => ({
    contents: [{ uri, text: `Note ${String(id)}` }],
  }));
  server.registerPrompt("ask", { argsSchema: z.object({ id: completable(z.string(), like) }) }, ({ id }) => ({
    messages: [{ role: "user", content: { type: "text", text: `About ${id}` } }],
  }));
};

describe("what the author registers", () => {
  it.each(eras)("is served beside the tools, %s", async (era) => {
    const { url } = await start({ register });
    const client = await connect(url, era);
    expect((await client.readResource({ uri: "note://alpha" })).contents).toEqual([
      { uri: "note://alpha", text: "Note alpha" },
    ]);
    const ref = { type: "ref/resource", uri: "note://{id}" } as const;
    expect((await client.complete({ ref, argument: { name: "id", value: "b" } })).completion.values).toEqual([
      "beta",
    ]);
    expect((await client.getPrompt({ name: "ask", arguments: { id: "alpha" } })).messages).toHaveLength(1);
    expect(client.getServerCapabilities()).toMatchObject({ resources: {}, prompts: {}, completions: {} });
    await client.close();
  });

  it("may be tools too, which are under the contract", async () => {
    const { url } = await start({
      register: (server) =>
        void server.registerTool("late", { description: "Fails" }, () => {
          throw new Error("secret detail");
        }),
    });
    const client = await connect(url, "modern");
    const result = await client.callTool({ name: "late", arguments: {} });
    expect(JSON.stringify(result)).not.toContain("secret detail");
    expect(result.structuredContent).toMatchObject({
      success: false,
      data: { error_code: "INTERNAL_ERROR" },
    });
    await client.close();
  });

  it("is refused at the start where it is async, or given twice", async () => {
    await expect(start({ register: () => Promise.resolve() as never })).rejects.toThrow(
      '"register" is async. Read what it needs before the server starts, and register it without await.',
    );
    const twice: ServeOptions["register"] = (server) => {
      register(server);
      register(server);
    };
    await expect(start({ register: twice })).rejects.toThrow("Resource template note is already registered");
  });
});

describe("what a server says of itself", () => {
  const icons = [
    { src: "https://served.example/icon.png", mimeType: "image/png", sizes: ["48x48"] },
  ] as const;

  it.each(eras)("has its icons and its website, %s", async (era) => {
    const { url } = await start({
      icons,
      websiteUrl: "https://served.example/",
      instructions: "Greet first.",
    });
    const client = await connect(url, era);
    expect(client.getServerVersion()).toMatchObject({ icons, websiteUrl: "https://served.example/" });
    expect(client.getInstructions()).toBe("Greet first.");
    await client.close();
  });

  it.each([
    ["2025-11-25", icons],
    ["2025-06-18", undefined],
    ["2024-11-05", undefined],
  ])("has its icons for clients of %s, if that knows icons", async (protocolVersion, shown) => {
    const { url } = await start({ icons });
    const clientInfo = { name: "old", version: "1.0.0" };
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    });
    const { result } = (await answer.json()) as { result: { serverInfo: { name: string; icons?: unknown } } };
    expect([result.serverInfo.name, result.serverInfo.icons]).toEqual(["served", shown]);
  });

  it.each([
    [
      { icons: [{ src: "icon.png" }] },
      'serve: "icons[0].src" is not an address: write an https: or data: URL.',
    ],
    [{ icons: [{ src: "http://served.example/icon.png" }] }, 'serve: "icons[0].src" is not an address'],
    [
      { icons: [{ src: "data:,", size: "any" }] },
      'serve: "icons[0].size" is not a known key. Did you mean "sizes"?',
    ],
    [{ websiteUrl: "served.example" }, 'serve: "websiteUrl" is not an address: write an https: URL.'],
    [{ metrics: "yes" }, 'serve: "metrics" is "yes". Write true or false.'],
    [{ http: { path: "/metrics" } }, 'serve: "http.path" is taken: /metrics is for the option metrics.'],
  ])("is refused where it is wrong: %j", async (wrong, sentence) => {
    await expect(serve({ ...base, http: 0, ...wrong } as never)).rejects.toThrow(sentence);
  });
});

describe("ctx.log", () => {
  async function logged(era: Era, options: Partial<ServeOptions>, level?: string): Promise<unknown[]> {
    const { url } = await start(options);
    const client = await connect(url, era);
    const heard: unknown[] = [];
    client.setNotificationHandler("notifications/message", ({ params }) => void heard.push(params));
    const _meta = level === undefined ? {} : { "io.modelcontextprotocol/logLevel": level };
    await client.callTool({ name: "greet", arguments: {}, _meta });
    await client.close();
    return heard;
  }

  const quiet = { level: "debug", data: "quiet" };
  const loud = { level: "warning", logger: "door", data: { password: "[REDACTED:PASSWORD]" } };

  it("reaches the client's log, without secrets, as far as the client wants it", async () => {
    expect(await logged("modern", { logging: true }, "debug")).toEqual([quiet, loud]);
    expect(await logged("modern", { logging: true }, "info")).toEqual([loud]);
    expect(await logged("modern", { logging: true })).toEqual([]);
    expect(await logged("legacy", { logging: true })).toEqual([quiet, loud]);
  });

  it("is sent to no client without the option", async () => {
    expect(await logged("modern", {}, "debug")).toEqual([]);
    expect(await logged("legacy", {})).toEqual([]);
  });
});

/** fetch would not let a test choose its own Host. */
function get(
  url: string,
  path: string,
  { method = "GET", host = "127.0.0.1" } = {},
): Promise<readonly [number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers: { host } });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("end", () => resolve([response.statusCode ?? 0, text]));
    });
    sent.end();
  });
}

describe("/metrics", () => {
  it("counts the calls of all clients, for every client that reaches the server by its address or its own name", async () => {
    const { url } = await start({ metrics: true });
    const client = await connect(url, "modern");
    await client.callTool({ name: "greet", arguments: {} });
    await client.callTool({ name: "greet", arguments: {} });
    await client.close();
    const [status, page] = await get(url, "/metrics", { host: "10.1.2.3:3000" });
    expect(status).toBe(200);
    expect(page).toContain('\nwaybill_calls_total{tool="greet",outcome="success"} 2\n');
    expect(page).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(await get(url, "/metrics", { method: "HEAD" })).toEqual([200, ""]);
    expect((await get(url, "/metrics", { method: "POST" }))[0]).toBe(405);
    expect((await get(url, "/metrics", { host: "evil.example" }))[0]).toBe(403);
  });

  it("is not there without the option", async () => {
    const { url } = await start();
    expect((await get(url, "/metrics"))[0]).toBe(404);
  });
});

const named = (name: string, run: () => unknown = () => ({ name })): AnyTool =>
  defineTool(name, { description: "One of several" }, run as () => { name: string });

describe("reload", () => {
  async function namesOf(client: Client): Promise<string[]> {
    const { tools } = await client.listTools({}, { cacheMode: "bypass" } as never);
    return tools.map(({ name }) => name).filter((name) => name !== "waybill_retrieve");
  }

  it("serves new tools over HTTP, while a call of an old one ends as it began", async () => {
    let finish: () => void = () => undefined;
    let hasBegun = false;
    const slow = named("slow", async () => {
      hasBegun = true;
      await new Promise<void>((resolve) => (finish = resolve));
      return { done: true };
    });
    const { url, reload } = await start({ tools: [slow, greet], reload: () => [greet, named("fresh")] });
    const told: string[][] = [];
    const onChanged = (_error: unknown, tools: { name: string }[] | null): void =>
      void told.push((tools ?? []).map(({ name }) => name));
    const client = await connect(url, "modern", { listChanged: { tools: { debounceMs: 0, onChanged } } });
    const answer = client.callTool({ name: "slow", arguments: {} });
    await expect.poll(() => hasBegun, soon).toBe(true);
    await reload();
    await expect.poll(() => told.length, soon).toBe(1);
    expect(told[0]?.slice(0, 2)).toEqual(["greet", "fresh"]);
    await expect(client.callTool({ name: "slow", arguments: {} })).rejects.toThrow("Tool slow not found");
    const { structuredContent } = await client.callTool({ name: "fresh", arguments: {} });
    expect(structuredContent).toMatchObject({ data: { name: "fresh" } });
    finish();
    expect((await answer).structuredContent).toMatchObject({ data: { done: true } });
    await client.close();
  });

  it("changes a connection over stdio, whose client is told once", async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const lines: { id?: number; method?: string; result?: { tools?: { name: string }[] } }[] = [];
    stdout.on("data", (chunk: Buffer) => {
      for (const line of chunk.toString().split("\n").filter(Boolean)) lines.push(JSON.parse(line) as object);
    });
    const write = (message: object): boolean =>
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const next = [greet, named("two"), named("three")];
    const served = await serve({
      ...base,
      tools: [named("one"), greet],
      reload: () => Promise.resolve(next),
      stdio: { stdin, stdout },
    });
    running.push(served);
    const clientInfo = { name: "lines", version: "1.0.0" };
    write({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
    });
    write({ method: "notifications/initialized" });
    await expect.poll(() => lines.length, soon).toBe(1);
    await served.reload();
    write({ id: 2, method: "tools/list" });
    await expect.poll(() => lines.length, soon).toBe(3);
    expect(lines[1]).toEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    const names = lines[2]?.result?.tools?.map(({ name }) => name);
    expect(names?.filter((name) => name !== "waybill_retrieve")).toEqual(["greet", "two", "three"]);
  });

  it.each([
    ["no list", () => undefined as never, 'serve: "reload" gave no tools, so those of before are served on.'],
    ["an empty list", () => [], 'serve: "reload" gave no tools'],
    ["a name twice", () => [greet, greet], 'serve: reload: Two tools are called "greet".'],
    [
      "what is no tool",
      () => [{}] as never,
      "serve: reload: tools[0] is an object without name and handler.",
    ],
    ["an error", () => Promise.reject(new Error("file is gone")), "file is gone"],
    [
      "a tool that cannot be listed",
      () => [
        defineTool("odd", { description: "Odd", outputSchema: z.object({ at: z.date() }) }, () => ({
          at: new Date(),
        })),
      ],
      "odd: its outputSchema cannot be written as JSON Schema",
    ],
  ])("changes nothing where it gives %s", async (_what, reload, sentence) => {
    const { url, reload: again } = await start({ reload });
    await expect(again()).rejects.toThrow(sentence);
    const client = await connect(url, "modern");
    expect(await namesOf(client)).toEqual(["greet"]);
    await client.close();
  });

  it("needs the option, and without it the list of tools is said not to change", async () => {
    const { url, reload } = await start();
    await expect(reload()).rejects.toThrow("serve: There is nothing to reload. Give the option reload");
    const client = await connect(url, "legacy");
    expect(client.getServerCapabilities()?.tools).toEqual({});
    await client.close();
  });

  it("comes on SIGHUP, for as long as the server runs", async () => {
    const before = process.listenerCount("SIGHUP");
    let asked = 0;
    const served = await start({
      reload: () => {
        asked += 1;
        return [greet];
      },
    });
    expect(process.listenerCount("SIGHUP")).toBe(before + 1);
    process.emit("SIGHUP", "SIGHUP");
    await expect.poll(() => asked, soon).toBe(1);
    await served.close();
    expect(process.listenerCount("SIGHUP")).toBe(before);
  });
});
