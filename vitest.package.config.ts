import { defineConfig } from "vitest/config";

// These tests pack the built package and install it elsewhere, so they run after `npm run build`.
export default defineConfig({
  test: { include: ["test/package/**/*.test.ts"], testTimeout: 180_000, hookTimeout: 300_000 },
});
