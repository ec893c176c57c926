import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ArchiveStore } from "./archive-store.ts";
import { createTempDirectory } from "./file/file-store.fixture.ts";
import { fileStore } from "./file/file-store.ts";
import { memoryStore } from "./memory-store.ts";
import { tenantKey } from "./store-rules.ts";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";

const GUESSES = isFullRun ? 10_000 : 1_000;
/** Names that a careless path or key would let out of their own place. */
const SLY_TENANTS = ["../alice", "alice/", "./alice", "ALICE", "alice\0", tenantKey("alice"), "*", "alice\n"];

describe.each<[string, () => ArchiveStore]>([
  ["memoryStore", () => memoryStore()],
  ["fileStore", () => fileStore(createTempDirectory())],
])("%s with two tenants", (_, create) => {
  it(`opens nothing of the other in ${GUESSES} guesses, right hashes among them`, async () => {
    const store = create();
    const hashes: string[] = [];
    for (let index = 0; index < 100; index++)
      hashes.push((await store.put("alice", [`secret ${index}`])).entry.hash);
    let opened = 0;
    for (let guess = 0; guess < GUESSES; guess++) {
      const hash = guess % 2 === 0 ? (hashes[guess % 100] ?? "") : randomBytes(32).toString("hex");
      if ((await store.get("mallory", hash)) !== undefined) opened++;
    }
    expect(opened).toBe(0);
  });

  it("opens nothing by a name that looks like the other's", async () => {
    const store = create();
    const { hash } = (await store.put("alice", ["secret"])).entry;
    for (const tenant of SLY_TENANTS) {
      expect([tenant, await store.get(tenant, hash)]).toEqual([tenant, undefined]);
      expect([tenant, await store.delete(tenant, hash)]).toEqual([tenant, false]);
    }
    expect(await store.has("alice", hash)).toBe(true);
  });
});
