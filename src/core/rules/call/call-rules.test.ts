import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json/json-value.ts";
import {
  type MadeCall,
  failure,
  judgeBy,
  madeRecord,
  madeTool,
  structure,
  text,
} from "../made-record.fixture.ts";
import type { RecordedMessage, RecordedReply, ServerRecord } from "../server-record.ts";
import { argumentRules } from "./argument-rules.ts";
import { behaviourRules, sizeRules } from "./behaviour-rules.ts";
import { nextPageArguments, readPage, pagingRules } from "./paging-rules.ts";

const rules = [...argumentRules, ...pagingRules, ...sizeRules, ...behaviourRules];

function judge(
  id: string,
  calls: readonly MadeCall[],
  changes: Partial<ServerRecord> = {},
): ReturnType<typeof judgeBy> {
  return judgeBy(rules, id, madeRecord(calls, changes));
}

const wrong = { path: "/limit", why: "is a text, not a number", keyword: "type" };
const invalid = { purpose: "invalid", wrong } as const;
const rpcError = { code: -32602, message: "Invalid params: limit" };

describe("invalid arguments", () => {
  it("are not accepted", async () => {
    const rule = "arguments/invalid-accepted";
    expect(await judge(rule, [invalid])).toEqual([
      "search: The call succeeds with arguments that are invalid: /limit: is a text, not a number",
    ]);
    const refusals: MadeCall[] = [
      { result: failure("limit") },
      { error: rpcError },
      { result: text("Error: limit must be a number") },
    ];
    expect(
      await judge(
        rule,
        refusals.map((each) => ({ ...invalid, ...each })),
      ),
    ).toEqual([]);
    expect(await judge(rule, [{ ...invalid, wrong: { ...wrong, keyword: "format" } }])).toBe("untested");
    expect(await judge(rule, [{ ...invalid, reply: { kind: "closed", reason: "exit 1" } }])).toBe("untested");
    const empty = { ...invalid, arguments: { limit: null } };
    expect(await judge(rule, [empty])).toBe("untested");
    const needed = madeTool("search", { inputSchema: { type: "object", required: ["limit"] } });
    expect(await judge(rule, [empty], { tools: [needed] })).toHaveLength(1);
  });

  it("that are only too many have a milder rule", async () => {
    const extra = {
      ...invalid,
      wrong: { path: "/x", why: "is not allowed", keyword: "additionalProperties" },
    };
    expect(await judge("arguments/unknown-ignored", [extra])).toHaveLength(1);
    expect(await judge("arguments/unknown-ignored", [{ ...extra, result: failure("x") }])).toEqual([]);
    expect(await judge("arguments/invalid-accepted", [extra])).toBe("untested");
    expect(await judge("arguments/unknown-ignored", [invalid])).toBe("untested");
  });

  it("are refused by a result since 2025-11-25, and before either way", async () => {
    const rule = "arguments/invalid-protocol-error";
    expect(await judge(rule, [{ ...invalid, error: rpcError }])).toHaveLength(1);
    expect(await judge(rule, [{ ...invalid, result: failure("limit") }])).toEqual([]);
    const older = { protocolVersion: "2025-06-18" };
    expect(await judge(rule, [{ ...invalid, error: rpcError }], older)).toBe("untested");
    expect(await judge(rule, [{}])).toBe("untested");
  });

  it("are named by the refusal", async () => {
    const rule = "arguments/error-names-argument";
    expect(await judge(rule, [{ ...invalid, result: failure("Bad input") }])).toHaveLength(1);
    expect(await judge(rule, [{ ...invalid, result: failure("Limit must be a number") }])).toEqual([]);
    expect(
      await judge(rule, [{ ...invalid, error: { code: 1, message: "no", data: { path: ["limit"] } } }]),
    ).toEqual([]);
    const always = { result: failure("The printer is out of paper") };
    expect(await judge(rule, [always, { ...invalid, ...always }])).toBe("untested");
    const extra = { ...invalid, wrong: { ...wrong, keyword: "additionalProperties" }, result: failure("no") };
    expect(await judge(rule, [extra])).toBe("untested");
    const inList = { ...invalid, wrong: { ...wrong, path: "/ids/3" } };
    expect(await judge(rule, [{ ...inList, result: failure("ids[3] is no number") }])).toEqual([]);
    expect(await judge(rule, [{ ...invalid, wrong: { ...wrong, path: "" }, result: failure("no") }])).toBe(
      "untested",
    );
  });
});

