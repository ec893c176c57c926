import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";
import {
  type PostgresServer,
  hasPostgres,
  startPostgres,
} from "../../../../test/services/postgres.fixture.ts";
import { parsePostgresUrl } from "./postgres-address.ts";
import { type PostgresConnection, createPostgresConnection } from "./postgres-connection.ts";
import { postgresStore } from "./postgres-store.ts";

async function eventually(connection: PostgresConnection): Promise<unknown> {
  for (let attempt = 0; attempt < 2_000; attempt++) {
    const rows = await connection.query("SELECT 1 AS one").catch(() => undefined);
    if (rows !== undefined) return rows[0];
    await sleep(25);
  }
  return undefined;
}

function exitCodeOf(url: string): Promise<number | null> {
  const script = fileURLToPath(new URL("./postgres-idle.fixture.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, url], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return new Promise((resolve) => child.once("exit", resolve));
}

describe.runIf(hasPostgres() && isFullRun)("createPostgresConnection", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  function connect(
    options: { readonly timeoutMs?: number; readonly connections?: number } = {},
    url = server.url,
  ) {
    const connection = createPostgresConnection(parsePostgresUrl(url), {
      timeoutMs: 20_000,
      connections: 3,
      ...options,
    });
    onTestFinished(() => connection.close());
    return connection;
  }

  const BACKENDS = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'waybill'";

  it("opens no more connections than it may, for statements that come together", async () => {
    const connection = connect();
    const asked = Array.from({ length: 30 }, (_, n) =>
      connection.query("SELECT $1::int AS n, pg_sleep(0.01)", [n]),
    );
    expect((await Promise.all(asked)).map(([row]) => row?.["n"])).toEqual(
      Array.from({ length: 30 }, (_, n) => n),
    );
    expect(await server.run(BACKENDS)).toEqual([{ n: 3 }]);
  });

  it("takes nobody who waits for a place for a sign that PostgreSQL is away", async () => {
    const connection = connect({ connections: 1, timeoutMs: 300 });
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const holding = connection.transaction(async () => ended);
    await expect(connection.query("SELECT 1 AS one")).rejects.toMatchObject({
      code: "TIMEOUT",
      message: expect.stringContaining("were busy for 300 ms: raise `connections`"),
    });
    end();
    await holding;
    expect(await connection.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("answers calls while its upkeep takes long, with the only connection they have", async () => {
    const connection = connect({ connections: 1 });
    const upkeep = connection.upkeep((ask) => ask("SELECT pg_sleep(120)"), 120_000);
    const settled = Promise.allSettled([upkeep]);
    await vi.waitFor(
      async () =>
        expect(
          await server.run("SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(120)'"),
        ).toHaveLength(1),
      { timeout: 20_000, interval: 25 },
    );
    for (let n = 0; n < 20; n++) expect(await connection.query("SELECT $1::int AS n", [n])).toEqual([{ n }]);
    await connection.close();
    expect(await settled).toMatchObject([{ reason: { code: "CLOSED" } }]);
  });

  it("undoes a transaction that fails, and goes on with its connection", async () => {
    const connection = connect({ connections: 1 });
    await connection.query("CREATE TEMP TABLE notes (n int)");
    const failing = connection.transaction(async (ask) => {
      await ask("INSERT INTO notes VALUES (1)");
      throw new Error("The source broke.");
    });
    await expect(failing).rejects.toThrow("The source broke.");
    await connection.transaction((ask) => ask("INSERT INTO notes VALUES (2)"));
    expect(await connection.query("SELECT n FROM notes")).toEqual([{ n: 2 }]);
  });

  it("fails at once while PostgreSQL is away, and comes back by itself", async () => {
    const connection = connect();
    await connection.query("SELECT 1");
    await server.kill();
    for (let call = 0; call < 200; call++) {
      await expect(connection.query("SELECT 1")).rejects.toMatchObject({
        name: "ArchiveError",
        code: "UNREACHABLE",
      });
    }
    await server.restart();
    expect(await eventually(connection)).toEqual({ one: 1 });
  });

  it("gives up on a PostgreSQL that holds the line and says nothing, and recovers", async () => {
    const connection = connect({ timeoutMs: 300 });
    await connection.query("SELECT 1");
    server.pause();
    const calls = await Promise.allSettled([1, 2, 3].map(() => connection.query("SELECT 1")));
    expect(calls.every((call) => call.status === "rejected")).toBe(true);
    expect(calls[0]).toMatchObject({ reason: { code: "TIMEOUT" } });
    server.resume();
    expect(await eventually(connection)).toEqual({ one: 1 });
  });

  it("reads large content no faster than PostgreSQL takes it", async () => {
    const store = postgresStore(server.url, { timeoutMs: 1_000 });
    onTestFinished(() => store.close());
    let blocks = 0;
    const endless = function* (): Generator<Uint8Array> {
      for (; blocks < 10_000; blocks++) {
        if (blocks === 20) server.pause();
        yield crypto.getRandomValues(new Uint8Array(65_536));
      }
    };
    await expect(store.put("a", endless())).rejects.toMatchObject({ code: "TIMEOUT" });
    server.resume();
    // Four make a block of the store: one is on its way, one is packed, and one is begun.
    expect(blocks).toBeLessThan(20 + 4 * 4);
  });

  it("gives up on a statement that waits too long, and drops its connection", async () => {
    const connection = connect({ timeoutMs: 300, connections: 1 });
    await expect(connection.query("SELECT pg_sleep(60)")).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(await eventually(connection)).toEqual({ one: 1 });
    const slow = connection.transaction((ask) => ask("SELECT pg_sleep(60)"));
    await expect(slow).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  it("says what a refusal means, never the password", async () => {
    vi.stubEnv("PGPASSWORD", "");
    vi.stubEnv("PGPASSFILE", "/nowhere");
    onTestFinished(() => void vi.unstubAllEnvs());
    const refusals = [
      [server.url.replace(/:[^:@]*@/, "@"), "wants a password, and there is none: set PGPASSWORD"],
      [server.url.replace(/:[^:@]*@/, ":wrong-word@"), "refuses the name, the password"],
      [server.url.replace(/\/postgres$/, "/nowhere"), "no database of this name"],
      [`${server.url}?sslmode=verify-full`, "does not support SSL"],
    ] as const;
    for (const [url, words] of refusals) {
      const connection = connect({}, url);
      const error: unknown = await connection.query("SELECT 1").catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: "UNREACHABLE", message: expect.stringContaining(words) });
      expect(inspect([error, connection.location], { depth: 9 })).not.toMatch(/(?:wrong|right)-word/);
    }
  });

  it("says READ_ONLY where nothing may be written, and FULL where the disk is full", async () => {
    const connection = connect();
    const forced = (state: string) =>
      connection.query(`DO $$ BEGIN RAISE EXCEPTION 'forced' USING ERRCODE = '${state}'; END $$`);
    await expect(forced("25006")).rejects.toMatchObject({ code: "READ_ONLY" });
    await expect(forced("53100")).rejects.toMatchObject({ code: "FULL" });
    await expect(forced("53300")).rejects.toMatchObject({ code: "UNREACHABLE" });
  });

  it("rejects what is on its way when it is closed", async () => {
    const connection = connect({ connections: 1 });
    const pending = [connection.query("SELECT pg_sleep(60)"), connection.query("SELECT 1")];
    const settled = Promise.allSettled(pending);
    await eventually(connect());
    await connection.close();
    for (const outcome of await settled) expect(outcome).toMatchObject({ reason: { code: "CLOSED" } });
    await expect(connection.query("SELECT 1")).rejects.toMatchObject({ code: "CLOSED" });
  });

  it("keeps no process alive, whether PostgreSQL is there or away", async () => {
    expect(await exitCodeOf(server.url)).toBe(0);
    await server.kill();
    expect(await exitCodeOf(server.url)).toBe(0);
    await server.restart();
  });
});
