import { describe, expect, it } from "vitest";
import { LaterStore } from "./later-store.ts";
import { memoryStore } from "./memory-store.ts";
import { assertServerRuntime } from "./archive-store.ts";

async function listed<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const known = { kind: "file", location: "/archive" };

describe("a store whose code is loaded when it is first used", () => {
  it("loads once, for however many first uses", async () => {
    let loads = 0;
    const store = new LaterStore(known, async () => {
      loads++;
      return memoryStore();
    });
    expect([store.kind, store.location, loads]).toEqual(["file", "/archive", 0]);
    const [{ entry }] = await Promise.all([store.put("a", ["text"]), store.has("a", "0"), store.sweep()]);
    expect((await store.get("a", entry.hash))?.entry.bytes).toBe(4);
    expect((await listed(store.list("a"))).length).toBe(1);
    expect(loads).toBe(1);
  });

  it("tries again after it could not be loaded", async () => {
    let loads = 0;
    const store = new LaterStore(known, async () => {
      if (loads++ === 0) throw new Error("no such file");
      return memoryStore();
    });
    await expect(store.has("a", "0")).rejects.toThrow("no such file");
    expect(await store.has("a", "0")).toBe(false);
  });

  it("is never loaded after it was closed, and closes what it loaded", async () => {
    let loads = 0;
    const unused = new LaterStore(known, async () => {
      loads++;
      return memoryStore();
    });
    await unused.close();
    await expect(unused.has("a", "0")).rejects.toThrow("The file store is closed");
    expect(loads).toBe(0);
    const used = new LaterStore(known, async () => memoryStore());
    await used.sweep();
    await used.close();
    await expect(used.sweep()).rejects.toThrow("store is closed");
  });
});

describe("a store that needs files or sockets", () => {
  it("is refused by name where there are no files", () => {
    expect(() => assertServerRuntime("fileStore", "Cloudflare Workers")).toThrow(
      "fileStore does not work on Cloudflare Workers, which has neither files nor connections that last: use memoryStore(), or a store of your own.",
    );
    expect(() => assertServerRuntime("fileStore")).not.toThrow();
  });
});
