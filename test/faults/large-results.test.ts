// Unplanned results: very many items, very deep, very long. Every one gets a defined answer, in a part of the
// memory and time that writing it whole would take.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/core/json/json-value.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import type { ArchiveContent, ArchiveStore } from "../../src/engine/archive/archive-store.ts";
import { memoryStore } from "../../src/engine/archive/memory-store.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import {
  type OpenServer,
  envelopeOf,
  hashesOf,
  openAttached,
  openServer,
  tokensIn,
  warningsOf,
} from "../journeys/cut-results.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const MEGABYTE = 1024 * 1024;
const LONG_MEGABYTES = isFullRun ? 50 : 5;
const ITEMS = isFullRun ? 1_000_000 : 50_000;
const MATCHED = isFullRun ? 765_432 : 45_432;

/** A store that hashes what it is given, piece by piece, and forgets it. */
class CountingStore implements Partial<ArchiveStore> {
  readonly kind = "counting";
  readonly location = "nowhere";
  bytes = 0;
  longest = 0;

  readonly get = async (): Promise<undefined> => undefined;
  readonly getRange = async (): Promise<undefined> => undefined;
  readonly find = async (): Promise<never[]> => [];

  async put(_tenant: string, content: ArchiveContent) {
    const hash = createHash("sha256");
    this.bytes = 0;
    for (const chunk of content) {
      hash.update(chunk);
      const length = Buffer.byteLength(chunk);
      this.bytes += length;
      this.longest = Math.max(this.longest, length);
    }
    const { bytes } = this;
    const times = { storedAtMs: 0, expiresAtMs: 1 };
    return { entry: { hash: hash.digest("hex"), bytes, contentType: "application/json", ...times } };
  }
}

async function sendValue(value: unknown, options: ContractOptions = {}): Promise<OpenServer> {
  return openServer(options, [defineTool("get", { description: "Large" }, () => value)]);
}

function nested(depth: number): JsonValue {
  let value: JsonValue = "core";
  for (let level = 1; level < depth; level++) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}

describe(`a result of ${ITEMS} items`, () => {
  it("is cut to the budget, counted exactly, and found again by place and by value", async () => {
    const items = Array.from({ length: ITEMS }, (_, id) => ({ id, tag: `t${id % 1_000}` }));
    const store = memoryStore({ maxBytes: 128 * MEGABYTE });
    const open = await sendValue({ items }, { store, budget: { tokens: 2_000 } });
    const result = await open.call("get");
    const { data, meta } = envelopeOf(result);
    const kept = data["items"] as readonly unknown[];
    expect(kept).toEqual(items.slice(0, kept.length));
    expect(await tokensIn(result)).toBeLessThanOrEqual(2_000);
    expect(meta["dropped_content_ids"]).toEqual([`/items/${kept.length}..${ITEMS - 1}`]);
    expect(warningsOf(result)[0]?.["context"]).toMatchObject({
      dropped_count: ITEMS - kept.length,
      total_count: ITEMS,
    });
    const [archive = ""] = hashesOf(result);
    const found = await open.retrieve({ archive, pointer: `/items/${ITEMS - 1}` });
    expect(found["items"]).toEqual([
      { pointer: `/items/${ITEMS - 1}`, value: { id: ITEMS - 1, tag: "t999" } },
    ]);
    const matched = await open.retrieve({ archive, match: { id: MATCHED } });
    expect(matched["items"]).toEqual([{ pointer: `/items/${MATCHED}`, value: { id: MATCHED, tag: "t432" } }]);
  });
});

