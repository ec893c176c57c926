import { readFileSync } from "node:fs";

interface PackageFile {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** This package's package.json, two folders up from `src/cli` and from `dist/cli`. */
export function readPackage(): PackageFile {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as PackageFile;
}

export function readVersion(): string {
  return readPackage().version;
}
