// `npm run house`: what the source is, in figures, and as a drawing.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runWalks } from "../walk/run-walks.ts";
import { totalsOf } from "../walk/show-walk.ts";
import { docsWords } from "./docs-words.ts";
import { drawHouse } from "./draw-house.ts";
import { houseOf } from "./house.ts";
import { readSources } from "./import-graph.ts";
import {
  asText,
  chainTable,
  edgesTable,
  floorsTable,
  roomsTable,
  totalsTable,
  walksTable,
  wordsTables,
} from "./tables.ts";

const usage = "npm run house -- [--json] [--svg FILE]";

function readArguments() {
  try {
    return parseArgs({ options: { json: { type: "boolean" }, svg: { type: "string" } } }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage}`);
    return process.exit(2);
  }
}

const { json, svg } = readArguments();
const root = fileURLToPath(new URL("../../", import.meta.url));
const house = houseOf(readSources(`${root}src`));
if (svg !== undefined) writeFileSync(svg, drawHouse(house));
const walks = await runWalks();
const words = docsWords(root);
if (json === true) {
  const walked = walks.map((walk) => ({ journey: walk.journey, says: walk.says, ...totalsOf(walk) }));
  console.log(JSON.stringify({ ...house, walks: walked, words }, null, 2));
} else {
  const tables = [
    roomsTable(house),
    edgesTable(house),
    ...house.chains.map(chainTable),
    ...wordsTables(words),
    walksTable(walks),
    floorsTable(house),
    totalsTable(house),
  ];
  console.log(tables.map(asText).join("\n\n"));
}
