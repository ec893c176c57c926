import { access, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readVariable, type Environment } from "./read-environment.ts";

export type CandidateStatus = "used" | "absent" | "shadowed";
export type CandidateOrigin =
  | "--config"
  | "WAYBILL_CONFIG"
  | "CODE_SCALPEL_RESPONSE_CONFIG"
  | "working directory"
  | "parent directory"
  | "home directory";

/** A place where a config file may be, and whether it is in use. */
export interface Candidate {
  readonly kind: "waybill" | "scalpel";
  readonly path: string;
  readonly origin: CandidateOrigin;
  readonly status: CandidateStatus;
}

export interface FindConfigOptions {
  /** The file named on the command line or by the program. */
  readonly configPath?: string | undefined;
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
  readonly environment?: Environment | undefined;
}

type Place = Omit<Candidate, "status">;

const projectFiles = ["waybill.config.json", "waybill.config.jsonc"];

/** Lists every place a config file may be, first match first, and marks the ones in use. */
export async function findConfig(options: FindConfigOptions = {}): Promise<Candidate[]> {
  const [waybill, scalpel] = await Promise.all([waybillPlaces(options), scalpelPlaces(options)]);
  return [...(await mark(waybill)), ...(await mark(scalpel))];
}

/** Whether a candidate was named by someone rather than looked for. */
export function isExplicit({ origin }: Candidate): boolean {
  return origin === "--config" || origin === "WAYBILL_CONFIG" || origin === "CODE_SCALPEL_RESPONSE_CONFIG";
}

async function waybillPlaces(options: FindConfigOptions): Promise<Place[]> {
  const { cwd = process.cwd(), home = homedir(), environment = process.env, configPath } = options;
  const variable = readVariable(environment, "WAYBILL_CONFIG");
  const kind = "waybill";
  const places: Place[] = [];
  if (configPath !== undefined) places.push({ kind, path: resolve(cwd, configPath), origin: "--config" });
  if (variable !== undefined) places.push({ kind, path: resolve(cwd, variable), origin: "WAYBILL_CONFIG" });
  for (const [index, folder] of (await foldersUpwards(cwd)).entries()) {
    const origin = index === 0 ? "working directory" : "parent directory";
    for (const name of projectFiles) places.push({ kind, path: join(folder, name), origin });
  }
  places.push({ kind, path: join(home, ".config", "waybill", "config.json"), origin: "home directory" });
  return places;
}

async function scalpelPlaces(options: FindConfigOptions): Promise<Place[]> {
  const { cwd = process.cwd(), home = homedir(), environment = process.env } = options;
  const name = "CODE_SCALPEL_RESPONSE_CONFIG";
  const variable = readVariable(environment, name);
  const kind = "scalpel";
  const file = "response_config.json";
  const places: Place[] = [
    { kind, path: resolve(cwd, ".code-scalpel", file), origin: "working directory" },
    { kind, path: join(home, ".config", "code-scalpel", file), origin: "home directory" },
  ];
  return variable === undefined ? places : [{ kind, path: resolve(cwd, variable), origin: name }, ...places];
}

/** The working directory and its parents, up to the repository's root or the file system's. */
async function foldersUpwards(cwd: string): Promise<string[]> {
  const folders: string[] = [];
  let folder = resolve(cwd);
  for (;;) {
    folders.push(folder);
    const parent = dirname(folder);
    if (parent === folder || (await exists(join(folder, ".git")))) return folders;
    folder = parent;
  }
}

async function mark(places: readonly Place[]): Promise<Candidate[]> {
  const found = await Promise.all(places.map(({ path }) => isReadable(path)));
  const used = found.indexOf(true);
  return places.map((place, index) => {
    const status = index === used ? "used" : found[index] === true ? "shadowed" : "absent";
    return { ...place, status };
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

// Anything but a folder: a config may come through a pipe, as in `--config <(generate)`.
async function isReadable(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => !stats.isDirectory(),
    () => false,
  );
}
