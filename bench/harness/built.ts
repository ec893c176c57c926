import { existsSync } from "node:fs";
import type * as Waybill from "../../src/index.ts";
import type * as WaybillServer from "../../src/server/index.ts";

const entry = new URL("../../dist/index.js", import.meta.url);

/** The built package: what users run. The source under a TypeScript loader is measurably slower. */
export async function loadBuilt(): Promise<typeof Waybill> {
  if (!existsSync(entry)) throw new Error("dist/ is missing: run `npm run build` first.");
  return (await import(entry.href)) as typeof Waybill;
}

/** The built server door. */
export async function loadServer(): Promise<typeof WaybillServer> {
  const door = new URL("../../dist/server/index.js", import.meta.url);
  if (!existsSync(door)) throw new Error("dist/ is missing: run `npm run build` first.");
  return (await import(door.href)) as typeof WaybillServer;
}
