import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { prepareBlock } from "./prepare-block.ts";
import { allBlocks, type Block, markOf, placeOf, root } from "./read-blocks.ts";
import type { BlockReport } from "./run-blocks.fixture.ts";
import { isTakenBy, treatmentOf } from "./treatment.ts";

const folder = `${root}.cache/docs-blocks/`;
const scratch = mkdtempSync(join(tmpdir(), "docs-blocks-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The block that shows what a block gives, where there is one. */
function answerOf(block: Block): Block | undefined {
  return allBlocks.find((other) => other.above === block && markOf(other, "gives") !== undefined);
}

const programs = allBlocks
  .filter((block) => isTakenBy(block, "ts") && block.language === "ts")
  .map((block) => ({
    block,
    place: placeOf(block),
    file: `${block.page.replaceAll(/[/.]/g, "-")}-${block.line}.ts`,
    answer: answerOf(block),
    isRun: treatmentOf(block).kind === "executed",
  }));

describe("the TypeScript of the manual", () => {
  it("is found, and most of it is run", () => {
    expect(programs.length).toBeGreaterThan(50);
    expect(programs.filter(({ isRun }) => isRun).length).toBeGreaterThan(programs.length * 0.9);
  });

  it("is above every block that shows what it gives", () => {
    const lonely = allBlocks.filter(
      (block) => markOf(block, "gives") !== undefined && block.above?.language !== "ts",
    );
    expect(lonely.map(placeOf)).toEqual([]);
  });
});

// One compiler and one process for all of them; each takes some seconds.
describe.runIf(isFullRun)("a fragment of the manual", () => {
  mkdirSync(folder, { recursive: true });
  for (const { block, file, answer } of programs)
    writeFileSync(`${folder}${file}`, prepareBlock(block, answer !== undefined));
  writeFileSync(
    `${folder}bin.d.ts`,
    'declare module "waybill/vocabulary/*.bin" { const data: ArrayBuffer; export default data; }\n',
  );
  writeFileSync(
    `${folder}tsconfig.json`,
    JSON.stringify({
      extends: "../../tsconfig.json",
      // A fragment may throw, or give something, before its last line.
      compilerOptions: { allowUnreachableCode: true, noImplicitReturns: false },
      files: ["bin.d.ts", ...programs.map(({ file }) => file)],
      include: [],
    }),
  );

  it("compiles", async () => {
    const tsc = `${root}node_modules/typescript/bin/tsc`;
    const run = promisify(execFile)(process.execPath, [tsc, "-p", `${folder}tsconfig.json`]);
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  it("runs, and gives what the page shows", async () => {
    const tasks = programs
      .filter(({ isRun }) => isRun)
      .map(({ place, file, block, answer }) => ({
        place,
        file: `${folder}${file}`,
        mayThrow: /\bthrows? /.test(block.code),
        ...(answer === undefined ? {} : { answer: answer.code }),
      }));
    writeFileSync(join(scratch, "tasks.json"), JSON.stringify(tasks));
    const loader = `${root}node_modules/tsx/dist/loader.mjs`;
    const env = { ...process.env, TSX_TSCONFIG_PATH: `${folder}tsconfig.json`, NODE_OPTIONS: "" };
    await promisify(execFile)(
      process.execPath,
      ["--import", loader, `${root}test/docs/run-blocks.fixture.ts`],
      { cwd: scratch, env, timeout: 300_000 },
    );
    const reports = JSON.parse(readFileSync(join(scratch, "reports.json"), "utf8")) as BlockReport[];
    expect(reports.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(reports).toHaveLength(tasks.length);
  });
});
