import { describe, expect, test } from "vitest";
import { ArchiveError } from "../archive/archive-store.ts";
import { memoryStore } from "../archive/memory-store.ts";
import { allPages, archived, contextFor, itemsOf, joinPages, pointersOf } from "./archive.fixture.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";
import { retrieve } from "./retrieve.ts";

const findings = Array.from({ length: 40 }, (_, index) => ({
  id: `f-${index}`,
  rule: index % 2 === 0 ? "no-eval" : "no-shadow",
  where: { file: `src/file-${index}.ts`, line: index },
  message: index === 17 ? "The connection was reset by peer" : "Nothing to see here",
}));
const report = { total: 40, findings, warnings: [{ key: "w1", text: "naïve café" }] };

describe("retrieve", () => {
  test("lists everything an archive holds: the longest list first, then what is outside of lists", async () => {
    const { ask, hash } = await archived(report, { budgetTokens: 20_000 });
    const answer = await ask();
    expect(answer.data["archive"]).toBe(`sha256:${hash}`);
    expect(answer.data["verified"]).toBe(true);
    expect(pointersOf(answer)).toEqual([
      ...findings.map((_, at) => `/findings/${at}`),
      "/warnings/0",
      "/total",
    ]);
    expect(answer.pagination).toEqual({ cursor: null, has_more: false, page_size: 1_000, total_count: 42 });
  });

  // shows 001.40, 001.145
  test("says with limit 0 what is there, how much and until when", async () => {
    const { ask, hash } = await archived(report);
    const { data, pagination } = await ask({ limit: 0 });
    expect(data).toMatchObject({
      available: true,
      hash: `sha256:${hash}`,
      content_type: "application/json",
      items: 40,
      collections: [
        { pointer: "/findings", count: 40 },
        { pointer: "/warnings", count: 1 },
      ],
    });
    expect(data["expires_at"]).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(pagination).toBeUndefined();
  });

  // shows 001.33, 001.146
  test.each([
    ["an own id", ["f-17"], ["/findings/17"]],
    ["an id of another list", ["w1"], ["/warnings/0"]],
    ["a pointer", ["/findings/3"], ["/findings/3"]],
    ["a range with both ends", ["/findings/3..5"], ["/findings/3", "/findings/4", "/findings/5"]],
    [
      "a mixture in the order asked for",
      ["/total", "f-2", "/warnings/*"],
      ["/total", "/findings/2", "/warnings/0"],
    ],
  ])("takes ids as dropped_content_ids writes them: %s", async (_, ids, pointers) => {
    const { ask } = await archived(report);
    expect(pointersOf(await ask({ ids }))).toEqual(pointers);
  });

  test("names the ids it did not find, and fails when it found none", async () => {
    const { ask } = await archived(report);
    expect((await ask({ ids: ["f-1", "f-999"] })).data["missing"]).toEqual(["f-999"]);
    await expect(ask({ ids: ["f-999"] })).rejects.toMatchObject({
      code: "NOT_FOUND",
      details: { resource_type: "item", resource_id: "f-999" },
    });
  });

  test("takes the id from the tool's own path", async () => {
    const { ask } = await archived({ rows: [{ meta: { ref: 7 } }] }, { idPaths: ["meta.ref"] });
    expect(pointersOf(await ask({ ids: ["7"] }))).toEqual(["/rows/0"]);
  });

  test("a pointer to a list means its items, any other for its value", async () => {
    const { ask } = await archived(report);
    expect(pointersOf(await ask({ pointer: "/warnings" }))).toEqual(["/warnings/0"]);
    expect(itemsOf(await ask({ pointer: "/findings/3/where" }))).toEqual([
      { pointer: "/findings/3/where", value: { file: "src/file-3.ts", line: 3 } },
    ]);
    expect(itemsOf(await ask({ pointer: "/warnings/0/text#char=2-7" }))[0]?.value).toBe("ïve c");
    await expect(ask({ pointer: "/nowhere" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(ask({ pointer: "nowhere" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("gives a piece of an archive that is one text, by a range or a digest's locator", async () => {
    const { ask } = await archived("naïve 😀 cut");
    for (const pointer of ["#char=6-7", "char:6-7"])
      expect(itemsOf(await ask({ pointer }))[0]).toMatchObject({ pointer, value: "😀" });
  });

  test("answers a locator without its page, which no archive can vouch for", async () => {
    const { ask } = await archived("naïve 😀 cut");
    const answer = itemsOf(await ask({ pointer: "page:9:char:6-7" }));
    expect(answer).toEqual([{ pointer: "char:6-7", value: "😀" }]);
  });

  test.each(["char:7-6", "page:0:char:6-7", "char:6"])(
    "says what a locator is when %s is not one",
    async (pointer) => {
      const { ask } = await archived("naïve 😀 cut");
      await expect(ask({ pointer })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        message: expect.stringContaining('"char:START-END" or "page:N:char:START-END"') as unknown,
      });
    },
  );

  test("takes no locator for a pointer where there is no such text", async () => {
    const { ask } = await archived({ text: "naïve" });
    await expect(ask({ pointer: "char:0-2" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("counts characters of a string piece in code points", async () => {
    const { ask } = await archived({ text: "a😀b😀c" });
    expect(itemsOf(await ask({ pointer: "/text#char=1-4" }))[0]?.value).toBe("😀b😀");
  });

  test("matches by dotted path and by pointer, all conditions together", async () => {
    const { ask } = await archived(report);
    expect(pointersOf(await ask({ match: { rule: "no-eval", "where.line": 4 } }))).toEqual(["/findings/4"]);
    expect(pointersOf(await ask({ match: { "/where": { line: 5, file: "src/file-5.ts" } } }))).toEqual([
      "/findings/5",
    ]);
    expect((await ask({ match: { "where.line": "4" } })).data).toMatchObject({
      matched: 0,
      returned: 0,
      items: [],
    });
  });

  test("finds by words, by a whole identifier, and by a phrase that must occur word for word", async () => {
    const { ask } = await archived(report);
    expect(pointersOf(await ask({ query: "connection reset" }))[0]).toBe("/findings/17");
    expect(pointersOf(await ask({ query: "src/file-23.ts", limit: 1 }))).toEqual(["/findings/23"]);
    expect(pointersOf(await ask({ query: '"reset by peer"' }))).toEqual(["/findings/17"]);
    expect(pointersOf(await ask({ query: '"peer by reset"' }))).toEqual([]);
    expect(pointersOf(await ask({ query: "CAFÉ" }))).toEqual(["/warnings/0"]);
  });

  test("combines where to look, what to match and what to rank by", async () => {
    const { ask } = await archived(report);
    const answer = await ask({ pointer: "/findings/10..20", match: { rule: "no-shadow" }, query: "reset" });
    expect(pointersOf(answer)).toEqual(["/findings/17"]);
  });

  test.each([
    ["the full hash", (hash: string) => hash],
    ["a prefix of eight", (hash: string) => hash.slice(0, 8)],
    ["upper case with sha256:", (hash: string) => `SHA256:${hash.toUpperCase()}`],
    ["a key of content_archive_hashes", (hash: string) => `my-findings-${hash.slice(0, 12)}`],
    ["the resource's URI", (hash: string) => `waybill://archive/${hash}`],
  ])("knows an archive by %s", async (_, write) => {
    const { ask, hash } = await archived(report);
    expect((await ask({ archive: write(hash), limit: 1 })).data["archive"]).toBe(`sha256:${hash}`);
  });

  test("finds the archive by its ids when only one has them, and lists them when several do", async () => {
    const { context, hash } = await archived(report);
    const found = await retrieve({ ids: ["f-3"] }, context);
    expect(found.data["archive"]).toBe(`sha256:${hash}`);
    const { entry } = await context.store.put("ada", [JSON.stringify([{ id: "f-3" }])]);
    await expect(retrieve({ ids: ["f-3"] }, context)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { candidates: expect.arrayContaining([`sha256:${hash}`, `sha256:${entry.hash}`]) as unknown },
    });
    await expect(retrieve({ ids: ["f-777"] }, context)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(retrieve({ ids: ["/findings/3"] }, context)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  test("answers a miss and another tenant's hash alike", async () => {
    const { context, hash } = await archived(report);
    const miss = { code: "NOT_FOUND", details: { resource_type: "archive" } };
    await expect(retrieve({ archive: "0".repeat(12) }, context)).rejects.toMatchObject(miss);
    await expect(retrieve({ archive: hash }, { ...context, tenant: "bob" })).rejects.toMatchObject(miss);
  });

  test.each<RetrieveRequest>([
    {},
    { archive: "nonsense" },
    { archive: "3f2a9c01b7de", ids: [] },
    { archive: "3f2a9c01b7de", limit: -1 },
    { archive: "3f2a9c01b7de", limit: Number.NaN },
    { archive: "3f2a9c01b7de", query: "  " },
    { archive: "3f2a9c01b7de", query: "x".repeat(5_000) },
    { archive: 7 as never },
    { archive: "3f2a9c01b7de", match: [] as never },
    { archive: "3f2a9c01b7de", ids: [7] as never },
  ])("refuses what cannot be meant: %j", async (request) => {
    await expect(retrieve(request, contextFor(memoryStore()))).rejects.toMatchObject({ type: "validation" });
  });

  test.each([
    ["CORRUPT", "internal", /damaged/],
    ["UNREACHABLE", "unavailable", /right now/],
  ] as const)("says so when the store answers %s, without the store's words", async (code, type, says) => {
    const { context, hash } = await archived(report);
    const get = (): never => {
      throw new ArchiveError(code, "/srv/archive/secret-path is bad");
    };
    const store = { ...context.store, find: context.store.find.bind(context.store), get };
    const asked = retrieve({ archive: hash }, { ...context, store });
    await expect(asked).rejects.toMatchObject({ type, message: says });
  });

  test("hands out a small image as base64 and points a large one to its resource", async () => {
    const store = memoryStore();
    const small = await store.put("ada", [new Uint8Array([1, 2, 255])], { contentType: "image/png" });
    const large = await store.put("ada", [new Uint8Array(50_000)], { contentType: "image/png" });
    const context = contextFor(store);
    const whole = await retrieve({ archive: small.entry.hash }, context);
    expect(whole.data).toMatchObject({ content_type: "image/png", bytes: 3, base64: "AQL/", verified: true });
    const far = await retrieve({ archive: large.entry.hash }, context);
    expect(far.data["read_resource"]).toBe(`waybill://archive/${large.entry.hash}`);
    expect(far.data).not.toHaveProperty("base64");
  });

  test("a cursor works for its own request, archive and tenant only", async () => {
    const { context, ask, hash } = await archived(report, { budgetTokens: 600 });
    const cursor = (await ask({ query: "nothing" })).pagination?.cursor ?? "";
    expect(pointersOf(await ask({ query: "nothing", cursor, archive: hash }))).not.toEqual([]);
    const { entry } = await context.store.put("bob", [JSON.stringify(report)]);
    await expect(ask({ query: "see", cursor })).rejects.toMatchObject({ code: "INVALID_CURSOR" });
    const foreign = retrieve(
      { archive: entry.hash, query: "nothing", cursor },
      { ...context, tenant: "bob" },
    );
    await expect(foreign).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  });

  test("parses an archive once, however many pages are read", async () => {
    const { context, ask, hash } = await archived(report, { budgetTokens: 400 });
    let reads = 0;
    const { store } = context;
    const get: typeof store.get = (...args) => {
      reads++;
      return store.get(...args);
    };
    const counting = { ...context, store: { ...store, find: store.find.bind(store), get } };
    const pages = await allPages((request) => retrieve({ ...request, archive: hash }, counting));
    expect(joinPages(pages)).toEqual(joinPages(await allPages(ask)));
    expect(reads).toBe(1);
  });

  test("an item nested too deeply to be written is a fault", async () => {
    const store = memoryStore();
    const { entry } = await store.put("ada", ["[".repeat(200_000) + "]".repeat(200_000)]);
    await expect(retrieve({ archive: entry.hash }, contextFor(store))).rejects.toMatchObject({
      code: "TOO_LARGE",
    });
  });
});
