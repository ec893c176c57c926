import { fileURLToPath } from "node:url";
import { createHash } from "node:crypto";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { type RedisServer, hasRedis, startRedis } from "../services/redis.fixture.ts";
import { type AnyClient, connectClient } from "./attach-clients.fixture.ts";
import { envelopeOf } from "./attach-expectations.fixture.ts";

const entry = fileURLToPath(new URL("replica-stdio.fixture.ts", import.meta.url));

/** The SDK gives a child none of the tests' environment, so no secret is shared but through Redis. */
function start({ url }: RedisServer, tenant: string): Promise<AnyClient> {
  const args = ["--import", "tsx", entry, url, tenant];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" });
  return connectClient("2.4.0", transport);
}

interface Cut {
  readonly data: { readonly records: readonly JsonObject[] };
  readonly meta: {
    readonly dropped_content_ids: readonly string[];
    readonly content_archive_hashes: Readonly<Record<string, string>>;
  };
}
interface Page {
  readonly data: { readonly records?: readonly JsonObject[]; readonly items?: readonly JsonObject[] };
  readonly meta: { readonly pagination: { readonly cursor: string } };
}

async function answer<Envelope>(client: AnyClient, name: string, args: JsonObject = {}): Promise<Envelope> {
  return envelopeOf(await client.call(name, args)) as unknown as Envelope;
}

async function cutBy(client: AnyClient): Promise<{ hash: string; dropped: readonly string[]; kept: number }> {
  const { data, meta } = await answer<Cut>(client, "list");
  const [hash = ""] = Object.values(meta.content_archive_hashes);
  return {
    hash: hash.slice("sha256:".length),
    dropped: meta.dropped_content_ids,
    kept: data.records.length,
  };
}

describe.runIf(isFullRun && hasRedis())("two servers on one Redis", () => {
  let redis: RedisServer;
  let one: AnyClient;
  let two: AnyClient;
  let foreign: AnyClient;
  beforeAll(async () => {
    redis = await startRedis();
    [one, two, foreign] = await Promise.all([start(redis, "ann"), start(redis, "ann"), start(redis, "ben")]);
  });
  afterAll(async () => {
    await Promise.all([one, two, foreign].map((client) => client.close()));
    await redis.stop();
  });

  it("give back each what the other cut, by the tool", async () => {
    const { hash, dropped, kept } = await cutBy(one);
    const args = { archive: hash.slice(0, 12), ids: [...dropped], limit: 1 };
    expect(await answer(two, "waybill_retrieve", args)).toMatchObject({
      success: true,
      data: { verified: true, matched: 1_000 - kept, items: [{ value: { id: `rec-${kept}` } }] },
    });
  });

  it("give back each what the other cut, by the resource", async () => {
    const { hash } = await cutBy(two);
    const { contents } = await one.readResource(`waybill://archive/${hash}`);
    const [{ text = "" } = {}] = contents as unknown as readonly { readonly text?: string }[];
    expect(createHash("sha256").update(text).digest("hex")).toBe(hash);
    expect(JSON.parse(text)).toHaveProperty("records.999.id", "rec-999");
  });

  it("accept each other's cursors without a secret of their own", async () => {
    const [first, other] = await Promise.all([answer<Page>(one, "page"), answer<Page>(two, "page")]);
    const next = await answer<Page>(two, "page", { cursor: first.meta.pagination.cursor });
    expect(next.data.records?.[0]).toMatchObject({ id: "rec-5" });
    const back = await answer<Page>(one, "page", { cursor: other.meta.pagination.cursor });
    expect(back.data).toEqual(next.data);
  });

  it("accept each other's cursors of waybill_retrieve", async () => {
    const { hash } = await cutBy(one);
    const args = { archive: hash, pointer: "/records/*", limit: 3 };
    const first = await answer<Page>(one, "waybill_retrieve", args);
    const { cursor } = first.meta.pagination;
    const next = await answer<Page>(two, "waybill_retrieve", { ...args, cursor });
    expect(next.data.items?.[0]).toMatchObject({
      pointer: "/records/3..5",
      values: [{ id: "rec-3" }, {}, {}],
    });
  });

  it("share a rate limit", async () => {
    const turns = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? one : two));
    const verdicts = await Promise.all(
      turns.map((client) => answer<{ data: { done?: boolean; error_code?: string } }>(client, "rare")),
    );
    expect(verdicts.filter(({ data }) => data.done === true)).toHaveLength(5);
    expect(verdicts.filter(({ data }) => data.error_code === "RATE_LIMIT_EXCEEDED")).toHaveLength(3);
  });

  it("tell another tenant that there is nothing, whichever way it asks", async () => {
    const { hash } = await cutBy(one);
    const missing = { success: false, data: { error_code: "NOT_FOUND" } };
    for (const archive of [hash, hash.slice(0, 12)]) {
      expect(await answer(foreign, "waybill_retrieve", { archive })).toMatchObject(missing);
      await expect(foreign.readResource(`waybill://archive/${archive}`)).rejects.toThrow(
        /not found|No archive/i,
      );
    }
  });

  it("refuse a cursor of another tenant", async () => {
    const { meta } = await answer<Page>(one, "page");
    const args = { cursor: meta.pagination.cursor };
    expect(await answer(foreign, "page", args)).toMatchObject({
      success: false,
      data: { error_code: "INVALID_CURSOR" },
    });
  });
});
