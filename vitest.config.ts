import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 20_000,
    typecheck: { enabled: true, include: ["src/**/*.test-d.ts", "test/**/*.test-d.ts"], checker: "tsc" },
    coverage: { include: ["src/**/*.ts"], exclude: ["src/**/*.test.ts", "src/cli/main.ts"] },
  },
});
