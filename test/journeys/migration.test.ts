import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { format } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { tempFiles } from "../../src/cli/temp-files.fixture.ts";
import { isAsShown, readTranscript, runLine } from "../../src/cli/transcript.fixture.ts";
import { defineFlags } from "../../src/engine/settings/flags-and-tiers/define-flags.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}.cache/migration/`;
const page = readFileSync(`${root}docs/migration.md`, "utf8");

const programs = [...page.matchAll(/<!-- migration: (\S+) -->\n```ts\n([^]*?)```\n\n```\n([^]*?)```/g)].map(
  ([, name = "", code = "", output = ""]) => ({ name, code, output }),
);

mkdirSync(folder, { recursive: true });
for (const { name, code } of programs) writeFileSync(`${folder}${name}.ts`, code);
writeFileSync(
  `${folder}tsconfig.json`,
  JSON.stringify({
    extends: "../../tsconfig.json",
    files: programs.map(({ name }) => `${name}.ts`),
    include: [],
  }),
);

// Those with Python servers are run by python-pages.test.ts, with a shell.
const transcript = readTranscript(page).filter(({ command }) => !command.startsWith("python3 "));
const shownFiles = transcript.filter(({ command }) => command.startsWith("cat "));
const commands = transcript.filter(({ command }) => !command.startsWith("cat "));

/** The files that the page shows above a command; one part's files are not there in another part. */
function folderFor(command: string): string {
  const part = page.slice(0, page.indexOf(`$ ${command}`)).split(/^## /m).length;
  const cwd = tempFiles({});
  for (const { command: cat, output } of shownFiles) {
    if (page.slice(0, page.indexOf(`$ ${cat}`)).split(/^## /m).length !== part) continue;
    const file = join(cwd, cat.slice("cat ".length));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${output}\n`);
  }
  return cwd;
}

async function linesOf(name: string): Promise<string> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...words: unknown[]) => {
    lines.push(`${format(...words)}\n`);
  });
  try {
    await import(/* @vite-ignore */ pathToFileURL(`${folder}${name}.ts`).href);
  } finally {
    log.mockRestore();
  }
  return lines.join("");
}

describe("docs/migration.md", () => {
  it.each(commands)("shows what is printed by: $command", async ({ command, output }) => {
    const cwd = folderFor(command);
    const printed = (await runLine(command, cwd))
      .replaceAll(cwd, "/home/me/project")
      .replaceAll("/nonexistent", "/home/me");
    expect(isAsShown(output, printed) ? output : printed).toBe(output);
  });

  it.each(programs)("shows what $name prints", async ({ name, output }) => {
    expect(await linesOf(name)).toBe(output);
  });

  it("leaves no program and no part out", () => {
    expect([...page.matchAll(/^```ts$/gm)]).toHaveLength(programs.length);
    const parts = page.split(/^## /m).slice(1);
    const [first, ...moved] = parts;
    expect(first).toContain("<!-- run by: test/journeys/python-pages.test.ts -->");
    expect(parts.map((part) => part.slice(0, part.indexOf("\n")))).toEqual([
      "Your server stays in Python",
      "Foundry, legacy form",
      "Foundry, response-v2",
      "Code Scalpel",
      "django-rest-framework-mcp",
    ]);
    for (const part of moved) expect(part).toMatch(/^\$ waybill [^]*<!-- migration: /m);
  });

  // shows 000.30, 001.106
  it("names the day on which response-v1 goes away, as the log line does", () => {
    const { sunset = "" } = defineFlags({}).evaluate("response_contract_v2").flag ?? {};
    expect(sunset).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(page).toContain(`\`response-v1\` goes away on ${sunset}`);
    expect(programs.find(({ name }) => name === "legacy-flag")?.output).toContain(sunset);
    expect(readFileSync(`${root}docs/tiers-and-flags.md`, "utf8")).toContain(sunset);
  });

  it.runIf(isFullRun)("has programs that compile", () => {
    const tsc = `${root}node_modules/typescript/bin/tsc`;
    const run = (): string =>
      execFileSync(process.execPath, [tsc, "-p", `${folder}tsconfig.json`], { encoding: "utf8" });
    expect(run()).toBe("");
  });
});
