// A module hook: files of src/ are loaded with a probe in each function, everything else as ever.
import { readFile } from "node:fs/promises";
import type { LoadHook } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";
import { addProbes } from "./add-probes.ts";
import { reporter } from "./trace.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const sources = new URL("../../src/", import.meta.url).href;

export const load: LoadHook = async (url, context, nextLoad) => {
  const [address = url] = url.split("?");
  if (!address.startsWith(sources) || !address.endsWith(".ts")) return nextLoad(url, context);
  const path = fileURLToPath(address);
  const probed = addProbes(await readFile(path, "utf8"), relative(root, path), reporter);
  const { code } = await transformWithOxc(probed, path);
  return { format: "module", source: code, shortCircuit: true };
};
