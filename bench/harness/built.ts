import { existsSync } from "node:fs";

const entry = new URL("../../dist/index.js", import.meta.url);

/** The built package: what users run. The source under a TypeScript loader is measurably slower. */
export async function loadBuilt(): Promise<typeof import("../../src/index.ts")> {
  if (!existsSync(entry)) throw new Error("dist/ is missing: run `npm run build` first.");
  return (await import(entry.href)) as typeof import("../../src/index.ts");
}
