import { readFile, writeFile } from "node:fs/promises";
import { commandsPage } from "./commands.ts";
import { configurationPage, settingsPage } from "./configuration.ts";
import { docsIndex } from "./docs-index.ts";
import { errorCodesPage, errorsPage } from "./errors.ts";
import { exportsPage } from "./exports.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { houseFiles } from "./house.ts";
import { jsonSchemas } from "./json-schemas.ts";
import { lifecyclePage } from "./lifecycle.ts";
import { llmsIndex } from "../site/for-agents.ts";
import { readersPage } from "./readers.ts";
import { rulesPage, rulesYaml } from "./rules.ts";
import { deviationsPage, documentPages, readmePage, sourcesPage, statementsPage } from "./sources.ts";
import { tokenCostsPage } from "./token-costs.ts";
import { runWalks } from "../walk/run-walks.ts";

const root = new URL("../../", import.meta.url);

/** Pages that are written from walks take ten seconds, and a process of their own that runs while the rest is made. */
export interface GenerateOptions {
  readonly withWalks: boolean;
}

async function generatedFiles({ withWalks }: GenerateOptions): Promise<GeneratedFile[]> {
  const walking = withWalks ? runWalks() : undefined;
  // What fails there is told by the one that waits for it.
  walking?.catch(() => undefined);
  const files = [
    ...jsonSchemas(),
    rulesYaml(),
    rulesPage(),
    readersPage(),
    await errorsPage(),
    errorCodesPage(),
    commandsPage(),
    await configurationPage(),
    settingsPage(),
    await readmePage(),
    ...(await documentPages()),
    sourcesPage(),
    statementsPage(),
    deviationsPage(),
    exportsPage(),
    docsIndex(),
    llmsIndex(),
    await tokenCostsPage(),
  ];
  const walks = await walking;
  const walked = walks === undefined ? files : [...files, await lifecyclePage(walks)];
  return [...walked, ...(await houseFiles(walked, walks))];
}

/** Generated files that differ from what the source would write now, as they should be. */
export async function staleFiles(options: GenerateOptions = { withWalks: true }): Promise<GeneratedFile[]> {
  const checks = (await generatedFiles(options)).map(async (file) => {
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
