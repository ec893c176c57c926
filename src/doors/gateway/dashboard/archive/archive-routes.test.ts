import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ArchiveStore } from "../../../../engine/archive/archive-store.ts";
import { createTempDirectory, entryPath } from "../../../../engine/archive/file/file-store.fixture.ts";
import { fileStore } from "../../../../engine/archive/file/file-store.ts";
import { memoryStore } from "../../../../engine/archive/memory-store.ts";
import { tenantKey } from "../../../../engine/archive/store-rules.ts";
import type { ApiRoute } from "../dashboard-parts.ts";
import type { ArchiveHits, ArchiveReport, Verified } from "../protocol/places.ts";
import type { QuestionReply, RetrieveReply } from "../protocol/result.ts";
import { Traffic } from "../traffic/traffic.ts";
import { toolCalls, watchedState } from "../traffic/watched-state.fixture.ts";
import { ask, problemOf, watchedGateway } from "../routes.fixture.ts";
import { archiveRoutes } from "./archive-routes.ts";

const people = Array.from({ length: 40 }, (_, index) => ({
  id: `p-${index}`,
  name: index === 17 ? "Grace Hopper" : `Person ${index}`,
  age: 20 + index,
}));
const peopleJson = JSON.stringify({ people });

interface Subject {
  readonly routes: readonly ApiRoute[];
  readonly store: ArchiveStore;
  readonly keep: (tenant: string, content: string, contentType?: string) => Promise<string>;
}

function subject(store: ArchiveStore): Subject {
  return {
    store,
    routes: archiveRoutes(watchedGateway(watchedState("desk", { store })), new Traffic({ bodies: false })),
    keep: async (tenant, content, contentType = "application/json") => {
      return (await store.put(tenant, [content], { contentType })).entry.hash;
    },
  };
}

const stores: readonly (readonly [string, () => ArchiveStore])[] = [
  ["memory", () => memoryStore()],
  ["file", () => fileStore(createTempDirectory())],
];

describe.each(stores)("the archive in a %s store", (kind, makeStore) => {
  it("is listed by tenant", async () => {
    const { routes, keep } = subject(makeStore());
    const first = await keep("local:desk", peopleJson);
    const second = await keep("sub:ada", "notes", "text/plain");
    const report = await ask<ArchiveReport>(routes, "/api/archive");
    expect(report).toMatchObject({ kind, entries: 2, bytes: peopleJson.length + 5, hasMore: false });
    expect(report.storedBytes).toBeGreaterThan(0);
    expect(new Set(report.items.map(({ hash }) => hash))).toEqual(new Set([first, second]));
    const item = report.items.find(({ hash }) => hash === first);
    expect(item).toMatchObject({
      tenantKey: tenantKey("local:desk"),
      bytes: peopleJson.length,
      contentType: "application/json",
      seqs: [],
    });
    const labels = report.tenants.map(({ key, label, entries }) => [key, label, entries]);
    expect(labels).toContainEqual([tenantKey("local:desk"), "desk", 1]);
    expect(labels).toContainEqual([tenantKey("sub:ada"), undefined, 1]);
    const ofAda = await ask<ArchiveReport>(routes, `/api/archive?tenant=${tenantKey("sub:ada")}`);
    expect(ofAda.items.map(({ hash }) => hash)).toEqual([second]);
    expect(ofAda.entries).toBe(2);
  });

  it("is verified without its content being shown, and read with its secrets masked", async () => {
    const { routes, keep } = subject(makeStore());
    const content = JSON.stringify({ user: "ada", password: "hunter2-and-more" });
    const hash = await keep("sub:ada", content);
    const named = { tenantKey: tenantKey("sub:ada"), hash };
    const verified = await ask<Verified>(routes, "/api/archive/verify", named);
    expect(verified).toEqual({ hash, isVerified: true, bytes: content.length });
    const read = await ask<RetrieveReply>(routes, "/api/archive/read", named);
    expect(read).toMatchObject({ hash, isVerified: true, contentType: "application/json" });
    expect(read.body?.text).toBe('{"user":"ada","password":"[REDACTED:PASSWORD]"}');
    expect(read.body).toMatchObject({ chars: content.length, isHead: false });
  });

  it("is searched for words: those side by side first, and never what is masked", async () => {
    const { routes, keep } = subject(makeStore());
    const hash = await keep("sub:ada", peopleJson);
    const text = await keep("local:desk", "one\ntwo\nthe Hopper wrote of Grace\n", "text/plain");
    const secret = await keep("sub:ada", JSON.stringify({ password: "correct-horse-7" }));
    const both = await ask<ArchiveHits>(routes, "/api/archive/search", { words: "grace hopper" });
    expect(both).toMatchObject({ searched: 3, isComplete: true });
    const places = both.hits.map((hit) => [hit.hash, hit.place]);
    expect(places).toHaveLength(2);
    expect(places).toContainEqual([hash, "/people/17/name"]);
    expect(places).toContainEqual([text, "line 3"]);
    expect(both.hits.find((hit) => hit.hash === hash)?.excerpt).toContain('"name":"Grace Hopper"');
    const quoted = await ask<ArchiveHits>(routes, "/api/archive/search", { words: '"grace hopper"' });
    expect(quoted.hits.map((hit) => hit.hash)).toEqual([hash]);
    const mixed = await ask<ArchiveHits>(routes, "/api/archive/search", { words: '"of grace" “the hopper”' });
    expect(mixed.hits.map((hit) => hit.hash)).toEqual([text]);
    const ofAda = { words: "Grace", tenantKey: tenantKey("sub:ada") };
    const mine = await ask<ArchiveHits>(routes, "/api/archive/search", ofAda);
    expect(mine.hits.map((hit) => hit.hash)).toEqual([hash]);
    const masked = await ask<ArchiveHits>(routes, "/api/archive/search", { words: "correct-horse-7" });
    expect(masked.hits).toEqual([]);
    const beside = await ask<ArchiveHits>(routes, "/api/archive/search", { words: "password" });
    expect(beside.hits).toMatchObject([{ hash: secret, place: "/password" }]);
    expect(JSON.stringify(beside)).not.toContain("horse");
  });
});