describe("valid arguments", () => {
  const rule = "arguments/valid-fails";
  const envelope = (code: string, type: string, details: JsonObject = {}): JsonObject => ({
    ...structure({
      success: false,
      data: { error_code: code, error_type: type, remediation: "Try again.", details },
      error: "It went wrong",
      meta: { version: "response-v2" },
    }),
    isError: true,
  });
  const internal = envelope("INTERNAL_ERROR", "internal");

  it("do not end in an internal error", async () => {
    const says = ['search: The call fails on arguments that its schema allows: "It went wrong"'];
    expect(await judge(rule, [{}, { result: internal }, { result: internal }])).toEqual(says);
    expect(await judge(rule, [{ result: internal, purpose: "boundary" }])).toEqual(says);
    const thrown = failure("Cannot read properties of undefined (reading 'length')");
    expect(await judge(rule, [{ result: thrown }])).toHaveLength(1);
    expect(await judge(rule, [{ result: failure("list index out of range") }])).toHaveLength(1);
    expect(await judge(rule, [{ ...invalid, result: internal }])).toBe("untested");
  });

  it("may end in a failure that is expected, or that a service behind the tool caused", async () => {
    const expected = [
      envelope("NOT_FOUND", "not_found"),
      envelope("VALIDATION_ERROR", "validation"),
      envelope("FORBIDDEN", "authorization"),
      envelope("RATE_LIMIT_EXCEEDED", "rate_limit"),
      envelope("UNAVAILABLE", "unavailable"),
      envelope("OPERATION_FAILED", "internal"),
      envelope("INTERNAL_ERROR", "internal", { service: "The post office" }),
      failure("The printer is out of paper"),
      failure("HTTP 500: internal server error"),
      failure("Error executing tool: the parcel is too heavy"),
    ];
    expect(
      await judge(
        rule,
        expected.map((result) => ({ result })),
      ),
    ).toEqual([]);
  });

  it("are those that fit the schema, also where a user gave them", async () => {
    const tools = [madeTool("search", { inputSchema: { type: "object", required: ["limit"] } })];
    const given = { purpose: "given", result: internal } as const;
    expect(await judge(rule, [given], { tools })).toEqual([]);
    expect(await judge(rule, [{ ...given, arguments: { limit: 1 } }], { tools })).toHaveLength(1);
    const unusable = [madeTool("search", { inputSchema: { $ref: "#/nowhere" } })];
    expect(await judge(rule, [given], { tools: unusable })).toEqual([]);
  });
});

describe("an unknown tool", () => {
  const unknown = { purpose: "unknown-tool", tool: "nobody" } as const;

  it("is refused, best with -32602", async () => {
    expect(await judge("tool/unknown", [unknown])).toHaveLength(1);
    expect(await judge("tool/unknown", [{ ...unknown, error: rpcError }])).toEqual([]);
    expect(await judge("tool/unknown-code", [{ ...unknown, error: rpcError }])).toEqual([]);
    expect(await judge("tool/unknown-code", [{ ...unknown, error: { code: -32601 } }])).toHaveLength(1);
    const marked = { ...unknown, result: failure("Tool nobody not found") };
    expect(await judge("tool/unknown", [marked])).toEqual([]);
    expect(await judge("tool/unknown-code", [marked])).toHaveLength(1);
    expect(await judge("tool/unknown", [{}])).toBe("untested");
    expect(await judge("tool/unknown-code", [{}])).toBe("untested");
  });
});

