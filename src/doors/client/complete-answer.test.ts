import { McpServer } from "@modelcontextprotocol/server";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { dialectIds } from "../../core/contract/dialect-id.ts";
import { successResponse } from "../../core/contract/success-responses.ts";
import { createContract } from "../server/create-contract.ts";
import { memoryStore } from "../../engine/archive/memory-store.ts";
import { contractClient } from "./contract-client.ts";
import { cutPair } from "./cut-pair.fixture.ts";
import { resultOf, scripted, success } from "./scripted.fixture.ts";

const rows = Array.from({ length: 400 }, (_, id) => ({ id, name: `Row number ${id}`, state: "open" }));
const text = (value: unknown) => JSON.stringify(value);
const rejection = async (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("complete", () => {
  it("gives an answer that is whole back as it is, and asks for nothing", async () => {
    const pair = await cutPair();
    const answer = await pair.byResource().call("read");
    expect(await pair.byResource().complete(answer)).toBe(answer);
    expect(pair.read).toEqual({ resource: 0, tool: 0 });
  });

  it.each(dialectIds)("rebuilds what was cut in %s, by the resource and by the tool", async (dialect) => {
    const pair = await cutPair({ dialect });
    for (const value of [{ rows }, rows, "word ".repeat(9_000)]) {
      pair.given.value = value;
      for (const client of [pair.byResource(), pair.byTool()]) {
        const cut = await client.call("read", {}, { budget: 500 });
        expect([cut.fidelity, cut.dialect]).toEqual(["partial", dialect]);
        const { data, fidelity } = await client.complete(cut);
        expect([text(data), fidelity]).toEqual([text(value), "full"]);
      }
    }
    expect(pair.read.resource).toBe(3);
    expect(pair.read.tool).toBeGreaterThanOrEqual(3);
  });

  it("gives back the whole of what came as a digest", async () => {
    const pair = await cutPair({ fit: { strategy: "digest" }, budget: { tokens: 1_000 } });
    const body = Array.from({ length: 300 }, (_, id) => `Berth ${id} is  free on day ${id}.`).join("\r\n");
    pair.given.value = { title: "Berths", body };
    for (const client of [pair.byResource(), pair.byTool()]) {
      const cut = await client.call("read");
      expect(cut.fidelity).toBe("summary");
      expect(Object.keys(cut.archives)).toHaveLength(2);
      const { data, fidelity } = await client.complete(cut);
      expect([data, fidelity]).toEqual([{ title: "Berths", body }, "full"]);
    }
  });

  it("never takes the text of a digest for the whole", async () => {
    const text = `sha256:${"ab".repeat(32)}`;
    const digest = { source_text_hash: text };
    const answer = success(
      { omitted: { count: 1, keys: ["body"], bytes: 9_000, digest, pointer: "/body" } },
      { contentFidelity: "summary", contentArchiveHashes: { "text-abababababab": text } },
    );
    const { client } = scripted([answer]);
    const cut = await client.call("read");
    expect(await rejection(client.complete(cut))).toMatchObject({ code: "NOT_FOUND" });
  });

  it("forgets what was said of the cut, and keeps a fallback that is of the data", async () => {
    const pair = await cutPair();
    const ours = { code: "FALLBACK_USED", message: "The summariser is away", context: { reason: "timeout" } };
    pair.given.value = successResponse({ rows }, { warningDetails: [ours] });
    const cut = await pair.byResource().call("read", {}, { budget: 500 });
    expect(cut.warnings.map(({ code }) => code)).toContain("CONTENT_TRUNCATED");
    const { warnings } = await pair.byResource().complete(cut);
    expect(warnings).toMatchObject([ours]);
  });

  it("is done by the call itself where that is asked for", async () => {
    const pair = await cutPair();
    pair.given.value = { rows };
    const { data, fidelity } = await pair.byTool({ budget: 400 }).call("read", {}, { complete: true });
    expect([data, fidelity]).toEqual([{ rows }, "full"]);
  });

  it("joins ranges of what is too large for one message", async () => {
    const pair = await cutPair();
    pair.given.value = { note: "naïve 😀 ".repeat(200_000) };
    const client = pair.byResource();
    const cut = await client.call("read");
    const { data } = await client.complete(cut);
    expect(data).toEqual(pair.given.value);
    expect(pair.read.resource).toBeGreaterThan(2);
  });

  it("shows the failures of partial work that the cut had left out", async () => {
    const pair = await cutPair();
    const failures = rows.map(({ id }) => ({ id, error: "locked" }));
    pair.given.value = { processed: 500, failed: 400, failures };
    const client = pair.byTool();
    const cut = await client.call("read", {}, { budget: 500 });
    expect(cut.failures.length).toBeLessThan(400);
    expect((await client.complete(cut)).failures).toEqual(failures);
  });

  it("takes the tool where a proxy hides the resources", async () => {
    const pair = await cutPair();
    pair.given.value = { rows };
    const client = contractClient({
      callTool: (params: never) => pair.sdk.callTool(params),
      readResource: () => Promise.reject(new Error("Method not found")),
    });
    const cut = await client.call("read", {}, { budget: 400 });
    expect((await client.complete(cut)).data).toEqual({ rows });
  });
});

describe("complete, of what cannot be had", () => {
  it("says so where nothing was kept", async () => {
    const pair = await cutPair({ store: false });
    pair.given.value = { rows };
    const client = pair.byTool();
    const cut = await client.call("read", {}, { budget: 400 });
    expect(cut.fidelity).toBe("partial");
    expect(await rejection(client.complete(cut))).toMatchObject({
      name: "ResponseError",
      code: "NOT_FOUND",
      requestId: cut.requestId,
      details: { resource_type: "archive", tool: "read" },
    });
  });

  it.each(["byResource", "byTool"] as const)("says so where the archive is gone, %s", async (way) => {
    const pair = await cutPair();
    pair.given.value = { rows };
    const client = pair[way]();
    const cut = await client.call("read", {}, { budget: 400 });
    const gone = { ...cut, archives: { "rows-0": `sha256:${"0".repeat(64)}` } };
    expect(await rejection(client.complete(gone as never))).toMatchObject({ code: "NOT_FOUND" });
  });

  it.each(["byResource", "byTool"] as const)("refuses what has another hash, %s", async (way) => {
    const pair = await cutPair();
    pair.given.value = { rows };
    const client = pair[way]();
    const cut = await client.call("read", {}, { budget: 400 });
    pair.given.tamper = (result) =>
      JSON.parse(text(result).replaceAll("Row number 7", "Row number 8")) as unknown;
    expect(await rejection(client.complete(cut))).toMatchObject({
      code: "HASH_MISMATCH",
      retryRule: "never",
      requestId: cut.requestId,
      details: {
        tool: "read",
        expected: Object.values(cut.archives)[0],
        actual: expect.stringMatching(/^sha256:/),
      },
    });
  });

  it("ends where ranges or pages do not advance", async () => {
    const pair = await cutPair();
    pair.given.value = { rows };
    const cut = await pair.byTool().call("read", {}, { budget: 400 });
    const place = { "waybill/archive": { to: 0, bytes: 10 } };
    const stuck = contractClient({
      callTool: () =>
        Promise.resolve(success({ items: [] }, { pagination: { cursor: "c", has_more: true } })),
      readResource: () => Promise.resolve({ contents: [{ uri: "u", text: "", _meta: place }] }),
    });
    expect(await rejection(stuck.complete(cut))).toMatchObject({ code: "ARCHIVE_INCOMPLETE" });
    const { client } = scripted([success({ items: [] }, { pagination: { cursor: "c", has_more: true } })]);
    expect(await rejection(client.complete(cut))).toMatchObject({ code: "ARCHIVE_INCOMPLETE" });
  });

  it("stops at an abort", async () => {
    const pair = await cutPair();
    pair.given.value = { rows };
    const client = pair.byResource();
    const cut = await client.call("read", {}, { budget: 400 });
    const control = new AbortController();
    pair.given.tamper = () => {
      control.abort("enough");
      throw new Error("aborted");
    };
    expect(await rejection(client.complete(cut, { signal: control.signal }))).toBe("enough");
  });
});

describe("complete, of results with more than data", () => {
  const image = (size: number) => ({
    type: "image",
    data: Buffer.alloc(size, 7).toString("base64"),
    mimeType: "image/png",
  });

  it("leaves blocks that were moved where they are, and takes none of them for the data", async () => {
    const pair = await cutPair({ fit: { maxBlobBytes: 1_000 } });
    pair.given.value = {
      content: [{ type: "text", text: text({ rows }) }, image(5_000), image(6_000)],
      structuredContent: { rows },
    };
    for (const client of [pair.byResource(), pair.byTool()]) {
      const cut = await client.call("read", {}, { budget: 900 });
      expect(cut.dropped).toEqual(expect.arrayContaining(["#content/0", "#content/1"]));
      const { data, blocks } = await client.complete(cut);
      expect(data).toEqual({ rows });
      expect(blocks.map(({ type }) => type)).toEqual(["resource_link", "resource_link"]);
    }
  });

  it("has nothing to complete where only blocks were moved", async () => {
    const pair = await cutPair({ fit: { maxBlobBytes: 1_000 } });
    pair.given.value = { content: [{ type: "text", text: "see" }, image(5_000)] };
    const client = pair.byTool();
    const cut = await client.call("read");
    expect(cut.dropped).toEqual(["#content/0"]);
    expect(await client.complete(cut)).toBe(cut);
  });

  it("reads a list that is called content as data", async () => {
    const pair = await cutPair();
    pair.given.value = { content_list: 1, content: rows };
    const client = pair.byTool();
    const cut = await client.call("read", {}, { budget: 400 });
    expect((await client.complete(cut)).data).toEqual(pair.given.value);
  });
});

describe("complete, behind two Waybills", () => {
  it("gives the whole that the first one cut, though the second cut it again", async () => {
    const store = memoryStore();
    const inner = await cutPair({ store });
    inner.given.value = { rows };
    const mcp = new McpServer({ name: "pair", version: "1.0.0" });
    const outer = createContract({ name: "pair", logLevel: "silent", budget: { tokens: 400 }, store });
    outer.server(mcp).registerTool("relay", { description: "Relays" }, async () => {
      const meta = { "waybill/contract": { budget_tokens: 2_000 } };
      return inner.sdk.callTool({ name: "read", arguments: {}, _meta: meta });
    });
    const sdk = new Client({ name: "reader", version: "1.0.0" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await mcp.connect(far);
    await sdk.connect(near);
    for (const client of [contractClient(sdk), contractClient((params) => sdk.callTool(params as never))]) {
      const cut = await client.call("relay");
      expect(Object.keys(cut.archives)).toHaveLength(2);
      const { data, fidelity } = await client.complete(cut);
      expect([data, fidelity]).toEqual([{ rows }, "full"]);
    }
  });
});

describe("retrieve", () => {
  it("gives what was dropped, by name, or only what is asked for", async () => {
    const pair = await cutPair();
    pair.given.value = { rows };
    const client = pair.byResource();
    const cut = await client.call("read", {}, { budget: 500 });
    const kept = (cut.data as unknown as { rows: typeof rows }).rows;
    const all = await client.retrieve(cut);
    expect([...kept, ...all.map(({ value }) => value)]).toEqual(rows);
    expect(await client.retrieve(cut, ["399", "/rows/0", "nobody"])).toEqual([
      { id: "399", pointer: "/rows/399", value: rows[399] },
      { id: "/rows/0", pointer: "/rows/0", value: rows[0] },
    ]);
  });

  it("gives the rest of a text, in characters, and the items of a table", async () => {
    const pair = await cutPair({}, { encoding: "table" });
    pair.given.value = { body: "Straße 😀. ".repeat(2_000) };
    const client = pair.byTool();
    const cut = await client.call("read", {}, { budget: 400 });
    const [rest] = await client.retrieve(cut);
    expect((cut.data as { body: string }).body + (rest?.value as string)).toBe("Straße 😀. ".repeat(2_000));
    pair.given.value = rows;
    const tabled = await client.call("read", {}, { budget: 400 });
    expect(await client.retrieve(tabled, ["399"])).toEqual([
      { id: "399", pointer: "/399", value: rows[399] },
    ]);
  });

  it("takes an item's own id for no pointer, whatever it looks like", async () => {
    const items = [{ id: "a/0..9" }, { id: "b/*" }, { id: "c#char=0-1" }];
    const envelope = { success: true, data: { items }, error: null, meta: { version: "response-v2" } };
    const { client } = scripted([resultOf(envelope)]);
    const answer = await client.call("work");
    const found = await client.retrieve(answer, ["a/0..9", "b/*", "c#char=0-1"]);
    expect(found.map(({ pointer }) => pointer)).toEqual(["/items/0", "/items/1", "/items/2"]);
  });
});
