import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { faults } from "../../core/contract/faults.ts";
import type { Outcome } from "../../core/contract/outcome.ts";
import { successResponse } from "../../core/contract/success-responses.ts";
import { defineFlags } from "../settings/flags-and-tiers/define-flags.ts";
import { defineTiers } from "../settings/flags-and-tiers/define-tiers.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { memoryStore } from "../archive/memory-store.ts";
import { type RunToolOptions, runTool } from "../../doors/testing/run-tool.ts";
import { NoteTaker, staleCache } from "./note-taker.ts";
import type { ToolContext } from "../settings/tool-context.ts";
import { defineTool } from "../settings/tool-definition.ts";

const debug = { profile: "debug" } as const;

async function run(
  handler: (context: ToolContext<never, true>, args: JsonObject) => unknown,
  args: JsonObject = {},
  options: RunToolOptions = {},
) {
  const tool = defineTool("t", { description: "t", waybillArgument: true }, (given, context) =>
    handler(context, given as JsonObject),
  );
  const { outcome, envelope } = await runTool(tool, args, { contract: debug, ...options });
  const { meta, data } = envelope as { meta: JsonObject; data: JsonObject };
  return { outcome, meta, data };
}

const items = Array.from({ length: 7 }, (_, id) => ({ id }));
const pageOf = (context: ToolContext<never, true>): Promise<JsonObject> =>
  context.page({
    path: "items",
    fetch: ({ after, limit }) => items.filter(({ id }) => id > Number(after ?? -1)).slice(0, limit),
    key: ({ id }) => id,
    data: { source: "list" },
    total: 7,
  });

describe("ctx.page", () => {
  const contract = { cursorKeys: "k".repeat(32), profile: "debug" };

  it("gives a page, what else the tool says, and a cursor until the last", async () => {
    const first = await run(pageOf, { limit: 5 }, { contract });
    expect(first.data).toEqual({ items: items.slice(0, 5), source: "list" });
    expect(first.meta["pagination"]).toMatchObject({ has_more: true, page_size: 5, total_count: 7 });
    const { cursor } = first.meta["pagination"] as { cursor: string };
    const last = await run(pageOf, { limit: 5, cursor }, { contract });
    expect(last.data["items"]).toEqual(items.slice(5));
    expect(last.meta["pagination"]).toMatchObject({ cursor: null, has_more: false });
  });

  it("takes the cursor from _waybill, and the size from page_size", async () => {
    const { meta } = await run(pageOf, { page_size: 2 }, { contract });
    const { cursor } = meta["pagination"] as { cursor: string };
    const second = await run(pageOf, { page_size: 2, _waybill: { cursor } }, { contract });
    expect(second.data["items"]).toEqual([{ id: 2 }, { id: 3 }]);
  });

  it("refuses a cursor of other filters, another tenant, or a made-up one", async () => {
    const { meta } = await run(pageOf, { limit: 2, status: "open" }, { contract });
    const { cursor } = meta["pagination"] as { cursor: string };
    const refused = [
      await run(pageOf, { limit: 2, status: "done", cursor }, { contract }),
      await run(pageOf, { limit: 2, status: "open", cursor }, { contract, auth: { subject: "eve" } }),
      await run(pageOf, { limit: 2, cursor: "AAAA" }, { contract }),
    ];
    expect(refused.map(({ data }) => data["error_code"])).toEqual(Array(3).fill("INVALID_CURSOR"));
  });
});

describe("ctx.partial", () => {
  // shows 001.50, 004.55
  it("is a success with a warning when some items failed", async () => {
    const { data, meta, outcome } = await run(({ partial }) =>
      partial([{ id: "a" }, { id: "b", error: "locked" }], { idKey: "task_id" }),
    );
    expect(outcome.ok).toBe(true);
    expect(data).toEqual({ processed: 1, failed: 1, failures: [{ task_id: "b", error: "locked" }] });
    expect(meta["warning_details"]).toMatchObject([{ code: "PARTIAL_FAILURE" }]);
  });

  it("keeps what came of the items that went well, under their ids", async () => {
    const { data } = await run(({ partial }) =>
      partial(
        [
          { id: "a", result: { size: 3 } },
          { id: "b", error: "locked" },
          { id: "c", result: [] },
          { id: "d" },
        ],
        {
          idKey: "task_id",
        },
      ),
    );
    expect(data).toEqual({
      processed: 3,
      failed: 1,
      failures: [{ task_id: "b", error: "locked" }],
      results: [
        { task_id: "a", result: { size: 3 } },
        { task_id: "c", result: [] },
      ],
    });
  });

  it("says one and many in the author's words", async () => {
    const noun = { singular: "entry", plural: "entries" };
    const one = await run(({ partial }) => partial([{ id: "a" }, { id: "b", error: "x" }], { noun }));
    expect(one.meta["warnings"]).toEqual(["1 entry failed to process"]);
    const all = await run(({ partial }) =>
      partial(
        [
          { id: "a", error: "x" },
          { id: "b", error: "x" },
        ],
        { noun },
      ),
    );
    expect(all.outcome).toMatchObject({ fault: { message: "All 2 entries failed to process" } });
  });

  it("fails with the code that all failures share, and keeps the list", async () => {
    const error = faults.notFound("task", "x");
    const { data, outcome } = await run(({ partial }) =>
      partial([
        { id: "a", error },
        { id: "b", error },
      ]),
    );
    expect(outcome.ok).toBe(false);
    expect(data).toMatchObject({ error_code: "NOT_FOUND", error_type: "not_found", processed: 0, failed: 2 });
    expect(data["failures"]).toHaveLength(2);
  });

  it("says nothing when all went well", async () => {
    const { data, meta } = await run(({ partial }) => partial([{ id: "a" }]));
    expect(data).toEqual({ processed: 1, failed: 0, failures: [] });
    expect(meta).not.toHaveProperty("warnings");
  });
});

