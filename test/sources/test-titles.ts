import { existsSync, readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

// `it("title"`, `it.each(rows)("title"`, `it.runIf(isFullRun)("title"`: whatever stands between, a title comes first.
const nested = String.raw`\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)`;
const testCall = new RegExp(
  String.raw`\b(?:it|test)(?:\.\w+(?:${nested})?|(?=\([^"'\`])${nested})*\(\s*(["\`])((?:\\.|(?!\1)[^])*?)\1`,
  "g",
);

/** Lists of cases that tests read from a file, by the end of the test's path. */
const caseFiles: readonly (readonly [test: string, cases: string])[] = [
  ["workshop-examples.test.ts", "examples/workshop/examples.json"],
  ["dialect/broken-twins.test.ts", "test/fixtures/broken/index.json"],
  ["seed-fixtures.test.ts", "test/fixtures/seeds/index.json"],
  ["protocol/broken-fixtures.test.ts", "schemas/rules.yaml"],
];

function read(path: string): string | undefined {
  const file = new URL(path, root);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

const titlesByFile = new Map<string, readonly string[] | undefined>();

/** The titles of a file's tests as they are written there; undefined when there is no such file. */
export function titlesOf(path: string): readonly string[] | undefined {
  if (!titlesByFile.has(path)) {
    const text = read(path);
    titlesByFile.set(
      path,
      text === undefined ? undefined : [...text.matchAll(testCall)].map(([, , title = ""]) => title),
    );
  }
  return titlesByFile.get(path);
}

/** Whether a test's table has the case: in its own file, or in the list that it reads. */
export function hasCase(path: string, name: string): boolean {
  const list = caseFiles.find(([test]) => path.endsWith(test))?.[1];
  return read(list ?? path)?.includes(name) ?? false;
}
