import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import { describe, expect, it } from "vitest";
import type { ClientOptions, CompleteOptions } from "./client-options.ts";
import { contractClient } from "./contract-client.ts";
import { cutPair } from "./cut-pair.fixture.ts";

const MEBIBYTE = 1024 * 1024;
const rows = Array.from({ length: 400 }, (_, id) => ({ id, text: `Row number ${id} says so` }));

async function cutAnswer() {
  const pair = await cutPair();
  pair.given.value = { rows };
  const cut = await pair.byTool().call("read", {}, { budget: 400 });
  return { pair, cut };
}

interface Place {
  readonly from?: number;
  readonly to?: unknown;
  readonly bytes?: unknown;
}

/** A server that answers reads of a range as the script says, and would have the tool besides. */
function liar(
  answers: readonly { text?: string; blob?: string; place: Place }[],
  options: ClientOptions = {},
) {
  const asked = { ranges: 0, tools: 0 };
  const client = contractClient(
    {
      callTool: () => {
        asked.tools++;
        return Promise.reject(new Error("not asked for"));
      },
      readResource: () => {
        const { place, ...sent } = answers[asked.ranges++] ?? { place: {} };
        return Promise.resolve({
          contents: [{ uri: "u", ...sent, _meta: { "waybill/archive": place } }],
        });
      },
    },
    options,
  );
  return { client, asked };
}

async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "no rejection",
    (error: unknown) => error,
  );
}

describe("complete, of what is too large", () => {
  it("stops at the first range where the server says more than 256 MiB", async () => {
    const { cut } = await cutAnswer();
    const first = { text: "x".repeat(MEBIBYTE), place: { from: 0, to: MEBIBYTE, bytes: 257 * MEBIBYTE } };
    const { client, asked } = liar([first]);
    expect(await rejection(client.complete(cut))).toMatchObject({
      name: "ResponseError",
      code: "TOO_LARGE",
      requestId: cut.requestId,
      details: { tool: "read", max_bytes: 256 * MEBIBYTE },
    });
    expect(asked).toEqual({ ranges: 1, tools: 0 });
  });

  it.each(["byResource", "byTool"] as const)("keeps to the limit of client and call, %s", async (way) => {
    const { pair, cut } = await cutAnswer();
    const size = JSON.stringify({ rows }).length;
    const small = pair[way]({ maxArchiveBytes: size - 1 });
    expect(await rejection(small.complete(cut))).toMatchObject({ code: "TOO_LARGE" });
    expect(await rejection(small.retrieve(cut))).toMatchObject({ code: "TOO_LARGE" });
    expect((await small.complete(cut, { maxArchiveBytes: size })).data).toEqual({ rows });
    const called = pair[way]().call("read", {}, { budget: 400, complete: true, maxArchiveBytes: 100 });
    expect(await rejection(called)).toMatchObject({ code: "TOO_LARGE" });
  });

  it("refuses a limit that is not a number of bytes", () => {
    expect(() => contractClient(async () => ({}), { maxArchiveBytes: 0 })).toThrow(/maxArchiveBytes/);
  });
});

