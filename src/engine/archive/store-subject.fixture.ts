import { createHash } from "node:crypto";
import { onTestFinished } from "vitest";
import type { ArchiveStore } from "./archive-store.ts";

export interface StoreFactsOptions {
  readonly ttlMs?: number;
  readonly maxBytes?: number;
  readonly now?: () => number;
}

export interface StoreFactsSubject {
  /** A new, empty store each time; refuses bad options by throwing or rejecting. */
  readonly create: (options: StoreFactsOptions) => Promise<ArchiveStore>;
  /** The store has no limit of bytes of its own. */
  readonly isUnlimited?: boolean;
  /** Damages what is kept of an entry; left out where nothing can reach it. */
  readonly damage?: (store: ArchiveStore, tenant: string, hash: string) => Promise<void>;
}

export const DAY_MS = 86_400_000;

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

export function decode(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** A clock that tests move; it starts at the real time, since file systems know only that one. */
export function createTestClock(): { nowMs: number; readonly now: () => number } {
  const clock = { nowMs: Date.now(), now: () => clock.nowMs };
  return clock;
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A store that is closed when the test is over. */
export async function openStore(
  subject: StoreFactsSubject,
  options: StoreFactsOptions = {},
): Promise<ArchiveStore> {
  const store = await subject.create(options);
  onTestFinished(() => store.close());
  return store;
}