describe("ctx.cached", () => {
  // shows 001.49
  it("marks a hit, and warns only when it is older than it may be", async () => {
    const fresh = await run(({ cached }) => cached({ ageSeconds: 5, maxFreshnessSeconds: 60 }));
    expect(fresh.meta["telemetry"]).toMatchObject({ cache_hit: true });
    expect(fresh.meta).not.toHaveProperty("warnings");
    const stale = await run(({ cached }) => cached({ ageSeconds: 90, maxFreshnessSeconds: 60 }));
    expect(stale.meta["warning_details"]).toEqual([
      {
        code: "STALE_CACHE",
        severity: "warning",
        message: "Cache data is 90 seconds old",
        context: { cache_age_seconds: 90, max_freshness_seconds: 60 },
      },
    ]);
  });
});

describe("ctx.progress", () => {
  it("notifies a client that asked, in its own token", async () => {
    const heard: JsonObject[] = [];
    await run(
      ({ progress }) => progress(1, 3, "one of three"),
      {},
      {
        meta: { progressToken: "p1" },
        onProgress: (params) => heard.push(params),
      },
    );
    expect(heard).toEqual([{ progressToken: "p1", progress: 1, total: 3, message: "one of three" }]);
  });

  it("is silent without a token, and when the client is gone", async () => {
    const heard: JsonObject[] = [];
    await run(({ progress }) => progress(1), {}, { onProgress: (params) => heard.push(params) });
    const gone = () => {
      throw new Error("Not connected");
    };
    const { outcome } = await run(
      ({ progress }) => progress(1),
      {},
      {
        meta: { progressToken: 1 },
        onProgress: gone,
      },
    );
    expect(heard).toEqual([]);
    expect(outcome.ok).toBe(true);
  });
});

describe("what else a handler knows", () => {
  it("is who calls, without the token", async () => {
    const { data } = await run(
      ({ auth, tenant, requestId }) => ({ auth, tenant, requestId }),
      {},
      {
        auth: { subject: "ada", clientId: "app", scopes: ["read"], token: "private" },
        meta: { "waybill/request_id": "mine-1" },
      },
    );
    expect(data).toEqual({
      auth: { subject: "ada", clientId: "app", scopes: ["read"] },
      tenant: "sub:ada",
      requestId: "mine-1",
    });
  });

  it("is the caller's tier and flags", async () => {
    const contract = {
      tiers: defineTiers({ of: () => "pro" }),
      flags: defineFlags({ beta: { state: "beta", default: true, allow: ["sub:ada"] } }),
    };
    const ask = ({ tier, flags }: ToolContext) => ({ tier, beta: flags.isEnabled("beta") });
    expect((await run(ask, {}, { contract, auth: { subject: "ada" } })).data).toEqual({
      tier: "pro",
      beta: true,
    });
    expect((await run(ask, {}, { contract })).data).toEqual({ tier: "pro", beta: false });
    const without = await run(({ flags }) => flags.isEnabled("beta"));
    expect(without.data).toMatchObject({ error_code: "INTERNAL_ERROR" });
  });

  // shows 001.18, 001.99
  it("is added to the answer: warnings, hints, figures", async () => {
    const { data, meta } = await run(({ warn, upgradeHint, telemetry }) => {
      warn("careful");
      upgradeHint({ feature: "export", tier: "pro", reason: "part of pro" });
      telemetry({ rows_scanned: 12 });
      return { fine: true };
    });
    expect(meta["warnings"]).toEqual(["careful"]);
    expect(meta["telemetry"]).toMatchObject({ rows_scanned: 12 });
    expect(JSON.stringify({ data, meta })).toContain("part of pro");
  });
});

