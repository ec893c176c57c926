import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  exports: Record<string, string | { default: string }>;
};

/** Every module an entry of the built package reaches, and every package it names. */
function reach(entry: URL): { modules: Set<string>; packages: Set<string> } {
  const modules = new Set<string>();
  const packages = new Set<string>();
  const queue = [entry];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (modules.has(at.href)) continue;
    modules.add(at.href);
    const source = readFileSync(at, "utf8");
    for (const [, name = ""] of source.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)["']([^"']+)["']/g)) {
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

  it("of every entry names only declared packages", () => {
    const declared = new Set([
      "zod",
      "zod/mini",
      "commander",
      "picocolors",
      "jsonc-parser",
      "chokidar",
      "@opentelemetry/api",
      "rate-limiter-flexible",
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
