import { existsSync } from "node:fs";
import type * as Waybill from "../../src/index.ts";
import type * as WaybillClient from "../../src/doors/client/index.ts";
import type * as WaybillDigest from "../../src/engine/digest/index.ts";
import type * as WaybillServer from "../../src/doors/server/index.ts";

const entry = new URL("../../dist/index.js", import.meta.url);

/** The built package: what users run. The source under a TypeScript loader is measurably slower. */
export async function loadBuilt(): Promise<typeof Waybill> {
  if (!existsSync(entry)) throw new Error("dist/ is missing: run `npm run build` first.");
  return (await import(entry.href)) as typeof Waybill;
}

export async function loadDoor(path: string): Promise<unknown> {
  const door = new URL(`../../dist/${path}/index.js`, import.meta.url);
  if (!existsSync(door)) throw new Error("dist/ is missing: run `npm run build` first.");
  return import(door.href);
}

/** One source file, compiled by itself, for a bench of a part: the package holds bundles. `npm run bench` writes it. */
export async function loadModule<Module>(path: string): Promise<Module> {
  const file = new URL(`../../.cache/modules/${path}.js`, import.meta.url);
  if (!existsSync(file)) throw new Error(`${path} is not compiled: start it with \`npm run bench\`.`);
  return (await import(file.href)) as Module;
}

/** The built server door. */
export async function loadServer(): Promise<typeof WaybillServer> {
  return (await loadDoor("doors/server")) as typeof WaybillServer;
}

/** The built client door. */
export async function loadClient(): Promise<typeof WaybillClient> {
  return (await loadDoor("doors/client")) as typeof WaybillClient;
}

/** The built digest door. */
export async function loadDigest(): Promise<typeof WaybillDigest> {
  return (await loadDoor("engine/digest")) as typeof WaybillDigest;
}
