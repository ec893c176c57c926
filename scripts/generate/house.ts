import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { docsWords } from "../house/docs-words.ts";
import { drawHouse } from "../house/draw-house.ts";
import { houseOf } from "../house/house.ts";
import { readSources } from "../house/import-graph.ts";
import {
  asMarkdown,
  edgesTable,
  floorsTable,
  roomsTable,
  type Table,
  totalsTable,
  walksTable,
  wordsTables,
} from "../house/tables.ts";
import type { Walk } from "../walk/show-walk.ts";
import { fillPlace } from "./fill-place.ts";
import type { GeneratedFile } from "./generated-file.ts";

const path = "docs/house.md";
const root = fileURLToPath(new URL("../../", import.meta.url));

function section(table: Table): string {
  return `### ${table.title}\n\n${asMarkdown(table)}`;
}

/**
 * The page about the source as a house, with its rooms and figures as they are now, and the drawing. Pages that are written in the
 * same run are counted as they will be.
 */
export async function houseFiles(
  walks: readonly Walk[],
  written: readonly GeneratedFile[],
): Promise<GeneratedFile[]> {
  const house = houseOf(readSources(`${root}src`));
  const words = docsWords(root, new Map(written.map((file) => [file.path, file.text])));
  const figures = [
    totalsTable(house),
    floorsTable(house),
    walksTable(walks),
    edgesTable(house),
    ...wordsTables(words),
  ];
  const page = await readFile(`${root}${path}`, "utf8");
  const withRooms = fillPlace(path, page, "rooms", `\n${asMarkdown(roomsTable(house))}\n`);
  const text = fillPlace(path, withRooms, "figures", `\n${figures.map(section).join("\n\n")}\n`);
  return [
    { path, text },
    { path: "docs/house.svg", text: drawHouse(house) },
  ];
}
