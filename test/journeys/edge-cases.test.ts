// Cuts that went wrong elsewhere, each named after what users met; here each of them goes right.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { errorRegistry, errorRows } from "../../src/core/contract/error-registry.ts";
import { faults } from "../../src/core/contract/faults.ts";
import { ToolFault } from "../../src/core/contract/tool-fault.ts";
import { defaultSettings } from "../../src/engine/settings/settings.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import { memoryStore } from "../../src/engine/archive/memory-store.ts";
import {
  envelopeOf,
  hashesOf,
  openAttached,
  openServer,
  readArchive,
  shownTexts,
  tokensIn,
  warningsOf,
} from "./cut-results.fixture.ts";

const small = { budget: { tokens: 600 } };

function text(words: number, word = "lorem"): string {
  return Array.from({ length: words }, (_, index) => `${word}${index}`).join(" ");
}

function records(count: number) {
  return Array.from({ length: count }, (_, id) => ({ id, title: `Record ${id}`, body: text(12, `b${id}x`) }));
}

describe("status decided after cutting", () => {
  it("a failure with more to say than the budget is a failure with its code", async () => {
    const fail = defineTool("fail", { description: "Fails" }, () => {
      throw faults.conflict(`The build failed. ${text(3_000)}`, { details: { log: records(500) } });
    });
    const { call } = await openServer(small, [fail]);
    const result = await call("fail");
    const { success, data, error, meta } = envelopeOf(result);
    expect({ isError: result["isError"], success, code: data["error_code"] }).toEqual({
      isError: true,
      success: false,
      code: "CONFLICT",
    });
    expect(error).toMatch(/^The build failed\./);
    expect(meta["content_fidelity"]).toBe("partial");
    expect(await tokensIn(result)).toBeLessThanOrEqual(600);
  });

  it("a failure that an attached server reports as text stays one too", async () => {
    const fail = () => ({ isError: true, content: [{ type: "text", text: `exit 1\n${text(5_000)}` }] });
    const { call } = await openAttached(small, { fail });
    const result = await call("fail");
    expect(result["isError"]).toBe(true);
    expect(envelopeOf(result).data["error_code"]).toBe("OPERATION_FAILED");
    expect(await tokensIn(result)).toBeLessThanOrEqual(600);
  });
});

describe("nested omission marker", () => {
  const stub = { omitted: { count: 5_000, keys: ["items"], bytes: 900_000 } };
  const hash = `sha256:${"ab".repeat(32)}`;
  const cutBefore: JsonObject = {
    success: true,
    data: stub,
    error: null,
    meta: {
      version: "response-v2",
      content_fidelity: "summary",
      content_fidelity_schema_version: "1.0",
      dropped_content_ids: ["/items/*"],
      content_archive_hashes: { "items-abababababab": hash },
    },
  };

  it("a marker of an inner server is handed on as the envelope's own, never as data of a full success", async () => {
    const listed = () => ({
      content: [{ type: "text", text: JSON.stringify(cutBefore) }],
      structuredContent: cutBefore,
    });
    const { call } = await openAttached(small, { listed });
    const { data, meta } = envelopeOf(await call("listed"));
    expect(data).toEqual(stub);
    expect(meta).toMatchObject({
      content_fidelity: "summary",
      dropped_content_ids: ["/items/*"],
      content_archive_hashes: { "items-abababababab": hash },
    });
  });

  it("a tool's own field called `omitted` is data like any other", async () => {
    const own = defineTool("own", { description: "Own" }, () => ({ omitted: { count: 3 } }));
    const { call } = await openServer(small, [own]);
    const { data, meta } = envelopeOf(await call("own"));
    expect(data).toEqual({ omitted: { count: 3 } });
    expect(meta).not.toHaveProperty("content_fidelity");
  });
});

