// Marks what only Node can run. A chunk that needs a module of Node is loaded by `import("#node/<chunk>")`, which
// package.json maps to the chunk, and for bundles of Workers and browsers to dist/not-here.js: those bundles then name
// no module of Node, carry no client of Redis or PostgreSQL, and say what is missing only if it is asked for.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join, resolve } from "node:path";

const staticImport = /^(?:import|export)\b[^"';]*?["']([^"']+)["'];?$/gm;
const laterImport = /\bimport\(["']([^"']+)["']\)/g;

/** Packages that need Node, whether they say so by their imports or not. */
const nodePackages = new Set([
  "@redis/client",
  "chokidar",
  "@modelcontextprotocol/server/stdio",
  "pg",
  "sharp",
]);
const isBuiltin = (name) => builtinModules.includes(name.replace(/^node:/, ""));

const notHere = `// Stands for what only Node can run, in bundles for other runtimes.
throw new Error("This part of Waybill needs Node, and the bundle was made for another runtime: see docs/edge.md.");
`;

function namesIn(code, pattern) {
  return [...code.matchAll(pattern)].map(([, name]) => name);
}

/** Whether a file cannot be loaded without Node: by what it imports, and by what that imports. */
function needsNode(file, codeOf, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  const code = codeOf(file);
  if (namesIn(code, laterImport).some((name) => nodePackages.has(name))) return true;
  return namesIn(code, staticImport).some((name) => {
    if (name.startsWith(".")) return needsNode(resolve(dirname(file), name), codeOf, seen);
    return isBuiltin(name) || nodePackages.has(name);
  });
}

/** Rewrites the files of `dist` that load such chunks and do not need Node themselves. */
export function markNodeOnly(dist) {
  const codes = new Map();
  const codeOf = (file) => {
    if (!codes.has(file)) codes.set(file, readFileSync(file, "utf8"));
    return codes.get(file);
  };
  const chunks = join(dist, "chunks");
  const files = readdirSync(dist, { recursive: true })
    .filter((path) => path.endsWith(".js") && !path.startsWith("cli"))
    .map((path) => join(dist, path));
  const marked = new Set();
  const rewritten = files.map((file) => {
    const code = codeOf(file).replace(laterImport, (whole, name) => {
      const target = resolve(dirname(file), name);
      if (!name.startsWith(".") || dirname(target) !== chunks || !needsNode(target, codeOf)) return whole;
      marked.add(basename(target, ".js"));
      return `import("#node/${basename(target, ".js")}")`;
    });
    return [file, code];
  });
  for (const [file, code] of rewritten) if (code !== codeOf(file)) writeFileSync(file, code);
  writeFileSync(join(dist, "not-here.js"), notHere);
  return [...marked];
}