describe.each([
  ["in its content", 20],
  ["at its end", -3],
])("an entry that is damaged %s", (_, place) => {
  async function damaged(): Promise<{
    routes: readonly ApiRoute[];
    named: { tenantKey: string; hash: string };
  }> {
    const directory = createTempDirectory();
    const { routes, keep } = subject(fileStore(directory));
    const hash = await keep("sub:ada", peopleJson);
    const path = entryPath(directory, "sub:ada", hash);
    const bytes = readFileSync(path);
    const at = (place + bytes.length) % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(path, bytes);
    return { routes, named: { tenantKey: tenantKey("sub:ada"), hash } };
  }

  it("is not verified, and the page is told why", async () => {
    const { routes, named } = await damaged();
    const verified = await ask<Verified>(routes, "/api/archive/verify", named);
    expect(verified.isVerified).toBe(false);
    expect(verified.problem).toContain("damaged");
  });

  it("is neither shown nor asked, and a search finds nothing in it", async () => {
    const { routes, named } = await damaged();
    const read = await ask<RetrieveReply>(routes, "/api/archive/read", named);
    expect(read).toMatchObject({ isVerified: false, problem: expect.stringContaining("damaged") });
    expect(read.body).toBeUndefined();
    const hits = await ask<ArchiveHits>(routes, "/api/archive/search", { words: "grace" });
    // What cannot be read to its end is not even listed.
    expect(hits).toEqual({ hits: [], searched: 0, isComplete: place < 0 });
    const problem = await problemOf(ask(routes, "/api/archive/ask", { ...named, select: "people" }));
    expect(problem).toMatchObject({ code: "failed", message: expect.stringContaining("damaged") });
  });
});

describe("a long list", () => {
  it("comes 200 at a time and goes on after the last item", async () => {
    const { routes, keep, store } = subject(memoryStore());
    for (let index = 0; index < 250; index++) await keep(index % 2 === 0 ? "a" : "b", `entry ${index >> 1}`);
    const seen: string[] = [];
    let report = await ask<ArchiveReport>(routes, "/api/archive");
    expect(report.items).toHaveLength(200);
    for (let pages = 0; ; pages++) {
      seen.push(...report.items.map((item) => `${item.tenantKey}/${item.hash}`));
      if (!report.hasMore || pages > 3) break;
      report = await ask<ArchiveReport>(routes, `/api/archive?after=${seen.at(-1) ?? ""}`);
    }
    expect(new Set(seen).size).toBe(250);
    await store.close();
  });
});

