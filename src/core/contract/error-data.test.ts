import { describe, expect, it } from "vitest";
import { canonicalCode, retryRuleOfCode, typeOfCode } from "./error-data.ts";
import { errorRegistry } from "./error-registry.ts";

const names = errorRegistry.entries.flatMap(({ code, aliases }) => [code, ...aliases]);

describe("the facts of a code", () => {
  it.each(names)("%s has the registry's name, type and retry rule", (name) => {
    const { code, type, retry } = errorRegistry.get(name) ?? {};
    expect([canonicalCode(name), typeOfCode(name), retryRuleOfCode(name)]).toEqual([code, type, retry]);
  });

  it.each(["OUT_OF_CHALK", "__proto__", "constructor", ""])("says nothing of %j", (name) => {
    expect([canonicalCode(name), typeOfCode(name), retryRuleOfCode(name)]).toEqual([
      name,
      undefined,
      undefined,
    ]);
  });
});
