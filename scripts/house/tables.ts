import type { Walk } from "../walk/show-walk.ts";
import { totalsOf } from "../walk/show-walk.ts";
import type { DocsWords } from "./docs-words.ts";
import { type Chain, type Edge, floorOf, type House, LONG_LINES, SHORT_LINES } from "./house.ts";
import { floors } from "./rooms.ts";

/** A title, sentences below it, and rows of words and numbers: for a terminal and for a page. */
export interface Table {
  readonly title: string;
  readonly says: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

const grouped = (value: number): string => value.toLocaleString("en-GB");

function arrow({ from, to }: Edge): string {
  return `${from} → ${to}`;
}

function listed(items: readonly string[]): string {
  return items.length === 0 ? "none" : items.join("; ");
}

export function totalsTable(house: House): Table {
  const rows = [
    ["files", grouped(house.files)],
    ["lines", grouped(house.lines)],
    ["rooms", house.rooms.length],
    ["edges between rooms", house.edges.length],
    ["levels", house.levels],
    ["rooms that import each other", listed(house.cycles.map((cycle) => cycle.join(", ")))],
    ["imports from a floor above", listed(house.upward.map(arrow))],
    ...house.chains.map(({ from, length, lengthWithTypes }) => [
      `longest import chain from ${from}`,
      `${length} files (${lengthWithTypes} with types)`,
    ]),
    ["files with one importer", house.oneImporter.length],
    [`files under ${SHORT_LINES} lines`, house.short.length],
    [`files over ${LONG_LINES} lines`, house.long.length],
  ];
  const says = [
    "Source is `src/**/*.ts` without tests, type tests and fixtures. An edge is a room that imports from another, statically, dynamically or for types.",
    "A level is one step of the longest way down. A chain counts files along static and dynamic imports; with types, files that import each other count once.",
  ];
  return { title: "Figures", says, columns: ["what", "now"], rows };
}

export function roomsTable({ rooms }: House): Table {
  return {
    title: "Rooms",
    says: [],
    columns: ["room", "what it holds", "files", "lines"],
    rows: rooms.map(({ name, says, files, lines }) => [
      name,
      says === "" ? "not described in scripts/house/rooms.ts" : says,
      files,
      grouped(lines),
    ]),
  };
}

export function floorsTable({ rooms }: House): Table {
  const rows = floors.map((floor, index) => {
    const own = rooms.filter(({ name }) => floorOf(name) === index);
    const sum = (of: "files" | "lines"): string => grouped(own.reduce((all, room) => all + room[of], 0));
    return [floor, own.length, sum("files"), sum("lines")];
  });
  return { title: "Floors", says: [], columns: ["floor", "rooms", "files", "lines"], rows };
}

export function edgesTable({ rooms, edges }: House): Table {
  const rows = rooms.map(({ name, level }) => {
    const out = edges.filter(({ from }) => from === name);
    const strong = out.filter((edge) => edge.static + edge.dynamic > 0).map(({ to }) => to);
    const types = out.filter((edge) => edge.static + edge.dynamic === 0).map(({ to }) => to);
    const used = edges.filter(({ to }) => to === name).length;
    return [name, level, used, strong.join(", "), types.join(", ")];
  });
  return {
    title: "Who imports whom",
    says: ["From the top: a room, its level, how many rooms import it, and what it imports."],
    columns: ["room", "level", "importers", "imports", "only types of"],
    rows: rows.toSorted((a, b) => Number(b[1]) - Number(a[1])),
  };
}

/** Each file imports the next. */
export function chainTable({ from, path }: Chain): Table {
  return {
    title: `The longest import chain from ${from}`,
    says: [],
    columns: ["at", "file"],
    rows: path.map((file, at) => [at + 1, file]),
  };
}

export function walksTable(walks: readonly Walk[]): Table {
  return {
    title: "Walks",
    says: [
      "The files and functions of src/ that one journey passes, and the files that more than one other file calls; `npm run walk NAME` lists them.",
    ],
    columns: ["journey", "what happens", "files", "functions", "entered more than once"],
    rows: walks.map((walk) => {
      const { files, functions, returnedTo } = totalsOf(walk);
      return [walk.journey, walk.says, files, functions, returnedTo];
    }),
  };
}

export function wordsTables({ total, parts, longest }: DocsWords): Table[] {
  return [
    {
      title: "Words of the docs",
      says: ["As `wc -w` counts them, without docs/house.md itself."],
      columns: ["part", "words"],
      rows: [...parts.map(({ part, words }) => [part, grouped(words)]), ["all", grouped(total)]],
    },
    {
      title: "The ten longest pages",
      says: [],
      columns: ["page", "words"],
      rows: longest.map(({ page, words }) => [page, grouped(words)]),
    },
  ];
}

const isNumber = (cell: string | number | undefined): boolean => /^[\d,]+$/.test(String(cell));

/** For a terminal: columns under each other, numbers to the right. */
export function asText({ title, says, columns, rows }: Table): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, at) => Math.max(...all.map((row) => String(row[at] ?? "").length)));
  const lines = all.map((row) =>
    row
      .map((cell, at) =>
        isNumber(rows[0]?.[at])
          ? String(cell).padStart(widths[at] ?? 0)
          : String(cell).padEnd(widths[at] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  return [title, ...says, "", ...lines].join("\n");
}

/** For a page, without the title: the page has its own headings. */
export function asMarkdown({ says, columns, rows }: Table): string {
  const dashes = columns.map((_, at) => (isNumber(rows[0]?.[at]) ? "--:" : "---"));
  const lines = [columns, dashes, ...rows].map((row) => `| ${row.join(" | ")} |`);
  return [...says, ...(says.length > 0 ? [""] : []), ...lines].join("\n");
}
