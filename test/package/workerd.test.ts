import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Bundle,
  type RunningWorker,
  bundleWorker,
  findWorkerd,
  startWorker,
  textsIn,
} from "./workerd.fixture.ts";

const texts = textsIn(fileURLToPath(new URL("../../examples/workshop/data/", import.meta.url)));
const workshop = `
import { workshopWorker } from "./worker.ts";
export default workshopWorker(${JSON.stringify(texts)});
`;

/** A long list, counted by tokens from a vocabulary in the bundle, and a tool with a quota. */
const counted = `
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { createContract, defineTool, fileStore, loadCounter, serve } from "waybill/server";
import vocabulary from "waybill/vocabulary/o200k_base.bin";
import * as z from "zod";

const info = { name: "lists", version: "1.0.0" };
const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, says: "The valve was opened twice and closed once." }));
const list = defineTool("list", { description: "All rows", inputSchema: z.object({}) }, () => ({ rows }));
const page = defineTool("page", { description: "Rows by pages", inputSchema: z.object({}), paging: true }, (_args, ctx) =>
  ctx.page({ path: "rows", key: (row) => row.id, fetch: ({ after, limit }) => {
    const start = after === undefined ? 0 : Number(after) + 1;
    return rows.slice(start, start + limit);
  } }));
const refused = defineTool("refused", { description: "What Workers cannot do", inputSchema: z.object({}) }, async () => {
  const store = (() => { try { return fileStore("./archive").kind; } catch (error) { return error.message; } })();
  return { store, serve: await serve({ ...info, tools: [list] }).then(() => "served", (error) => error.message) };
});
const contract = createContract({
  ...info,
  tools: [list, page, refused],
  rateLimit: { limit: 100, periodSeconds: 60 },
  fit: { counter: () => loadCounter("o200k_base", { vocabulary }) },
});
const handler = createMcpHandler(() => contract.server(new McpServer(info)));
export default { fetch: (request) => handler.fetch(request) };
`;

type Result = Readonly<Record<string, unknown>>;
interface Envelope {
  readonly success: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
}

const envelopeOf = (result: Result): Envelope => {
  const [block] = result["content"] as readonly { readonly text: string }[];
  return JSON.parse(block?.text ?? "null") as Envelope;
};

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: "journey", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

const workerd = findWorkerd();

describe.skipIf(workerd === undefined).each([
  ["without any module of Node", []],
  ["with nodejs_compat", ["nodejs_compat"]],
])("the workshop as a Worker %s", (_name, flags: readonly string[]) => {
  let bundle: Bundle;
  let worker: RunningWorker;
  let client: Client;

  beforeAll(async () => {
    bundle = await bundleWorker(workshop);
    worker = await startWorker(workerd ?? "", bundle, flags);
    client = await connect(worker.url);
  });
  afterAll(async () => {
    await client?.close();
    await worker?.stop();
    bundle?.remove();
  });

  const call = (name: string, args: Record<string, unknown> = {}): Promise<Result> =>
    client.callTool({ name, arguments: args });

  it("is a bundle that imports nothing from its runtime", () => {
    expect(bundle.imports).toEqual([]);
  });

  it("lists every tool", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "spec",
        "task",
        "research",
        "customers_list",
        "customers_retrieve",
        "customers_destroy",
        "analyze_code",
        "security_scan",
        "extract_code",
        "waybill_retrieve",
      ]),
    );
  });

  it("answers calls of its tools, and refusals as the contract has them", async () => {
    const tasks = envelopeOf(await call("task", { action: "query", spec_id: "my-feature" }));
    expect(tasks.success).toBe(true);
    expect(JSON.stringify(tasks.data)).toContain("Implement login");
    const missing = await call("spec", { action: "show", spec_id: "no-such-spec" });
    expect(missing["isError"]).toBe(true);
    const code = envelopeOf(await call("analyze_code", { path: "/store.py" }));
    expect(JSON.stringify(code)).not.toContain("INTERNAL_ERROR");
    const outside = JSON.stringify(await call("analyze_code", { path: "../../members.json" }));
    expect(outside).toContain("outside the workspace");
    const research = JSON.stringify(await call("research", { action: "survey" }));
    expect(research).toContain("PARTIAL_FAILURE");
  });

  it("says once in its log what is missing there", () => {
    const lines = worker.logged().match(/"msg":"runtime-limited".*/g) ?? [];
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"runtime":"Cloudflare Workers"');
    expect(lines[0]).toContain("worker threads");
    expect((lines[0] ?? "").includes("async scopes")).toBe(flags.length === 0);
  });
});

