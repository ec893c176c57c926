import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readVariable, type Environment } from "./read-environment.ts";

export type CandidateStatus = "used" | "absent" | "shadowed";
export type CandidateOrigin =
  | "configPath"
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
  /**
   * The name of that file's source in messages: the option in code, or the flag of a command line. Default:
   * `configPath`.
   */
  readonly namedBy?: "configPath" | "--config" | undefined;
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
  readonly environment?: Environment | undefined;
}

type Place = Omit<Candidate, "status">;

const projectFiles = ["waybill.config.json", "waybill.config.jsonc"];

/** Lists every place where a config file may be, first match first, and marks those in use. */
export async function findConfig(options: FindConfigOptions = {}): Promise<Candidate[]> {
  return findConfigSync(options);
}

/** The synchronous form of `findConfig`. */
export function findConfigSync(options: FindConfigOptions = {}): Candidate[] {
  return [...mark(waybillPlaces(options)), ...mark(scalpelPlaces(options))];
}

/** Whether a candidate was named explicitly and not searched for. */
export function isExplicit({ origin }: Candidate): boolean {
  const named: readonly CandidateOrigin[] = [
    "configPath",
    "--config",
    "WAYBILL_CONFIG",
    "CODE_SCALPEL_RESPONSE_CONFIG",
  ];
  return named.includes(origin);
}

function waybillPlaces(options: FindConfigOptions): Place[] {
  const { cwd = process.cwd(), home = homedir(), environment = process.env } = options;
  const { configPath, namedBy = "configPath" } = options;
  const variable = readVariable(environment, "WAYBILL_CONFIG");
  const kind = "waybill";
  const places: Place[] = [];
  if (configPath !== undefined) places.push({ kind, path: resolve(cwd, configPath), origin: namedBy });
  if (variable !== undefined) places.push({ kind, path: resolve(cwd, variable), origin: "WAYBILL_CONFIG" });
  for (const [index, folder] of foldersUpwards(cwd).entries()) {
    const origin = index === 0 ? "working directory" : "parent directory";
    for (const name of projectFiles) places.push({ kind, path: join(folder, name), origin });
  }
  places.push({ kind, path: join(home, ".config", "waybill", "config.json"), origin: "home directory" });
  return places;
}

function scalpelPlaces(options: FindConfigOptions): Place[] {
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

/** The working directory and its parents, up to the root of the repository or the file system. */
function foldersUpwards(cwd: string): string[] {
  const folders: string[] = [];
  let folder = resolve(cwd);
  for (;;) {
    folders.push(folder);
    const parent = dirname(folder);
    if (parent === folder || existsSync(join(folder, ".git"))) return folders;
    folder = parent;
  }
}

function mark(places: readonly Place[]): Candidate[] {
  const found = places.map(({ path }) => isReadable(path));
  const used = found.indexOf(true);
  return places.map((place, index) => {
    const status = index === used ? "used" : found[index] === true ? "shadowed" : "absent";
    return { ...place, status };
  });
}

// True for anything but a folder: a config may come through a pipe, as in `--config <(generate)`.
function isReadable(path: string): boolean {
  return existsSync(path) && !isFolder(path);
}

/** Not that of make-folders.ts: a file that needs Node, shared with other doors, would be in a chunk that edge runtimes load. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
