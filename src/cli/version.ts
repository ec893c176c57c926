import { createRequire } from "node:module";

interface PackageFile {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The package.json of this package, found by the package's name: a build may put this module anywhere. */
export function readPackage(): PackageFile {
  return createRequire(import.meta.url)("waybill/package.json") as PackageFile;
}

export function readVersion(): string {
  return readPackage().version;
}
