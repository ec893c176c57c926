import { describe, expect, it } from "vitest";
import { CallCancelled, PassedThrough } from "../../../../engine/call/answered-call.ts";
import { bridgeTo } from "../../bridge/bridge.fixture.ts";
import type { JsonObject } from "../../../../core/json/json-value.ts";
import { until } from "../../../../engine/transport/until.fixture.ts";
import type { ApiRequest } from "../dashboard-parts.ts";
import type { CallBatch } from "../protocol/traffic.ts";
import { Traffic, type TrafficOptions } from "./traffic.ts";
import { trafficRoutes } from "./traffic-routes.ts";
import { toolCalls, watchedState } from "./watched-state.fixture.ts";

const text = (words: string): JsonObject => ({ content: [{ type: "text", text: words }] });
const failed: JsonObject = { ...text("Error: no such file"), isError: true };
const items = Array.from({ length: 200 }, (_, at) => ({ id: `item-${at}`, note: "copper lantern ledger" }));
const long: JsonObject = text(JSON.stringify(items));

function watching(options: Partial<TrafficOptions> = {}) {
  const traffic = new Traffic({ bodies: false, ...options });
  const upstream = watchedState("files");
  const stop = traffic.watch(upstream);
  return { traffic, stop, call: toolCalls(upstream) };
}

const get = (query: string): ApiRequest => ({
  params: {},
  query: new URLSearchParams(query),
  body: undefined,
  signal: new AbortController().signal,
});

describe("the list of calls", () => {
  it("has every call in the order of their ends, newest first on a page, until it is stopped", async () => {
    const { traffic, stop, call } = watching();
    await call("read", text("hello"));
    await call("write", failed);
    stop();
    await call("read", text("unseen"));
    const { rows, oldestSeq, newestSeq } = traffic.page(undefined, 10);
    expect([oldestSeq, newestSeq]).toEqual([1, 2]);
    expect(rows.map(({ seq, upstream, tool, ending }) => [seq, upstream, tool, ending])).toEqual([
      [2, "files", "write", "failed"],
      [1, "files", "read", "ok"],
    ]);
    expect(traffic.page(2, 10).rows.map(({ seq }) => seq)).toEqual([1]);
  });

  it("says of a call what became of it", async () => {
    const { traffic, call } = watching();
    await traffic.load();
    await call("read", text("hello harbour"));
    await call("write", failed);
    await call("list", long);
    const [cut, failure, plain] = traffic.page(undefined, 3).rows;
    expect(plain).toMatchObject({ ending: "ok", isUntouched: true, fidelity: "full", dialect: "plain" });
    expect(plain).toMatchObject({ tokensIn: plain?.tokensOut, isCounted: true, warnings: 0 });
    expect(failure).toMatchObject({ ending: "failed", isRepaired: true, errorType: expect.any(String) });
    expect(cut).toMatchObject({ ending: "ok", fidelity: "partial", isArchived: true, isUntouched: false });
    expect(cut?.tokensIn).toBeGreaterThan(4 * (cut?.tokensOut ?? 0));
    expect(cut?.warnings).toBeGreaterThan(0);
    for (const row of [cut, failure, plain]) expect(row?.addedMs).toBeGreaterThan(0);
  });

  it("says that a cancelled call was abandoned, and gives the code of an error that is passed on", async () => {
    const { traffic, call } = watching();
    await call("slow", new CallCancelled("The user is tired"));
    await expect(call("none", new PassedThrough(undefined, false, -32602))).rejects.toThrow("passed on");
    await call("asks", new PassedThrough(undefined, true));
    const [passed, abandoned, ...rest] = traffic.page(undefined, 5).rows;
    expect(abandoned).toMatchObject({ tool: "slow", ending: "abandoned", errorCode: undefined });
    expect(passed).toMatchObject({ tool: "none", ending: "failed", errorCode: "JSON-RPC -32602" });
    expect(rest).toEqual([]);
    expect(traffic.overview().totals).toMatchObject({ calls: 2, failed: 1, abandoned: 1 });
  });

  it("says the same of a call whose client went away", async () => {
    const traffic = new Traffic({ bodies: false });
    const upstream = watchedState("files");
    traffic.watch(upstream);
    const asked: unknown[] = [];
    const { client } = bridgeTo(
      ({ id, method }) => {
        asked.push(method);
        return method === "tools/list"
          ? { jsonrpc: "2.0", id: id ?? null, result: { tools: [] } }
          : undefined;
      },
      {},
      { state: upstream.state },
    );
    const params = { name: "slow", arguments: {} };
    client.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
    await until(() => asked.includes("tools/call"));
    client.close();
    await until(() => traffic.newestSeq > 0);
    expect(traffic.row(1)).toMatchObject({ tool: "slow", ending: "abandoned", tokensOut: 0 });
  });

  it("shortens a name that a client made up", async () => {
    const { traffic, call } = watching();
    await call("x".repeat(5_000), text("no such tool"));
    expect(traffic.row(1)?.tool).toHaveLength(128);
  });

  it("knows the calls of the page itself by their request ids", async () => {
    const { traffic, call } = watching();
    const own = traffic.expectOwn("req_page_1");
    expect(own.seq()).toBeUndefined();
    await call("read", text("theirs"), { "io.modelcontextprotocol/other": "req_page_1" });
    await call("read", text("ours"), { "waybill/request_id": "req_page_1" });
    expect(traffic.page(undefined, 2).rows.map(({ isOwn }) => isOwn)).toEqual([true, false]);
    expect(own.seq()).toBe(2);
  });
});

