import { describe, expect, it } from "vitest";
import { MAX_INSTRUCTIONS, mergedCapabilities, mergedInstructions } from "./gather-lists.ts";
import { listResponse, readPage, renamedEntry } from "./raw-lists.ts";

describe("the instructions of several servers", () => {
  it("are a paragraph each, in the order of the configuration", () => {
    expect(
      mergedInstructions([
        ["web", "Search first.\n\nThen fetch."],
        ["notes", "Write it down."],
      ]),
    ).toBe("web: Search first. Then fetch.\n\nnotes: Write it down.");
    expect(mergedInstructions([])).toBeUndefined();
  });

  it("are 1,000 characters at most; what a short one leaves, a long one gets", () => {
    const long = "word ".repeat(1_000);
    const said = mergedInstructions([
      ["one", long],
      ["two", "Short."],
      ["three", long],
    ]);
    expect(said?.length).toBeLessThanOrEqual(MAX_INSTRUCTIONS);
    expect(said?.length).toBeGreaterThan(MAX_INSTRUCTIONS - 30);
    expect(said).toContain("\n\ntwo: Short.\n\n");
    expect(said?.endsWith("word…")).toBe(true);
  });

  it("never end inside a character", () => {
    const said = mergedInstructions([["one", "\u{1F600}".repeat(800)]]) ?? "";
    // It refuses half a character.
    expect(() => encodeURIComponent(said)).not.toThrow();
  });
});

describe("the capabilities of several servers", () => {
  it("are all that one of them has", () => {
    expect(
      mergedCapabilities([
        { tools: {}, resources: { subscribe: false } },
        { resources: { subscribe: true }, prompts: {}, logging: {} },
      ]),
    ).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
    });
  });
});

describe("an entry of a merged list", () => {
  const page = Buffer.from(
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"inputSchema":{"maximum":12345678901234567890, "default":1.0},"name":"a"}],"nextCursor":"n"}}',
  );

  it("keeps the bytes in which it came, but for its name", () => {
    const read = readPage(page, "tools");
    expect(read?.nextCursor).toBe("n");
    const entries = (read?.entries ?? []).map((entry) => renamedEntry(entry, "one_a"));
    expect(listResponse("7", "tools", entries, { ttlMs: 0 }).toString()).toBe(
      '{"jsonrpc":"2.0","id":7,"result":{"tools":[{"inputSchema":{"maximum":12345678901234567890, "default":1.0},"name":"one_a"}],"ttlMs":0}}',
    );
  });

  it("is in no list where the server answers with an error or with something else", () => {
    for (const answer of ['{"id":1,"error":{}}', '{"id":1,"result":[]}', '{"id":1,"result":{"tools":{}}}'])
      expect(readPage(Buffer.from(answer), "tools")).toBeUndefined();
  });
});
