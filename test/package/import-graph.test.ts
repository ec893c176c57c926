import { readFileSync, readdirSync } from "node:fs";
import { builtinModules } from "node:module";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, it } from "vitest";
import type * as Waybill from "../../src/index.ts";

const root = new URL("../../", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  exports: Record<string, string | { default: string }>;
  imports: Record<string, Record<string, string>>;
  bin: Record<string, string>;
};

// At the start of a line or of an expression: a sentence that says `from "x"` is no import.
const staticImport = /^(?:import|export)\b[^"';]*?["']([^"']+)["'];?$/gm;
const dynamicImport = /\bimport\(["']([^"']+)["']\)/g;

interface Reached {
  readonly modules: Set<string>;
  readonly packages: Set<string>;
}

/** Every module an entry of the built package reaches, and every package it names; without what `isApart`. */
function reach(entry: URL, options: ReachOptions = {}): Reached {
  const { later = true, isApart = () => false, condition = "default" } = options;
  const modules = new Set<string>();
  const packages = new Set<string>();
  const queue = [entry];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (modules.has(at.href) || isApart(at.href)) continue;
    modules.add(at.href);
    const source = readFileSync(at, "utf8");
    const found = [...source.matchAll(staticImport), ...(later ? source.matchAll(dynamicImport) : [])];
    for (const [, name = ""] of found) {
      const target = name.startsWith("#") ? mapped(name, condition) : name;
      if (target.startsWith(".")) queue.push(new URL(target, name.startsWith("#") ? root : at));
      else packages.add(target);
    }
  }
  return { modules, packages };
}

