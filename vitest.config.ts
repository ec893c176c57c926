import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { CountReporter } from "./test/count-reporter.ts";
import { isFullRun } from "./test/arbitrary/law-runs.ts";
import { longerFiles, onlyInFullRun } from "./test/longer-files.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
// After a quick run, what that run did not do whole: CI sets it.
const isRest = isFullRun && process.env["WAYBILL_TEST_REST"] === "1";
// Whoever names a test file gets it. Node 24 gets what the quick run leaves out, without the many runs of the laws.
const isNamed = process.argv.some((argument) => argument.includes(".test."));
const isQuick = !isFullRun && !isNamed && process.env["WAYBILL_TEST_SLOW"] !== "1";

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

// A limit ends a test that hangs; it is no measure of speed, so it is far above what a busy machine needs.
const limitMs = isFullRun ? 900_000 : 180_000;

export default defineConfig({
  // Examples import the package by its name; tests run them against the source.
  resolve: {
    alias: [
      { find: /^waybill$/, replacement: source("index.ts") },
      { find: /^waybill\/(check|client|gateway|server|testing)$/, replacement: source("doors/$1/index.ts") },
      { find: /^waybill\/web$/, replacement: source("doors/server/web.ts") },
      { find: /^waybill\/config$/, replacement: source("engine/settings/index.ts") },
      { find: /^waybill\/digest$/, replacement: source("engine/digest/index.ts") },
      { find: /^waybill\/fetching$/, replacement: source("engine/digest/fetching/index.ts") },
    ],
  },
  test: {
    include: isRest
      ? [...longerFiles(root, ["src", "dashboard", "test"]), ...onlyInFullRun]
      : ["src/**/*.test.ts", "dashboard/**/*.test.ts", "test/**/*.test.ts"],
    // They need the built package: `npm run test:package`.
    exclude: ["test/package/**", "node_modules/**", ...(isQuick ? onlyInFullRun : [])],
    // The token counter's vocabularies are made, not kept in the repository.
    globalSetup: ["scripts/vocabulary.mjs", "test/services/say-what-is-missing.ts"],
    // A worker loads the source once for all its test files: loading it for each took longer than the tests.
    // So a test file leaves no trace: it restores what it fakes, and closes what it opens.
    isolate: false,
    reporters: ["default", new CountReporter()],
    testTimeout: limitMs,
    // Of tests that run side by side: each has processes of its own.
    maxConcurrency: 3,
    hookTimeout: limitMs,
    // Many files wait for child processes; the default leaves a core idle on small machines.
    maxWorkers: "100%",
    coverage: {
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.test.ts", "src/**/*.fixture.ts", "src/cli/main.ts"],
    },
  },
});
