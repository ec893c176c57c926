import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { memoryStore } from "../archive/memory-store.ts";
import { MAX_RESOURCE_BYTES, type ResourceContents, readArchiveResource } from "./archive-resource.ts";

async function stored(text: string | Uint8Array, contentType?: string) {
  const store = memoryStore();
  const { entry } = await store.put("ada", [text], contentType === undefined ? {} : { contentType });
  const read = async (path = "", tenant = "ada"): Promise<ResourceContents> => {
    const uri = `waybill://archive/${entry.hash}${path}`;
    const { contents } = await readArchiveResource(uri, { store, tenant });
    return contents[0] as ResourceContents;
  };
  return { store, entry, read };
}

describe("readArchiveResource", () => {
  test("hands out a whole entry, verified", async () => {
    const { entry, read } = await stored('{"a":"é"}');
    expect(await read()).toEqual({
      uri: `waybill://archive/${entry.hash}`,
      mimeType: "application/json",
      text: '{"a":"é"}',
      _meta: { "waybill/archive": { sha256: entry.hash, bytes: 10, from: 0, to: 10, verified: true } },
    });
  });

  test("moves both ends of a range back to the start of their character", async () => {
    const { read } = await stored('"a€b"');
    expect(await read("/0/3")).toMatchObject({
      text: '"a',
      _meta: { "waybill/archive": { from: 0, to: 2 } },
    });
    expect(await read("/3/6")).toMatchObject({
      text: "€b",
      _meta: { "waybill/archive": { from: 2, to: 6 } },
    });
    expect(await read("/3/4")).toMatchObject({ text: "", mimeType: "text/plain" });
    expect(await read("/6/900")).toMatchObject({
      text: '"',
      _meta: { "waybill/archive": { verified: false } },
    });
  });

  test("a range over everything is the whole, and verified", async () => {
    const { read } = await stored('"abc"');
    expect(await read("/0/99")).toMatchObject({
      text: '"abc"',
      mimeType: "application/json",
      _meta: { "waybill/archive": { verified: true } },
    });
  });

  test("neighbouring ranges join to the exact text", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "é", "€", "😀", "\n"), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (characters, step) => {
          const text = JSON.stringify(characters.join(""));
          const { entry, read } = await stored(text);
          let joined = "";
          for (let start = 0; start < entry.bytes; start += step) {
            const part = await read(`/${start}/${start + step}`);
            joined += "text" in part ? part.text : "a blob";
          }
          expect(joined).toBe(text);
        },
      ),
      lawRuns(1_000),
    ));

  test("an entry over 1 MiB is read in ranges, and the refusal says so", async () => {
    const { entry, read } = await stored(JSON.stringify("x".repeat(MAX_RESOURCE_BYTES)));
    await expect(read()).rejects.toMatchObject({
      code: "TOO_LARGE",
      remediation: expect.stringContaining(`waybill://archive/${entry.hash}/0/1048576`) as unknown,
    });
    expect(await read("/0/1048576")).toHaveProperty("text");
    await expect(read("/0/1048577")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("bytes that are no text come as base64, cut where asked", async () => {
    const { read } = await stored(new Uint8Array([0x80, 0x81, 0x82, 0x83]), "image/png");
    expect(await read("/1/3")).toMatchObject({ blob: "gYI=", mimeType: "image/png" });
  });

  test("a handle is enough; another tenant's hash is not", async () => {
    const { store, entry, read } = await stored("[]");
    const source = { store, tenant: "ada" };
    const short = await readArchiveResource(`waybill://archive/list-${entry.hash.slice(0, 12)}`, source);
    expect(short.contents[0]).toMatchObject({ text: "[]" });
    await expect(read("", "bob")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test.each(["/5", "/5/2", "/9/10", "/a/b", "/-1/2", "/1/2/3", "?x"])("refuses %s", async (path) => {
    const { read } = await stored("[]");
    await expect(read(path)).rejects.toMatchObject({ type: "validation" });
  });
});