describe("complete, of what lies about sizes", () => {
  const good = { text: "aaaa", place: { from: 0, to: 4, bytes: 12 } };
  it.each([
    ["a range longer than it says", [{ text: "aaaaa", place: { from: 0, to: 4, bytes: 12 } }], 1],
    ["a range shorter than it says", [{ text: "aaa", place: { from: 0, to: 4, bytes: 12 } }], 1],
    ["a range of another place", [good, { text: "aaaa", place: { from: 0, to: 8, bytes: 12 } }], 2],
    ["a size that grows", [good, { text: "aaaa", place: { from: 4, to: 8, bytes: 16 } }], 2],
    ["an end behind the end", [{ text: "a".repeat(13), place: { from: 0, to: 13, bytes: 12 } }], 1],
    ["a size that is not a number", [{ text: "aaaa", place: { from: 0, to: 4, bytes: "12" } }], 1],
    ["half a byte", [{ text: "aaaa", place: { from: 0, to: 4.5, bytes: 12 } }], 1],
    ["no base64", [{ blob: "*", place: { from: 0, to: 1, bytes: 12 } }], 1],
    [
      "more than was asked for",
      [{ text: "a".repeat(2 * MEBIBYTE), place: { from: 0, to: 2 * MEBIBYTE, bytes: 3 * MEBIBYTE } }],
      1,
    ],
  ])("stops at %s, and asks no further", async (_, answers, ranges) => {
    const { cut } = await cutAnswer();
    const { client, asked } = liar(answers);
    expect(await rejection(client.complete(cut))).toMatchObject({ code: "ARCHIVE_INCOMPLETE" });
    expect(asked).toEqual({ ranges, tools: 0 });
  });

  it("stops at a slice of the tool that is not as long as it says", async () => {
    const { pair, cut } = await cutAnswer();
    pair.given.tamper = (result) => {
      const copy = structuredClone(result) as { structuredContent: { data: { items: { to?: number }[] } } };
      for (const item of copy.structuredContent.data.items) if (item.to !== undefined) item.to += 1;
      return { ...copy, content: [] };
    };
    expect(await rejection(pair.byTool().complete(cut))).toMatchObject({ code: "ARCHIVE_INCOMPLETE" });
    expect(pair.read.tool).toBe(1);
  });
});

describe("complete, of what takes too long", () => {
  const never = (): Promise<never> => new Promise(() => undefined);
  const ways: [string, object | (() => Promise<never>)][] = [
    ["a resource", { callTool: never, readResource: never }],
    ["the tool", never],
  ];

  it.each(ways)("is a TIMEOUT when %s does not answer", async (_, target) => {
    const { cut } = await cutAnswer();
    const client = contractClient(target as () => Promise<never>);
    const options: CompleteOptions = { timeoutMs: 50 };
    for (const work of [client.complete(cut, options), client.retrieve(cut, undefined, options)])
      expect(await rejection(work)).toMatchObject({ code: "TIMEOUT", details: { timeout_ms: 50 } });
  });

  it("is a TIMEOUT when every range comes, and there is no end of them", async () => {
    const { cut } = await cutAnswer();
    let at = 0;
    const client = contractClient({
      callTool: never,
      readResource: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        const place = { from: at, to: ++at, bytes: 100_000 };
        return { contents: [{ uri: "u", text: "a", _meta: { "waybill/archive": place } }] };
      },
    });
    expect(await rejection(client.complete(cut, { timeoutMs: 100 }))).toMatchObject({ code: "TIMEOUT" });
    const asked = at;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(at).toBeLessThanOrEqual(asked + 1);
  });

  it("is left at an abort, whatever the client object does with it", async () => {
    const { cut } = await cutAnswer();
    const control = new AbortController();
    const work = contractClient({ callTool: never, readResource: never }).complete(cut, {
      signal: control.signal,
    });
    control.abort("enough");
    expect(await rejection(work)).toBe("enough");
  });
});

describe("retrieve, of names that are many", () => {
  it("finds 100,000 ids in 100,000 items", async () => {
    const { pickDropped } = await import("./pick-dropped.ts");
    const items = Array.from({ length: 100_000 }, (_, id) => ({ id: `item-${id}` }));
    const ids = items.map(({ id }) => id).reverse();
    const found = pickDropped({ items }, ids);
    expect(found.at(0)).toEqual({ id: "item-99999", pointer: "/items/99999", value: { id: "item-99999" } });
    expect(found).toHaveLength(100_000);
  });

  it.runIf(isFullRun)("refuses parts of a text that together are longer than any answer", async () => {
    const { pickDropped } = await import("./pick-dropped.ts");
    const body = "a".repeat(1_000_000);
    const ids = Array.from({ length: 300 }, (_, index) => `/body#char=${index % 2}-1000000`);
    expect(() => pickDropped({ body }, ids)).toThrow(expect.objectContaining({ code: "TOO_LARGE" }));
  });
});
