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
 * same run are counted as they will be. Without walks, the table of walks stays as it is.
 */
export async function houseFiles(
  written: readonly GeneratedFile[],
  walks: readonly Walk[] | undefined,
): Promise<GeneratedFile[]> {
  const house = houseOf(readSources(`${root}src`));
  const words = docsWords(root, new Map(written.map((file) => [file.path, file.text])));
  const sections = (tables: readonly Table[]): string => `\n${tables.map(section).join("\n\n")}\n`;
  const places = {
    rooms: `\n${asMarkdown(roomsTable(house))}\n`,
    figures: sections([totalsTable(house), floorsTable(house), edgesTable(house), ...wordsTables(words)]),
    ...(walks && { walks: sections([walksTable(walks)]) }),
  };
  const page = await readFile(`${root}${path}`, "utf8");
  const text = Object.entries(places).reduce(
    (filled, [name, content]) => fillPlace(path, filled, name, content),
    page,
  );
  return [
    { path, text },
    { path: "docs/house.svg", text: drawHouse(house) },
  ];
}
