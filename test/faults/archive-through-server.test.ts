// What a client hears when the archive is asked for the wrong thing, or is not what it was: a defined answer each time.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { fileStore } from "../../src/engine/archive/file/file-store.ts";
import { memoryStore } from "../../src/engine/archive/memory-store.ts";
import { envelopeOf, hashesOf, openServer, warningsOf } from "../journeys/cut-results.fixture.ts";
import { type FailWhen, failingFiles } from "./failing-files.fixture.ts";

const items = Array.from({ length: 2_000 }, (_, id) => ({ id: `r-${id}`, text: `Record number ${id}` }));
const list = defineTool("list", { description: "Many" }, () => ({ items }));

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-through-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open(options: ContractOptions = {}) {
  const server = await openServer({ budget: { tokens: 600 }, ...options }, [list]);
  const cut = await server.call("list");
  const [hash = ""] = hashesOf(cut);
  const ask = async (args: JsonObject, meta?: JsonObject) => {
    const result = await server.call("waybill_retrieve", args, meta);
    const { success, data } = envelopeOf(result);
    return success ? "found" : `${data["error_code"] as string}: ${JSON.stringify(data["details"] ?? {})}`;
  };
  return { ...server, cut, hash: hash.slice("sha256:".length), ask };
}

describe("a hash", () => {
  it.each([
    ["itself", (hash: string) => hash],
    ["with its prefix", (hash: string) => `sha256:${hash}`],
    ["in upper case", (hash: string) => hash.toUpperCase()],
    ["in upper case with its prefix", (hash: string) => `SHA256:${hash.toUpperCase()}`],
    ["as a handle", (hash: string) => hash.slice(0, 12)],
    ["as the key it is announced under", (hash: string) => `items-${hash.slice(0, 12)}`],
    ["as the address of its resource", (hash: string) => `waybill://archive/${hash}`],
  ])("%s finds its archive", async (_, write) => {
    const { ask, hash } = await open();
    expect(await ask({ archive: write(hash), limit: 1 })).toBe("found");
  });

  it.each([
    ["with one digit wrong", (hash: string) => `${hash.slice(0, -1)}${hash.endsWith("0") ? "1" : "0"}`],
    ["of something else", () => "0".repeat(64)],
    ["of an unknown handle", () => "deadbeef0000"],
  ])("%s is NOT_FOUND, and the way out is said", async (_, write) => {
    const { ask, hash, call } = await open();
    expect(await ask({ archive: write(hash) })).toMatch(/^NOT_FOUND: .*"resource_type":"archive"/);
    const { data } = envelopeOf(await call("waybill_retrieve", { archive: write(hash) }));
    expect(data["remediation"]).toMatch(/Call the tool that made the result again/);
  });

  it.each(["", "zz", "../../etc/passwd", "sha256:", "0".repeat(63) + "g"])(
    "written %j is refused, and nothing is read for it",
    async (archive) => {
      const { ask } = await open();
      expect(await ask({ archive })).toMatch(/^(?:NOT_FOUND|VALIDATION_ERROR|INVALID_FORMAT)/);
    },
  );

  it("of another tenant is NOT_FOUND, by the tool and by the resource", async () => {
    const tenant: ContractOptions["tenant"] = ({ meta }) =>
      (meta["test/tenant"] as string | undefined) ?? "alice";
    const { ask, hash, client } = await open({ tenant });
    const bob = { "test/tenant": "bob" };
    expect(await ask({ archive: hash })).toBe("found");
    expect(await ask({ archive: hash }, bob)).toMatch(/^NOT_FOUND/);
    expect(await ask({ ids: ["r-1500"] }, bob)).toMatch(/^NOT_FOUND/);
    const uri = `waybill://archive/${hash}/0/100`;
    await expect(client.readResource({ uri, _meta: bob })).rejects.toThrow(/archive/i);
    expect((await client.readResource({ uri })).contents).toHaveLength(1);
  });
});

