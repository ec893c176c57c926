import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fillPlace } from "./fill-place.ts";
import type { GeneratedFile } from "./generated-file.ts";

const path = "docs/lifecycle.md";
const root = new URL("../../", import.meta.url);

/** In a process of its own, since the walk loads the source with probes. */
async function walkCall(): Promise<string> {
  const program = fileURLToPath(new URL("scripts/walk/main.ts", root));
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--import", "tsx", program, "call"], {
    cwd: fileURLToPath(root),
  });
  return stdout.trimEnd();
}

/** The page about a result's life, with the walk of a call as it is now; the rest is written by hand. */
export async function lifecyclePage(): Promise<GeneratedFile> {
  const page = await readFile(new URL(path, root), "utf8");
  const block = ["```", await walkCall(), "```"].join("\n");
  return { path, text: fillPlace(path, page, "walk", block) };
}