describe("sentinel inside a typed list", () => {
  it("a cut list of numbers holds numbers only, and the client's own check of its schema passes", async () => {
    const values = Array.from({ length: 20_000 }, (_, index) => index * 7);
    const outputSchema = z.object({ values: z.array(z.int()), names: z.array(z.enum(["a", "b"])) });
    const list = defineTool("list", { description: "Numbers", outputSchema }, () => ({
      values,
      names: values.map((value) => (value % 2 === 0 ? "a" : "b")),
    }));
    const { call } = await openServer(small, [list]);
    const { data, meta } = envelopeOf(await call("list"));
    const kept = outputSchema.parse(data);
    expect(kept.values.length).toBeGreaterThan(10);
    expect(kept.values).toEqual(values.slice(0, kept.values.length));
    expect(meta["dropped_content_ids"]).toEqual([
      `/values/${kept.values.length}..19999`,
      `/names/${kept.names.length}..19999`,
    ]);
  });
});

describe("re-truncation of an already cut result", () => {
  it("keeps the true count, every name and every hash", async () => {
    const list = defineTool("list", { description: "Many" }, () => ({ items: records(5_000) }));
    const inner = await openServer({ budget: { tokens: 8_000 } }, [list]);
    const once = await inner.call("list");
    const first = envelopeOf(once).data["items"] as readonly JsonObject[];
    const outer = await openAttached({ budget: { tokens: 1_000 } }, { list: () => once });
    const twice = await outer.call("list");
    const second = envelopeOf(twice).data["items"] as readonly JsonObject[];
    expect(second).toEqual(records(5_000).slice(0, second.length));
    expect(envelopeOf(twice).meta["dropped_content_ids"]).toEqual([
      `/items/${second.length}..${first.length - 1}`,
      `/items/${first.length}..4999`,
    ]);
    const counts = warningsOf(twice).map(({ context }) => context as Record<string, number>);
    expect(counts.map(({ total_count }) => total_count)).toContain(5_000);
    expect(counts.reduce((sum, { dropped_count = 0 }) => sum + dropped_count, second.length)).toBe(5_000);
    expect(hashesOf(twice)).toHaveLength(2);
    expect(hashesOf(twice)).toContain(hashesOf(once)[0]);
  });
});

describe("a single element larger than the budget", () => {
  it("loses the tail of its text, not its fields, and the whole comes back", async () => {
    const item = { id: "big", body: text(40_000), tail: "end" };
    const one = defineTool("one", { description: "One" }, () => ({ items: [item] }));
    const open = await openServer(small, [one]);
    const result = await open.call("one");
    const [kept] = envelopeOf(result).data["items"] as readonly (typeof item)[];
    expect(kept).toMatchObject({ id: "big", tail: "end" });
    expect(item.body.startsWith(kept?.body ?? "-")).toBe(true);
    expect(await tokensIn(result)).toBeLessThanOrEqual(600);
    const [hash = ""] = hashesOf(result);
    expect(JSON.parse(await readArchive(open, hash))).toEqual({ items: [item] });
  });

  it("with nothing to cut in it is told by a summary, and comes back in slices", async () => {
    const item = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`field_${index}`, index]));
    const one = defineTool("one", { description: "One" }, () => ({ rows: [item] }));
    const open = await openServer(small, [one]);
    const result = await open.call("one");
    const { data, meta } = envelopeOf(result);
    expect(meta["content_fidelity"]).toBe("summary");
    expect(data["omitted"]).toMatchObject({
      count: 1,
      keys: ["rows"],
      bytes: JSON.stringify({ rows: [item] }).length,
    });
    const [hash = ""] = hashesOf(result);
    const page = await open.retrieve({ archive: hash, pointer: "/rows/0" });
    expect(page["items"]).toEqual([expect.objectContaining({ pointer: "/rows/0", is_slice: true, from: 0 })]);
  });
});

describe("embedded resource blocks", () => {
  it("do not escape the limit: they become links, and the links read back what was there", async () => {
    const body = text(60_000);
    const blocks = () => ({
      content: [
        { type: "text", text: "Two files" },
        { type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: body } },
        { type: "resource", resource: { uri: "file:///b.txt", mimeType: "text/plain", text: "short" } },
      ],
    });
    const { call, client } = await openAttached(small, { blocks });
    const result = await call("blocks");
    expect(await tokensIn(result)).toBeLessThanOrEqual(600);
    const [, link, kept] = result["content"] as readonly JsonObject[];
    expect(link).toMatchObject({ type: "resource_link", name: "file:///a.txt", size: body.length });
    expect(kept).toMatchObject({ type: "resource", resource: { text: "short" } });
    expect(envelopeOf(result).meta["dropped_content_ids"]).toEqual(["#content/0"]);
    const { contents } = await client.readResource({ uri: link?.["uri"] as string });
    expect(contents[0]).toMatchObject({ mimeType: "text/plain", text: body });
  });
});

