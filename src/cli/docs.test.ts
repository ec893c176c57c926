import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOUR_MS, keep, tasks } from "./archive/stored.fixture.ts";
import { describeTree } from "./commands/completion.ts";
import { exitCodeMeanings } from "./cli-io.ts";
import { someOf } from "../../test/arbitrary/law-runs.ts";
import { createProgram } from "./run.ts";
import { tempFiles } from "./temp-files.fixture.ts";
import { isAsShown, readTranscript, runLine } from "./transcript.fixture.ts";

const page = readFileSync("docs/cli.md", "utf8");
const transcript = readTranscript(page);
const files = Object.fromEntries(
  transcript.flatMap(({ command, output }) =>
    command.startsWith("cat ") ? [[command.slice("cat ".length), `${output}\n`]] : [],
  ),
);
const commands = transcript.filter(({ command }) => command.includes("waybill "));

/** What the page's archive holds: something of another tenant, and a list of tasks. */
const kept = [
  { tenant: "sub:ada", content: ['{"note":"of another"}'], ageMs: 30 * HOUR_MS },
  { content: [JSON.stringify({ tasks })], ageMs: 3.5 * HOUR_MS },
];

describe("docs/cli.md", () => {
  it.each(someOf(commands, 25))("shows what is printed by: $command", async ({ command, output }) => {
    const cwd = tempFiles(files);
    if (command.includes("./archive")) await keep(join(cwd, "archive"), kept);
    const printed = (await runLine(command, cwd))
      .replaceAll(cwd, "/home/me/project")
      .replaceAll("/nonexistent", "/home/me");
    expect(isAsShown(output, printed) ? output : printed).toBe(output);
  });

  it("names every command and exit code, and the reference every option and choice", () => {
    const reference = readFileSync("docs/reference/commands.md", "utf8");
    const sink = { write: () => undefined };
    const isTTY = { stdin: false, stdout: false, stderr: false };
    const io = { stdin: (async function* () {})(), stdout: sink, stderr: sink, env: {}, cwd: "/", isTTY };
    const program = createProgram({ io, give: () => undefined, say: () => undefined, hasColors: false });
    const tree = describeTree(program);
    for (const { name, options } of tree.commands) {
      expect(page).toContain(`## waybill ${name}`);
      for (const { flags, choices } of options) {
        for (const word of [...flags, ...choices]) expect(reference).toContain(`\`${word}`);
      }
    }
    for (const [code, meaning] of Object.entries(exitCodeMeanings))
      expect(page).toContain(`| ${code} | ${meaning} |`);
  });
});
