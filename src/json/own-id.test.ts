import { describe, expect, test } from "vitest";
import type { JsonValue } from "./json-value.ts";
import { ownId, singularOf } from "./own-id.ts";

describe("ownId", () => {
  test.each<[JsonValue, string, string | undefined, string | undefined]>([
    [{ id: "f-1", key: "k" }, "findings", undefined, "f-1"],
    [{ finding_id: "f-2", key: "k" }, "findings", undefined, "f-2"],
    [{ key: "k" }, "findings", undefined, "k"],
    [{ id: 17 }, "findings", undefined, "17"],
    [{ id: 2 ** 60 }, "findings", undefined, undefined],
    [{ id: "", key: "k" }, "findings", undefined, "k"],
    [{ id: { deep: 1 } }, "findings", undefined, undefined],
    [{ id: "a", meta: { ref: "b" } }, "findings", "meta.ref", "b"],
    [{ id: "a", meta: { ref: "b" } }, "findings", "/meta/ref", "b"],
    [{ id: "a" }, "findings", "meta.ref", "a"],
    ["text", "findings", undefined, undefined],
    [[{ id: "a" }], "findings", undefined, undefined],
    [null, "findings", undefined, undefined],
  ])("of %j in %s (path %s) is %s", (item, name, idPath, id) => {
    expect(ownId(item, name, idPath)).toBe(id);
  });
});

describe("singularOf", () => {
  test.each([
    ["findings", "finding"],
    ["entries", "entry"],
    ["statuses", "status"],
    ["status", "status"],
    ["addresses", "address"],
    ["branches", "branch"],
    ["boxes", "box"],
    ["issues", "issue"],
    ["databases", "database"],
    ["data", "data"],
    ["", ""],
  ])("%s: %s", (plural, singular) => {
    expect(singularOf(plural)).toBe(singular);
  });
});
