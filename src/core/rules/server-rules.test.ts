import { expect, test } from "vitest";
import { authorRules } from "./author/author-rules.ts";
import { everyRule, serverRules } from "./server-rules.ts";
import { listValidationRules } from "./result/contract-rules.ts";

test("every rule has its own id, of a group and plain words", () => {
  const ids = everyRule.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z][a-z0-9-]*\/[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
});

test("every rule says what holds, how it is mended and who asks for it", () => {
  const bare = everyRule.filter(({ says, fix, source }) =>
    [says, fix, source].some((text) => text.trim() === ""),
  );
  expect(bare).toEqual([]);
  expect(serverRules.filter(({ fix }) => !/[.!]$/.test(fix)).map(({ id }) => id)).toEqual([]);
});

test("a rule of waybill validate that a check uses too is the same rule", () => {
  const byId = new Map(listValidationRules().map((rule) => [rule.id, rule]));
  const reused = serverRules.filter(({ id }) => byId.has(id));
  expect(reused.length).toBeGreaterThan(20);
  for (const { id, severity, says, fix, source } of reused)
    expect(byId.get(id)).toMatchObject({ severity, says, fix, source });
  expect(everyRule).toHaveLength(serverRules.length + byId.size - reused.length + authorRules.length);
});
