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

function packagesOf(file: string): string[] {
  const packages = [...loadedAtStart(file)].filter((name) => !name.endsWith(".ts"));
  return packages.filter((name) => !name.startsWith("node:")).sort();
}

it("starts with Node alone, so that --version waits for nothing", () => {
  expect(packagesOf("src/cli/main.ts")).toEqual([]);
});

it("declares its commands with Commander and colours, so that --help does not wait for Zod", () => {
  expect(packagesOf("src/cli/run.ts")).toEqual(["commander", "picocolors"]);
});

it("loads nothing of the dashboard for a gateway without one", () => {
  const loaded = [
    ...loadedAtStart("src/doors/gateway/create-gateway.ts"),
    ...loadedAtStart("src/doors/gateway/listen/over-http.ts"),
  ];
  expect(loaded).toContain("src/doors/gateway/bridge/bridge.ts");
  expect(loaded.filter((name) => name.includes("src/doors/gateway/dashboard/"))).toEqual([]);
});
