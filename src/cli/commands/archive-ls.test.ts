import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tenantKey } from "../../engine/archive/store-rules.ts";
import { HOUR_MS, storedHere } from "../archive/stored.fixture.ts";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

const ls = ["archive", "ls", "--store", "archive"];

describe("waybill archive ls", () => {
  it("lists the newest first, with sizes, times and tenant", async () => {
    const { cwd, hashes } = await storedHere(
      { content: ["old"], ageMs: 30 * HOUR_MS },
      { content: ["{}"], ageMs: 3.5 * HOUR_MS, contentType: "image/png" },
      { content: ["new"], tenant: "sub:ada" },
    );
    const { exitCode, stdout } = await runInProcess(ls, { cwd });
    expect(exitCode).toBe(0);
    const [head, ...lines] = stdout.trimEnd().split("\n");
    expect(head).toMatch(/^handle +bytes +stored +type +age +expires in +tenant$/);
    expect(lines.map((line) => line.slice(0, 12))).toEqual([
      ...hashes.map((hash) => hash.slice(0, 12)).reverse(),
      "3 entries, 8",
    ]);
    expect(lines[1]).toMatch(/ 2 +4096 +image\/png +3 h +6 d +local:waybill$/);
    expect(lines[0]).toMatch(new RegExp(` ${tenantKey("sub:ada").slice(0, 12)}$`));
  });

  it("shows one tenant, by its name, and no more than the limit", async () => {
    const { cwd } = await storedHere(
      { content: ["1"], tenant: "sub:ada" },
      { content: ["2"], tenant: "sub:ada" },
      { content: ["3"] },
    );
    const { stdout } = await runInProcess([...ls, "--tenant", "sub:ada", "--limit", "1"], { cwd });
    expect(stdout).toMatch(/ sub:ada\nand 1 older: --limit shows more\n2 entries/);
  });

  it("has whole hashes, keys and times in the envelope", async () => {
    const { cwd, hashes } = await storedHere({ content: ["[1]"] });
    const { data } = JSON.parse((await runInProcess([...ls, "--json"], { cwd })).stdout);
    expect(data.store).toBe("file");
    expect(data.total).toEqual({ entries: 1, bytes: 3, stored_bytes: 4096 });
    expect(data.entries[0]).toMatchObject({
      handle: hashes[0]?.slice(0, 12),
      hash: `sha256:${hashes[0]}`,
      tenant_key: tenantKey("local:waybill"),
      tenant: "local:waybill",
    });
    expect(Date.parse(data.entries[0].expires_at) - Date.parse(data.entries[0].stored_at)).toBe(
      168 * HOUR_MS,
    );
  });

  it("keeps to the life that entries have with their server", async () => {
    const { cwd } = await storedHere({ content: ["1"], ageMs: 24 * 10 * HOUR_MS });
    expect((await runInProcess(ls, { cwd })).stdout).toContain("Nothing is kept there");
    const { stdout } = await runInProcess([...ls, "--ttl-days", "30"], { cwd });
    expect(stdout).toMatch(/ 10 d +19 d /);
  });

  it("shows the life that a gateway was told with --store-ttl, without being told it", async () => {
    const { cwd } = await storedHere(
      { content: ["short"], ageMs: 0.5 * HOUR_MS, ttlMs: HOUR_MS },
      { content: ["long"], ageMs: 24 * 10 * HOUR_MS, ttlMs: 24 * 30 * HOUR_MS },
    );
    const { data } = JSON.parse((await runInProcess([...ls, "--json"], { cwd })).stdout);
    const lives = data.entries.map(
      (entry: { expires_at: string; stored_at: string }) =>
        Date.parse(entry.expires_at) - Date.parse(entry.stored_at),
    );
    expect(lives).toEqual([HOUR_MS, 24 * 30 * HOUR_MS]);
    const { stdout } = await runInProcess(["archive", "sweep", "--store", "archive"], { cwd });
    expect(stdout).toContain("removed 0 expired");
  });

  it.each(["ls", "sweep"])("is wrong usage of %s when the folder does not exist", async (command) => {
    const { exitCode, stdout, stderr } = await runInProcess(["archive", command, "--store", "./nope"], {
      cwd: tempFiles({}),
    });
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/There is no folder .*nope\./);
  });

  it("takes the store from the configuration", async () => {
    const cwd = tempFiles({ "waybill.config.json": '{ "store": "./kept" }' });
    const args = ["archive", "ls", "--config", "waybill.config.json", "--json"];
    const { data } = JSON.parse((await runInProcess(args, { cwd })).stdout);
    expect(data.location).toMatch(/\/kept$/);
  });

  it("takes no store from a file that was not named, and says so", async () => {
    const cwd = tempFiles({ "waybill.config.json": '{ "store": "./kept" }' });
    const { stderr } = await runInProcess(["archive", "ls"], { cwd });
    expect(stderr).toContain("looked in /nonexistent/.local/state/waybill/archive, where the gateway");
    expect(stderr.replaceAll(/\s+/g, " ")).toContain('"store" is ignored');
  });

  it.each([
    [["archive", "ls"], "No store is named."],
    [["archive", "ls", "--store", "memory"], "A store in memory lives inside its server"],
    [["archive", "ls", "--store", "http://ada:hunter2@x"], 'The store "http:" is unknown'],
    [["archive", "ls", "--store", "redis://ada:hunter2@"], "The Redis URL cannot be read"],
  ])("%j says how to name a store, and no password", async (args, message) => {
    // Somebody without a home has no folder of the gateway either.
    const env = { HOME: "" };
    const { exitCode, stdout, stderr } = await runInProcess(args, { cwd: tempFiles({}), env });
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(`waybill: ${message}`);
    expect(stderr).toContain("Name one with --store");
    expect(stderr).not.toContain("hunter2");
  });

  it("exits 3 when Redis is away", async () => {
    const { exitCode, stderr } = await runInProcess([
      "archive",
      "ls",
      "--store",
      "redis://:hunter2@127.0.0.1:1",
    ]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("Redis at redis://127.0.0.1:1 cannot be reached");
    expect(stderr).not.toContain("hunter2");
  });
});

