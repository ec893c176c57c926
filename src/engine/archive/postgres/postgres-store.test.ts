import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";
import {
  type PostgresServer,
  hasPostgres,
  sharedPostgres,
} from "../../../../test/services/postgres.fixture.ts";
import type { ArchiveStore } from "../archive-store.ts";
import { type GuardedEvent, guardedStore } from "../guarded-store.ts";
import { storeFacts } from "../store-facts.fixture.ts";
import { createTestClock } from "../store-subject.fixture.ts";
import { type PostgresStoreOptions, postgresStore } from "./postgres-store.ts";

describe.runIf(hasPostgres())("postgresStore", () => {
  let server: PostgresServer;
  let count = 0;
  const schemas = new Set<string>();

  beforeAll(async () => {
    server = await sharedPostgres();
  });
  beforeEach(() => {
    count++;
  });
  afterAll(async () => {
    for (const schema of schemas) await server.run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  });

  const schema = (): string => `facts_${count}`;

  const create = (options: PostgresStoreOptions = {}): ArchiveStore => {
    schemas.add(options.schema ?? schema());
    return postgresStore(server.url, { schema: schema(), timeoutMs: 60_000, ...options });
  };

  function open(options: PostgresStoreOptions = {}): ArchiveStore {
    const store = create(options);
    onTestFinished(() => store.close());
    return store;
  }

  async function blocksIn(name = schema()): Promise<number> {
    const [row] = await server.run(`SELECT count(*)::int AS n FROM ${name}.blocks`);
    return Number(row?.["n"]);
  }

  async function damage(): Promise<void> {
    for (const table of ["entries", "blocks"])
      await server.run(`UPDATE facts.${table} SET block = overlay(block placing '?!' from 8)`);
  }

  /** An empty store, in tables that are there already: making them takes longer than a fact. */
  async function createEmpty(options: PostgresStoreOptions): Promise<ArchiveStore> {
    const store = create({ ...options, schema: "facts" });
    await store.has("nobody", "0".repeat(64));
    await server.run("TRUNCATE facts.entries, facts.blocks, facts.secrets");
    return store;
  }

  if (isFullRun) storeFacts("postgresStore", { create: createEmpty, damage });

  it("lets two stores share entries and secrets", async () => {
    const [one, other] = [open(), open()];
    const { entry } = await one.put("a", ["[1,2,3]"]);
    expect(Buffer.from((await other.get("a", entry.hash))?.bytes ?? []).toString()).toBe("[1,2,3]");
    expect(await other.secret("cursor")).toBe(await one.secret("cursor"));
  });

  it("keeps stores of different schemas apart", async () => {
    const [one, other] = [open(), open({ schema: `${schema()}_elsewhere` })];
    const { entry } = await one.put("a", ["[1]"]);
    expect(await other.has("a", entry.hash)).toBe(false);
    expect(await other.secret("cursor")).not.toBe(await one.secret("cursor"));
  });

  it("makes its tables once for many that come first, and again if somebody drops them", async () => {
    const stores = Array.from({ length: 8 }, () => open());
    const puts = await Promise.all(stores.map((store, at) => store.put("a", [`${at}`])));
    expect(new Set(puts.map(({ entry }) => entry.hash)).size).toBe(8);
    expect(await server.run(`SELECT version FROM ${schema()}.about`)).toEqual([{ version: 1 }]);
    await server.run(`DROP SCHEMA ${schema()} CASCADE`);
    const [store] = stores;
    await expect(store?.put("a", ["x"])).rejects.toMatchObject({
      code: "UNREACHABLE",
      message: expect.stringContaining("Its tables are gone"),
    });
    expect((await store?.put("a", ["x"]))?.entry.bytes).toBe(1);
  });

  it("uses a schema that an administrator made for a user who may make none, and says what a user may not do", async () => {
    const name = schema();
    schemas.add(name);
    await server.run(`CREATE ROLE user_${name} LOGIN PASSWORD 's3cret'`);
    onTestFinished(async () => {
      await server.run(
        `DROP SCHEMA IF EXISTS ${name} CASCADE; DROP OWNED BY user_${name}; DROP ROLE user_${name}`,
      );
    });
    const url = server.url.replace(/\/\/.*@/, `//user_${name}:s3cret@`);
    const store = postgresStore(url, { schema: name, timeoutMs: 60_000 });
    onTestFinished(() => store.close());
    const failure: unknown = await store.put("a", ["x"]).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "UNREACHABLE",
      message: expect.stringContaining("may not do that"),
    });
    expect(String(failure)).not.toContain("s3cret");
    await server.run(`CREATE SCHEMA ${name} AUTHORIZATION user_${name}`);
    expect((await store.put("a", ["x"])).entry.bytes).toBe(1);
  });

  it("does not touch tables of a newer version", async () => {
    const store = open();
    await store.put("a", ["x"]);
    await server.run(`UPDATE ${schema()}.about SET version = 99`);
    const refused = {
      code: "INVALID_OPTION",
      message: expect.stringContaining("was made by a newer Waybill"),
    };
    await expect(open().put("a", ["y"])).rejects.toMatchObject(refused);
  });

  it("removes the blocks of what is deleted, put again or refused", async () => {
    const store = open({ maxBytes: 400_000 });
    const { entry } = await store.put("a", ["x".repeat(600_000)]);
    await store.put("a", ["x".repeat(600_000)]);
    expect(await blocksIn()).toBe(2);
    await store.delete("a", entry.hash);
    const noise = Array.from({ length: 60 }, () => crypto.getRandomValues(new Uint8Array(10_000)));
    await expect(store.put("a", noise)).rejects.toMatchObject({ code: "TOO_LARGE" });
    expect(await blocksIn()).toBe(0);
  });

  it("replaces the blocks of content that is put at once by many, and leaves those of one", async () => {
    const store = open();
    const text = "abcdefg".repeat(100_000);
    const puts = await Promise.all(Array.from({ length: 12 }, () => store.put("a", [text])));
    expect(new Set(puts.map(({ entry }) => entry.hash)).size).toBe(1);
    expect(await blocksIn()).toBe(2);
    const hash = puts[0]?.entry.hash ?? "";
    expect(Buffer.from((await store.get("a", hash))?.bytes ?? []).toString()).toBe(text);
  });

  it("replaces several blocks by one where the same content was cut in other places before", async () => {
    const store = open();
    const { entry } = await store.put("a", ["small"]);
    // What an earlier version might have left, with blocks of another size.
    await server.run(
      `INSERT INTO ${schema()}.blocks VALUES ('00000000-0000-0000-0000-000000000001', 0, 1, false, 's');
       UPDATE ${schema()}.entries SET upload = '00000000-0000-0000-0000-000000000001', raw_bytes = 4, block = 'mall'`,
    );
    expect(Buffer.from((await store.get("a", entry.hash))?.bytes ?? []).toString()).toBe("small");
    expect((await store.put("a", ["small"])).entry.hash).toBe(entry.hash);
    expect(await blocksIn()).toBe(0);
    expect(Buffer.from((await store.get("a", entry.hash))?.bytes ?? []).toString()).toBe("small");
  });

  it("reads no more blocks than a range touches, and reports one that is gone", async () => {
    const store = open();
    const { entry } = await store.put("a", ["x".repeat(900_000)]);
    await server.run(`DELETE FROM ${schema()}.blocks WHERE start = 524288`);
    expect((await store.getRange("a", entry.hash, 10, 500_000))?.bytes).toHaveLength(499_990);
    expect((await store.getRange("a", entry.hash, 800_000, 900_000))?.bytes).toHaveLength(100_000);
    await expect(store.getRange("a", entry.hash, 10, 700_000)).rejects.toMatchObject({ code: "CORRUPT" });
    await expect(store.get("a", entry.hash)).rejects.toMatchObject({ code: "CORRUPT" });
  });

  it("notes the use of an entry once a minute, not at every read", async () => {
    const clock = createTestClock();
    const store = open({ now: clock.now });
    const { entry } = await store.put("a", ["x"]);
    const usedAt = async () => (await server.run(`SELECT used_at FROM ${schema()}.entries`))[0]?.["used_at"];
    const stored = await usedAt();
    clock.nowMs += 59_000;
    await store.get("a", entry.hash);
    expect(await usedAt()).toBe(stored);
    clock.nowMs += 2_000;
    await store.get("a", entry.hash);
    expect(await usedAt()).toBe(String(clock.nowMs));
  });

  it("lists and sweeps more than one page and one batch", async () => {
    const clock = createTestClock();
    const store = open({ now: clock.now, ttlMs: 5_000 });
    await store.put("a", ["first"]);
    await server.run(
      `INSERT INTO ${schema()}.entries SELECT tenant, decode(md5(n::text) || md5(n::text), 'hex'), content_type, bytes, stored_bytes, stored_at, expires_at, used_at, upload, replaced, raw_bytes, is_packed, block FROM ${schema()}.entries, generate_series(1, 1200) AS n`,
    );
    const listed: string[] = [];
    for await (const { hash } of store.list("a")) listed.push(hash);
    expect(listed).toHaveLength(1_201);
    expect(listed).toEqual([...new Set(listed)].toSorted());
    clock.nowMs += 5_001;
    expect(await store.sweep()).toMatchObject({ expired: 1_201, entries: 0, storedBytes: 0 });
  });

  it("sweeps by its indexes, and reads no whole table", async () => {
    const store = create({ ttlMs: 3_600_000, maxBytes: 2 ** 40 });
    await store.put("a", ["first"]);
    // The sweep that follows the first put has ended by then.
    await store.close();
    await server.run(
      `INSERT INTO ${schema()}.entries SELECT tenant, decode(md5(n::text) || md5(n::text), 'hex'), content_type, bytes, stored_bytes, stored_at + n, expires_at + n, used_at + n, upload, replaced, raw_bytes, is_packed, decode(repeat('ab', 500), 'hex') FROM ${schema()}.entries, generate_series(1, 20000) AS n`,
    );
    await server.run(`VACUUM ANALYZE ${schema()}.entries`);
    const scans = async () => {
      const text = `SELECT seq_scan::int AS whole, idx_scan::int AS by_index FROM pg_stat_all_tables WHERE schemaname = '${schema()}' AND relname = 'entries'`;
      const [row] = await server.run(text);
      return { whole: Number(row?.["whole"]), byIndex: Number(row?.["by_index"]) };
    };
    const before = await scans();
    const other = create({ ttlMs: 3_600_000, maxBytes: 2 ** 40 });
    expect(await other.sweep()).toMatchObject({ expired: 0, entries: 20_001 });
    // A connection says what it did when it ends.
    await other.close();
    await vi.waitFor(async () => expect((await scans()).byIndex).toBeGreaterThan(before.byIndex), {
      timeout: 20_000,
      interval: 25,
    });
    expect((await scans()).whole).toBe(before.whole);
  });

  it("says once that its own sweeps fail, and goes on to keep", async () => {
    const clock = createTestClock();
    const events: GuardedEvent[] = [];
    const onEvent = (event: GuardedEvent): void => void events.push(event);
    const store = guardedStore(open({ now: clock.now, ttlMs: 1_000 }), { timeoutMs: 60_000, onEvent });
    await store.put("a", ["first"]);
    await server.run(
      `CREATE FUNCTION ${schema()}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not today' USING ERRCODE = '25006'; END $$;
       CREATE TRIGGER refuse BEFORE DELETE ON ${schema()}.entries EXECUTE FUNCTION ${schema()}.refuse()`,
    );
    await vi.waitFor(
      async () => {
        clock.nowMs += 3_700_000;
        await store.put("a", [String(clock.nowMs)]);
        expect(events).not.toEqual([]);
      },
      { timeout: 20_000, interval: 25 },
    );
    for (let n = 0; n < 5; n++) {
      clock.nowMs += 3_700_000;
      await store.put("a", [String(clock.nowMs)]);
      await store.sweep().catch(() => undefined);
    }
    expect(events.filter(({ type }) => type === "sweep-failed")).toEqual([
      { type: "sweep-failed", store: store.location, code: "READ_ONLY" },
    ]);
  });

  it("takes limits, schema and connections of its address, and its socket", async () => {
    schemas.add(schema());
    const url = `postgres://waybill@localhost:${server.port}/postgres?host=${server.folder}&ttl=2h&schema=${schema()}&connections=2`;
    const store = postgresStore(url);
    onTestFinished(() => store.close());
    expect(store.location).toBe(`postgres://${server.folder}:${server.port}/postgres?schema=${schema()}`);
    const { entry } = await store.put("a", ["[1]"]);
    expect(entry.expiresAtMs - entry.storedAtMs).toBe(2 * 3_600_000);
    expect(await server.run(`SELECT count(*)::int AS n FROM ${schema()}.entries`)).toEqual([{ n: 1 }]);
  });

  it.each([
    ["schema", { schema: "a-b" }],
    ["schema", { schema: 'x"; DROP TABLE entries' }],
    ["connections", { connections: 0 }],
    ["timeoutMs", { timeoutMs: Number.NaN }],
  ])("refuses a bad %s", (option, options) => {
    expect(() => postgresStore("postgres://db/archive", options)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", details: expect.objectContaining({ option }) }),
    );
  });
});
