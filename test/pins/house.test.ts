import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { docsWords } from "../../scripts/house/docs-words.ts";
import { drawHouse } from "../../scripts/house/draw-house.ts";
import { type House, houseOf, roomOf } from "../../scripts/house/house.ts";
import { readSources, sourcePaths } from "../../scripts/house/import-graph.ts";
import { groupsOf, longestWays } from "../../scripts/house/longest-path.ts";
import { readImports } from "../../scripts/house/read-imports.ts";
import { rooms } from "../../scripts/house/rooms.ts";
import { asMarkdown, asText, totalsTable } from "../../scripts/house/tables.ts";

const folder = mkdtempSync(join(tmpdir(), "waybill-house-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): string {
  const place = mkdtempSync(join(folder, "src-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  return place;
}

function build(files: Readonly<Record<string, string>>): House {
  return houseOf(readSources(write(files)));
}

describe("the imports of a file", () => {
  it("are static, dynamic or of types, and are read from its syntax", () => {
    const source = `
      import { a, type B } from "./value.ts";
      import "./effect.ts";
      import type { C } from "./type.ts";
      import { type D, type E } from "./types-alone.ts";
      export * from "./all.ts";
      export { f } from "./some.ts";
      export type { G } from "./exported-type.ts";
      let h: import("./in-a-type.ts").H;
      const i = async () => (await import("./later.ts")).i;
      const computed = (name: string) => import(name);
      // import { x } from "./comment.ts";
      const text = 'import { x } from "./text.ts"; import("./text.ts")';
      export const own = 1;
    `;
    expect(readImports(source).map(({ kind, specifier }) => `${kind} ${specifier}`)).toEqual([
      "static ./value.ts",
      "static ./effect.ts",
      "type ./type.ts",
      "type ./types-alone.ts",
      "static ./all.ts",
      "static ./some.ts",
      "type ./exported-type.ts",
      "type ./in-a-type.ts",
      "dynamic ./later.ts",
    ]);
  });
});

describe("the longest way down", () => {
  const graph = new Map(
    Object.entries({ top: ["a", "end"], a: ["b"], b: ["c"], c: ["b", "end"], end: [], alone: [] }).map(
      ([name, to]) => [name, new Set(to)],
    ),
  );

  it("passes nodes that lead to each other as one step", () => {
    expect(groupsOf(graph).filter(({ length }) => length > 1)).toEqual([["b", "c"]]);
    expect(longestWays(graph).get("top")).toEqual([["top"], ["a"], ["b", "c"], ["end"]]);
    expect(longestWays(graph).get("alone")).toEqual([["alone"]]);
  });
});

describe("a house", () => {
  const house = build({
    "cli/main.ts": 'import { start } from "../doors/server/index.ts";\nvoid start;\n',
    "cli/commands/other.ts": "export const other = 1;\n",
    "doors/server/index.ts":
      'import type { Call } from "../../engine/call/run.ts";\nexport const start = () => import("../../engine/call/run.ts");\n',
    "engine/call/run.ts":
      'import { parse } from "../../core/json/parse.ts";\nexport type Call = typeof parse;\n',
    "engine/call/run.test.ts": 'import "./run.ts";\nimport "../../cli/main.ts";\n',
    "engine/call/run.fixture.ts": 'import "./run.ts";\n',
    "core/json/parse.ts":
      'import type { Leaf } from "./deep/leaf.ts";\nexport const parse = (leaf: Leaf) => leaf;\n',
    "core/json/deep/leaf.ts": 'import type { parse } from "../parse.ts";\nexport type Leaf = typeof parse;',
  });

  it("has files and lines by room, without tests and fixtures", () => {
    expect(house.rooms.map(({ name, files, lines }) => [name, files, lines])).toEqual([
      ["cli", 2, 3],
      ["doors/server", 1, 2],
      ["engine/call", 1, 2],
      ["core/json", 2, 4],
    ]);
    expect({ files: house.files, lines: house.lines }).toEqual({ files: 6, lines: 11 });
  });

  it("has an edge where a room imports another, however it does", () => {
    expect(house.edges).toEqual([
      { from: "cli", to: "doors/server", static: 1, dynamic: 0, type: 0 },
      { from: "doors/server", to: "engine/call", static: 0, dynamic: 1, type: 1 },
      { from: "engine/call", to: "core/json", static: 1, dynamic: 0, type: 0 },
    ]);
    expect(house).toMatchObject({ levels: 4, cycles: [], upward: [] });
    expect(house.rooms.map(({ level }) => level)).toEqual([3, 2, 1, 0]);
  });

  it("has a longest chain of values, and one with types in which files that import each other count once", () => {
    expect(house.chains).toEqual([
      {
        from: "cli/main.ts",
        length: 4,
        path: ["cli/main.ts", "doors/server/index.ts", "engine/call/run.ts", "core/json/parse.ts"],
        lengthWithTypes: 4,
      },
      expect.objectContaining({ from: "doors/server/index.ts", length: 3, lengthWithTypes: 3 }),
    ]);
  });

  it("knows the files that one other file imports", () => {
    expect(house.oneImporter).toEqual([
      "core/json/deep/leaf.ts",
      "doors/server/index.ts",
      "engine/call/run.ts",
    ]);
  });

  it("names rooms that import each other, and floors that look up", () => {
    const wrong = build({
      "engine/call/run.ts": 'import "../guards/limit.ts";\n',
      "engine/guards/limit.ts": 'import type { Run } from "../call/run.ts";\n',
      "core/json/parse.ts": 'const later = () => import("../../engine/call/run.ts");\n',
    });
    expect(wrong.cycles).toEqual([["engine/call", "engine/guards"]]);
    expect(wrong.upward).toEqual([{ from: "core/json", to: "engine/call", static: 0, dynamic: 1, type: 0 }]);
    expect(asText(totalsTable(wrong))).toMatch(/imports from a floor above +core\/json → engine\/call/);
    expect(asMarkdown(totalsTable(wrong))).toContain(
      "| rooms that import each other | engine/call, engine/guards |",
    );
    expect(drawHouse(wrong).match(/class="line wrong"/g)).toHaveLength(1);
  });

  it("is drawn with every room, and only with lines that no other way leads around", () => {
    const around = build({
      "cli/main.ts": 'import "../doors/server/index.ts";\nimport "../core/json/parse.ts";\n',
      "doors/server/index.ts": 'import "../../core/json/parse.ts";\n',
      "core/json/parse.ts": "export const parse = 1;\n",
    });
    const drawing = drawHouse(around);
    expect(Array.from(drawing.matchAll(/class="name"[^>]*>([^<]+)/g), ([, name]) => name)).toEqual([
      "cli",
      "server",
      "json",
    ]);
    expect(Array.from(drawing.matchAll(/<title>([^<]+ → [^<]+)</g), ([, edge]) => edge)).toEqual([
      "cli → doors/server",
      "doors/server → core/json",
    ]);
    expect(drawing).not.toContain("NaN");
  });
});

describe("the words of the docs", () => {
  it("are counted by part, with pages as they will be written, and without the page that shows them", () => {
    const root = `${write({
      "README.md": "two words\n",
      "docs/first.md": "one\n",
      "docs/house.md": "not counted\n",
      "docs/decisions/why.md": "because of this\n",
      "docs/documents/one.md": "a b c d\n",
      "docs/reference/all.md": "one two three four five\n",
    })}/`;
    const words = docsWords(root, new Map([["docs/first.md", "now three words"]]));
    expect(words.total).toBe(17);
    expect(words.parts.map((part) => part.words)).toEqual([5, 3, 4, 5]);
    expect(words.longest[0]).toEqual({ page: "docs/documents/one.md", words: 4 });
  });
});

describe("the page about the house", () => {
  const root = new URL("../../", import.meta.url);
  const page = readFileSync(new URL("docs/house.md", root), "utf8");

  it("describes every room of the source: scripts/house/rooms.ts", () => {
    const found = new Set(sourcePaths(new URL("src", root).pathname).map(roomOf));
    expect([...found].filter((room) => rooms[room] === undefined)).toEqual([]);
  });

  it("names only places that exist", () => {
    const places = Array.from(page.matchAll(/`((?:src|scripts)\/[\w./-]+)`/g), ([, place = ""]) => place);
    expect(places.length).toBeGreaterThan(15);
    expect(places.filter((place) => !existsSync(new URL(place, root)))).toEqual([]);
  });
});