describe("waybill archive sweep", () => {
  it("removes what expired and reports what is left", async () => {
    const { cwd } = await storedHere({ content: ["old"], ageMs: 24 * 8 * HOUR_MS }, { content: ["new"] });
    const { data } = JSON.parse(
      (await runInProcess(["archive", "sweep", "--store", "archive", "--json"], { cwd })).stdout,
    );
    expect(data).toEqual({ expired: 1, evicted: 0, freed_bytes: 4096, entries: 1, stored_bytes: 4096 });
  });

  it("follows the configuration and the environment, and its own options come first", async () => {
    const kept = { content: ["two days old"], ageMs: 48 * HOUR_MS };
    const expired = async (words: readonly string[], env: Record<string, string> = {}): Promise<number> => {
      const { cwd } = await storedHere(kept, { content: ["new"] });
      const config = JSON.stringify({ store: { place: "./archive", ttl: "1d" } });
      writeFileSync(join(cwd, "own.json"), config);
      const { stdout } = await runInProcess(["archive", "sweep", "--json", ...words], { cwd, env });
      return (JSON.parse(stdout) as { data: { expired: number } }).data.expired;
    };
    expect(await expired(["--store", "archive"])).toBe(0);
    expect(await expired(["--config", "own.json"])).toBe(1);
    expect(await expired(["--config", "own.json", "--store", "archive"])).toBe(1);
    expect(await expired(["--store", "archive"], { WAYBILL_STORE_TTL: "1d" })).toBe(1);
    expect(await expired(["--config", "own.json", "--ttl-days", "3"])).toBe(0);
  });

  it("keeps to the limits it is given", async () => {
    const { cwd } = await storedHere({ content: ["a"], ageMs: HOUR_MS }, { content: ["b"] });
    const sweep = ["archive", "sweep", "--store", "archive", "--max-bytes", "4096"];
    expect((await runInProcess(sweep, { cwd })).stdout).toBe(
      "removed 0 expired and 1 over the quota, 4 KiB\n1 entry left, in 4 KiB\n",
    );
  });
});
