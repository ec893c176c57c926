// Which test files do more in the full run than in the quick one. CI runs the quick suite first, so it need not run the
// others a second time.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const MARK = /\b(isFullRun|lawRuns|someOf|WAYBILL_TEST_FULL)\b/;
/** It defines the words, so it does not count as a use of them. */
const DEFINITION = "test/arbitrary/law-runs.ts";

interface Source {
  readonly isLonger: boolean;
  /** What it imports of ours, by paths from the root. */
  readonly imports: readonly string[];
}

function readSource(root: string, path: string): Source {
  const text = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
  const imports = [...text.matchAll(/(?:from|import\(|import)\s*"(\.[^"]+\.tsx?)"/g)];
  return {
    isLonger: path !== DEFINITION && MARK.test(text),
    imports: imports.map(([, name = ""]) => join(dirname(path), name)),
  };
}

/** The test files under `folders` that ask, or import something that asks, whether this is the full run. */
export function longerFiles(root: string, folders: readonly string[]): readonly string[] {
  const known = new Map<string, Source>();
  const sourceOf = (path: string): Source => {
    const source = known.get(path) ?? readSource(root, path);
    known.set(path, source);
    return source;
  };
  const isLonger = (path: string): boolean => {
    const reached = new Set([path]);
    for (const each of reached) {
      const { isLonger: asks, imports } = sourceOf(each);
      if (asks) return true;
      for (const next of imports) reached.add(next);
    }
    return false;
  };
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((path) => path.endsWith(".test.ts") && isLonger(path));
}
