// The counter over the vocabulary file of the installed package. In a file of its own, because only Node has files.

import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createCounter } from "./create-counter.ts";
import type { Encoding, TokenCounter } from "./token-counter.ts";

export function readCounter(encoding: Encoding): TokenCounter {
  return createCounter(encoding, readFileSync(findVocabulary(encoding)));
}

/**
 * The path of an encoding's vocabulary, found by the package's name. A path relative to this module would be wrong in a
 * server that its author bundled into one file. Throws if the package is not installed.
 */
export function findVocabulary(encoding: Encoding, startAt: Iterable<string> = startingPoints()): string {
  for (const start of startAt) {
    try {
      const root = dirname(createRequire(start).resolve("waybill/package.json"));
      const path = join(root, "vocabulary", `${encoding}.bin`);
      if (existsSync(path)) return path;
    } catch {
      // Not installed from the view of that module.
    }
  }
  throw Object.assign(
    new Error(`The package "waybill" is not installed here, so ${encoding} has no vocabulary.`),
    {
      code: "ENOENT",
    },
  );
}

/**
 * Modules that may know where the package is installed: this one, and the program's main module if a bundler has
 * removed our address. Not the working folder: editors start servers inside other people's repositories.
 */
function* startingPoints(): Generator<string> {
  // A bundle in the CommonJS format has an empty `import.meta`.
  const own: string | undefined = import.meta.url;
  if (own !== undefined) yield own;
  const main = process.argv[1];
  if (main !== undefined && existsSync(main)) yield realpathSync(main);
}