describe("an entry", () => {
  it("answers questions", async () => {
    const { routes, keep } = subject(memoryStore());
    const hash = await keep("sub:ada", peopleJson);
    const named = { tenantKey: tenantKey("sub:ada"), hash };
    const answer = await ask<QuestionReply>(routes, "/api/archive/ask", {
      ...named,
      select: "people[?age > `57`].name",
    });
    expect(JSON.parse(answer.body.text)).toEqual(["Person 38", "Person 39"]);
    expect(answer).toMatchObject({ hash, count: 40, hints: [] });
    const hinted = await ask<QuestionReply>(routes, "/api/archive/ask", {
      ...named,
      select: "people[?aeg > `57`]",
    });
    expect(hinted.hints.join(" ")).toContain("aeg");
    const problem = await problemOf(ask(routes, "/api/archive/ask", { ...named, select: "people[?" }));
    expect(problem.code).toBe("invalid");
  });
});

describe("one text that was kept as JSON", () => {
  it("is shown as the text, and found by its lines", async () => {
    const { routes, keep } = subject(memoryStore());
    const hash = await keep("sub:ada", JSON.stringify("one\ntwo words\nthree"));
    const read = await ask<RetrieveReply>(routes, "/api/archive/read", {
      tenantKey: tenantKey("sub:ada"),
      hash,
    });
    expect(read).toMatchObject({ isVerified: true, body: { text: "one\ntwo words\nthree" } });
    const { hits } = await ask<ArchiveHits>(routes, "/api/archive/search", { words: "two" });
    expect(hits).toMatchObject([{ hash, place: "line 2", excerpt: "one two words three" }]);
  });
});

describe("an entry that calls name", () => {
  it("is listed with those calls, the newest first", async () => {
    const traffic = new Traffic({ bodies: false });
    const upstream = watchedState("desk");
    traffic.watch(upstream);
    const call = toolCalls(upstream);
    const result = { content: [{ type: "text", text: peopleJson }] };
    await call("people", result);
    await call("other", { content: [{ type: "text", text: "short" }] });
    await call("people", result);
    const routes = archiveRoutes(watchedGateway(upstream), traffic);
    const { items } = await ask<ArchiveReport>(routes, "/api/archive");
    expect(items.map(({ seqs }) => seqs)).toEqual([[3, 1]]);
  });

  it("is not listed with the calls of another tenant that named the same content", async () => {
    const traffic = new Traffic({ bodies: false });
    const upstream = watchedState("desk", {
      tenant: ({ meta }) => (meta["who"] === "ada" ? "sub:ada" : "sub:bob"),
    });
    traffic.watch(upstream);
    const call = toolCalls(upstream);
    const result = { content: [{ type: "text", text: peopleJson }] };
    await call("people", result, { who: "ada" });
    await call("people", result, { who: "bob" });
    const { items } = await ask<ArchiveReport>(
      archiveRoutes(watchedGateway(upstream), traffic),
      "/api/archive",
    );
    const calls = items.map(({ tenantKey: key, seqs }) => [key, seqs]);
    expect(calls).toHaveLength(2);
    expect(calls).toContainEqual([tenantKey("sub:ada"), [1]]);
    expect(calls).toContainEqual([tenantKey("sub:bob"), [2]]);
    expect(new Set(items.map(({ hash }) => hash)).size).toBe(1);
  });

  it("says what ends it before its time: a session, or a gateway that has it in memory", async () => {
    const endOf = async (tenant: string, store: ArchiveStore): Promise<string | undefined> => {
      const traffic = new Traffic({ bodies: false });
      const upstream = watchedState("desk", { tenant: () => tenant, store });
      traffic.watch(upstream);
      await toolCalls(upstream)("people", { content: [{ type: "text", text: peopleJson }] });
      const routes = archiveRoutes(watchedGateway(upstream), traffic);
      return (await ask<ArchiveReport>(routes, "/api/archive")).items[0]?.endsWith;
    };
    expect(await endOf("session:01", fileStore(createTempDirectory()))).toBe("session");
    expect(await endOf("session:01", memoryStore())).toBe("session");
    expect(await endOf("sub:ada", memoryStore())).toBe("gateway");
    expect(await endOf("sub:ada", fileStore(createTempDirectory()))).toBeUndefined();
  });

  it("leaves an archive that says it was emptied, and words that name the session", async () => {
    const traffic = new Traffic({ bodies: false });
    const store = memoryStore();
    const upstream = watchedState("desk", { tenant: () => "session:01", store });
    traffic.watch(upstream);
    await toolCalls(upstream)("people", { content: [{ type: "text", text: peopleJson }] });
    const [named = ""] = traffic.seqsByArchive().keys();
    const [key = "", hash = ""] = named.split("/");
    await store.delete("session:01", hash);
    const routes = archiveRoutes(watchedGateway(upstream), traffic);
    expect(await ask(routes, "/api/archive")).toMatchObject({ entries: 0, wasEmptied: true });
    const problem = await problemOf(ask(routes, "/api/archive/verify", { tenantKey: key, hash }));
    expect(problem).toMatchObject({
      code: "not-kept",
      message: expect.stringContaining("session has ended"),
    });
  });

  it.each([
    ["sub:ada", "sub:ada"],
    ["session:0123", "desk, a session"],
    ["bearer:0123", "desk, a token"],
  ])("of the caller %s is listed under the label %s", async (tenant, label) => {
    const traffic = new Traffic({ bodies: false });
    const upstream = watchedState("desk", {
      tenant: ({ meta }) => (meta["who"] === undefined ? undefined : tenant),
    });
    traffic.watch(upstream);
    await toolCalls(upstream)("people", { content: [{ type: "text", text: peopleJson }] }, { who: "me" });
    const routes = archiveRoutes(watchedGateway(upstream), traffic);
    const { tenants } = await ask<ArchiveReport>(routes, "/api/archive");
    expect(tenants).toMatchObject([{ key: tenantKey(tenant), label }]);
  });
});

