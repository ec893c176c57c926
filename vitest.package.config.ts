import { defineConfig } from "vitest/config";
import { CountReporter } from "./test/count-reporter.ts";

// These tests pack the built package and install it elsewhere, so they run after `npm run build`.
export default defineConfig({
  test: {
    include: ["test/package/**/*.test.ts"],
    reporters: ["default", new CountReporter()],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