describe("a deeply nested result", () => {
  it("of 990 levels is served: whole where it fits, by a stub and its archive where it does not", async () => {
    const open = await sendValue(nested(990), { budget: { tokens: 8_000 } });
    expect(envelopeOf(await open.call("get"))).toMatchObject({ success: true });
    const small = await sendValue(
      { deep: nested(990), text: "x ".repeat(9_000) },
      { budget: { tokens: 500 } },
    );
    const result = await small.call("get");
    expect(await tokensIn(result)).toBeLessThanOrEqual(500);
    const described = await small.retrieve({ archive: hashesOf(result)[0] ?? "", limit: 0 });
    expect(described["available"]).toBe(true);
  });

  it.each([1_002, 3_000, 100_000])(
    "of %d levels is an internal error, and the server goes on",
    async (depth) => {
      const open = await sendValue(nested(depth));
      const result = await open.call("get");
      expect(result["isError"]).toBe(true);
      expect(envelopeOf(result).data["error_code"]).toBe("INTERNAL_ERROR");
      expect(envelopeOf(await open.call("get")).success).toBe(false);
    },
  );

  it("of 3,000 levels in the JSON text of an attached server travels as text, cut like one", async () => {
    const text = `${"[".repeat(3_000)}1${"]".repeat(3_000)}`;
    const deep = () => ({ content: [{ type: "text", text }] });
    const open = await openAttached({ budget: { tokens: 400 } }, { deep });
    const result = await open.call("deep");
    const { result: kept } = envelopeOf(result).data as { result: string };
    expect(text.startsWith(kept)).toBe(true);
    expect(await tokensIn(result)).toBeLessThanOrEqual(400);
    const page = await open.retrieve({
      archive: hashesOf(result)[0] ?? "",
      pointer: "/result#char=2999-3002",
    });
    expect(JSON.stringify(page["items"])).toContain("[1]");
  });
});

describe(`a result that is one string of ${LONG_MEGABYTES} MB`, () => {
  it.each([
    ["of words", "lorem ipsum dolor "],
    ["without a single break", "x"],
    ["of escapes", '"\\\n'],
  ])("%s is cut to the budget, and its end is had from the archive", async (_, piece) => {
    const length = LONG_MEGABYTES * MEGABYTE;
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    const store = memoryStore({ maxBytes: 256 * MEGABYTE });
    const open = await sendValue(text, { store, budget: { tokens: 1_000 } });
    const result = await open.call("get");
    const { result: kept } = envelopeOf(result).data as { result: string };
    expect(kept.length).toBeGreaterThan(0);
    expect(text.startsWith(kept)).toBe(true);
    expect(await tokensIn(result)).toBeLessThanOrEqual(1_000);
    expect(envelopeOf(result).meta["dropped_content_ids"]).toEqual([`/result#char=${kept.length}-${length}`]);
    const [archive = ""] = hashesOf(result);
    const { available, bytes } = await open.retrieve({ archive, limit: 0 });
    expect({ available, bytes }).toEqual({ available: true, bytes: JSON.stringify(text).length });
  });
});

describe(`a result of ${ITEMS / 1_000} MB`, () => {
  const record = { id: 7, body: "b".repeat(1_000) };
  const length = ITEMS;
  const items = Array.from({ length }, () => record);
  const bytes = '{"items":[]}'.length + (JSON.stringify(record).length + 1) * length - 1;

  it("is never written whole: it is cut, and its archive is written in pieces", async () => {
    const store = new CountingStore();
    const open = await sendValue(
      { items },
      { store: store as unknown as ArchiveStore, budget: { tokens: 2_000 } },
    );
    const before = process.memoryUsage.rss();
    const result = await open.call("get");
    const { data, meta } = envelopeOf(result);
    const kept = (data["items"] as readonly unknown[]).length;
    expect(bytes).toBeGreaterThan(ITEMS * 1_000);
    expect(meta["dropped_content_ids"]).toEqual([`/items/${kept}..${ITEMS - 1}`]);
    expect(store.bytes).toBe(bytes);
    expect(store.longest).toBeLessThan(4 * MEGABYTE);
    expect(hashesOf(result)).toHaveLength(1);
    // Half of its text would show that it was written whole somewhere; of less, a process has more in other use.
    expect(process.memoryUsage.rss() - before).toBeLessThan(Math.max(bytes / 2, 400 * MEGABYTE));
  });

  it("that the store finds too large goes out cut, without a hash, and says so", async () => {
    const store = memoryStore({ maxBytes: 8 * MEGABYTE });
    const open = await sendValue({ items }, { store, budget: { tokens: 2_000 } });
    const result = await open.call("get");
    expect(envelopeOf(result)).toMatchObject({ success: true, meta: { content_fidelity: "partial" } });
    expect(envelopeOf(result).meta).not.toHaveProperty("content_archive_hashes");
    expect(warningsOf(result).map(({ code }) => code)).toEqual(["ARCHIVE_WRITE_FAILED", "CONTENT_TRUNCATED"]);
    expect(JSON.stringify(result)).not.toContain("waybill_retrieve");
    expect(await tokensIn(result)).toBeLessThanOrEqual(2_000);
  });
});
