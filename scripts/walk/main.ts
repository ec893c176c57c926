// `npm run walk [journey]`: the files and functions that one journey passes, in order of first entry.
import { register } from "node:module";
import { parseArgs } from "node:util";
import { journeyNames, showTotals, showWalk, totalsOf, type Walk } from "./show-walk.ts";

const usage = `npm run walk -- [${journeyNames.join("|")}|all] [--files] [--json]   default: call`;

function refuse(message: string): never {
  console.error(`${message}\nUsage: ${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    const options = { files: { type: "boolean" }, json: { type: "boolean" } } as const;
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

const { positionals, values } = readArguments();
const [asked = "call", ...rest] = positionals;
const names = journeyNames.filter((name) => asked === "all" || name === asked);
if (names.length === 0) refuse(`There is no journey "${asked}".`);
if (rest.length > 0) refuse("One journey at a time, or all.");

// Before the first file of src/ is loaded: each gets a probe in every function.
// A walk is one of production: what only development loads does not belong to it.
process.env["NODE_ENV"] = "production";
register("./probe-hook.ts", import.meta.url);
const { journeys } = await import("./journeys.ts");

const walks: Walk[] = [];
for (const journey of names) {
  const { says, walk } = journeys[journey];
  walks.push({ journey, says, files: await walk() });
}

if (values.json === true) {
  const shown = walks.map((walk) => {
    const files = values.files === true ? walk.files.map(({ file }) => file) : walk.files;
    return { ...walk, files, totals: totalsOf(walk) };
  });
  console.log(JSON.stringify(asked === "all" ? shown : shown[0], null, 2));
} else {
  // Of all journeys the totals are enough: together they are thousands of lines.
  const show =
    asked === "all" ? showTotals : (walk: Walk) => showWalk(walk, { filesOnly: values.files === true });
  for (const walk of walks) console.log(show(walk));
}
