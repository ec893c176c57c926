// Runs a command of this package under Node 24, whatever Node runs this script.
// The binary comes from npm as a plain package, so neither root nor a version manager is needed.
import { spawnSync } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchBinary } from "./fetch-binary.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const platform = process.platform === "win32" ? "win" : process.platform;
const binary = fetchBinary({
  title: "Node",
  folder: "node",
  name: `node-${platform}-${process.arch}`,
  version: "24.21.0",
  file: process.platform === "win32" ? "node.exe" : "node",
});

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
