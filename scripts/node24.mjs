// Runs a command of this package under Node 24, whatever Node runs this script.
// The binary comes from npm as a plain package, so neither root nor a version manager is needed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "24.21.0";
const root = fileURLToPath(new URL("..", import.meta.url));
const home = join(root, ".cache", `node-${VERSION}`);
const platform = process.platform === "win32" ? "win" : process.platform;
const name = `node-${platform}-${process.arch}`;
const binary = join(home, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");

if (!existsSync(binary)) {
  console.error(`Fetching Node ${VERSION} from npm into .cache/ …`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${VERSION}`];
  const install = spawnSync("npm", args, { cwd: home, stdio: ["ignore", "ignore", "inherit"] });
  if (install.status !== 0 || !existsSync(binary)) {
    console.error(`Could not install ${name}@${VERSION}: check the npm registry and try again.`);
    process.exit(1);
  }
}

// `node24.mjs vitest run` runs a tool of node_modules, `node24.mjs -- script.js` plain Node.
const [tool, ...rest] = process.argv.slice(2);
const entry = tool === undefined || tool === "--" ? [] : [join(root, "node_modules", tool, `${tool}.mjs`)];
const env = {
  ...process.env,
  PATH: `${dirname(binary)}${delimiter}${process.env.PATH ?? ""}`,
  WAYBILL_NODE24: binary,
};
const run = spawnSync(binary, [...entry, ...rest], {
  cwd: tool === "--" ? process.cwd() : root,
  stdio: "inherit",
  env,
});
process.exit(run.status ?? 1);
