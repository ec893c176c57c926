// Builds dist/: JavaScript by rolldown, one file for each entry plus shared chunks, declarations by tsc, and the page of
// the gateway's dashboard by Vite.
// Entries are what package.json names, and the files of worker threads. No other file's name matters here, so files
// may move and merge freely. `--modules <folder>` writes one module a source file instead, for the benches.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { chunkNames } from "./chunk-names.mjs";
import { markPure } from "./mark-pure.mjs";
import { markNodeOnly } from "./node-only.mjs";
import { stripIndent } from "./strip-indent.mjs";
import { sourceOfUsed } from "./used-of-zod.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/**
 * With these and what they import, `waybill gateway` starts its server, any command reads its line, and the first answer
 * is counted. No other part of a door is loaded for it.
 */
const firstModules = [
  "cli/early-server.ts",
  "cli/run.ts",
  "core/tokens/create-counter.ts",
  "doors/gateway/upstream/child-upstream.ts",
  "doors/gateway/bridge/stdio.ts",
];
/** Threads' files. Nothing imports them: the code that starts one looks for it in dist/. They may be anywhere in src/. */
const workers = ["document-worker.ts", "question-worker.ts", "result-worker.ts", "schema-worker.ts"];

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** The doors and the workers, by their names in dist/ without the ending. */
function libraryEntries() {
  const doors = Object.values(manifest.exports).flatMap((target) => target.default ?? []);
  const files = readdirSync(join(root, "src"), { recursive: true });
  const threads = workers.map((name) => {
    const found = files.find((path) => basename(path) === name);
    if (found === undefined)
      throw new Error(`No ${name} in src/: mend the list of workers in scripts/build.mjs.`);
    return [basename(name, ".ts"), join(root, "src", found)];
  });
  return Object.fromEntries([...doors.map((target) => [nameOf(target), sourceOf(target)]), ...threads]);
}

function nameOf(target) {
  return target.replace(/^\.\/dist\/(.*)\.js$/, "$1");
}

function sourceOf(target) {
  return join(root, "src", `${nameOf(target)}.ts`);
}

/**
 * Dependencies stay outside: they are installed beside us, shared with others and mended without us. Two are brought in:
 * the form of jsonc-parser that Node loads cannot be bundled by those who bundle their server, and of entities a table of
 * 40 kB is used.
 */
function isDependency(id) {
  return !id.startsWith(".") && !isAbsolute(id) && id !== "jsonc-parser" && id !== "entities/decode";
}

async function write(input, output) {
  const build = await rolldown({
    cwd: root,
    platform: "neutral",
    resolve: { mainFields: ["module", "main"] },
    // The server exports its stores and opens the configured one when it is needed: both are meant.
    checks: { ineffectiveDynamicImport: false },
    ...input,
  });
  // What a reader of the package needs is in the declarations; comments would be a quarter of each file.
  const comments = { legal: true, annotation: true, jsdoc: false };
  const written = await build.write({ dir: dist, entryFileNames: "[name].js", comments, ...output });
  await build.close();
  return written;
}

