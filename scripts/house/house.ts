import type { SourceFile } from "./import-graph.ts";
import { type Graph, groupsOf, longestWays } from "./longest-path.ts";
import type { ImportKind } from "./read-imports.ts";
import { floors, rooms as described } from "./rooms.ts";

export interface Room {
  readonly name: string;
  readonly says: string;
  readonly files: number;
  readonly lines: number;
  /** How many rooms the longest way down from here passes; 0 imports no other room. */
  readonly level: number;
}

/** One room imports from another; the numbers are pairs of files. */
export type Edge = { readonly from: string; readonly to: string } & Readonly<Record<ImportKind, number>>;

/** The longest way from a file to one that imports nothing. */
export interface Chain {
  readonly from: string;
  /** Static and dynamic imports. */
  readonly length: number;
  readonly path: readonly string[];
  /** Imports of types too; files that import each other count once. */
  readonly lengthWithTypes: number;
}

export interface House {
  readonly rooms: readonly Room[];
  readonly edges: readonly Edge[];
  /** Rooms that import each other, directly or through others. */
  readonly cycles: readonly (readonly string[])[];
  /** Imports of a floor from one above it. */
  readonly upward: readonly Edge[];
  readonly levels: number;
  readonly chains: readonly Chain[];
  readonly files: number;
  readonly lines: number;
  /** Files that exactly one other file imports. */
  readonly oneImporter: readonly string[];
  readonly short: readonly string[];
  readonly long: readonly string[];
}

export const SHORT_LINES = 60;
export const LONG_LINES = 250;
const chainStarts = ["cli/main.ts", "doors/server/index.ts"];

/** `core/json/table/read-table.ts` belongs to `core/json`; the command line is one room. */
export function roomOf(path: string): string {
  const [floor = "", room = "", ...rest] = path.split("/");
  return room === "" || floor === "cli" || rest.length === 0 ? floor : `${floor}/${room}`;
}

/** 0 is the roof, which has the list of public names too. */
export function floorOf(room: string): number {
  const at = floors.findIndex((floor) => floor === room.split("/")[0]);
  return Math.max(at, 0);
}

function graphOf(files: readonly SourceFile[], kinds: readonly ImportKind[]): Graph {
  return new Map(
    files.map(({ path, imports }) => [
      path,
      new Set(imports.filter(({ kind }) => kinds.includes(kind)).map(({ to }) => to)),
    ]),
  );
}

function edgesOf(files: readonly SourceFile[]): Edge[] {
  const edges = new Map<string, { from: string; to: string } & Record<ImportKind, number>>();
  for (const { path, imports } of files) {
    for (const { to: target, kind } of imports) {
      const [from, to] = [roomOf(path), roomOf(target)];
      if (from === to) continue;
      const edge = edges.get(`${from} ${to}`) ?? { from, to, static: 0, dynamic: 0, type: 0 };
      edges.set(`${from} ${to}`, edge);
      edge[kind]++;
    }
  }
  return [...edges.values()];
}

/** Rooms in the order of their descriptions, and then those without one. */
function orderOf(names: Iterable<string>): string[] {
  const known = Object.keys(described);
  const place = (name: string): number => (known.includes(name) ? known.indexOf(name) : known.length);
  return [...names].toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

function oneImporterOf(files: readonly SourceFile[]): string[] {
  const importers = new Map<string, number>();
  for (const { imports } of files) {
    for (const to of new Set(imports.map((one) => one.to))) importers.set(to, (importers.get(to) ?? 0) + 1);
  }
  return files.map(({ path }) => path).filter((path) => importers.get(path) === 1);
}

/** What can be said of the source by reading it. */
export function houseOf(files: readonly SourceFile[]): House {
  const edges = edgesOf(files);
  const names = orderOf(new Set(files.map(({ path }) => roomOf(path))));
  const graph: Graph = new Map(
    names.map((name) => [name, new Set(edges.filter(({ from }) => from === name).map(({ to }) => to))]),
  );
  const down = longestWays(graph);
  const rooms = names.map((name) => {
    const own = files.filter(({ path }) => roomOf(path) === name);
    return {
      name,
      says: described[name] ?? "",
      files: own.length,
      lines: own.reduce((sum, { lines }) => sum + lines, 0),
      level: (down.get(name)?.length ?? 1) - 1,
    };
  });
  const byValue = longestWays(graphOf(files, ["static", "dynamic"]));
  const withTypes = longestWays(graphOf(files, ["static", "dynamic", "type"]));
  const chains = chainStarts.flatMap((from) => {
    const way = byValue.get(from);
    if (way === undefined) return [];
    const path = way.map((group) => (group.length === 1 ? (group[0] ?? "") : `[${group.join(", ")}]`));
    return [{ from, length: way.length, path, lengthWithTypes: withTypes.get(from)?.length ?? 0 }];
  });
  return {
    rooms,
    edges: edges.toSorted(
      (a, b) => names.indexOf(a.from) - names.indexOf(b.from) || names.indexOf(a.to) - names.indexOf(b.to),
    ),
    cycles: groupsOf(graph).filter(({ length }) => length > 1),
    upward: edges.filter(({ from, to }) => floorOf(to) < floorOf(from)),
    levels: Math.max(0, ...rooms.map(({ level }) => level + 1)),
    chains,
    files: files.length,
    lines: rooms.reduce((sum, { lines }) => sum + lines, 0),
    oneImporter: oneImporterOf(files),
    short: files.filter(({ lines }) => lines < SHORT_LINES).map(({ path }) => path),
    long: files.filter(({ lines }) => lines > LONG_LINES).map(({ path }) => path),
  };
}