describe("hundreds of embedded resource blocks", () => {
  it("have a few links, and every other block comes back by the name it has in the list", async () => {
    const content = Array.from({ length: 300 }, (_, index) => ({
      type: "resource",
      resource: { uri: `file:///${index}.txt`, text: `${index} ${text(40)}` },
    }));
    const open = await openAttached({ budget: { tokens: 2_000 } }, { blocks: () => ({ content }) });
    const result = await open.call("blocks");
    expect(await tokensIn(result)).toBeLessThanOrEqual(2_000);
    expect(envelopeOf(result).meta["dropped_content_ids"]).toEqual(["#content/*"]);
    const archive = hashesOf(result)[0] ?? "";
    const { items } = await open.retrieve({ archive, ids: ["#content/250"] });
    expect(items).toEqual([expect.objectContaining({ value: { id: "#content/250", block: content[250] } })]);
  });
});

describe('the prefix "Error:"', () => {
  const says = "Error: handling in Go is by value. Error executing tool: is what this page is about.";

  it("misclassifies nothing: a text that begins with it is a success", async () => {
    const page = defineTool("page", { description: "A page" }, () => says);
    for (const result of [
      await (await openServer(small, [page])).call("page"),
      await (
        await openAttached(small, { page: () => ({ content: [{ type: "text", text: says }] }) })
      ).call("page"),
    ]) {
      expect(result["isError"]).toBeUndefined();
      expect(envelopeOf(result)).toMatchObject({ success: true, error: null, data: { result: says } });
    }
  });

  it("is no failure where the text is cut, either", async () => {
    const whole = `${says}\n${text(5_000)}`;
    const page = defineTool("page", { description: "A page" }, () => whole);
    const { call } = await openServer(small, [page]);
    const result = await call("page");
    expect(result["isError"]).toBeUndefined();
    expect(envelopeOf(result).success).toBe(true);
    expect(envelopeOf(result).data["result"]).toMatch(/^Error: handling in Go/);
  });
});

describe("a classifier that loses known error kinds", () => {
  it("keeps every registered code and its type, at the smallest budget there is", async () => {
    const fail = defineTool(
      "fail",
      { description: "Fails", inputSchema: z.object({ code: z.string() }) },
      ({ code }) => {
        throw new ToolFault(text(2_000), { errorCode: code, details: { rows: records(200) } });
      },
    );
    const { call } = await openServer({ budget: { tokens: 256 } }, [fail]);
    const told: JsonObject[] = [];
    for (const { code } of errorRows) {
      const result = await call("fail", { code });
      const { data } = envelopeOf(result);
      expect(await tokensIn(result)).toBeLessThanOrEqual(256);
      told.push({
        isError: result["isError"] ?? false,
        code: data["error_code"] ?? "",
        type: data["error_type"] ?? "",
      });
    }
    expect(told).toEqual(
      errorRows.map(({ code }) => ({ isError: true, code, type: errorRegistry.get(code)?.type ?? "" })),
    );
  });
});