describe("what is kept of a call", () => {
  it("is what the stages did and what was noted, and no contents where bodies are off", async () => {
    const { traffic, call } = watching();
    await call("list", long);
    await call("write", failed);
    await call("read", text("hello"));
    const cut = traffic.kept(1);
    expect(cut?.trace.map(({ stage }) => stage)).toEqual([
      "outcome",
      "shape",
      "fit",
      "archive",
      "dialect",
      "deliver",
    ]);
    expect(cut).toMatchObject({ tenant: "local:files", contents: undefined });
    expect(cut?.notes?.fidelity?.dropped.length).toBeGreaterThan(0);
    expect(traffic.kept(2)?.fault?.message).toContain("no such file");
    expect(traffic.kept(3)).toMatchObject({ trace: [], notes: undefined, contents: undefined });
    const [named = ""] = traffic.seqsByArchive().keys();
    expect(named).toMatch(/^[0-9a-f]{32}\/[0-9a-f]{64}$/);
    expect(traffic.seqsByArchive().get(named)).toEqual([1]);
  });

  it("is also what it carried where bodies are on", async () => {
    const { traffic, call } = watching({ bodies: true });
    await call("list", long, {}, { folder: "/" });
    await call("read", text("hello"));
    const cut = traffic.kept(1)?.contents;
    expect(cut?.arguments.text).toBe('{"folder":"/"}');
    expect(cut?.before?.text).toBe(JSON.stringify(long));
    expect(cut?.after?.text.length).toBeLessThan(JSON.stringify(long).length);
    expect(JSON.parse(cut?.data?.text ?? "")).toEqual(expect.arrayContaining([items[0]]));
    const untouched = traffic.kept(2)?.contents;
    expect(untouched?.after).toBe(untouched?.before);
  });

  it("is only the beginning of what is too long", async () => {
    const { traffic, call } = watching({ bodies: true, limits: { maxTextChars: 1_000 } });
    await call("list", long);
    const { before } = traffic.kept(1)?.contents ?? {};
    expect(before).toMatchObject({ isHead: true, chars: JSON.stringify(long).length });
    expect(JSON.stringify(long).startsWith(before?.text ?? "-")).toBe(true);
    expect(before?.text).toHaveLength(1_000);
  });

  it("is not driven out by ordinary calls where it was a failure", async () => {
    const { traffic, call } = watching({ bodies: true, limits: { maxKeptBytes: 40_000 } });
    await call("write", failed);
    for (let at = 0; at < 40; at++) await call("read", text("quota ".repeat(50)));
    expect(traffic.kept(1)?.fault).toBeDefined();
    expect(traffic.kept(2)).toBeUndefined();
    expect(traffic.kept(41)).toBeDefined();
  });

  it("has room for so many ordinary calls a second", async () => {
    let now = 1_000_000;
    const { traffic, call } = watching({ bodies: true, now: () => now });
    for (let at = 0; at < 600; at++) await call("read", text("hello"));
    expect(traffic.kept(500)).toBeDefined();
    expect(traffic.kept(501)).toBeUndefined();
    await call("write", failed);
    expect(traffic.kept(601)).toBeDefined();
    now += 1_000;
    await call("read", text("hello"));
    expect(traffic.kept(602)).toBeDefined();
  });
});

describe("listeners", () => {
  it("hear of new calls together, and of none after they left", async () => {
    const { traffic, call } = watching({ limits: { batchMs: 1 } });
    await call("read", text("before"));
    const heard: CallBatch[] = [];
    const stop = traffic.onRows((batch) => heard.push(batch));
    await Promise.all([call("read", text("one")), call("read", text("two"))]);
    await until(() => heard.length > 0);
    expect(heard.flatMap(({ rows }) => rows.map(({ seq }) => seq))).toEqual([2, 3]);
    stop();
    await call("read", text("after"));
    expect(heard).toHaveLength(1);
    expect(traffic.newest().rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(traffic.newest(3).rows.map(({ seq }) => seq)).toEqual([4]);
  });
});

describe("the routes of traffic", () => {
  it("give pages of calls and figures of some tools, and refuse what is no number", async () => {
    const { traffic, call } = watching();
    await call("read", text("hello"));
    await call("write", failed);
    const [calls, overview] = trafficRoutes(traffic);
    expect(calls?.answer(get("before=2&limit=5"))).toMatchObject({ rows: [{ seq: 1 }], newestSeq: 2 });
    expect(overview?.answer(get("tool=write"))).toMatchObject({
      totals: { calls: 1, failed: 1 },
      tools: [{ upstream: "files", tool: "write" }],
    });
    expect(overview?.answer(get("upstream=elsewhere"))).toMatchObject({ totals: { calls: 0 }, tools: [] });
    expect(() => calls?.answer(get("before=x"))).toThrow("before is not a whole number");
  });
});
