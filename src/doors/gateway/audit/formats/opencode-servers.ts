import { lstatSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Machine } from "../../state-folder.ts";
import { clientPlaces } from "../../wrap/client-configs.ts";
import { readJsonConfig } from "../../wrap/read-json-config.ts";
import type { ServerNames } from "./history-format.ts";

const MAX_CONFIG_BYTES = 1024 * 1024;
/** Projects whose configuration is looked at. */
const MAX_PROJECTS = 1_000;

/** The names of opencode's servers: in its history a name and a tool's name are one word. */
export function openCodeServers(machine: Machine): ServerNames {
  const ofUser = clientPlaces(machine)
    .filter(({ client }) => client === "opencode")
    .flatMap(({ path }) => namesIn(path));
  const known = new Map<string | undefined, readonly string[]>([[undefined, longestFirst(ofUser)]]);
  return (project) => {
    const names = known.get(project);
    if (names !== undefined) return names;
    if (project === undefined || !isAbsolute(project) || known.size > MAX_PROJECTS)
      return longestFirst(ofUser);
    const files = ["opencode.json", "opencode.jsonc"].map((name) => join(project, name));
    const all = longestFirst([...ofUser, ...files.flatMap(namesIn)]);
    known.set(project, all);
    return all;
  };
}

const longestFirst = (names: readonly string[]): readonly string[] =>
  [...new Set(names)].sort((one, other) => other.length - one.length);

/** A project's folder is named by a history: only an ordinary, short file in it is opened. */
function namesIn(file: string): readonly string[] {
  try {
    const stat = lstatSync(file);
    if (!stat.isFile() || stat.size > MAX_CONFIG_BYTES) return [];
    return readJsonConfig(readFileSync(file, "utf8")).entries.map(({ name }) => name);
  } catch {
    return [];
  }
}