describe("a non-advancing cursor", () => {
  it("does not occur: pages that the budget shrinks give every item once, one larger than the budget included", async () => {
    const rows = records(60).map((row) => (row.id === 17 ? { ...row, body: text(5_000) } : row));
    const inputSchema = z.object({ cursor: z.string().optional() });
    const list = defineTool("list", { description: "Pages", inputSchema }, (_, ctx) =>
      ctx.page({
        path: "rows",
        limit: 20,
        key: (row: (typeof rows)[number]) => row.id,
        fetch: ({ after, limit }) => rows.filter(({ id }) => id > (after ?? -1)).slice(0, limit),
      }),
    );
    const { call } = await openServer(small, [list]);
    const seen: number[] = [];
    const cursors = new Set<string>();
    for (let cursor: string | null | undefined; cursor !== null;) {
      const result = await call("list", cursor === undefined ? {} : { cursor });
      expect(await tokensIn(result)).toBeLessThanOrEqual(600);
      const { data, meta } = envelopeOf(result);
      seen.push(...(data["rows"] as typeof rows).map(({ id }) => id));
      ({ cursor } = meta["pagination"] as { cursor: string | null });
      expect(cursors.has(cursor ?? "")).toBe(false);
      cursors.add(cursor ?? "");
    }
    expect(seen).toEqual(rows.map(({ id }) => id));
  });
});

describe("a filter that drops the envelope", () => {
  it("takes fields of data only, whatever it is called with, and a cut still says what it left out", async () => {
    const tool = {
      includeOnly: ["items.id", "success", "meta"],
      exclude: ["error", "meta", "data", "success", "version"],
      includeOnError: [],
      excludeWhenTier: {},
      budget: {},
    };
    const config = { ...defaultSettings, tools: { list: tool } };
    const list = defineTool("list", { description: "Many" }, () => ({ items: records(5_000), meta: "mine" }));
    const { call } = await openServer({ ...small, config }, [list]);
    const { success, data, error, meta } = envelopeOf(await call("list"));
    expect({ success, error, version: meta["version"] }).toEqual({
      success: true,
      error: null,
      version: "response-v2",
    });
    const items = data["items"] as readonly JsonObject[];
    expect(items.slice(0, 2)).toEqual([{ id: 0 }, { id: 1 }]);
    expect(meta["content_fidelity"]).toBe("partial");
    expect(meta["dropped_content_ids"]).toEqual([`/items/${items.length}..4999`]);
  });
});

describe("JSON of 45 KB in one line", () => {
  const line = JSON.stringify({ rows: records(400) });

  it("leaves no line longer than the budget, and is still JSON", async () => {
    expect(line.length).toBeGreaterThan(45_000);
    const options = { budget: { tokens: 8_000, bytes: 8_000 } };
    const { call } = await openAttached(options, {
      one: () => ({ content: [{ type: "text", text: line }] }),
      many: () => ({ content: [{ type: "text", text: `${line}\n${line}\n${line}` }] }),
    });
    for (const name of ["one", "many"]) {
      const result = await call(name);
      const lines = shownTexts(result).flatMap((shown) => shown.split("\n"));
      expect(Math.max(...lines.map((shown) => Buffer.byteLength(shown)))).toBeLessThanOrEqual(8_000);
      expect(JSON.parse(shownTexts(result)[0] ?? "")).toEqual(result["structuredContent"]);
      expect(envelopeOf(result).meta["content_fidelity"]).toBe("partial");
    }
    const { data } = envelopeOf(await call("one"));
    expect(data["rows"]).toEqual(records(400).slice(0, (data["rows"] as readonly unknown[]).length));
  });
});

describe("keys made in one clock tick", () => {
  it("never collide: forty results at the same instant each come back as themselves", async () => {
    const now = (): number => 1_700_000_000_000;
    const inputSchema = z.object({ seed: z.int() });
    const list = defineTool("list", { description: "Many", inputSchema }, ({ seed }) => ({
      items: records(300).map((record) => ({ ...record, seed })),
    }));
    const open = await openServer({ ...small, now, store: memoryStore({ now }) }, [list]);
    const results = await Promise.all(Array.from({ length: 40 }, (_, seed) => open.call("list", { seed })));
    const hashes = results.flatMap(hashesOf);
    expect(new Set(hashes).size).toBe(40);
    const texts = await Promise.all(hashes.map((hash) => readArchive(open, hash)));
    const seeds = texts.map((whole) => (JSON.parse(whole) as { items: { seed: number }[] }).items[299]?.seed);
    expect(seeds).toEqual(results.map((_, seed) => seed));
    expect(texts.map((whole) => `sha256:${createHash("sha256").update(whole).digest("hex")}`)).toEqual(
      hashes,
    );
  });
});
