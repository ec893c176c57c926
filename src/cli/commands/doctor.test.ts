import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import { type PostgresServer, hasPostgres, sharedPostgres } from "../../../test/services/postgres.fixture.ts";
import { type RedisServer, hasRedis, startRedis } from "../../../test/services/redis.fixture.ts";
import { HOUR_MS, storedHere } from "../archive/stored.fixture.ts";
import {
  type Check,
  checkCounter,
  checkNode,
  checkPackages,
  checkReaders,
  checkScaling,
} from "../doctor/check-runtime.ts";
import { type RunOptions, runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

async function doctor(args: readonly string[], options: RunOptions = {}) {
  const ran = await runInProcess(["doctor", "--json", ...args], { cwd: tempFiles({}), ...options });
  const { data } = JSON.parse(ran.stdout);
  const checks = data.checks as readonly (Check & { readonly advice: string | null })[];
  return { ...ran, data, checks, find: (id: string) => checks.find((check) => check.id === id) };
}

describe("waybill doctor", () => {
  it("finds nothing wrong with a plain installation", async () => {
    const { exitCode, data, find } = await doctor([]);
    expect(exitCode).toBe(0);
    expect(data.summary.problem).toBe(0);
    expect(find("node")).toMatchObject({ status: "ok", says: expect.stringContaining(">=20.19") });
    expect(find("config")).toMatchObject({ status: "ok" });
    expect(find("store")).toMatchObject({ status: "note", says: expect.stringContaining("in memory") });
    expect(find("cursor-key")).toMatchObject({ status: "note", details: { source: "random" } });
    expect(find("tokens")).toMatchObject({ status: "ok", details: { encoding: "o200k_base" } });
    expect(find("budget")).toMatchObject({ status: "ok", says: "8000 tokens" });
  });

  it("prints a line a check, what to do below it, and a sum", async () => {
    const { stdout } = await runInProcess(["doctor"], { cwd: tempFiles({}) });
    expect(stdout).toMatch(/^ok {7}node +Node /m);
    expect(stdout).toMatch(
      /^note {5}store +no store is named.*\n {11}Give serve or createContract a `store`/m,
    );
    expect(stdout).toMatch(/\n\d+ checks: \d+ ok, \d+ notes, 0 problems\n$/);
  });

  it("tries a directory and leaves no trace of it but the directory", async () => {
    const { cwd } = await storedHere({ content: ["1"], ageMs: 24 * 20 * HOUR_MS }, { content: ["2"] });
    const filesIn = () => readdirSync(join(cwd, "archive", "entries"), { recursive: true }).map(String);
    const before = filesIn();
    const { exitCode, find } = await doctor(["--store", "archive"], { cwd });
    expect(exitCode).toBe(0);
    expect(find("store")?.says).toMatch(/^file at .*archive: writes, reads and deletes$/);
    expect(find("store-size")).toMatchObject({ details: { entries: 1, tenants: 1, quota_bytes: 2 ** 30 } });
    expect(find("store-durability")?.says).toContain('durability: "fsync"');
    expect(find("cursor-key")).toMatchObject({ status: "ok", details: { source: "store" } });
    // Also what this process takes for expired: its server may keep entries longer.
    const kept = filesIn();
    expect(kept).toEqual(expect.arrayContaining(before));
    const isEntry = (path: string): boolean => /[0-9a-f]{64}$/.test(path);
    expect(kept.filter(isEntry)).toEqual(before.filter(isEntry));
  });

  it("reports a directory that is a file, and a Redis that is away", async () => {
    const cwd = tempFiles({ archive: "a file" });
    const broken = await doctor(["--store", "archive"], { cwd });
    expect(broken.exitCode).toBe(1);
    expect(broken.find("store")).toMatchObject({
      status: "problem",
      says: expect.stringContaining("ENOTDIR"),
    });
    expect(broken.find("cursor-key")).toMatchObject({ status: "note", details: { source: "random" } });
    const away = await doctor(["--store", "redis://ada:hunter2@127.0.0.1:1"], { cwd });
    expect(away.exitCode).toBe(1);
    expect(away.find("store")?.says).toContain("Redis at redis://127.0.0.1:1 cannot be reached");
    expect(away.find("package @redis/client")).toMatchObject({ status: "ok" });
    expect(away.stdout).not.toContain("hunter2");
  });

  it("reports a broken configuration and goes on with the defaults", async () => {
    const cwd = tempFiles({ "waybill.config.json": '{\n  "budgt": {}\n}' });
    const { exitCode, find } = await doctor([], { cwd });
    expect(exitCode).toBe(1);
    expect(find("config")?.says).toMatch(/waybill\.config\.json:2:3: .*Did you mean "budget"/);
    expect(find("budget")).toMatchObject({ says: "8000 tokens" });
    expect((await doctor(["--config", "nope.json"])).find("config")?.status).toBe("problem");
  });

  it("reports what the gateway would refuse in the same file", async () => {
    const tokens = { alice: "0123456789abcdef", bob: "0123456789abcdef" };
    const upstreams = { files: { command: "node", auth: { gateway: { tokens } } } };
    const cwd = tempFiles({ "g.json": JSON.stringify({ http: { port: 0 }, upstreams }) });
    const { exitCode, find } = await doctor(["--config", "g.json"], { cwd });
    expect(exitCode).toBe(1);
    expect(find("gateway")).toMatchObject({
      status: "problem",
      says: expect.stringContaining('gives "alice" and "bob" the same token'),
    });
  });

  it("names the secret's source and never the secret", async () => {
    const env = { WAYBILL_SECRET: "hunter2-hunter2-hunter2" };
    const { stdout, find } = await doctor([], { env });
    expect(find("cursor-key")).toMatchObject({ status: "ok", details: { source: "WAYBILL_SECRET" } });
    expect(stdout).not.toContain("hunter2");
    const short = await doctor([], { env: { WAYBILL_SECRET: "hunter2" } });
    expect(short.find("cursor-key")?.status).toBe("note");
    expect(short.stdout).not.toContain("hunter2");
  });
});

describe("what doctor says of clients", () => {
  it("shows every known client, or the one that is asked for", async () => {
    const { checks } = await doctor([]);
    expect(checks.filter(({ id }) => id.startsWith("client ")).length).toBeGreaterThan(5);
    for (const name of ["Claude Code", "claude-code", "pi", "codex-mcp-client"]) {
      const own = (await doctor(["--client", name])).checks.filter(({ id }) => id.startsWith("client "));
      expect(own).toHaveLength(1);
    }
    const { exitCode, find } = await doctor(["--client", "netscape"]);
    expect(exitCode).toBe(0);
    expect(find("client")).toMatchObject({
      status: "note",
      advice: expect.stringContaining("Known are Claude"),
    });
  });

  it("shows the budget that results, with client limits off and on", async () => {
    const off = (await doctor(["--client", "copilot-cli"])).find("client Copilot CLI");
    expect(off).toMatchObject({ status: "note", details: { factor: 2, tokens: 8000, bytes: "off" } });
    expect(off?.advice).toContain("8000 tokens and 10000 bytes");
    const cwd = tempFiles({ "waybill.config.json": '{ "fit": { "client_limits": true } }' });
    const on = (await doctor(["--client", "copilot-cli"], { cwd })).find("client Copilot CLI");
    expect(on).toMatchObject({ status: "ok", details: { tokens: 8000, bytes: 10_000 } });
  });

  it.each([
    ["100", "256 tokens", "too small for an honest answer"],
    ["off", "off: nothing is cut", "Set budget.tokens"],
  ])("notes a budget of %s", async (tokens, says, advice) => {
    const { find } = await doctor([], { env: { WAYBILL_BUDGET_TOKENS: tokens } });
    expect(find("budget")).toMatchObject({ status: "note", says, advice: expect.stringContaining(advice) });
  });
});

describe("single checks", () => {
  it("refuse an old Node", () => {
    expect(checkNode("20.18.9").status).toBe("problem");
    expect(["20.19.0", "20.100.0", "22.0.0"].map((version) => checkNode(version).status)).toEqual([
      "ok",
      "ok",
      "ok",
    ]);
  });

  it("refuse a vocabulary that is missing or counts wrong", async () => {
    const missing = await checkCounter(() =>
      Promise.reject(Object.assign(new Error("gone"), { code: "ENOENT" })),
    );
    expect(missing).toMatchObject({ status: "problem", says: "the vocabulary cannot be loaded (ENOENT)" });
    const wrong = await checkCounter(() => Promise.resolve({ encoding: "o200k_base", count: () => 7 }));
    expect(wrong).toMatchObject({ status: "problem", says: "o200k_base counts 7 tokens in a text of 4" });
  });

  it("ask for packages only where they are used", () => {
    const statuses = (store: string | undefined, version?: string) =>
      Object.fromEntries(checkPackages(store, () => version).map(({ id, status }) => [id, status]));
    expect(statuses(undefined)).toEqual({
      "package @modelcontextprotocol/server": "note",
      "package zod": "problem",
    });
    expect(statuses("redis://cache")).toMatchObject({ "package @redis/client": "problem" });
    expect(statuses("postgres://db/a", "8.20.0")).toMatchObject({ "package pg": "ok" });
    expect(statuses("postgres://db/a")).not.toHaveProperty(["package @redis/client"]);
    expect(statuses("redis://cache", "4.2.0")).toEqual({
      "package @modelcontextprotocol/server": "problem",
      "package @redis/client": "problem",
      "package zod": "ok",
    });
  });

  it("say of each kind of document whether its readers are there, and how to get them", () => {
    const [html, , pdf] = checkReaders((name) => (name === "linkedom" ? undefined : "1.0.0"));
    expect(html).toMatchObject({
      id: "reader html",
      status: "note",
      says: "not installed: linkedom; such documents cannot be digested, and a cut of a web page keeps less of what it says",
      advice: expect.stringContaining("npm i htmlparser2@12.0.0 linkedom@0.18.12 @mozilla/readability@0.6.0"),
    });
    expect(pdf).toEqual({ id: "reader pdf", status: "ok", says: "unpdf 1.0.0", details: { unpdf: "1.0.0" } });
  });

  it("say whether pictures can be scaled, and what happens where they cannot", () => {
    expect(checkScaling(() => "1.0.0")).toMatchObject({ status: "ok", says: "sharp 1.0.0" });
    expect(checkScaling(() => undefined)).toMatchObject({
      id: "reader pictures",
      status: "note",
      says: "not installed: sharp; pictures that are too large for a model are sent as links",
      advice: expect.stringMatching(/npm i sharp@\d/),
    });
  });
});

describe.runIf(hasRedis())("with a real Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  it("doctor says how it is set up, and archive ls, get and sweep read it", async () => {
    const { redisStore } = await import("../../engine/archive/redis/redis-store.ts");
    const store = redisStore(server.url);
    const { entry } = await store.put("local:waybill", ['{"a":1}']);
    await store.close();
    const { exitCode, find } = await doctor(["--store", server.url]);
    expect(exitCode).toBe(0);
    expect(find("store")).toMatchObject({ status: "ok", details: { kind: "redis" } });
    expect(find("store-size")).toMatchObject({ details: { entries: 1 } });
    expect(find("store-durability")).toMatchObject({
      status: "note",
      advice: expect.stringContaining("appendonly"),
    });
    expect(find("store-memory")).toMatchObject({
      status: "note",
      advice: expect.stringContaining("maxmemory"),
    });
    const run = (...args: string[]) => runInProcess(["archive", ...args, "--store", server.url]);
    expect((await run("ls")).stdout).toContain(entry.hash.slice(0, 12));
    expect((await run("get", entry.hash)).stdout).toBe('{"a":1}');
    expect((await run("sweep")).stdout).toContain("1 entry left");
  });

  it("doctor reports a user who may write but not ask", async () => {
    const { redisStore } = await import("../../engine/archive/redis/redis-store.ts");
    const store = redisStore(server.url);
    await store.connection.send("ACL", "SETUSER", "ada", "on", ">hunter2", "~*", "+@all", "-info");
    await store.close();
    const { exitCode, stdout, find } = await doctor(["--store", server.url.replace("//", "//ada:hunter2@")]);
    expect(exitCode).toBe(0);
    expect(find("store-durability")?.says).toContain("may not run INFO");
    expect(stdout).not.toContain("hunter2");
  });
});

