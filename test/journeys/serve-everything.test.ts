// The library of examples/, a server with every primitive of the protocol, as four versions of the client see it: over
// stdio, where each starts its own, and over HTTP, where they share one.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport as Http24 } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StreamableHTTPClientTransport as Http118 } from "mcp-sdk-1-18/client/streamableHttp.js";
import { StreamableHTTPClientTransport as Http125 } from "mcp-sdk-1-25/client/streamableHttp.js";
import { StreamableHTTPClientTransport as Http132 } from "mcp-sdk-1-32/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type AnyClient, type Era, connectClient } from "./attach-clients.fixture.ts";
import { type ServerKind, serverKinds } from "./attach-example.fixture.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { NODE_OPTIONS: _options, PORT: _port, ...env } = process.env as Record<string, string>;

/** The first command is for a client that starts the server, the second for one over HTTP. */
const commands = (): readonly string[] => {
  const readme = readFileSync(`${root}examples/library/README.md`, "utf8");
  const [, block = ""] =
    /<!-- run by: test\/journeys\/serve-everything.test.ts -->\n```sh\n([^]*?)```/.exec(readme) ?? [];
  return block.trimEnd().split("\n");
};

const clients: readonly { client: ServerKind; era: Era }[] = [
  { client: "2.4.0", era: "modern" },
  ...serverKinds.map((client) => ({ client, era: "legacy" as const })),
];

/** Everything that the library has, used once. */
async function useAll(client: AnyClient): Promise<JsonObject> {
  const heard: JsonObject[] = [];
  client.onLog((params) => heard.push(params));
  const info = client.about().info as { title: string; websiteUrl: string; icons?: { mimeType: string }[] };
  const tools = await client.listTools();
  const resources = await client.listResources();
  const templates = await client.listTemplates();
  const { contents } = await client.readResource("library://book/salt");
  const missing = await client.readResource("library://book/none").then(
    () => "found",
    ({ message }: Error) => message,
  );
  const prompts = await client.listPrompts();
  const { messages } = await client.getPrompt("book_talk", { id: "roads" });
  const template = { type: "ref/resource", uri: "library://book/{id}" };
  const completed = await client.complete(template, "id", "r");
  const alike = await client.complete({ type: "ref/prompt", name: "book_talk" }, "id", "s");
  const meta = { "io.modelcontextprotocol/logLevel": "info" };
  const result = await client.call("book_find", { word: "salt" }, { meta });
  const [line] = heard;
  return {
    about: [info.title, info.websiteUrl, info.icons?.[0]?.mimeType ?? "none"],
    instructions: String(client.about().instructions),
    tools: tools.map(({ name }) => name),
    resources: resources.map(({ uri }) => uri ?? null),
    templates: templates.map(({ uriTemplate }) => uriTemplate ?? null),
    contents: contents ?? null,
    missing,
    prompts: prompts.map(({ name, arguments: args }) => ({ name: name ?? null, args: args ?? null })),
    messages: messages ?? null,
    completed: [...completed, ...alike],
    result: (result["structuredContent"] as { data: JsonObject }).data,
    logged: heard.length === 1 && line !== undefined ? { ...line } : heard.length,
  };
}

const book = { id: "salt", title: "A history of salt", uri: "library://book/salt" };

const everything = {
  about: ["The library", "https://library.example/", "image/svg+xml"],
  instructions: "Books by their ids. book_find looks for words; a book is the resource library://book/ID.",
  tools: ["book_find", "books_since_1980", "waybill_retrieve"],
  resources: ["library://catalogue", "library://book/rivers", "library://book/roads", "library://book/salt"],
  templates: ["library://book/{id}", "waybill://archive/{hash}", "waybill://archive/{hash}/{start}/{end}"],
  contents: [{ uri: book.uri, mimeType: "text/plain", text: "Salt was money before there was money." }],
  missing: expect.stringContaining("Resource not found: library://book/none"),
  prompts: [{ name: "book_talk", args: [{ name: "id", description: "The id of the book", required: true }] }],
  messages: [
    {
      role: "user",
      content: { type: "text", text: "Read library://book/roads, then ask me what I think of it." },
    },
  ],
  completed: ["rivers", "roads", "salt"],
  result: { books: [book] },
  logged: { level: "info", logger: "search", data: { word: "salt", found: 1 } },
};

/** Where a server says that it listens. */
async function addressOf({ stderr }: ChildProcess): Promise<URL> {
  let said = "";
  stderr?.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  const found = await vi.waitUntil(() => /listens on (\S+)/.exec(said), { timeout: 60_000, interval: 50 });
  return new URL(found[1] ?? "");
}

/** Protocol 2025-06-18 has no icons, and its client refuses those of today. */
const expected = (kind: ServerKind): object =>
  kind === "1.18.2" ? { ...everything, about: [...everything.about.slice(0, 2), "none"] } : everything;

describe.runIf(isFullRun)("a server with every primitive", () => {
  it.each(clients)("serves an SDK $client client over stdio, $era", async ({ client: kind, era }) => {
    const [line = ""] = commands();
    const [command = "", ...args] = line.split(" ");
    const started = { command: command === "node" ? process.execPath : command, args, cwd: root, env };
    const client = await connectClient(kind, new StdioClientTransport({ ...started, stderr: "ignore" }), era);
    onTestFinished(() => client.close());
    expect(await useAll(client)).toEqual(expected(kind));
    if (era === "modern") return;
    // On a connection of the legacy era the level stays.
    const heard: JsonObject[] = [];
    client.onLog((params) => heard.push(params));
    await client.setLogLevel("error");
    await client.call("book_find", { word: "salt" });
    expect(heard).toEqual([]);
  });
});

describe.runIf(isFullRun)("the same server over HTTP", () => {
  const transports = { "2.4.0": Http24, "1.32.2": Http132, "1.25.3": Http125, "1.18.2": Http118 };
  let server: ChildProcess;
  let url = new URL("http://127.0.0.1/");

  beforeAll(async () => {
    const args = (commands()[1] ?? "")
      .replace(/ 3000$/, " 0")
      .split(" ")
      .slice(1);
    server = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] });
    url = await addressOf(server);
  });

  afterAll(async () => {
    server.kill();
    await once(server, "exit");
  });

  it.each(clients)("serves an SDK $client client, $era", async ({ client: kind, era }) => {
    const client = await connectClient(kind, new transports[kind](url), era);
    onTestFinished(() => client.close());
    expect(await useAll(client)).toEqual(expected(kind));
  });

  it("has counted their calls", async () => {
    const page = await (await fetch(new URL("/metrics", url))).text();
    expect(page).toContain(`waybill_calls_total{tool="book_find",outcome="success"} ${clients.length}\n`);
  });
});
