import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json/json-value.ts";
import {
  brokenRules,
  failure,
  findingsOf,
  goodTool,
  listingOf,
  recordOf,
  result,
  said,
  toolOf,
  verdictOf,
} from "../record.fixture.ts";
import type { ToolListing, ServerRecord } from "../server-record.ts";

const groups = ["list"];
const tool = (name: string): JsonObject => ({ ...goodTool, name });
const [a, b, c] = [tool("a"), tool("b"), tool("c")];

function walked(
  first: ToolListing,
  second: ToolListing = first,
  changes: Partial<ServerRecord> = {},
): ServerRecord {
  return recordOf({ listings: [first, second], ...changes });
}

/** A walk in which every page leads to the same next one. */
const circle: ToolListing = {
  pages: [
    { cursor: undefined, reply: result({ tools: [a], nextCursor: "x" }) },
    { cursor: "x", reply: result({ tools: [a], nextCursor: "x" }) },
  ],
  isCut: true,
};

const badCursor = (reply: ReturnType<typeof failure>): Partial<ServerRecord> => ({
  exchanges: [{ purpose: "bad-cursor", request: {}, reply, response: undefined }],
});

describe("rules of the list", () => {
  test("find nothing in a list of one page or of three", async () => {
    await expect(brokenRules(recordOf(), groups)).resolves.toEqual([]);
    await expect(brokenRules(walked(listingOf([a], [b], [c])), groups)).resolves.toEqual([]);
  });

  test.each<readonly [string, ServerRecord]>([
    ["list/answered", walked({ pages: [{ cursor: undefined, reply: failure(-32603) }], isCut: false })],
    [
      "list/answered",
      walked({ pages: [...listingOf([a]).pages, { cursor: "x", reply: failure(-32602) }], isCut: false }),
    ],
    ["list/pages-end", walked({ ...listingOf([a], [b], [c]), isCut: true })],
    ["list/cursor-advances", walked(circle)],
    ["list/doubles", walked(listingOf([a, b], [b, c]))],
    ["list/order-stable", walked(listingOf([a, b]), listingOf([b, a]))],
    ["list/order-stable", walked(listingOf([a, b]), listingOf([a]))],
    ["list/definitions-stable", walked(listingOf([a]), listingOf([{ ...a, description: "At 12:01." }]))],
    ["list/bad-cursor", walked(listingOf([a], [b]), listingOf([a], [b]), badCursor(result({ tools: [] })))],
    ["list/bad-cursor", walked(listingOf([a], [b]), listingOf([a], [b]), badCursor(failure(-32603)))],
    ["list/tokens", recordOf({ tools: [toolOf(a, 12_000), toolOf(b, 8_001)] })],
    [
      "list/count",
      recordOf({ tools: Array.from({ length: 129 }, (_, index) => toolOf(tool(`t${index}`), 1)) }),
    ],
  ])("%s is broken alone (%#)", async (id, record) => {
    await expect(brokenRules(record, groups)).resolves.toEqual([id]);
    await expect(findingsOf(id, record)).resolves.toHaveLength(1);
  });

  test("a change that the server announces between two walks is no finding", async () => {
    const base = recordOf();
    const announced = said("server", { jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    const record = walked(listingOf([a]), listingOf([b]), { messages: [...base.messages, announced] });
    await expect(verdictOf("list/order-stable", record)).resolves.toHaveProperty("untested");
  });

  test("a server without the method has no list to judge", async () => {
    const record = walked({ pages: [{ cursor: undefined, reply: failure(-32601) }], isCut: false });
    await expect(verdictOf("list/answered", { ...record, tools: [] })).resolves.toHaveProperty("untested");
  });

  test("an unknown cursor is untested where the list has one page", async () => {
    const record = recordOf(badCursor(result({ tools: [] })));
    await expect(verdictOf("list/bad-cursor", record)).resolves.toHaveProperty("untested");
  });
});