/** What package.json makes of `#zod`, and of `#node/` with the name of a chunk that only Node can run. */
function mapped(name: string, condition: string): string {
  const [, folder = name, chunk = ""] = /^(#node\/)(.+)$/.exec(name) ?? [];
  const target = manifest.imports[chunk === "" ? folder : `${folder}*`]?.[condition];
  if (target === undefined) throw new Error(`package.json has no ${condition} for ${name}`);
  return target.replace("*", chunk);
}

interface ReachOptions {
  /** The condition that a bundler sets: Workers and browsers get no chunk that needs Node. */
  readonly condition?: string;
  /** Whether what is loaded later counts. */
  readonly later?: boolean;
  readonly isApart?: (module: string) => boolean;
}

function entryOf(subpath: string): URL {
  const target = manifest.exports[subpath];
  if (typeof target !== "object") throw new Error(`${subpath} has no entry`);
  return new URL(target.default, root);
}

const isBuiltin = (name: string): boolean => builtinModules.includes(name.replace(/^node:/, ""));
const atOnce = (entry: URL): Reached => reach(entry, { later: false });
const packagesAtOnce = (subpath: string): string[] =>
  [...atOnce(entryOf(subpath)).packages].filter((name) => !isBuiltin(name)).sort();

const ownZod = new URL("dist/chunks/zod.js", root).href;
const readers = ["unpdf", "linkedom/worker", "@mozilla/readability", "htmlparser2", "markdown-it"];

describe("the built import graph", () => {
  it("of the root entry names Zod and nothing else: no Node built-in, no other package", () => {
    expect([...reach(entryOf("."), { condition: "browser" }).packages]).toEqual(["zod/mini"]);
    const inNode = reach(entryOf("."));
    expect([...inNode.packages]).toEqual([]);
    expect([...inNode.modules]).toContain(ownZod);
  });

  it("has our part of Zod as one file, with what is used of it: no translations, no schemas of others", () => {
    const code = readFileSync(new URL(ownZod), "utf8");
    expect(code.match(/^import\b/gm)).toBeNull();
    expect(code.length).toBeLessThan(80_000);
  });

  it("of the client entry names Zod and the language of questions, and both only in what it loads later", () => {
    const entry = entryOf("./client");
    const bundled = reach(entry, { condition: "browser" }).packages;
    expect([...bundled].sort()).toEqual(["@jmespath-community/jmespath", "zod/mini"]);
    expect([...atOnce(entry).packages]).toEqual([]);
    expect([...atOnce(entry).modules]).not.toContain(ownZod);
  });

  it("of the digest entry needs nothing of Node for a document at hand", () => {
    const entry = entryOf("./digest");
    const statics = atOnce(entry);
    expect([...statics.packages]).toEqual([]);
    // Readers of HTML, PDF and odd charsets are loaded by the first document that needs them; only a URL needs Node.
    const fetching = atOnce(entryOf("./fetching")).modules;
    const isApart = (module: string): boolean => fetching.has(module) && !statics.modules.has(module);
    const named = [...reach(entry, { isApart }).packages];
    expect(named.filter(isBuiltin)).toEqual([]);
    expect(named).toEqual(expect.arrayContaining([...readers, "chardet"]));
  });

  // One of them is our part of Zod, instead of some sixty files of the package.
  it.each([
    [".", 9],
    ["./server", 14],
    ["./web", 16],
    ["./client", 4],
    ["./digest", 9],
    ["./fetching", 8],
    ["./gateway", 17],
    ["./check", 18],
    ["./testing", 16],
    ["./config", 11],
  ])("of %s loads at most %i files of ours at once", (subpath, most) => {
    const { modules } = atOnce(entryOf(subpath));
    expect(modules.size).toBeLessThanOrEqual(most);
    expect(modules.size).toBeGreaterThan(1);
  });

  it("of the command loads next to nothing before it knows what is asked", () => {
    const { modules, packages } = atOnce(new URL(manifest.bin["waybill"] ?? "", root));
    expect([...packages].filter((name) => !isBuiltin(name))).toEqual([]);
    expect(modules.size).toBeLessThanOrEqual(4);
  });

  it("of the server entry names no module of Node before one is needed", () => {
    const named = [...atOnce(entryOf("./server")).packages];
    expect(named.filter(isBuiltin)).toEqual([]);
    const later = [...reach(entryOf("./server")).packages];
    expect(later.filter(isBuiltin)).toEqual(expect.arrayContaining(["node:fs", "node:http"]));
  });

  it.each(["workerd", "edge-light", "worker", "browser"])(
    "of the server, digest and client entry names no module of Node at all in a bundle for %s",
    (condition) => {
      for (const subpath of [".", "./server", "./client", "./digest"]) {
        const { packages } = reach(entryOf(subpath), { condition });
        const nodes = ["@redis/client", "chokidar", "@modelcontextprotocol/server/stdio", "pg", "sharp"];
        expect([...packages].filter((name) => isBuiltin(name) || nodes.includes(name))).toEqual([]);
      }
    },
  );

  it("of the server and of the testing entry leaves observers, limiters, readers and Redis for later", () => {
    expect(packagesAtOnce("./server")).toEqual([]);
    expect(packagesAtOnce("./testing")).toEqual([]);
    const later = [...reach(entryOf("./server")).packages];
    expect(later).toEqual(
      expect.arrayContaining([
        "@opentelemetry/api",
        "@redis/client",
        "pg",
        "rate-limiter-flexible",
        "sharp",
        "unpdf",
      ]),
    );
  });

  it("of no entry and of no worker names a reader of HTML, Markdown or PDF before a document needs it", () => {
    const workers = ["document-worker", "question-worker", "result-worker", "schema-worker"];
    const entries = [
      ...Object.keys(manifest.exports)
        .filter((path) => typeof manifest.exports[path] === "object")
        .map(entryOf),
      ...workers.map((name) => new URL(`dist/${name}.js`, root)),
    ];
    for (const entry of entries)
      expect([...atOnce(entry).packages].filter((name) => readers.includes(name))).toEqual([]);
    // Of those that never digest, none leads to one at all.
    for (const subpath of [".", "./client", "./fetching", "./config"])
      expect([...reach(entryOf(subpath)).packages].filter((name) => readers.includes(name))).toEqual([]);
  });

  it("asks for each reader in a form that tells bundlers that it may be missing", () => {
    const files = readdirSync(new URL("dist/chunks/", root)).map((file) =>
      readFileSync(new URL(`dist/chunks/${file}`, root), "utf8"),
    );
    const asked = files.flatMap((text) => [...text.matchAll(/\bimport\("([^"]+)"\)(\.catch\()?/g)]);
    const found = asked.filter(([, name = ""]) => readers.includes(name));
    expect(new Set(found.map(([, name]) => name))).toEqual(new Set(readers));
    expect(found.filter(([, , handled]) => handled === undefined)).toEqual([]);
  });

  it("of every entry names only declared packages", () => {
    const declared = new Set([
      "zod",
      "@modelcontextprotocol/server",
      "@modelcontextprotocol/server/stdio",
      "zod/mini",
      "commander",
      "picocolors",
      "chokidar",
      "@jmespath-community/jmespath",
      "@modelcontextprotocol/server",
      "@modelcontextprotocol/server/stdio",
      "@opentelemetry/api",
      "@redis/client",
      "pg",
      "re2js",
      "rate-limiter-flexible",
      "@mozilla/readability",
      "chardet",
      "htmlparser2",
      "ipaddr.js",
      "linkedom/worker",
      "markdown-it",
      "unpdf",
      "sharp",
      "cross-spawn",
      "jose",
      "@modelcontextprotocol/client",
      "@napi-rs/keyring",
    ]);
    const subpaths = Object.keys(manifest.exports).filter(
      (path) => typeof manifest.exports[path] === "object",
    );
    const named = subpaths.flatMap((path) => [...reach(entryOf(path)).packages]);
    const stray = named.filter((name) => !declared.has(name) && !isBuiltin(name));
    expect(stray).toEqual([]);
  });
});

describe("the client's declarations", () => {
  it("name no any", () => {
    const folder = new URL("dist/doors/client/", root);
    const files = readdirSync(folder).filter((file) => file.endsWith(".d.ts"));
    const loose = files.filter((file) => {
      const code = readFileSync(new URL(file, folder), "utf8").replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
      return /\bany\b/.test(code);
    });
    expect(loose).toEqual([]);
    expect(files.length).toBeGreaterThan(10);
  });
});

describe("the built files", () => {
  const files = readdirSync(new URL("dist/", root), { recursive: true, encoding: "utf8" });

  it("carry no source map: it would name sources that are not in the package", () => {
    const scripts = files.filter((file) => /\.(?:js|d\.ts)$/.test(file));
    const mapped = scripts.filter((file) =>
      readFileSync(new URL(`dist/${file}`, root), "utf8").includes("sourceMappingURL="),
    );
    expect([...mapped, ...files.filter((file) => file.endsWith(".map"))]).toEqual([]);
    expect(scripts.length).toBeGreaterThan(50);
  });

  it("keep the names of classes", async () => {
    const door = (await import(entryOf(".").href)) as typeof Waybill;
    expect([door.ContractError.name, door.ToolFault.name]).toEqual(["ContractError", "ToolFault"]);
  });

  it("stay marked for bundlers: each computed constant of a chunk may be dropped where it is not used", () => {
    const contract = readFileSync(new URL("dist/chunks/contract.js", root), "utf8");
    const statements = parseAst(contract).body.map(({ start, end }) => contract.slice(start, end));
    expect(statements.filter((statement) => /^const \w+ = \w+[.(]/.test(statement))).toEqual([]);
    expect(contract).toContain("/* @__PURE__ */");
  });
});
