// What each run takes. The quick run is for the person who waits, so it leaves out what is slow for a reason; CI runs it
// first, so the full run behind it need not repeat the test files that do the same in both.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const MARK = /\b(isFullRun|lawRuns|someOf|WAYBILL_TEST_FULL)\b/;
/** It defines the words, so it does not count as a use of them. */
const DEFINITION = "test/arbitrary/law-runs.ts";

/**
 * Test files that only the full run takes, because they wait for clocks, kill processes, drive a browser, install
 * clients, or send tens of megabytes. Each has a neighbour in the quick run that shows the same promise in small.
 */
export const onlyInFullRun: readonly string[] = [
  "test/faults/**/*.test.ts",
  "test/browser/**/*.test.ts",
  "test/clients/clients.test.ts",
  "src/engine/digest/fetching/fetch-limits.test.ts",
  "src/engine/settings/watch-config.test.ts",
  "src/cli/process.test.ts",
  "src/engine/archive/file/damaged-files.test.ts",
  "src/engine/transport/http/guarded-server.test.ts",
  "src/doors/gateway/deep-results.test.ts",
  "src/doors/gateway/bad-input.test.ts",
  "src/doors/gateway/apart/*.test.ts",
  "src/doors/gateway/bridge/http-limits.test.ts",
  "src/doors/gateway/probe/probed-gateway.test.ts",
  "src/doors/gateway/reverse-proxy/proxy-large.test.ts",
  "src/engine/digest/foreign-questions.test.ts",
  "src/engine/digest/sources/worker/read-in-worker.test.ts",
  "src/engine/digest/summariser/*.test.ts",
  "src/doors/testing/fuzz/fuzz-tool.test.ts",
  "test/journeys/audit-histories.test.ts",
  "test/journeys/both-doors-observed.test.ts",
  "test/journeys/dashboard-replicas.test.ts",
  "test/journeys/definitions-of-published-servers.test.ts",
  "test/journeys/digest-bad-input.test.ts",
  "test/journeys/digest-results.test.ts",
  "test/journeys/gateway-clients.test.ts",
  "test/journeys/gateway-exact-numbers.test.ts",
  "test/journeys/gateway-keep-alive.test.ts",
  "test/journeys/gateway-merged.test.ts",
  "test/journeys/hostile.test.ts",
  "test/journeys/ledger-of-four.test.ts",
  "test/journeys/oauth-keyring.test.ts",
  "test/journeys/python-lines.test.ts",
  "test/journeys/python-pages.test.ts",
  "test/journeys/readers.test.ts",
  "test/journeys/secrets-everywhere.test.ts",
  "test/journeys/strangers.test.ts",
  "test/journeys/untrusted-server.test.ts",
  "test/journeys/workshop-fidelity.test.ts",
  "test/journeys/workshop-http.test.ts",
  "test/typing/typing.test.ts",
];

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
