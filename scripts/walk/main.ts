// `npm run walk [journey]`: the files and functions that one journey passes, in order of first entry.
import { register } from "node:module";
import { parseArgs } from "node:util";
import { journeyNames, showWalk, totalsOf } from "./show-walk.ts";

const usage = `npm run walk -- [${journeyNames.join("|")}] [--files] [--json]   default: call`;

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
const journey = journeyNames.find((name) => name === asked);
if (journey === undefined) refuse(`There is no journey "${asked}".`);
if (rest.length > 0) refuse("One journey at a time.");

// Before the first file of src/ is loaded: each gets a probe in every function.
register("./probe-hook.ts", import.meta.url);
const { journeys } = await import("./journeys.ts");

const { says, walk: start } = journeys[journey];
const walk = { journey, says, files: await start() };
if (values.json === true) {
  const files = values.files === true ? walk.files.map(({ file }) => file) : walk.files;
  console.log(JSON.stringify({ ...walk, files, totals: totalsOf(walk) }, null, 2));
} else {
  console.log(showWalk(walk, { filesOnly: values.files === true }));
}
