// `npm run bench [name]`: builds, then runs one bench or all of them, each in its own process.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const known = readdirSync(folder)
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .map((file) => basename(file, ".ts"));
const [asked, ...rest] = process.argv.slice(2);

if (asked !== undefined && !known.includes(asked)) {
  console.error(`Unknown bench "${asked}": choose one of ${known.join(", ")}.`);
  process.exit(2);
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

run("npm", ["run", "--silent", "build"]);
// Benches of a part load it as a module of its own.
run(process.execPath, ["scripts/build.mjs", "--modules", ".cache/modules"]);
for (const name of asked === undefined ? known : [asked]) {
  console.log(`\n# bench ${name}\n`);
  run(process.execPath, ["--import", "tsx", `${folder}${name}.ts`, ...rest]);
}
