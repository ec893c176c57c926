import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // They need the built package: `npm run test:package`.
    exclude: ["test/package/**", "node_modules/**"],
    testTimeout: 30_000,
    typecheck: { enabled: true, include: ["src/**/*.test-d.ts", "test/**/*.test-d.ts"], checker: "tsc" },
    coverage: { include: ["src/**/*.ts"], exclude: ["src/**/*.test.ts", "src/**/*.fixture.ts", "src/cli/main.ts"] },
  },
});
