// Which readers are installed. Separate from their names, since only Node can look: a bundle for browsers has no
// use for this.

import { builtIn } from "../../runtime/built-in.ts";
import { type ReaderKind, readerKinds, readerPackages } from "./reader-packages.ts";

export interface InstalledReaders {
  readonly present: readonly ReaderKind[];
  readonly missing: readonly ReaderKind[];
}

/** Which readers are installed, found without loading one; undefined where that cannot be found out, such as in a bundle. */
export function installedReaders(
  versionOf: (name: string) => string | undefined = installedVersion,
): InstalledReaders | undefined {
  if (!isPackage()) return undefined;
  const isPresent = (kind: ReaderKind): boolean =>
    Object.keys(readerPackages[kind]).every((name) => versionOf(name) !== undefined);
  return {
    present: readerKinds.filter(isPresent),
    missing: readerKinds.filter((kind) => !isPresent(kind)),
  };
}

/** Whether our package can be found from here. From a bundle that was moved elsewhere it cannot, and it may hold readers. */
function isPackage(): boolean {
  const here = import.meta.url as string | undefined;
  try {
    if (here?.startsWith("file:") !== true) return false;
    return builtIn("node:module")?.createRequire(here).resolve("waybill/package.json") !== undefined;
  } catch {
    return false;
  }
}

/** The version of a package as Node would find it from here, without loading it. */
export function installedVersion(name: string): string | undefined {
  const [fs, module] = [builtIn("node:fs"), builtIn("node:module")];
  if (fs === undefined || module === undefined) return undefined;
  for (const folder of module.createRequire(import.meta.url).resolve.paths(name) ?? []) {
    try {
      const text = fs.readFileSync(`${folder}/${name}/package.json`, "utf8");
      return (JSON.parse(text) as { readonly version: string }).version;
    } catch {
      continue;
    }
  }
  return undefined;
}
