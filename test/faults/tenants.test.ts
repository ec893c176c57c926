// Two tenants on one store. One knows the other's hashes and guesses the rest; nothing crosses.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ArchiveStore } from "../../src/engine/archive/archive-store.ts";
import { fileStore } from "../../src/engine/archive/file/file-store.ts";
import { guardedStore } from "../../src/engine/archive/guarded-store.ts";
import { memoryStore } from "../../src/engine/archive/memory-store.ts";
import { redisStore } from "../../src/engine/archive/redis/redis-store.ts";
import { tenantKey } from "../../src/engine/archive/store-rules.ts";
import { hasRedis, startRedis } from "../services/redis.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const GUESSES = isFullRun ? 10_000 : 300;
const ENTRIES = 20;
const owner = "alice";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-tenants-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function redisOfOnesOwn(): Promise<ArchiveStore> {
  const server = await startRedis();
  onTestFinished(() => server.stop());
  return redisStore(server.url);
}

const stores: readonly (readonly [string, () => Promise<ArchiveStore>])[] = [
  ["memory", async () => memoryStore()],
  ["file", async () => fileStore(temporaryFolder())],
  ...(hasRedis() ? ([["redis", redisOfOnesOwn]] as const) : []),
  ["guarded", async () => guardedStore(memoryStore(), { fallback: memoryStore() })],
];

/** Names that a careless store could take for the owner's: look-alikes, paths, patterns, the stored form itself. */
const strangers = [
  "bob",
  "Alice",
  "alice ",
  "alice\0",
  "alice/",
  "./alice",
  "../alice",
  "al*ce",
  "*",
  "%61lice",
  "alice\u200b",
  tenantKey(owner),
  `../${tenantKey(owner)}`,
  `${tenantKey(owner)}/`,
];

function near(hash: string, guess: number): string {
  const at = guess % hash.length;
  const digit = (Number.parseInt(hash.charAt(at), 16) + 1 + (guess % 15)) % 16;
  return hash.slice(0, at) + digit.toString(16) + hash.slice(at + 1);
}

/** From the hash itself over near misses to strings that mean something to file systems, URLs and Redis. */
function guessOf(hash: string, guess: number): string {
  const key = tenantKey(owner);
  const forms = [
    hash,
    near(hash, guess),
    hash.slice(0, 1 + (guess % 63)),
    hash.toUpperCase(),
    `sha256:${hash}`,
    `../${key}/${hash}`,
    `${key}/${hash}`,
    `%2e%2e%2f${key}%2f${hash}`,
    `../../${key}/${hash.slice(0, 2)}/${hash}`,
    `${hash}\0`,
    `${hash.slice(0, 12)}*`,
    "*",
    "[0-9a-f]*",
    "../",
    `${hash}\r\nGET x`,
    createHash("sha256").update(String(guess)).digest("hex"),
  ];
  return forms[guess % forms.length] ?? hash;
}

/** Everything a stranger can ask with one guess; names the answers that are no miss. */
async function crossings(
  store: ArchiveStore,
  stranger: string,
  guess: string,
  round: number,
): Promise<string[]> {
  const answers: readonly (readonly [string, boolean])[] = [
    ["get", (await store.get(stranger, guess)) !== undefined],
    ["getRange", (await store.getRange(stranger, guess, round % 7, 64)) !== undefined],
    ["find", (await store.find(stranger, guess)).length > 0],
    ["has", await store.has(stranger, guess)],
    // Last, so that a delete that crosses does not hide a read that would.
    ["delete", await store.delete(stranger, guess)],
  ];
  return answers.filter(([, isHit]) => isHit).map(([call]) => `${call}(${stranger}, ${guess})`);
}

describe("two tenants on one store", () => {
  test.each(stores)(`%s: ${GUESSES} guesses, nothing crosses`, async (_, create) => {
    const store = await create();
    onTestFinished(() => store.close());
    const hashes: string[] = [];
    for (let index = 0; index < ENTRIES; index++) {
      hashes.push((await store.put(owner, [`{"secret":${index}}`])).entry.hash);
    }
    const own = (await store.put("bob", ['{"own":true}'])).entry.hash;
    const found: string[] = [];
    for (let round = 0; round < GUESSES; round++) {
      const stranger = strangers[round % strangers.length] ?? "bob";
      const guess = guessOf(hashes[round % ENTRIES] ?? "", Math.floor(round / ENTRIES));
      // The stranger may find what is its own.
      const isOwn = (await store.find(stranger, guess)).some(({ hash }) => hash === own);
      if (!isOwn) found.push(...(await crossings(store, stranger, guess, round)));
    }
    expect(found).toEqual([]);
    for await (const entry of store.list("bob")) expect(hashes).not.toContain(entry.hash);
    for (const hash of hashes) expect(await store.has(owner, hash)).toBe(true);
  });
});