describe("several upstreams", () => {
  it("that share a folder are one archive, and in memory each has its own", async () => {
    const directory = createTempDirectory();
    const one = watchedState("one", { store: fileStore(directory) });
    const two = watchedState("two", { store: fileStore(directory) });
    const three = watchedState("three", { store: memoryStore() });
    const routes = archiveRoutes(watchedGateway(one, two, three), new Traffic({ bodies: false }));
    for (const { name, state } of [one, two, three])
      await state.archive.keepFor(
        `local:${name}`,
        state.effective.general,
      )({
        name: "data",
        content: [JSON.stringify({ of: name })],
        contentType: "application/json",
      });
    const report = await ask<ArchiveReport>(routes, "/api/archive");
    expect(report).toMatchObject({ kind: "file, memory", entries: 3 });
    expect(report.location).toBe(`${directory}, this process`);
    expect(new Set(report.tenants.map(({ label }) => label))).toEqual(new Set(["one", "two", "three"]));
    for (const { tenantKey: key, hash } of report.items) {
      const read = await ask<RetrieveReply>(routes, "/api/archive/read", { tenantKey: key, hash });
      expect(read.body?.text).toContain('"of":');
    }
  });

  it("that keep nothing have an empty archive that says so", async () => {
    const routes = archiveRoutes(
      watchedGateway(watchedState("none", { store: false })),
      new Traffic({ bodies: false }),
    );
    const report = await ask<ArchiveReport>(routes, "/api/archive");
    expect(report).toEqual({
      kind: "off",
      location: "",
      entries: 0,
      wasEmptied: false,
      bytes: 0,
      storedBytes: 0,
      tenants: [],
      items: [],
      hasMore: false,
    });
  });
});

describe("a request that is wrong", () => {
  const { routes } = subject(memoryStore());
  const key = tenantKey("a");
  const hash = "0".repeat(64);

  it.each([
    ["/api/archive/verify", { tenantKey: key, hash: "abc" }, "64 hex digits"],
    ["/api/archive/verify", { tenantKey: "ada", hash }, "32 hex digits"],
    ["/api/archive/verify", { tenantkey: key, hash, tenantKey: key }, "tenantKey"],
    ["/api/archive/search", { words: "   " }, "1 to 200"],
    ["/api/archive/search", { words: "x".repeat(201) }, "1 to 200"],
    ["/api/archive/search", { words: 7 }, "1 to 200"],
    ["/api/archive/ask", { tenantKey: key, hash, select: "" }, "1 to 10000"],
    ["/api/archive/read", ["no", "object"], "object"],
  ])("to %s is refused in words: %j", async (address, body, says) => {
    const problem = await problemOf(ask(routes, address, body));
    expect(problem.code).toBe("invalid");
    expect(problem.message).toContain(says);
  });

  it("names what is not kept, for any tenant", async () => {
    const problem = await problemOf(ask(routes, "/api/archive/verify", { tenantKey: key, hash }));
    expect(problem).toMatchObject({ code: "not-kept", status: 410 });
    const after = await problemOf(ask(routes, `/api/archive?after=${key}/${hash}`));
    expect(after.code).toBe("not-kept");
  });
});
