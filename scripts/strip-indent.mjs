// Takes the indentation off the built files, and the comments that name their sources: 160 kB that are not read, since
// what a reader of the package needs stands in the declarations. Lines stay lines, so stack traces still say where.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";

/** The texts of templates: what stands at the beginning of their lines belongs to them. */
function* textsIn(node) {
  if (node === null || typeof node !== "object") return;
  if (node.type === "TemplateElement") yield node;
  else for (const inner of Object.values(node)) yield* textsIn(inner);
}

function strip(code) {
  const texts = [...textsIn(parseAst(code))];
  const isInside = (place) => texts.some(({ start, end }) => start <= place && place <= end);
  return code.replaceAll(/^(?:\t+|\n|\/\/ src\/.*\n)/gm, (found, place) => (isInside(place) ? found : ""));
}

const valuesOf = (code) => JSON.stringify([...textsIn(parseAst(code))].map(({ value }) => value.raw));

/** Rewrites the files in place; throws if the text of a template would change. */
export function stripIndent(folder) {
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".js")) continue;
    const file = join(folder, path);
    const code = readFileSync(file, "utf8");
    const stripped = strip(code);
    if (valuesOf(stripped) !== valuesOf(code)) throw new Error(`A template of dist/${path} would change.`);
    writeFileSync(file, stripped);
  }
}
