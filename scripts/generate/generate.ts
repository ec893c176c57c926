import { readFile, writeFile } from "node:fs/promises";
import { checkPage, lintPage } from "./check-rules.ts";
import { docsIndex } from "./docs-index.ts";
import { errorsPage } from "./errors.ts";
import { exportsPage } from "./exports.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { houseFiles } from "./house.ts";
import { jsonSchemas } from "./json-schemas.ts";
import { lifecyclePage } from "./lifecycle.ts";
import { llmsIndex } from "../site/for-agents.ts";
import { rulesPage, rulesYaml } from "./rules.ts";
import { deviationsPage, documentPages, readmePage, sourcesPage } from "./sources.ts";
import { tokenCostsPage } from "./token-costs.ts";
import { runWalks } from "../walk/run-walks.ts";

const root = new URL("../../", import.meta.url);

async function generatedFiles(): Promise<GeneratedFile[]> {
  // A process of its own, which runs while the rest is made; what fails here is told by the one that waits for it.
  const walking = runWalks();
  walking.catch(() => undefined);
  const files = [
    ...jsonSchemas(),
    rulesYaml(),
    rulesPage(),
    errorsPage(),
    await readmePage(),
    ...(await documentPages()),
    sourcesPage(),
    deviationsPage(),
    exportsPage(),
    docsIndex(),
    llmsIndex(),
    await checkPage(),
    await lintPage(),
    await tokenCostsPage(),
    await lifecyclePage(await walking),
  ];
  return [...files, ...(await houseFiles(await walking, files))];
}

/** Generated files that differ from what the source would write now, as they should be. */
export async function staleFiles(): Promise<GeneratedFile[]> {
  const checks = (await generatedFiles()).map(async (file) => {
    const current = await readFile(new URL(file.path, root), "utf8").catch(() => "");
    return current === file.text ? [] : [file];
  });
  return (await Promise.all(checks)).flat();
}

/** Writes what is stale and gives its paths. */
export async function writeGenerated(): Promise<string[]> {
  const files = await staleFiles();
  await Promise.all(files.map(({ path, text }) => writeFile(new URL(path, root), text)));
  return files.map(({ path }) => path);
}
