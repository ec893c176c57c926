import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const staticImport = /^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gm;

/** Every module that loads before a command runs; dynamic imports load later. */
function loadedAtStart(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.endsWith(".ts")) return seen;
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(staticImport)) {
    loadedAtStart(specifier.startsWith(".") ? join(dirname(file), specifier) : specifier, seen);
  }
  return seen;
}

it("starts with Commander, colours and Node only, so that --version does not wait for Zod", () => {
  const packages = [...loadedAtStart("src/cli/main.ts")].filter((name) => !name.endsWith(".ts"));
  expect(packages.filter((name) => !name.startsWith("node:")).sort()).toEqual(["commander", "picocolors"]);
});
