import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Compiles the stores and the children that use them into a folder, and says where. Hundreds of children start: plain
 * JavaScript does so in a fraction of the time a TypeScript loader takes.
 */
export function buildStores(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-faults-"));
  const settings = {
    extends: join(project, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      rootDir: project,
      outDir: folder,
      typeRoots: [join(project, "node_modules/@types")],
    },
    include: [],
    files: [join(project, "test/faults/writing-child.fixture.ts")],
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  const compiler = join(project, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The stores did not compile: ${stdout}`);
  return folder;
}