describe("time", () => {
  it("ends an entry: after it the answer is NOT_FOUND", async () => {
    let now = 1_700_000_000_000;
    const store = memoryStore({ ttlMs: 60_000, now: () => now });
    const { ask, hash } = await open({ store });
    now += 59_000;
    expect(await ask({ archive: hash })).toBe("found");
    now += 2_000;
    expect(await ask({ archive: hash })).toMatch(/^NOT_FOUND/);
  });

  it.each([
    ["memory", (now: () => number) => memoryStore({ now })],
    ["file", (now: () => number) => fileStore(temporaryFolder(), { now })],
  ])("that goes backwards loses nothing of a %s store", async (_, create) => {
    let now = 1_700_000_000_000;
    const { ask, hash, call } = await open({ store: create(() => now) });
    now -= 30 * 24 * 60 * 60 * 1_000;
    expect(await ask({ archive: hash })).toBe("found");
    expect(hashesOf(await call("list"))).toEqual([`sha256:${hash}`]);
    now += 60_000;
    expect(await ask({ archive: hash })).toBe("found");
  });
});

function entryFile(folder: string): string {
  const name = readdirSync(join(folder, "entries"), { recursive: true, encoding: "utf8" }).find((path) =>
    /[0-9a-f]{64}$/.test(path),
  );
  return join(folder, "entries", name ?? "");
}

describe("a file of the archive", () => {
  it.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length - 40)],
    ["empty", () => Buffer.alloc(0)],
    ["with one byte changed", (bytes: Buffer) => Buffer.from(bytes).fill(0x41, 20, 21)],
    ["of something else", (bytes: Buffer) => Buffer.alloc(bytes.length, 0x20)],
  ])("%s is reported as damaged and never served; the next cut heals it", async (_, change) => {
    const folder = temporaryFolder();
    const { ask, hash, call } = await open({ store: fileStore(folder) });
    const file = entryFile(folder);
    writeFileSync(file, change(readFileSync(file)));
    expect(await ask({ archive: hash })).toMatch(/^INTERNAL_ERROR: .*"reason":"corrupt"/);
    const { data, error } = envelopeOf(await call("waybill_retrieve", { archive: hash }));
    expect(error).toBe("The stored copy is damaged and was not served.");
    expect(data["remediation"]).toMatch(/Call the tool that made the result again/);
    expect(JSON.stringify(data)).not.toContain(folder);
    expect(hashesOf(await call("list"))).toEqual([`sha256:${hash}`]);
    expect(await ask({ archive: hash })).toBe("found");
  });
});

describe("a store that cannot be written", () => {
  const changing = ["create", "write", "rename", "makeDirectory", "link", "setTimes"];

  it.each([
    ["a full disk", "ENOSPC", "write"],
    ["a user's full share", "EDQUOT", "write"],
    ["a read-only directory", "EROFS", undefined],
    ["a directory without permission", "EACCES", undefined],
    ["a broken disk", "EIO", "write"],
  ])("for %s costs the hash, never the result", async (_, code, only) => {
    const fails: FailWhen = (call) =>
      (only === undefined ? changing.includes(call) : call === only) ? code : undefined;
    const folder = temporaryFolder();
    const { cut, ask } = await open({ store: fileStore(folder, { files: failingFiles(fails) }) });
    const { success, data, meta } = envelopeOf(cut);
    expect(success).toBe(true);
    expect((data["items"] as readonly unknown[]).slice(0, 2)).toEqual(items.slice(0, 2));
    expect(meta["content_fidelity"]).toBe("partial");
    expect(meta).not.toHaveProperty("content_archive_hashes");
    expect(warningsOf(cut).map(({ code: said }) => said)).toEqual([
      "ARCHIVE_WRITE_FAILED",
      "CONTENT_TRUNCATED",
    ]);
    expect(JSON.stringify(cut)).not.toContain(folder);
    expect(JSON.stringify(cut)).not.toContain(code);
    expect(await ask({ archive: "0".repeat(64) })).toMatch(/^NOT_FOUND/);
  });

  it("keeps serving what it has, once it is read-only", async () => {
    let isReadOnly = false;
    const fails: FailWhen = (call) => (isReadOnly && changing.includes(call) ? "EROFS" : undefined);
    const { ask, hash } = await open({ store: fileStore(temporaryFolder(), { files: failingFiles(fails) }) });
    isReadOnly = true;
    expect(await ask({ archive: hash, ids: ["r-1999"] })).toBe("found");
  });

  it("for a content over its limit says so the same way", async () => {
    const { cut } = await open({ store: fileStore(temporaryFolder(), { maxEntryBytes: 1_000 }) });
    expect(warningsOf(cut).map(({ code }) => code)).toContain("ARCHIVE_WRITE_FAILED");
    expect(envelopeOf(cut).meta).not.toHaveProperty("content_archive_hashes");
  });
});
