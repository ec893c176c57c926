import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ArchiveStore } from "./archive-store.ts";
import { BLOCK_BYTES, encodeBlocks, packBlock, unpackBlock } from "./blocks.ts";
import { fileStore } from "./file/file-store.ts";
import { createTempDirectory } from "./file/file-store.fixture.ts";
import { memoryStore } from "./memory-store.ts";
import { tenantKey } from "./store-rules.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const RUNS = lawRuns(1_000);

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc
    .array(fc.constantFrom("\ud83d", "\ude00", "a", "é", "漢"), { maxLength: 20 })
    .map((parts) => parts.join("")),
);
const chunk = fc.oneof(text, fc.uint8Array({ maxLength: 200 }));

/** Small contents mostly, and now and then one that spans blocks. */
const content = fc.oneof(
  { weight: 9, arbitrary: fc.array(chunk, { maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.string({ minLength: 1, maxLength: 3, unit: "grapheme" }),
        fc.integer({ min: 1, max: 300_000 }),
        chunk,
      )
      .map(([unit, count, tail]) => [unit.repeat(Math.ceil(count / unit.length)), tail]),
  },
);

/** The bytes as they would be if neighbouring texts were one text from the start. */
function bytesOf(chunks: readonly (string | Uint8Array)[]): Buffer {
  const parts: Buffer[] = [];
  let run = "";
  for (const piece of chunks) {
    if (typeof piece === "string") {
      run += piece;
      continue;
    }
    parts.push(Buffer.from(run), Buffer.from(piece));
    run = "";
  }
  return Buffer.concat([...parts, Buffer.from(run)]);
}

/** A text cut at any UTF-16 units, pairs too. */
const cutText = fc.tuple(text, fc.array(fc.nat({ max: 60 }), { maxLength: 5 })).map(([whole, cuts]) => {
  const ends = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((a, b) => a - b), whole.length];
  return { whole, pieces: ends.slice(1).map((end, index) => whole.slice(ends[index], end)) };
});

describe("encodeBlocks", () => {
  it("gives the bytes of the text, however it is cut", () => {
    fc.assert(
      fc.property(cutText, ({ whole, pieces }) => {
        expect(Buffer.concat([...encodeBlocks(pieces)]).equals(Buffer.from(whole))).toBe(true);
      }),
      RUNS,
    );
  });

  it("gives blocks that are full but for a character, except the last", () => {
    fc.assert(
      fc.property(content, (chunks) => {
        const blocks = [...encodeBlocks(chunks)];
        expect(Buffer.concat(blocks).equals(bytesOf(chunks))).toBe(true);
        expect(blocks.every(({ byteLength }) => byteLength > 0 && byteLength <= BLOCK_BYTES)).toBe(true);
        expect(blocks.slice(0, -1).every(({ byteLength }) => byteLength > BLOCK_BYTES - 4)).toBe(true);
      }),
      RUNS,
    );
  });
});

describe("packBlock and unpackBlock", () => {
  it("give back what was packed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 200 }),
        async (unit, times) => {
          const raw = Buffer.concat(Array.from({ length: times }, () => unit));
          expect(raw.equals(await unpackBlock(await packBlock(raw)))).toBe(true);
        },
      ),
      RUNS,
    );
  });
});

describe("tenantKey", () => {
  it("is equal only for equal tenants, lone surrogates and all", () => {
    const tenant = fc
      .oneof(text, fc.constantFrom("\ud800", "\ud801", "\ufffd"))
      .filter((name) => name !== "");
    fc.assert(
      fc.property(tenant, tenant, (one, other) => {
        expect(tenantKey(one) === tenantKey(other)).toBe(one === other);
        expect(tenantKey(one)).toMatch(/^[0-9a-f]{32}$/);
      }),
      RUNS,
    );
  });
});

describe.each<[string, () => ArchiveStore]>([
  ["memoryStore", () => memoryStore()],
  ["fileStore", () => fileStore(createTempDirectory())],
])("%s", (_, create) => {
  it("keeps any content in any chunking under its sha256", async () => {
    const store = create();
    await fc.assert(
      fc.asyncProperty(content, async (chunks) => {
        const whole = bytesOf(chunks);
        const { entry } = await store.put("a", chunks);
        expect(entry.hash).toBe(createHash("sha256").update(whole).digest("hex"));
        expect(entry.bytes).toBe(whole.byteLength);
        expect(whole.equals((await store.get("a", entry.hash))?.bytes ?? Buffer.from("missing"))).toBe(true);
      }),
      RUNS,
    );
  });

  it("gives ranges that join to the whole, and none beyond it", async () => {
    const store = create();
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(content, cuts, fc.integer(), fc.integer(), async (chunks, shares, from, to) => {
        const whole = bytesOf(chunks);
        const { hash } = (await store.put("a", chunks)).entry;
        const read = async (start: number, end: number): Promise<Uint8Array> =>
          (await store.getRange("a", hash, start, end))?.bytes ?? Buffer.from("missing");
        const inner = shares.map((share) => Math.floor(share * whole.byteLength)).toSorted((a, b) => a - b);
        const ends = [0, ...inner, whole.byteLength];
        const parts = await Promise.all(ends.slice(1).map((end, index) => read(ends[index] ?? 0, end)));
        expect(whole.equals(Buffer.concat(parts))).toBe(true);
        const start = Math.max(0, from);
        expect(whole.subarray(start, Math.max(start, to)).equals(await read(from, to))).toBe(true);
      }),
      RUNS,
    );
  });
});
