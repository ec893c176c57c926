import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** How this command was installed: it decides how a package is installed beside it. */
export type InstalledBy = "npx" | "global" | "project";

const FOLDER = /[\\/]node_modules[\\/]/;

/**
 * How the command at a path was installed. npx keeps what it fetches in a folder `_npx`; a project has a package.json
 * above its node_modules, and the folder of global packages has none. Undefined where neither is so, such as in a clone.
 */
export function installedBy(
  path: string = fileURLToPath(import.meta.url),
  exists: (path: string) => boolean = existsSync,
): InstalledBy | undefined {
  if (/[\\/]_npx[\\/]/.test(path)) return "npx";
  const [above, ...below] = path.split(FOLDER);
  if (above === undefined || below.length === 0) return undefined;
  if (exists(`${above}/package.json`)) return "project";
  return /[\\/](lib|npm)$/.test(above) ? "global" : undefined;
}

/** One sentence: how to get packages beside this command. `command` is what comes after `waybill`. */
export function howToInstall(
  packages: readonly string[],
  command: string,
  by: InstalledBy | undefined = installedBy(),
): string {
  const list = packages.join(" ");
  const npx = `npx -p waybill ${packages.map((one) => `-p ${one}`).join(" ")} waybill ${command}`;
  const [global, project] = [`npm i -g ${list}`, `npm i ${list}`];
  if (by === "npx") return `Run \`${npx}\`.`;
  if (by === "global") return `Run \`${global}\`, then try again.`;
  if (by === "project") return `Run \`${project}\`, then try again.`;
  return `With npx run \`${npx}\`; for a global waybill \`${global}\`; in a project \`${project}\`.`;
}
