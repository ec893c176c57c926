// Prints the path of workerd, the runtime of Cloudflare Workers, and fetches it from npm into .cache/ at first: it has
// 150 MB, and only one test runs it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "1.20261104.1";
const root = fileURLToPath(new URL("..", import.meta.url));
const home = join(root, ".cache", `workerd-${VERSION}`);
const platform = process.platform === "win32" ? "windows" : process.platform;
const name = `@cloudflare/workerd-${platform}-${process.arch === "x64" ? "64" : process.arch}`;
const file = process.platform === "win32" ? "workerd.exe" : "workerd";
const binary = join(home, "node_modules", name, "bin", file);

if (!existsSync(binary)) {
  console.error(`Fetching workerd ${VERSION} from npm into .cache/ …`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${VERSION}`];
  const install = spawnSync("npm", args, { cwd: home, stdio: ["ignore", "ignore", "inherit"] });
  if (install.status !== 0 || !existsSync(binary)) {
    console.error(`Could not install ${name}@${VERSION}: check the npm registry and try again.`);
    process.exit(1);
  }
}
console.log(binary);
