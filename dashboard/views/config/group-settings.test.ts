import { describe, expect, it } from "vitest";
import { groupSettings } from "./group-settings.ts";

describe("groupSettings", () => {
  it("puts what holds in general first, and settings of one tool together", () => {
    const paths = [
      "tools.search.profile",
      "profile",
      'tools["fs.read"].budget.tokens',
      "tools.search.exclude",
      "tools",
    ];
    const groups = groupSettings(paths.map((path) => ({ path, value: null, origin: "default" })));
    expect(groups.map(({ tool, settings }) => [tool, settings.map(({ path }) => path)])).toEqual([
      [undefined, ["profile", "tools"]],
      ["search", ["tools.search.profile", "tools.search.exclude"]],
      ["fs.read", ['tools["fs.read"].budget.tokens']],
    ]);
  });
});
