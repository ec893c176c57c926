// The places of everything in the drawing. Rooms are put in rows, so that imports lead down. A line that passes a row has a place
// of its own in that row, beside the boxes, so that it never runs behind a box.

import { directEdges, graphAmong } from "./direct-edges.ts";
import { type Edge, floorOf, type House, type Room } from "./house.ts";
import { longestWays } from "./longest-path.ts";
import { floors } from "./rooms.ts";

export interface Box {
  readonly room: Room;
  /** Its middle. */
  readonly x: number;
  /** Its head. */
  readonly y: number;
}

export interface Line {
  readonly edge: Edge;
  /** Where it passes rows between its rooms: the middle of its place, and the row's head. */
  readonly passes: readonly { readonly x: number; readonly y: number }[];
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly bands: readonly { readonly floor: string; readonly y: number; readonly height: number }[];
  readonly boxes: ReadonlyMap<string, Box>;
  readonly lines: readonly Line[];
}

/** A room, or the place of a line in a row that it passes. */
interface Item {
  readonly name: string;
  readonly width: number;
  x: number;
  readonly above: Item[];
  readonly below: Item[];
}

export const box = { width: 196, height: 66 } as const;
const page = { width: 1240, left: 112, right: 28, top: 64, bottom: 76 } as const;
const gaps = { row: 46, floor: 26, rim: 20, item: 17 } as const;
const SWEEPS = 24;

/** The rooms of each floor in rows; from the roof to the ground. */
function rowsOf({ rooms, edges }: House): string[][][] {
  return floors.map((_, floor) => {
    const own = rooms.filter(({ name }) => floorOf(name) === floor).map(({ name }) => name);
    const ways = longestWays(graphAmong(own, edges));
    const depth = (name: string): number => ways.get(name)?.length ?? 1;
    const deepest = Math.max(0, ...own.map(depth));
    return Array.from({ length: deepest }, (__, at) => own.filter((name) => depth(name) === deepest - at));
  });
}

function makeItem(name: string, width: number): Item {
  return { name, width, x: 0, above: [], below: [] };
}

function join(upper: Item, lower: Item): void {
  upper.below.push(lower);
  lower.above.push(upper);
}

/** Puts a place into each row that an edge passes; gives these places. An edge that does not lead down has none. */
function passRows(rows: Item[][], edge: Edge): Item[] {
  const rowOf = (name: string): number => rows.findIndex((row) => row.some((item) => item.name === name));
  const find = (name: string): Item | undefined => rows[rowOf(name)]?.find((item) => item.name === name);
  const [from, to] = [find(edge.from), find(edge.to)];
  if (from === undefined || to === undefined || rowOf(edge.from) >= rowOf(edge.to)) return [];
  const places = rows.slice(rowOf(edge.from) + 1, rowOf(edge.to)).map((row) => {
    const place = makeItem(`${edge.from} → ${edge.to}`, 0);
    row.push(place);
    return place;
  });
  for (const [at, item] of [...places, to].entries()) join(places[at - 1] ?? from, item);
  return places;
}

const mean = (items: readonly Item[], otherwise: number): number =>
  items.length === 0 ? otherwise : items.reduce((sum, { x }) => sum + x, 0) / items.length;

/** As near as possible to where each wants to be, in this order and without touching (isotonic regression). */
function spread(row: readonly Item[], wanted: readonly number[]): void {
  const offsets: number[] = [];
  for (const [at, item] of row.entries()) {
    const before = row[at - 1];
    offsets.push(
      before === undefined ? 0 : (offsets[at - 1] ?? 0) + (before.width + item.width) / 2 + gaps.item,
    );
  }
  const blocks: { sum: number; count: number }[] = [];
  for (const [at, x] of wanted.entries()) {
    let block = { sum: x - (offsets[at] ?? 0), count: 1 };
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      if (last.sum / last.count <= block.sum / block.count) break;
      blocks.pop();
      block = { sum: last.sum + block.sum, count: last.count + block.count };
    }
    blocks.push(block);
  }
  const lowest = page.left + (row[0]?.width ?? 0) / 2;
  const highest = page.width - page.right - (row.at(-1)?.width ?? 0) / 2 - (offsets.at(-1) ?? 0);
  const starts = blocks.flatMap(({ sum, count }) => Array<number>(count).fill(sum / count));
  for (const [at, item] of row.entries()) {
    item.x = Math.max(lowest, Math.min(highest, starts[at] ?? 0)) + (offsets[at] ?? 0);
  }
}

/** First the order of each row, by the middles of what its items are joined to; then the places, in that order. */
function settle(rows: readonly Item[][]): void {
  const middle = (page.left + page.width - page.right) / 2;
  const room = page.width - page.left - page.right;
  const even = (row: readonly Item[]): void =>
    spread(
      row,
      row.map((_, at) => page.left + (room * (at + 0.5)) / row.length),
    );
  for (const row of rows) even(row);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const row of isDown ? rows : rows.toReversed()) {
      const pulls = new Map(row.map((item) => [item, mean(isDown ? item.above : item.below, item.x)]));
      row.sort((a, b) => (pulls.get(a) ?? 0) - (pulls.get(b) ?? 0) || (a.name < b.name ? -1 : 1));
      even(row);
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const row of sweep % 2 === 0 ? rows : rows.toReversed()) {
      const wanted = row.map((item) => mean([...item.above, ...item.below], middle));
      spread(row, wanted);
    }
  }
  // To the middle of the page as a whole, or to its left where it is wider.
  const items = rows.flat();
  const left = Math.min(...items.map(({ x, width }) => x - width / 2));
  const right = Math.max(...items.map(({ x, width }) => x + width / 2));
  const shift = Math.max(page.left - left, middle - (left + right) / 2);
  for (const item of items) item.x += shift;
}

export function layOut(house: House): Layout {
  const byFloor = rowsOf(house).map((rows) =>
    rows.map((row) => row.map((name) => makeItem(name, box.width))),
  );
  const rows = byFloor.flat();
  const places = new Map(directEdges(house).map((edge) => [edge, passRows(rows, edge)]));
  settle(rows);

  const heads = new Map<Item, number>();
  const bands: { floor: string; y: number; height: number }[] = [];
  let y: number = page.top;
  for (const [at, own] of byFloor.entries()) {
    const height = own.length * box.height + Math.max(0, own.length - 1) * gaps.row + 2 * gaps.rim;
    bands.push({ floor: floors[at] ?? "", y, height });
    for (const [line, row] of own.entries()) {
      for (const item of row) heads.set(item, y + gaps.rim + line * (box.height + gaps.row));
    }
    y += height + gaps.floor;
  }
  const items = new Map(rows.flat().map((item) => [item.name, item]));
  const boxes = new Map(
    house.rooms.flatMap((room) => {
      const item = items.get(room.name);
      return item === undefined ? [] : [[room.name, { room, x: item.x, y: heads.get(item) ?? 0 }] as const];
    }),
  );
  const lines = Array.from(places, ([edge, passed]) => ({
    edge,
    passes: passed.map((item) => ({ x: item.x, y: heads.get(item) ?? 0 })),
  }));
  const widest = Math.max(...rows.flat().map((item) => item.x + item.width / 2)) + page.right;
  return {
    width: Math.ceil(Math.max(page.width, widest)),
    height: y - gaps.floor + page.bottom,
    bands,
    boxes,
    lines,
  };
}
