// A server whose author makes the contract inside the factory, so that every request gets a new one.
import { randomUUID } from "node:crypto";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { type Contract, type ContractOptions, createContract } from "../../src/doors/server/index.ts";
import { type AnyClient, connectClient, memoryPair } from "./attach-clients.fixture.ts";
import { listen } from "./strangers.fixture.ts";

const info = { name: "named", version: "1.0.0" };
const records = Array.from({ length: 300 }, (_, at) => ({ id: `r-${at}`, text: `Plain text number ${at}` }));

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function build(options: ContractOptions, made: Contract[] = []): McpServer {
  const contract = createContract({ logLevel: "silent", budget: { tokens: 800 }, ...options });
  made.push(contract);
  const server = contract.server(new McpServer(info));
  server.registerTool("records", { description: "Records" }, () => ({ records }));
  return server;
}

/** A client of a server that makes a contract for every request, and closes it with the request. */
async function connectPerRequest(options: ContractOptions): Promise<AnyClient> {
  const made: Contract[] = [];
  const handle = toNodeHandler(createMcpHandler(() => build(options, made)));
  const { url, close } = await listen(async (request, response) => {
    await handle(request as never, response);
    for (const contract of made.splice(0)) await contract.close();
  });
  closing.push(close);
  const client = await connectClient("2.4.0", new StreamableHTTPClientTransport(url), "modern");
  closing.push(() => client.close());
  return client;
}

async function connectMemory(options: ContractOptions): Promise<AnyClient> {
  const [near, far] = memoryPair();
  await build(options).connect(far as never);
  const client = await connectClient("2.4.0", near);
  closing.push(() => client.close());
  return client;
}

function envelopeIn(result: JsonObject): JsonObject {
  return result["structuredContent"] as JsonObject;
}

async function cutHash(client: AnyClient): Promise<string> {
  const { meta } = envelopeIn(await client.call("records")) as unknown as {
    meta: { content_archive_hashes: Record<string, string> };
  };
  return Object.values(meta.content_archive_hashes)[0] ?? "";
}

async function retrieve(client: AnyClient, args: JsonObject): Promise<JsonObject> {
  return envelopeIn(await client.call("waybill_retrieve", args));
}

describe("a contract that is made for every request", () => {
  it("gives back under its name what an earlier one of it archived, page after page", async () => {
    const client = await connectPerRequest({ name: `named-${randomUUID()}` });
    const archive = await cutHash(client);
    const first = await retrieve(client, { archive, limit: 2 });
    expect(first).toMatchObject({
      success: true,
      data: { items: [{ pointer: "/records/0..1", values: [{ id: "r-0" }, {}] }] },
    });
    const { pagination } = first["meta"] as unknown as { pagination: { cursor: string } };
    const second = await retrieve(client, { archive, limit: 2, cursor: pagination.cursor });
    expect(second).toMatchObject({
      success: true,
      data: { items: [{ pointer: "/records/2..3", values: [{ id: "r-2" }, {}] }] },
    });
  });

  it("counts its callers' calls together", async () => {
    const rateLimit = { limit: 2, periodSeconds: 60 };
    const client = await connectPerRequest({ name: `named-${randomUUID()}`, rateLimit });
    const codes: unknown[] = [];
    for (const _ of [1, 2, 3]) {
      const { data } = envelopeIn(await client.call("records"));
      codes.push((data as JsonObject)["error_code"] ?? "fine");
    }
    expect(codes).toEqual(["fine", "fine", "RATE_LIMIT_EXCEEDED"]);
  });

  it("gives back nothing of an earlier one where it has no name", async () => {
    const client = await connectPerRequest({});
    expect(await retrieve(client, { archive: await cutHash(client) })).toMatchObject({
      data: { error_code: "NOT_FOUND" },
    });
  });
});

describe("two contracts in one process", () => {
  it("of one name: closing the first leaves the second its archives", async () => {
    const name = `named-${randomUUID()}`;
    const first = createContract({ name, logLevel: "silent", budget: { tokens: 800 } });
    const server = first.server(new McpServer(info));
    server.registerTool("records", { description: "Records" }, () => ({ records }));
    const [near, far] = memoryPair();
    await server.connect(far as never);
    const client = await connectClient("2.4.0", near);
    closing.push(() => client.close());
    const archive = await cutHash(client);
    await first.close();
    const other = await connectMemory({ name });
    expect(await retrieve(other, { archive, ids: ["r-299"] })).toMatchObject({
      data: { items: [{ value: { id: "r-299" } }] },
    });
  });

  it.each([
    ["of two names", { name: "one" }, { name: "other" }],
    ["of one name, each with a memory of its own", { name: "third", store: "memory" }, { name: "third" }],
  ])("%s: neither opens what the other archived", async (_, one, other) => {
    const tenant = () => "everybody";
    const archive = await cutHash(await connectMemory({ ...one, tenant }));
    expect(await retrieve(await connectMemory({ ...other, tenant }), { archive })).toMatchObject({
      data: { error_code: "NOT_FOUND" },
    });
  });

  it("of one name: places for calls that run at once are counted together", async () => {
    const name = `named-${randomUUID()}`;
    const toolSettings = { records: { concurrency: 1 } };
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const contract = createContract({ name, logLevel: "silent", toolSettings });
    const slow = contract.server(new McpServer(info));
    let started = (): void => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    slow.registerTool("records", { description: "Records" }, async () => {
      started();
      await held;
      return {};
    });
    const [near, far] = memoryPair();
    await slow.connect(far as never);
    const first = await connectClient("2.4.0", near);
    closing.push(() => first.close());
    const waiting = first.call("records");
    await running;
    const refused = envelopeIn(await (await connectMemory({ name, toolSettings })).call("records"));
    expect(refused).toMatchObject({ data: { error_code: "RATE_LIMIT_EXCEEDED" } });
    release();
    expect(envelopeIn(await waiting)).toMatchObject({ success: true });
  });
});
