import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { longerFiles, onlyInFullRun } from "./longer-files.ts";

const root = mkdtempSync(join(tmpdir(), "waybill-longer-"));
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

describe("the files that CI runs again in the full run", () => {
  it("are those that ask how long they may take, themselves or through what they import", () => {
    write("test/arbitrary/law-runs.ts", "export const isFullRun = false;");
    write("src/own.test.ts", "if (isFullRun) it('takes long', run);");
    write("src/through.test.ts", 'import { data } from "../test/data.fixture.ts";');
    write("test/data.fixture.ts", 'import { lawRuns } from "./arbitrary/law-runs.ts"; lawRuns(1);');
    write("src/late.test.ts", 'const { data } = await import("../test/data.fixture.ts");');
    write("src/same.test.ts", 'import { thing } from "./thing.ts";');
    write("src/thing.ts", 'import { same } from "./same.test.ts";');
    expect(longerFiles(root, ["src", "test"]).toSorted()).toEqual([
      "src/late.test.ts",
      "src/own.test.ts",
      "src/through.test.ts",
    ]);
  });
});

describe("the files that only the full run takes", () => {
  const checkout = fileURLToPath(new URL("..", import.meta.url));

  it.each(onlyInFullRun)("are test files and nothing else, and they are there: %s", (pattern) => {
    expect(pattern).toMatch(/\.test\.ts$/);
    const [folder = "", ...rest] = pattern.split(/\*+/);
    const ending = rest.length === 0 ? basename(pattern) : (rest.at(-1) ?? "");
    const names = readdirSync(join(checkout, rest.length === 0 ? dirname(pattern) : folder), {
      recursive: true,
      encoding: "utf8",
    });
    expect(names.filter((each) => each.endsWith(ending))).not.toEqual([]);
  });
});
