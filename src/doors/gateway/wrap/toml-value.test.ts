import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import { describe, expect, it } from "vitest";
import { tomlValue } from "./read-toml-config.ts";

const read = (text: string): unknown => tomlValue(parseTOML(text, { tomlVersion: "1.0.0" }));

/** Written as JSON, so that objects with and without a prototype compare; dates as their instants. */
const written = (value: unknown): string => JSON.stringify(value);

describe("the value of a TOML text", () => {
  it.each([
    ["nothing", ""],
    [
      "values of every kind",
      'a = "x"\nb = 1\nc = 1.5\nd = true\ne = 2026-11-16T10:00:00Z\nf = [1, "two", [3]]',
    ],
    [
      "tables, dotted keys and tables inside lines",
      'a.b.c = 1\n[t]\nx = { y = { z = 1 }, w.v = 2 }\n[t."u v"]\nq = 1',
    ],
    [
      "lists of tables, with tables below them",
      "[[l]]\na = 1\n[l.s]\nb = 2\n[[l]]\na = 3\n[[l.m]]\nc = 4\n[[l.m]]\nc = 5",
    ],
    ["a table that comes before the one above it", "[a.b]\nx = 1\n[a]\ny = 2"],
  ])("is what the parser reads: %s", (_, text) => {
    expect(written(read(text))).toBe(written(getStaticTOMLValue(parseTOML(text))));
  });

  it.each([
    '[mcp_servers."__proto__"]\nwaybillPolluted = "x"',
    "__proto__.waybillPolluted = 1",
    "[[__proto__]]\nwaybillPolluted = 1",
    "a = { __proto__ = { waybillPolluted = 1 } }",
    "[a.constructor.prototype]\nwaybillPolluted = 1",
  ])("has `__proto__` and `constructor` as keys like others, and changes no other object: %s", (text) => {
    expect(written(read(text))).toContain("waybillPolluted");
    expect("waybillPolluted" in {}).toBe(false);
  });
});
