// Everything that has to hold before a release, in order; then it packs and stops. It publishes, tags and pushes nothing.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const root = process.cwd();
const read = (file) => readFileSync(join(root, file), "utf8");
const { name, version } = JSON.parse(read("package.json"));
const outFolder = join(".cache", "release");

class Stop extends Error {}

function capture(command, args) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Stop(`${command} ${args.join(" ")} failed.`);
  return stdout;
}

function npm(...args) {
  const { status } = spawnSync("npm", args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Stop(`npm ${args.join(" ")} failed.`);
}

function tree() {
  if (capture("git", ["status", "--porcelain"]) !== "")
    throw new Stop("Something is uncommitted: commit it first.");
  const branch = capture("git", ["branch", "--show-current"]).trim();
  if (branch !== "main") throw new Stop(`A release is made from main, and this is ${branch}.`);
}

function versions() {
  const pending = readdirSync(join(root, ".changeset")).filter(
    (file) => file.endsWith(".md") && file !== "README.md",
  );
  if (pending.length > 0)
    throw new Stop(
      `${pending.length} changesets are not in the changelog yet: run \`npx changeset version\`.`,
    );
  const changelog = existsSync(join(root, "CHANGELOG.md")) ? read("CHANGELOG.md") : "";
  const [, newest = "no version"] = /^## (.+)$/m.exec(changelog) ?? [];
  if (newest !== version) throw new Stop(`CHANGELOG.md begins with ${newest}, package.json has ${version}.`);
  const locked = JSON.parse(read("package-lock.json")).version;
  if (locked !== version)
    throw new Stop(
      `package-lock.json has ${locked}, package.json ${version}: run \`npm install --package-lock-only\`.`,
    );
}

function pack() {
  mkdirSync(join(root, outFolder), { recursive: true });
  const [packed] = JSON.parse(
    capture("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", outFolder]),
  );
  const archive = join(outFolder, packed.filename);
  const sha256 = createHash("sha256")
    .update(readFileSync(join(root, archive)))
    .digest("hex");
  const folders = new Map();
  for (const { path, size } of packed.files) {
    const [top] = path.split("/");
    const { files = 0, bytes = 0 } = folders.get(top) ?? {};
    folders.set(top, { files: files + 1, bytes: bytes + size });
  }
  console.log(`${archive}: ${packed.size} bytes, ${packed.files.length} files, sha256 ${sha256}`);
  for (const [top, { files, bytes }] of folders)
    console.log(`  ${top.padEnd(14)}${files} files, ${bytes} bytes`);
  console.log(`
Nothing is published. A maintainer who may publish runs:
  npm publish ${archive} --access public
  git tag v${version} && git push origin v${version}`);
}

const steps = {
  tree,
  version: versions,
  check: () => npm("run", "check"),
  full: () => npm("run", "test:full"),
  docs: () => npm("run", "docs"),
  conformance: () => npm("run", "conformance"),
  "conformance:gateway": () => npm("run", "conformance:gateway"),
  soak: () => npm("run", "soak", "--", "--seconds", "60"),
  node24: () => npm("run", "test:node24"),
  pack,
};

const { values } = parseArgs({ options: { list: { type: "boolean" }, only: { type: "string" } } });
const wanted = values.only === undefined ? Object.keys(steps) : values.only.split(",");
const unknown = wanted.filter((step) => !Object.hasOwn(steps, step));
if (unknown.length > 0) {
  console.error(`No step is named ${unknown.join(", ")}. The steps are: ${Object.keys(steps).join(", ")}.`);
  process.exit(2);
}
if (values.list === true) {
  console.log(Object.keys(steps).join("\n"));
  process.exit(0);
}

console.log(`${name} ${version}`);
for (const step of wanted) {
  console.log(`== ${step}`);
  try {
    steps[step]();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(`== ${step}: ${error.message}`);
    process.exit(1);
  }
}