describe("ctx.archive", () => {
  const keepNotes = async (context: ToolContext): Promise<JsonObject> => ({
    hash: (await context.archive("notes", "All is well.", "text/plain")) ?? null,
  });
  const hash = createHash("sha256").update("All is well.").digest("hex");
  const codesIn = ({ notes }: Outcome) => notes.warnings?.map(({ code }) => code) ?? [];

  it("keeps content under its hash and names it; the answer stays whole", async () => {
    const store = memoryStore();
    const contract = { store, tenant: () => "ann" };
    const { data, meta } = await run(keepNotes, {}, { contract });
    expect(data["hash"]).toBe(`sha256:${hash}`);
    expect(meta).toMatchObject({
      content_fidelity: "full",
      content_archive_hashes: { [`notes-${hash.slice(0, 12)}`]: `sha256:${hash}` },
    });
    const read = await store.get("ann", hash);
    expect(Buffer.from(read?.bytes ?? []).toString()).toBe("All is well.");
  });

  it("comes after the archive of a cut, which holds the whole", async () => {
    const rows = Array.from({ length: 900 }, (_, id) => ({ id }));
    const { meta } = await run(
      async (context) => ({ ...(await keepNotes(context)), rows }),
      {},
      { contract: { budget: { tokens: 500 } } },
    );
    const keys = Object.keys(meta["content_archive_hashes"] ?? {});
    expect(keys.map((key) => key.replace(/-.*/, ""))).toEqual(["rows", "notes"]);
    expect(meta["content_fidelity"]).toBe("partial");
  });

  it("is added to the archives that a tool's own envelope names", async () => {
    const own = { "archive-001": `sha256:${"ab".repeat(32)}` };
    const { meta } = await run(async (context) => {
      await keepNotes(context);
      const cut = { contentFidelity: "summary", contentArchiveHashes: own } as const;
      return successResponse({ summary: "fine" }, { requestId: false, ...cut });
    });
    expect(meta["content_archive_hashes"]).toMatchObject(own);
    expect(Object.keys(meta["content_archive_hashes"] ?? {})).toHaveLength(2);
    expect(meta["content_fidelity"]).toBe("summary");
  });

  it("gives nothing and says so where the store fails", async () => {
    const broken = memoryStore({ maxBytes: 1 });
    const { data, outcome, meta } = await run(keepNotes, {}, { contract: { store: broken } });
    expect(data).toEqual({ hash: null });
    expect(codesIn(outcome)).toEqual(["ARCHIVE_WRITE_FAILED"]);
    expect(meta["content_archive_hashes"]).toBeUndefined();
  });

  it("gives nothing where nothing is kept", async () => {
    const { data, outcome } = await run(keepNotes, {}, { contract: { store: false } });
    expect(data).toEqual({ hash: null });
    expect(codesIn(outcome)).toEqual([]);
  });
});

describe("NoteTaker", () => {
  it("has nothing to say at first", () => {
    expect(new NoteTaker().toNotes()).toEqual({});
    expect(new NoteTaker().cacheHit).toBe(false);
  });

  it("orders warnings by severity, a text alone counting as a warning", () => {
    const notes = new NoteTaker();
    notes.warn({ message: "info", severity: "info" });
    notes.warn("text");
    notes.warn({ message: "error", severity: "error" });
    expect(notes.toNotes().warnings?.map(({ message }) => message)).toEqual(["error", "text", "info"]);
  });

  it("adds up figures, the latest of each name", () => {
    const notes = new NoteTaker();
    notes.measure({ downstream_calls: 1, cache_hit: true });
    notes.measure({ downstream_calls: 2 });
    expect(notes.toNotes().telemetry).toEqual({ downstream_calls: 2, cache_hit: true });
    expect(notes.cacheHit).toBe(true);
  });

  it("takes over the notes of an answer, but not its rate limit, which is another call's", () => {
    const answer = new NoteTaker();
    answer.warn("old");
    answer.hint({ feature: "f", tier: "pro", reason: "r" });
    answer.paginate({ cursor: null, has_more: false, page_size: 5 });
    answer.measure({ rows: 3 });
    answer.limit({ limit: 10, remaining: 1 });
    const notes = new NoteTaker();
    notes.limit({ limit: 10, remaining: 9 });
    notes.take(answer.toNotes());
    expect(notes.toNotes()).toEqual({
      warnings: [{ message: "old" }],
      upgradeHints: [{ feature: "f", tier: "pro", reason: "r" }],
      pagination: { cursor: null, has_more: false, page_size: 5 },
      telemetry: { rows: 3 },
      rateLimit: { limit: 10, remaining: 9 },
    });
  });
});

describe("staleCache", () => {
  it.each([
    [0, "Cache data is 0 seconds old"],
    [1, "Cache data is 1 second old"],
    [119, "Cache data is 119 seconds old"],
    [120, "Cache data is 2 minutes old"],
    [7200, "Cache data is 2 hours old"],
    [172_800, "Cache data is 2 days old"],
  ])("says %d seconds as people do", (ageSeconds, message) => {
    expect(staleCache({ ageSeconds, maxFreshnessSeconds: 60 }).message).toBe(message);
  });

  it("has the context keys of seed 001", () => {
    expect(staleCache({ ageSeconds: 7200, maxFreshnessSeconds: 3600 })).toEqual({
      code: "STALE_CACHE",
      severity: "warning",
      message: "Cache data is 2 hours old",
      context: { cache_age_seconds: 7200, max_freshness_seconds: 3600 },
    });
  });
});
