import { describe, expect, it } from "vitest";
import { createLog } from "../observe/log-event.ts";
import { memoryStore } from "../archive/memory-store.ts";
import { missingParts, sayRuntime } from "./contract-state.ts";

const kinds = (parts: readonly string[]): string[] => parts.map((part) => part.replace(/:.*/, ""));
const counter = { encoding: "bytes", count: (text: string) => text.length };

describe("what an edge runtime has not", () => {
  it("is all named where nothing replaces it", () => {
    expect(kinds(missingParts({}, { hasScopes: false, hasKeys: false }))).toEqual([
      "files and Redis",
      "worker threads",
      "a store that lasts",
      "the vocabulary of the token counter",
      "a key that instances share",
      "async scopes",
    ]);
  });

  it("is not named where the author gave something in its place", () => {
    const facts = { hasScopes: true, hasKeys: true };
    const own = { ...memoryStore(), kind: "kv" };
    const always = ["files and Redis", "worker threads"];
    expect(kinds(missingParts({ store: own, fit: { counter } }, facts))).toEqual(always);
    const fetched = { store: own, fit: { counter: () => Promise.resolve(counter) } };
    expect(kinds(missingParts(fetched, facts))).toEqual(always);
    expect(kinds(missingParts({ store: memoryStore(), fit: { counter } }, facts))).toEqual([
      ...always,
      "a store that lasts",
    ]);
  });

  it("is nothing on Node, so that the log stays silent", () => {
    const lines: string[] = [];
    sayRuntime({}, createLog({ sink: (line) => lines.push(line) }));
    expect(lines).toEqual([]);
  });
});
