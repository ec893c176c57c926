import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  // Examples import the package by its name; tests run them against the source.
  resolve: {
    alias: [
      { find: /^waybill$/, replacement: source("index.ts") },
      {
        find: /^waybill\/(client|config|digest|fetching|server|testing)$/,
        replacement: source("$1/index.ts"),
      },
    ],
  },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // They need the built package: `npm run test:package`.
    exclude: ["test/package/**", "node_modules/**"],
    // The token counter's vocabularies are made, not kept in the repository.
    globalSetup: ["scripts/vocabulary.mjs"],
    testTimeout: 120_000,
    // Many files wait for child processes; the default leaves a core idle on small machines.
    maxWorkers: "100%",
    typecheck: { enabled: true, include: ["src/**/*.test-d.ts", "test/**/*.test-d.ts"], checker: "tsc" },
    coverage: {
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.test.ts", "src/**/*.fixture.ts", "src/cli/main.ts"],
    },
  },
});
