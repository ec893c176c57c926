import { readFileSync, readdirSync } from "node:fs";
import { builtinModules } from "node:module";
import { describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  exports: Record<string, string | { default: string }>;
};

const anyImport = /(?:\bfrom\s+|\bimport\s*\(?\s*)["']([^"']+)["']/g;
const staticImport = /(?:\bfrom\s+|\bimport\s+)["']([^"']+)["']/g;

/** Every module an entry of the built package reaches, and every package it names. */
function reach(entry: URL, imports = anyImport): { modules: Set<string>; packages: Set<string> } {
  const modules = new Set<string>();
  const packages = new Set<string>();
  const queue = [entry];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (modules.has(at.href)) continue;
    modules.add(at.href);
    const source = readFileSync(at, "utf8");
    for (const [, name = ""] of source.matchAll(imports)) {
      if (name.startsWith(".")) queue.push(new URL(name, at));
      else packages.add(name);
    }
  }
  return { modules, packages };
}

function entryOf(subpath: string): URL {
  const target = manifest.exports[subpath];
  if (typeof target !== "object") throw new Error(`${subpath} has no entry`);
  return new URL(target.default, root);
}

describe("the built import graph", () => {
  it("of the root entry names Zod and nothing else: no Node built-in, no other package", () => {
    const { modules, packages } = reach(entryOf("."));
    expect([...packages]).toEqual(["zod/mini"]);
    expect(modules.size).toBeGreaterThan(50);
  });

  it("of the client entry names Zod and nothing else, and Zod only in what it loads later", () => {
    const entry = entryOf("./client");
    expect([...reach(entry).packages]).toEqual(["zod/mini"]);
    expect([...reach(entry, staticImport).packages]).toEqual([]);
  });

  it("of the digest entry needs nothing of Node for a document at hand", () => {
    const statics = reach(entryOf("./digest"), staticImport);
    expect([...statics.packages].sort()).toEqual(["entities/decode", "zod/mini"]);
    // Readers of HTML, PDF and odd charsets are loaded by the first document that needs them; only a URL needs Node.
    const readers = [...reach(new URL("dist/digest/sources/read-document.js", root)).packages].sort();
    expect(readers.filter((name) => builtinModules.includes(name.replace(/^node:/, "")))).toEqual([]);
    expect(readers).toContain("unpdf");
  });

  it("of every entry names only declared packages", () => {
    const declared = new Set([
      "zod",
      "zod/mini",
      "commander",
      "picocolors",
      "jsonc-parser",
      "chokidar",
      "@opentelemetry/api",
      "@redis/client",
      "rate-limiter-flexible",
      "@mozilla/readability",
      "chardet",
      "entities/decode",
      "htmlparser2",
      "ipaddr.js",
      "linkedom/worker",
      "unpdf",
    ]);
    const subpaths = Object.keys(manifest.exports).filter(
      (path) => typeof manifest.exports[path] === "object",
    );
    const named = subpaths.flatMap((path) => [...reach(entryOf(path)).packages]);
    const stray = named.filter(
      (name) => !declared.has(name) && !builtinModules.includes(name.replace(/^node:/, "")),
    );
    expect(stray).toEqual([]);
  });
});

describe("the client's declarations", () => {
  it("name no any", () => {
    const folder = new URL("dist/client/", root);
    const files = readdirSync(folder).filter((file) => file.endsWith(".d.ts"));
    const loose = files.filter((file) => {
      const code = readFileSync(new URL(file, folder), "utf8").replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
      return /\bany\b/.test(code);
    });
    expect(loose).toEqual([]);
    expect(files.length).toBeGreaterThan(10);
  });
});
