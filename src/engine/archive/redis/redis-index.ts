import type { ArchiveEntry, ListedEntry, SweepReport } from "../archive-store.ts";
import { tenantKey } from "../store-rules.ts";
import { type RedisBlocks, type Upload, toBuffer } from "./redis-blocks.ts";
import type { RedisArgument, RedisReply } from "./redis-client.ts";
import type { RedisConnection } from "./redis-connection.ts";
import { type RedisDescription, type RedisEntry, readDescription } from "./redis-description.ts";
import {
  announceScript,
  deleteScript,
  evictScript,
  hasScript,
  openScript,
  pageScript,
  pruneScript,
} from "./redis-scripts.ts";

export interface OpenedEntry extends RedisEntry {
  /** Comes along when there is no other. */
  readonly onlyBlock: Buffer | undefined;
}

const PAGE_ENTRIES = 200;

/** Which entries there are, whose they are, and when each was last used. All keys with its prefix are in one slot. */
export class RedisIndex {
  private readonly connection: RedisConnection;
  private readonly blocks: RedisBlocks;
  /** Begins the key of an entry's last block. */
  readonly blockStart: string;
  private readonly entryStart: string;
  private readonly keys: readonly string[];

  private readonly now: (() => number) | undefined;

  constructor(
    connection: RedisConnection,
    blocks: RedisBlocks,
    prefix: string,
    now: (() => number) | undefined,
  ) {
    this.now = now;
    this.connection = connection;
    this.blocks = blocks;
    this.entryStart = `${prefix}:entry:`;
    this.blockStart = `${prefix}:block:`;
    this.keys = ["names", "uses", "ends", "sizes", "bytes"].map((name) => `${prefix}:${name}`);
  }

  private member(tenant: string, hash: string): string {
    return `${tenantKey(tenant)}/${hash}`;
  }

  async announce(
    tenant: string,
    description: RedisDescription,
    last: Upload["last"],
    ttlMs: number,
  ): Promise<ArchiveEntry> {
    const { upload, packed, rawBytes, hash, bytes, storedBytes, contentType } = description;
    // Written out, since a script reads the first keys by their place.
    const text = JSON.stringify({ upload, packed, rawBytes, hash, bytes, storedBytes, contentType });
    const key = `${this.blockStart}${upload}:${packed.length - 1}`;
    const block = last === undefined ? [] : [key, toBuffer(last.bytes), String(last.ttlMs)];
    const member = this.member(tenant, hash);
    const reply = await this.run(announceScript, member, text, String(ttlMs), String(storedBytes), ...block);
    const [kept, before] = listOf(reply);
    await this.dropBlocks(before);
    return readDescription(String(kept), hash).entry;
  }

  async open(tenant: string, hash: string): Promise<OpenedEntry | undefined> {
    const reply = await this.run(openScript, this.member(tenant, hash), this.blockStart);
    const [found, block] = listOf(reply);
    if (!Buffer.isBuffer(found)) return undefined;
    const onlyBlock = Buffer.isBuffer(block) ? block : undefined;
    return { ...readDescription(found.toString(), hash), onlyBlock };
  }

  async has(tenant: string, hash: string): Promise<boolean> {
    return (await this.run(hasScript, this.member(tenant, hash))) === 1;
  }

  async *list(tenant: string | undefined, hashPrefix: string): AsyncGenerator<ListedEntry> {
    const start = tenant === undefined ? undefined : this.member(tenant, hashPrefix);
    for await (const page of this.pages(start)) {
      for (const [member, found, usedAtUs] of page) {
        const [key = "", hash = ""] = String(member).split("/");
        const read = Buffer.isBuffer(found) ? readable(found.toString(), hash, hashPrefix !== "") : undefined;
        if (read === undefined) continue;
        const { entry, description } = read;
        const lastUsedAtMs = Math.floor(Number(usedAtUs) / 1_000);
        yield { ...entry, tenantKey: key, storedBytes: description.storedBytes, lastUsedAtMs };
      }
    }
  }

  async delete(tenant: string, hash: string): Promise<boolean> {
    const found = await this.run(deleteScript, this.member(tenant, hash));
    await this.dropBlocks(found);
    return Buffer.isBuffer(found);
  }

  /** Removes the least recently used until no more than `maxBytes` are kept. */
  async evict(maxBytes: number): Promise<{ readonly evicted: number; readonly freedBytes: number }> {
    let [evicted, freedBytes] = [0, 0];
    for (;;) {
      const removed = listOf(await this.run(evictScript, String(maxBytes), String(PAGE_ENTRIES)));
      for (const item of removed) {
        const [found, size] = listOf(item);
        freedBytes += Number(size);
        await this.dropBlocks(found);
      }
      evicted += removed.length;
      if (removed.length < PAGE_ENTRIES) return { evicted, freedBytes };
    }
  }

  async sweep(maxBytes: number | undefined): Promise<SweepReport> {
    let [expired, expiredBytes] = [0, 0];
    for await (const page of this.pages(undefined)) {
      const [count, freed] = listOf(await this.run(pruneScript, ...page.map(([member]) => String(member))));
      expired += Number(count);
      expiredBytes += Number(freed);
    }
    const { evicted, freedBytes } =
      maxBytes === undefined ? { evicted: 0, freedBytes: 0 } : await this.evict(maxBytes);
    const [names = "", , , , bytes = ""] = this.keys;
    const entries = Number(await this.connection.send("ZCARD", names));
    const storedBytes = Number(await this.connection.send("GET", bytes));
    return { expired, evicted, freedBytes: expiredBytes + freedBytes, entries, storedBytes };
  }

  /** Members that begin so, in the order of their names, with what is known of each. */
  private async *pages(start: string | undefined): AsyncGenerator<readonly (readonly RedisReply[])[]> {
    // Hex digits only follow, and all of them come before "g".
    const end = start === undefined ? "+" : `(${start}g`;
    let from = start === undefined ? "-" : `[${start}`;
    for (;;) {
      const page = listOf(await this.run(pageScript, from, end, String(PAGE_ENTRIES))).map(listOf);
      if (page.length > 0) yield page;
      if (page.length < PAGE_ENTRIES) return;
      from = `(${String(page.at(-1)?.[0])}`;
    }
  }

  /** The blocks of an entry that is no more; what cannot be read or removed expires by itself. */
  private async dropBlocks(kept: RedisReply | undefined): Promise<void> {
    const [, upload, packed] = /^\d+ \d+ {"upload":"([0-9a-f]+)","packed":"([01]*)"/.exec(String(kept)) ?? [];
    if (upload === undefined || packed === undefined) return;
    // The entry itself is gone already, which is what was asked for.
    await this.blocks.remove(upload, packed.length, this.blockStart).catch(() => undefined);
  }

  private run(script: string, ...args: readonly RedisArgument[]): Promise<RedisReply> {
    return this.connection.run(script, this.keys, [this.entryStart, String(this.now?.() ?? ""), ...args]);
  }
}

/** A listing leaves out what cannot be read; whoever asks for an entry is told. */
function readable(text: string, hash: string, isAsked: boolean): RedisEntry | undefined {
  try {
    return readDescription(text, hash);
  } catch (error) {
    if (isAsked) throw error;
    return undefined;
  }
}

function listOf(reply: RedisReply | undefined): readonly RedisReply[] {
  return Array.isArray(reply) ? (reply as readonly RedisReply[]) : [];
}
