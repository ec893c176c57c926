import { readFile, writeFile } from "node:fs/promises";
import { errorsPage } from "./errors.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { jsonSchemas } from "./json-schemas.ts";
import { rulesPage, rulesYaml } from "./rules.ts";

const root = new URL("../../", import.meta.url);

function generatedFiles(): GeneratedFile[] {
  return [...jsonSchemas(), rulesYaml(), rulesPage(), errorsPage()];
}

/** Paths of generated files that differ from what the source would write now. */
export async function staleFiles(): Promise<string[]> {
  const checks = generatedFiles().map(async ({ path, text }) => {
    const current = await readFile(new URL(path, root), "utf8").catch(() => "");
    return current === text ? [] : [path];
  });
  return (await Promise.all(checks)).flat();
}

export async function writeGenerated(): Promise<void> {
  await Promise.all(generatedFiles().map(({ path, text }) => writeFile(new URL(path, root), text)));
}
