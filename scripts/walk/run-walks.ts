import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Walk } from "./show-walk.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const MAX_BYTES = 64 * 1024 * 1024;
const LIMIT_MS = 170_000;

/** All journeys, in a process of their own, since a walk loads the source with probes. */
export async function runWalks(): Promise<Walk[]> {
  const args = ["--import", "tsx", fileURLToPath(new URL("main.ts", import.meta.url)), "all", "--json"];
  const options = { cwd: root, maxBuffer: MAX_BYTES, timeout: LIMIT_MS };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout) as Walk[];
}