function page(ids: readonly number[], nextCursor?: string, more: JsonObject = {}): JsonObject {
  const items = ids.map((id) => ({ id, name: `item ${id}` }));
  return structure({ items, ...more, ...(nextCursor === undefined ? {} : { nextCursor }) });
}

function walk(...results: readonly JsonObject[]): readonly MadeCall[] {
  return results.map((result, index) =>
    index === 0 ? { result } : { result, purpose: "page", follows: index - 1 },
  );
}

describe("pages", () => {
  it("are read from notes of the contract and from the names that servers use", () => {
    const notes = { version: "response-v2", pagination: { cursor: "n", has_more: true, total_count: 9 } };
    const ours = { success: true, data: { rows: [1, 2] }, error: null, meta: notes };
    expect(readPage(structure(ours))).toMatchObject({ cursor: "n", hasMore: true, total: 9, items: [1, 2] });
    const asText = text(JSON.stringify({ results: [1], pageInfo: { hasNextPage: true, endCursor: "e" } }));
    expect(readPage(asText)).toMatchObject({ cursor: "e", items: [1] });
    expect(readPage(structure({ items: [], next_page_token: "" }))).toMatchObject({ cursor: undefined });
    expect(readPage(structure({ items: [], has_more: false, cursor: "x" }))).toMatchObject({
      cursor: undefined,
    });
    expect(readPage(structure({ cursor: "of something else" }))).toBeUndefined();
    expect(readPage(failure("no"))).toBeUndefined();
  });

  it("are asked for by the argument that the tool has for it", () => {
    const taking = (properties: JsonObject): JsonObject => ({ inputSchema: { type: "object", properties } });
    expect(nextPageArguments(taking({ page_token: {} }), { q: 1 }, "c")).toEqual({ q: 1, page_token: "c" });
    const behind = taking({ _waybill: { properties: { cursor: {} } } });
    expect(nextPageArguments(behind, {}, "c")).toEqual({ _waybill: { cursor: "c" } });
    expect(nextPageArguments(taking({ query: {} }), {}, "c")).toBeUndefined();
  });

  it("keep every rule when they are turned to the end", async () => {
    const calls = walk(
      page([1, 2], "b", { total_count: 5 }),
      page([3, 4], "c", { total_count: 5 }),
      page([5], undefined, { total_count: 5, next_cursor: null }),
    );
    for (const { id } of pagingRules) expect([id, await judge(id, calls)]).toEqual([id, []]);
    for (const { id } of pagingRules) expect([id, await judge(id, [{}])]).toEqual([id, "untested"]);
  });

  it("lead on", async () => {
    const rule = "paging/cursor-advances";
    expect(await judge(rule, walk(page([1], "b"), page([2], "b")))).toEqual([
      "search: The cursor of page 2 leads back",
    ]);
    expect(await judge(rule, walk(page([1], "b"), page([2], "c"), page([3], "b")))).toHaveLength(1);
  });

  it("are not refused", async () => {
    const rule = "paging/cursor-accepted";
    expect(await judge(rule, walk(page([1], "b"), failure("Invalid cursor")))).toHaveLength(1);
    const refused: MadeCall = { purpose: "page", follows: 0, error: { code: -32602, message: "no" } };
    expect(await judge(rule, [{ result: page([1], "b") }, refused])).toHaveLength(1);
  });

  it("repeat no item, by its id or as a whole", async () => {
    const rule = "paging/doubles";
    expect(await judge(rule, walk(page([1, 2], "b"), page([2, 3], "c")))).toEqual([
      'search: Page 2 repeats "2" of page 1',
    ]);
    const plain = [structure({ items: [1, 1], nextCursor: "b" }), structure({ items: [1], nextCursor: "c" })];
    expect(await judge(rule, walk(...plain))).toEqual([]);
  });

  it("are not empty before the last", async () => {
    expect(await judge("paging/empty-page", walk(page([1], "b"), page([], "c")))).toHaveLength(1);
  });

  it("add up to their total", async () => {
    const last = { next_cursor: null };
    const counted = (count: number): JsonObject => ({ total_count: count });
    const rule = "paging/total";
    expect(
      await judge(rule, walk(page([1], "b", counted(3)), page([2], undefined, { ...last, ...counted(3) }))),
    ).toEqual(["search: The total is 3, and all pages together have 2 items"]);
    expect(await judge(rule, walk(page([1], "b", counted(3)), page([2], "c", counted(4))))).toHaveLength(1);
    expect(await judge(rule, walk(page([1], "b", counted(3)), page([2], "c", counted(3))))).toEqual([]);
  });
});

