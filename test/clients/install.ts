// Clients live in `.cache/clients`, apart from the package's own dependencies: an install is kept until a version changes.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LabClient } from "./client.ts";

export const cacheFolder = fileURLToPath(new URL("../../.cache/clients/", import.meta.url));

export const folderOf = ({ name, folder = name }: LabClient): string => join(cacheFolder, folder);

/** A module in the client's own folder, where its packages are found: it hands them over under the given names. */
export const doorOf = (client: LabClient): string => join(folderOf(client), "door.mjs");

/** Undefined when the client is ready, else one line that says why it is not. */
export async function install(client: LabClient, limitMs: number): Promise<string | undefined> {
  const folder = folderOf(client);
  const wanted = JSON.stringify({ private: true, type: "module", dependencies: client.packages }, null, 2);
  const receipt = join(folder, "installed.json");
  if (existsSync(receipt) && readFileSync(receipt, "utf8") === wanted) return undefined;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), wanted);
  if (client.kind === "library") {
    const lines = Object.entries(client.modules).map(
      ([name, module]) => `export * as ${name} from "${module}";\n`,
    );
    writeFileSync(doorOf(client), lines.join(""));
  }
  const problem = await npmInstall(folder, client.needsScripts === true ? [] : ["--ignore-scripts"], limitMs);
  if (problem === undefined) writeFileSync(receipt, wanted);
  return problem;
}

async function npmInstall(
  folder: string,
  more: readonly string[],
  limitMs: number,
): Promise<string | undefined> {
  const words = ["install", "--no-audit", "--no-fund", "--loglevel", "error", ...more];
  return new Promise((resolve) => {
    execFile("npm", words, { cwd: folder, timeout: limitMs }, (error, _stdout, stderr) => {
      const line = stderr.split("\n").find((each) => each.startsWith("npm error"));
      const why = error?.killed === true ? `npm took over ${limitMs / 1000} s` : (line ?? error?.message);
      resolve(error === null ? undefined : `not installed: ${why?.replace("npm error ", "")}`);
    });
  });
}