describe.skipIf(workerd === undefined)("the Worker of docs/edge.md", () => {
  it("answers as it is pasted", async () => {
    const page = readFileSync(new URL("../../docs/edge.md", import.meta.url), "utf8");
    const [, code = ""] = /```ts\n(.*?)```/s.exec(page) ?? [];
    const bundle = await bundleWorker(code);
    const worker = await startWorker(workerd ?? "", bundle, []);
    try {
      const client = await connect(worker.url);
      const result = await client.callTool({ name: "task_list", arguments: {} });
      expect(envelopeOf(result).data).toEqual({ tasks: [{ id: "t-1", title: "Implement login" }] });
      await client.close();
    } finally {
      await worker.stop();
      bundle.remove();
    }
  });
});

describe.skipIf(workerd === undefined)("a Worker without the readers of documents", () => {
  const digesting = `
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { createContract, digestTool } from "waybill/server";
const info = { name: "library", version: "1.0.0" };
const contract = createContract({ ...info, tools: [digestTool()] });
const handler = createMcpHandler(() => contract.server(new McpServer(info)));
export default { fetch: (request) => handler.fetch(request) };
`;
  const readers = ["unpdf", "linkedom", "@mozilla/readability", "htmlparser2", "markdown-it"];

  it("is half as large, digests text, and says of a page that it cannot be read there", async () => {
    const whole = await bundleWorker(digesting);
    const bundle = await bundleWorker(digesting, readers);
    const worker = await startWorker(workerd ?? "", bundle, []);
    try {
      expect(bundle.bytes).toBeLessThan(0.53 * whole.bytes);
      const client = await connect(worker.url);
      const sentences = Array.from({ length: 60 }, (_, id) => `River ${id} is ${id + 100} km long.`);
      const digest = async (text: string): Promise<Result> =>
        client.callTool({ name: "digest", arguments: { text, query: "How long is river 12?" } });
      const told = await digest(sentences.join(" "));
      expect(JSON.stringify(envelopeOf(told).data)).toContain("112 km");
      const page = await digest(`<!doctype html><title>Rivers</title><p>${sentences.join("</p><p>")}</p>`);
      expect(page["isError"]).toBe(true);
      expect(JSON.stringify(page)).toContain("HTML cannot be read here: its reader is not installed");
      expect(JSON.stringify(page)).not.toMatch(/linkedom|npm i /);
      expect(worker.logged()).toContain("npm i htmlparser2@12.0.0");
      await client.close();
    } finally {
      await worker.stop();
      bundle.remove();
      whole.remove();
    }
  });
});

describe.skipIf(workerd === undefined)("a Worker with the vocabulary in its bundle", () => {
  let bundle: Bundle;
  let worker: RunningWorker;
  let client: Client;

  beforeAll(async () => {
    bundle = await bundleWorker(counted);
    worker = await startWorker(workerd ?? "", bundle, []);
    client = await connect(worker.url);
  });
  afterAll(async () => {
    await client?.close();
    await worker?.stop();
    bundle?.remove();
  });

  it("cuts by tokens, and gives back what it cut to a later request", async () => {
    const result: Result = await client.callTool({ name: "list", arguments: {} });
    const text = (result["content"] as readonly { readonly text: string }[])[0]?.text ?? "";
    expect(text).toContain("CONTENT_TRUNCATED");
    // Had a byte counted as a token, it would be no longer than the budget of 8,000.
    expect(Buffer.byteLength(text)).toBeGreaterThan(16_000);
    const [archive] = /[0-9a-f]{64}/.exec(text) ?? [];
    const rest = await client.callTool({
      name: "waybill_retrieve",
      arguments: { archive, pointer: "/rows/1990..1999" },
    });
    expect(JSON.stringify(rest)).toContain("1995");
    expect(worker.logged()).not.toContain("token-counter-missing");
    const asked = await client.callTool({
      name: "waybill_retrieve",
      arguments: { archive, select: "length(rows)" },
    });
    expect(asked.isError).toBe(true);
    expect(JSON.stringify(asked)).not.toContain("INTERNAL_ERROR");
  });

  it("pages with a signed cursor that a later request takes", async () => {
    const first = await client.callTool({ name: "page", arguments: { limit: 5 } });
    const [, cursor] = /"cursor":"([^"]+)"/.exec(JSON.stringify(envelopeOf(first))) ?? [];
    expect(cursor).toBeDefined();
    const second = await client.callTool({ name: "page", arguments: { limit: 5, cursor } });
    const { rows } = envelopeOf(second).data as { readonly rows: readonly { readonly id: number }[] };
    expect(rows.map(({ id }) => id)).toEqual([5, 6, 7, 8, 9]);
  });

  it("says in a sentence what it cannot do", async () => {
    const { data } = envelopeOf(await client.callTool({ name: "refused", arguments: {} }));
    expect(data["store"]).toContain("fileStore does not work on Cloudflare Workers");
    expect(data["serve"]).toContain("serveFetch");
  });
});
