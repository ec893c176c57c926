// Servers that are no dependency of ours: fetched from npm once, in fixed versions, into `.cache`.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../.cache/bench-servers/", import.meta.url));

/** No page of ours was written with them in mind. */
const packages = { "@angular/cli": "21.2.27", "@drawio/mcp": "1.6.1", "mcp-json": "1.0.0" };

const LIMIT_MS = 600_000;

/** A file of a fetched package. */
export function fetchedFile(path: string): string {
  return join(folder, "node_modules", path);
}

/** Undefined when they are there, else one line that says why they are not. */
export async function fetchServers(): Promise<string | undefined> {
  const wanted = JSON.stringify({ private: true, dependencies: packages }, null, 2);
  const receipt = join(folder, "installed.json");
  if (existsSync(receipt) && readFileSync(receipt, "utf8") === wanted) return undefined;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), wanted);
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  const problem = await new Promise<string | undefined>((resolve) => {
    execFile("npm", words, { cwd: folder, timeout: LIMIT_MS }, (error, _stdout, stderr) => {
      const line = stderr.split("\n").find((each) => each.startsWith("npm error"));
      resolve(error === null ? undefined : (line ?? error.message));
    });
  });
  if (problem === undefined) writeFileSync(receipt, wanted);
  return problem;
}