describe("sizes", () => {
  const heavy = (tokens: { text: number; structured: number }, result = text("x")): MadeCall => ({
    tokens,
    result,
  });

  it("name the clients whose limit is passed, by the channel that they show", async () => {
    const rule = "size/client-limit";
    expect(await judge(rule, [heavy({ text: 26_000, structured: 0 })])).toEqual([
      expect.stringMatching(
        /too long for Claude Code \(26,000 of at most 25,000 tokens: it writes.*Codex \(26,000 of at most 10,000.*deepagents/,
      ),
    ]);
    const both = structure({ n: 1 });
    const [byText] = (await judge(rule, [
      heavy({ text: 22_000, structured: 9_000 }, both),
    ])) as readonly string[];
    expect(byText).toMatch(/deepagents/);
    expect(byText).not.toMatch(/Claude|Codex/);
    expect(await judge(rule, [heavy({ text: 9_999, structured: 9_999 }, both)])).toEqual([]);
    expect(await judge(rule, [])).toBe("untested");
  });

  it("report the largest answer of a tool once", async () => {
    const calls = [heavy({ text: 12_000, structured: 0 }), heavy({ text: 40_000, structured: 0 })];
    expect(await judge("size/client-limit", calls)).toEqual([expect.stringMatching(/40,000/)]);
  });

  it("count bytes where a client does", async () => {
    const rule = "size/client-bytes";
    // 5,001 characters are not too many for Cline, which counts characters.
    expect(await judge(rule, [{ result: text("ü".repeat(5_001)) }])).toEqual([
      expect.stringMatching(/for Copilot CLI \(10,002 of at most 10,000 bytes: it cuts at 10,000 bytes/),
    ]);
    const twice = structure({ text: "u".repeat(6_000) });
    expect(await judge(rule, [{ result: twice }])).toEqual([
      expect.stringMatching(/for Cline \(12.* of at most 8,000 characters: .*, Copilot CLI \(12/),
    ]);
    expect(await judge(rule, [{}])).toEqual([]);
    expect(await judge(rule, [])).toBe("untested");
  });

  it("of a message stay below what clients read", async () => {
    const rule = "size/message";
    const large = { bytes: 10 * 1024 * 1024 + 1 };
    expect(await judge(rule, [large, large])).toHaveLength(1);
    expect(await judge(rule, [large], { transport: "http" })).toEqual([]);
    const oversized: RecordedReply = { kind: "oversized", bytes: 40_000_000 };
    expect(await judge(rule, [{ reply: oversized }], { transport: "http" })).toEqual([
      "search: The answer has 40,000,000 bytes",
    ]);
    expect(await judge(rule, [])).toBe("untested");
  });
});

describe("the course of a call", () => {
  it("ends with an answer in time", async () => {
    const late: RecordedReply = { kind: "timeout", afterMs: 10_000 };
    expect(await judge("call/time-limit", [{ reply: late }])).toEqual(["search: No answer within 10,000 ms"]);
    const measured: RecordedReply = { kind: "timeout", afterMs: 9_999.8765432 };
    expect(await judge("call/time-limit", [{ reply: measured }])).toEqual([
      "search: No answer within 10,000 ms",
    ]);
    expect(await judge("call/time-limit", [{}])).toEqual([]);
    const sent = (from: "client" | "server", method: string, params: JsonObject): RecordedMessage => ({
      from,
      raw: "",
      value: { jsonrpc: "2.0", method, params },
      bytes: 1,
      atMs: 0,
    });
    const step = sent("server", "notifications/progress", { progressToken: "a", progress: 1 });
    const messages = [
      sent("client", "tools/call", { name: "search", arguments: {}, _meta: { progressToken: "a" } }),
      step,
    ];
    expect(await judge("call/time-limit", [{ reply: late }], { messages })).toHaveLength(1);
    const working = { messages: [...messages, step] };
    expect(await judge("call/time-limit", [{ reply: late }], working)).toEqual([]);
    const other = { reply: late, arguments: { q: 1 } };
    expect(await judge("call/time-limit", [other], working)).toHaveLength(1);
    expect(await judge("call/time-limit", [{ purpose: "cancelled", reply: late }])).toBe("untested");
  });

  it("does not end the server", async () => {
    const closed: RecordedReply = { kind: "closed", reason: "it ended with code 1" };
    expect(await judge("call/survives", [{ reply: closed }])).toHaveLength(1);
    const died = { kind: "died", message: "it ended with code 1", call: 0 } as const;
    expect(await judge("call/survives", [{}], { problems: [died] })).toHaveLength(1);
    expect(await judge("call/survives", [{}])).toEqual([]);
    expect(await judge("call/survives", [])).toBe("untested");
  });

  it("ends when it is called off", async () => {
    const pong: RecordedReply = { kind: "result", result: {} };
    const off = (answeredAfterMs?: number, next: RecordedReply = pong): MadeCall => ({
      purpose: "cancelled",
      cancel: { afterMs: 100, answeredAfterMs, next },
      reply: { kind: "timeout", afterMs: 1_000 },
    });
    expect(await judge("call/cancel", [off()])).toEqual([]);
    expect(await judge("call/cancel", [off(5)])).toBe("untested");
    expect(await judge("call/cancel", [off(700)])).toHaveLength(1);
    expect(await judge("call/cancel", [off(undefined, { kind: "timeout", afterMs: 1 })])).toHaveLength(1);
    expect(await judge("call/cancel", [{ purpose: "cancelled" }])).toBe("untested");
  });

  const twice = (first: JsonObject, second: JsonObject): readonly MadeCall[] => [
    { result: first },
    { result: second, purpose: "repeat", follows: 0 },
  ];

  it("gives the same twice, apart from ids and times", async () => {
    const rule = "call/deterministic";
    const at = (time: string, id: string): JsonObject =>
      structure({ items: [{ name: "a", request_id: id, createdAt: time }], took: `${id.length} ms` });
    expect(await judge(rule, twice(at("2026-01-01T00:00:00Z", "a"), at("2026-01-02", "bb")))).toEqual([]);
    expect(
      await judge(rule, twice({ ...text("a"), _meta: { n: 1 } }, { ...text("a"), _meta: { n: 2 } })),
    ).toEqual([]);
    expect(await judge(rule, twice(text("done at 10:11:12, 5 s"), text("done at 10:11:13, 7 s")))).toEqual(
      [],
    );
    expect(await judge(rule, twice(text("12 items"), text("13 items")))).toHaveLength(1);
    expect(await judge(rule, twice(text("a"), failure("a")))).toHaveLength(1);
    expect(await judge(rule, [{}])).toBe("untested");
  });

  it("gives items in one order", async () => {
    const rule = "call/order-stable";
    const [ab, ba] = [structure({ items: ["a", "b"] }), structure({ items: ["b", "a"] })];
    expect(await judge(rule, twice(ab, ba))).toHaveLength(1);
    expect(await judge("call/deterministic", twice(ab, ba))).toEqual([]);
    expect(await judge(rule, twice(text("x\ny"), text("y\nx")))).toHaveLength(1);
    expect(await judge(rule, twice(ab, ab))).toEqual([]);
    expect(await judge(rule, [{}])).toBe("untested");
  });
});