describe("a PostgreSQL on another machine", () => {
  it.each([
    ["postgres://ada:hunter2@db.invalid/a", "note"],
    ["postgres://ada:hunter2@db.invalid/a?sslmode=disable", undefined],
    ["postgres://ada:hunter2@db.invalid/a?sslmode=verify-full", undefined],
    ["postgres://ada:hunter2@127.0.0.1:1/a", undefined],
  ])("is noted where its address says nothing of TLS: %s", async (store, status) => {
    const { find, stdout } = await doctor(["--store", store]);
    expect(find("store-encryption")?.status).toBe(status);
    expect(stdout).not.toContain("hunter2");
  });
});

describe.runIf(isFullRun && hasPostgres())("with a real PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  afterAll(() => server.run("DROP SCHEMA IF EXISTS doctor CASCADE"));

  it("doctor says how it is set up and removes nothing, and archive ls, get and sweep read it", async () => {
    const { postgresStore } = await import("../../engine/archive/postgres/postgres-store.ts");
    const url = `${server.url}?schema=doctor`;
    const store = postgresStore(url);
    const { entry } = await store.put("local:waybill", ['{"a":1}']);
    await store.close();
    const { exitCode, stdout, find } = await doctor(["--store", url]);
    expect(exitCode).toBe(0);
    expect(find("store")).toMatchObject({ status: "ok", details: { kind: "postgres" } });
    expect(find("store-size")).toMatchObject({ details: { entries: 1 } });
    expect(find("store-durability")).toMatchObject({
      status: "note",
      says: expect.stringContaining("fsync off"),
    });
    expect(find("package pg")).toMatchObject({ status: "ok" });
    expect(stdout).not.toContain(new URL(url).password);
    const run = (...args: string[]) => runInProcess(["archive", ...args, "--store", url]);
    expect((await run("ls")).stdout).toContain(entry.hash.slice(0, 12));
    expect((await run("get", entry.hash)).stdout).toBe('{"a":1}');
    expect((await run("sweep")).stdout).toContain("1 entry left");
  });

  it("doctor reports a PostgreSQL that is away, and a wrong password, without it", async () => {
    const away = await doctor(["--store", "postgres://ada:hunter2@127.0.0.1:1/a"]);
    expect(away.find("store")?.says).toContain("PostgreSQL at postgres://127.0.0.1:1/a cannot be reached");
    const wrong = await doctor(["--store", server.url.replace(/:[^:@]*@/, ":hunter2@")]);
    expect(wrong.find("store")?.says).toContain("refuses the name, the password");
    expect(away.stdout + wrong.stdout).not.toContain("hunter2");
  });
});
