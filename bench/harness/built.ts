import { existsSync } from "node:fs";
import type * as Waybill from "../../src/index.ts";

const entry = new URL("../../dist/index.js", import.meta.url);

/** The built package: what users run. The source under a TypeScript loader is measurably slower. */
export async function loadBuilt(): Promise<typeof Waybill> {
  if (!existsSync(entry)) throw new Error("dist/ is missing: run `npm run build` first.");
  return (await import(entry.href)) as typeof Waybill;
}
