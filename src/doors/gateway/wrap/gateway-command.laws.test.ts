import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { retrieveNameFor } from "../../../core/contract/wire-names.ts";
import { namesFor } from "./gateway-command.ts";
import { readJsonConfig } from "./read-json-config.ts";

const names = fc.uniqueArray(
  fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 80 }),
    fc.constantFrom(
      "a b",
      "a_b",
      "a.b",
      "数据",
      "天气",
      "server",
      "x".repeat(60),
      `${"x".repeat(60)}y`,
      "--",
    ),
  ),
  { maxLength: 8 },
);

function namesIn(value: object): string[] {
  const { entries } = readJsonConfig(JSON.stringify(value));
  return [...namesFor(entries).values()];
}

describe("what wrap calls the servers of a file", () => {
  it("is a name that the gateway takes, and gives every server a tool of its own name", () => {
    fc.assert(
      fc.property(names, (given) => {
        const mcpServers = Object.fromEntries(given.map((name) => [name, { command: "npx" }]));
        const made = namesIn({ mcpServers });
        expect(made).toHaveLength(Object.keys(mcpServers).length);
        for (const name of made) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/);
        expect(new Set(made.map(retrieveNameFor)).size).toBe(made.length);
      }),
      lawRuns(1_000),
    );
  });

  it("is the entry's own name where that is legal, and leaves a name that was given before", () => {
    const wrapped = {
      command: "node",
      args: ["main.js", "gateway", "--name", "b", "--wrapped", "--", "npx"],
    };
    expect(
      namesIn({ mcpServers: { files: { command: "npx" }, b: { command: "npx" }, old: wrapped } }),
    ).toEqual(expect.arrayContaining(["files", "b_2", "b"]));
  });
});
