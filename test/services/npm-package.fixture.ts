import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const MAX_INSTALL_MS = 600_000;

/** Says in one line what a test does without; where services are required (WAYBILL_REQUIRE_SERVICES=1) it fails. */
function doWithout(says: string): undefined {
  if (process.env["WAYBILL_REQUIRE_SERVICES"] === "1") throw new Error(says);
  process.stderr.write(`${says}\n`);
  return undefined;
}

interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** Installed with it, in exact versions; its own optional packages are left out. */
  readonly beside?: readonly string[] | undefined;
  /** Of those, the ones that have to be compiled. */
  readonly compiled?: readonly string[] | undefined;
}

function npm(folder: string, args: readonly string[]): boolean {
  const { status } = spawnSync("npm", args, { cwd: folder, stdio: "ignore", timeout: MAX_INSTALL_MS });
  return status === 0;
}

/**
 * The folder of a package that is no dependency of ours, installed once into .cache without running its scripts;
 * undefined where it cannot be fetched.
 */
export function fetchPackage({ name, version, beside = [], compiled = [] }: NpmPackage): string | undefined {
  const folder = join(root, ".cache", `${name.split("/").at(-1)}-${version}`);
  const [installed, done] = [join(folder, "node_modules", name), join(folder, "installed")];
  if (existsSync(done)) return installed;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const flags = ["--no-save", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"];
  const isFetched = npm(folder, ["install", ...flags, `${name}@${version}`, ...beside]);
  const isReady = isFetched && (compiled.length === 0 || npm(folder, ["rebuild", ...compiled]));
  if (!isReady) return doWithout(`${name}@${version} cannot be fetched from npm: its tests are skipped.`);
  writeFileSync(done, "");
  return installed;
}

/** The binary of Node 24, fetched from npm; undefined where it cannot be. */
export function fetchNode24(): string | undefined {
  const script = join(root, "scripts/node24.mjs");
  try {
    const args = [script, "--", "-p", "process.execPath"];
    return execFileSync(process.execPath, args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  } catch {
    return doWithout("Node 24 cannot be fetched from npm: what needs it is skipped.");
  }
}