/** One graph for the doors, the threads and the command: what several of them need is in dist/ once. */
async function bundle() {
  const doors = libraryEntries();
  const programs = Object.values(manifest.bin);
  const commands = Object.fromEntries(programs.map((target) => [nameOf(target), sourceOf(target)]));
  const input = { ...doors, ...commands };
  const exported = new Map();
  const external = (id) => isDependency(id) && id !== "zod/mini";
  const plugin = {
    name: "waybill",
    resolveId: (id) => (id === "zod/mini" ? { id: "#zod", external: true } : null),
    moduleParsed: ({ id, exports }) => void exported.set(id, exports),
    renderChunk: (code) => markPure(code),
  };
  const first = firstModules.map((path) => join(root, "src", path));
  const name = chunkNames(doors, commands, first);
  const groups = [{ debugName: "by door", name, includeDependenciesRecursively: false }];
  // A file that only passes on what another chunk has lists no modules, but the one that it was made from.
  const isOfCommand = ({ moduleIds, facadeModuleId }) =>
    [facadeModuleId, ...moduleIds].every(
      (id) => id?.startsWith(join(root, "src/cli/")) ?? moduleIds.length > 0,
    );
  const chunkFileNames = (chunk) => (isOfCommand(chunk) ? "cli/[name].js" : "chunks/[name].js");
  const { output } = await write(
    { input, external, plugins: [plugin], preserveEntrySignatures: "allow-extension" },
    { chunkFileNames, codeSplitting: { groups } },
  );
  if (markNodeOnly(dist).length === 0) throw new Error("No chunk needs Node: look at scripts/node-only.mjs.");
  copyFileSync(join(root, "node_modules/jsonc-parser/LICENSE.md"), join(dist, "LICENSE-jsonc-parser.md"));
  copyFileSync(join(root, "node_modules/entities/LICENSE"), join(dist, "LICENSE-entities.txt"));
  // A name that a chunk needed from an entry would become public.
  for (const [name, source] of Object.entries(input)) {
    const built = output.find(({ fileName }) => fileName === `${name}.js`);
    const extra = built.exports.filter((one) => !exported.get(source).includes(one));
    if (extra.length > 0) throw new Error(`dist/${name}.js would export ${extra.join(", ")}.`);
  }
  await bundleZod(output.map(({ code }) => code));
  // npm sets the bit on install, a fresh clone does not.
  for (const target of programs) chmodSync(join(root, target), 0o755);
}

/**
 * What we use of Zod in one file: as it is installed it brings fifty files of translations, which take as long to load
 * as Node itself. package.json gives the name `#zod` to this file, and in bundles for Workers and browsers to the
 * installed package, which those share with their own schemas.
 */
async function bundleZod(codes) {
  const source = sourceOfUsed(codes, await import("zod/mini"));
  const plugin = {
    name: "zod",
    resolveId: (id) => (id === "used-of-zod" ? id : null),
    load: (id) => (id === "used-of-zod" ? source : null),
  };
  await write({ input: { "chunks/zod": "used-of-zod" }, plugins: [plugin] });
  copyFileSync(join(root, "node_modules/zod/LICENSE"), join(dist, "LICENSE-zod.txt"));
}

/** Declarations of what an entry leads to; the others describe what cannot be imported. */
function declare() {
  const all = join(root, ".cache", "declarations");
  rmSync(all, { recursive: true, force: true });
  run("npx", ["--no-install", "tsc", "-p", "tsconfig.build.json", "--emitDeclarationOnly", "--outDir", all]);
  const reached = new Set();
  const pending = Object.values(manifest.exports).flatMap(({ types }) => types?.replace("./dist/", "") ?? []);
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    mkdirSync(join(dist, dirname(path)), { recursive: true });
    const code = readFileSync(join(all, path), "utf8");
    // tsc indents by four spaces, a tenth of the file.
    writeFileSync(
      join(dist, path),
      code.replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4)),
    );
    for (const [, name] of code.matchAll(/(?:from |import\()"(\.[^"]+)"/g))
      pending.push(join(dirname(path), name.replace(/\.[jt]s$/, ".d.ts")));
  }
}

/** The gateway's dashboard into dist/dashboard. Only files of its own are loaded by it. */
function buildPage() {
  const config = ["--config", "dashboard/vite.config.ts", "--logLevel", "warn"];
  run("npx", ["--no-install", "vite", "build", ...config]);
}

run(process.execPath, ["scripts/vocabulary.mjs"]);
const modules = process.argv.indexOf("--modules");
if (modules === -1) {
  rmSync(dist, { recursive: true, force: true });
  await bundle();
  stripIndent(dist);
  // It empties its folder first; declarations of src/doors/gateway/dashboard come to stand beside it.
  buildPage();
  declare();
} else {
  const folder = process.argv[modules + 1];
  run("npx", [
    "--no-install",
    "tsc",
    "-p",
    "tsconfig.build.json",
    "--declaration",
    "false",
    "--outDir",
    folder,
  ]);
}
