// The transcripts with the Python servers, pasted into a shell in their folder, page by page, each from the top.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { isAsShown, readTranscript } from "../../src/cli/transcript.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { writeCommands } from "../docs/pasted-commands.fixture.ts";
import { allBlocks } from "../docs/read-blocks.ts";
import { treatmentOf } from "../docs/treatment.ts";
import { hasPython } from "../services/python.fixture.ts";
import { pythonFolder } from "./python-servers.fixture.ts";

const exchanges = allBlocks
  .filter((block) => {
    const treatment = treatmentOf(block);
    return "by" in treatment && treatment.by === "test/journeys/python-pages.test.ts";
  })
  .flatMap(({ page, code }) =>
    readTranscript(`\`\`\`console\n${code}\n\`\`\``).map((exchange) => ({ page, ...exchange })),
  );
/** Behind the gateway a command starts three processes; the quick run leaves those out. */
const wanted = exchanges.filter(({ command }) => isFullRun || !command.includes("npx"));

const home = mkdtempSync(join(tmpdir(), "python-pages-"));
const bin = writeCommands(home);
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function run(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)("bash", ["-c", command], {
    cwd: pythonFolder,
    timeout: 60_000,
    maxBuffer: 16 * 1024 * 1024,
    env: {
      ...process.env,
      HOME: home,
      // What one command cut, a later one of the page fetches.
      XDG_STATE_HOME: join(home, "state"),
      PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
      PYTHONDONTWRITEBYTECODE: "1",
      NODE_OPTIONS: "",
      NO_COLOR: "1",
    },
  });
  return stdout;
}

describe.runIf(hasPython())("a page with Python servers", () => {
  it("is found", () => {
    expect(exchanges.length).toBeGreaterThan(5);
  });

  it.each(wanted)("$page shows what is printed by: $command", async ({ command, output }) => {
    const printed = await run(command);
    expect(isAsShown(output, printed) ? output : printed).toBe(output);
  });
});
