import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The package as its name finds it from within the compiled copy. */
const manifest = {
  name: "waybill",
  type: "module",
  exports: {
    ".": "./src/index.js",
    "./config": "./src/engine/settings/index.js",
    "./digest": "./src/engine/digest/index.js",
    "./server": "./src/doors/server/index.js",
    "./package.json": "./package.json",
  },
};

async function build(): Promise<string> {
  // Inside the checkout, so that node_modules is found.
  await mkdir(join(root, ".cache"), { recursive: true });
  const folder = await mkdtemp(join(root, ".cache", "workshop-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const project = fileURLToPath(new URL("./tsconfig.workshop.json", import.meta.url));
  const tsc = join(root, "node_modules", ".bin", "tsc");
  await promisify(execFile)(tsc, ["-p", project, "--outDir", folder], { cwd: root });
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const data = ["data", "waybill.config.jsonc", ".code-scalpel"].map((name) => `examples/workshop/${name}`);
  for (const path of [...data, "vocabulary"]) {
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
  return join(folder, "examples", "workshop");
}

let built: Promise<string> | undefined;

/**
 * The folder of the workshop compiled to JavaScript, once a test process. The journeys start it dozens of times, and
 * compiling anew at every start would take most of their time.
 */
export function buildWorkshop(): Promise<string> {
  built ??= build();
  return built;
}
