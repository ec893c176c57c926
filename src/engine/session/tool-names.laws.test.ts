import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { ToolNames } from "./tool-names.ts";

const part = fc.stringMatching(/^[ab_]{0,4}$/);
const name = fc.stringMatching(/^[ab_]{1,6}$/);
const pattern = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("*"));
const renaming = fc.oneof(
  fc.tuple(name, name),
  fc.tuple(part, part, part, part).map(([a, b, c, d]): [string, string] => [`${a}*${b}`, `${c}*${d}`]),
);
const choice = fc.record(
  {
    allowTools: fc.array(pattern, { maxLength: 3 }),
    hide: fc.array(pattern, { maxLength: 2 }),
    renameTools: fc.array(renaming, { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs)),
  },
  { requiredKeys: [] },
);

describe("ToolNames", () => {
  it("calls the tool that it shows, and shows no name twice", () => {
    const law = fc.property(choice, fc.uniqueArray(name, { maxLength: 8 }), (rules, tools) => {
      const names = new ToolNames(rules);
      const shown = tools.flatMap((tool) => {
        const as = names.shownName(tool);
        return as === undefined ? [] : [{ tool, as }];
      });
      for (const { tool, as } of shown) expect(names.serverName(as)).toBe(tool);
      expect(new Set(shown.map(({ as }) => as)).size).toBe(shown.length);
      for (const each of tools) {
        const meant = names.serverName(each);
        expect(meant === undefined ? each : names.shownName(meant)).toBe(each);
      }
    });
    fc.assert(law, lawRuns(5_000, 500));
  });

  it("reads a star as any characters", () => {
    const law = fc.property(pattern, name, (text, tool) => {
      const expected = new RegExp(`^${text.replaceAll("*", ".*")}$`).test(tool);
      expect(new ToolNames({ allowTools: [text] }).serverName(tool) === tool).toBe(expected);
    });
    fc.assert(law, lawRuns(5_000, 500));
  });
});
