import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makePdf } from "../../src/engine/digest/sources/pdf/make-pdf.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { writeCommands } from "./pasted-commands.fixture.ts";
import { allBlocks, markOf, placeOf, root } from "./read-blocks.ts";
import { isTakenBy } from "./treatment.ts";

const blocks = allBlocks.filter((block) => isTakenBy(block, "shell"));
/** Pages repeat a command; it is run once. */
const scripts = [...new Map(blocks.map((block) => [block.code, block])).values()].map((block) => ({
  place: placeOf(block),
  code: block.code,
  /** A command that runs until it is stopped, and what it prints when it is ready. */
  until: markOf(block, "run until"),
}));

let home = "";

/** Runs a script as a person would who pasted it, with nothing on its input; a lasting one is stopped once it is ready. */
async function run(code: string, until: string | undefined): Promise<{ code: number | null; said: string }> {
  const env = {
    ...process.env,
    HOME: home,
    XDG_STATE_HOME: join(home, "state"),
    PATH: `${join(home, "bin")}${delimiter}${process.env["PATH"] ?? ""}`,
    NODE_OPTIONS: "",
    NO_COLOR: "1",
  };
  // A group of its own, so that a stop reaches what the shell started, as Ctrl-C does.
  const shell = spawn("bash", ["-euo", "pipefail", "-c", code.replaceAll("3333", "0")], {
    cwd: home,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const listen = (chunk: unknown): void => {
    said += String(chunk);
    if (until !== undefined && said.includes(until) && shell.pid !== undefined)
      process.kill(-shell.pid, "SIGINT");
  };
  shell.stdout.on("data", listen);
  shell.stderr.on("data", listen);
  const [status] = (await once(shell, "close")) as [number | null];
  return { code: status, said };
}

describe("the commands of the manual", () => {
  it("are found", () => {
    expect(scripts.length).toBeGreaterThan(3);
  });
});

describe.runIf(isFullRun)("a command of the manual", () => {
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "docs-shell-"));
    writeCommands(home);
    mkdirSync(join(home, "projects"));
    writeFileSync(join(home, "projects", "notes.txt"), "The tea is ready.\n");
    writeFileSync(join(home, "package.json"), '{ "type": "module" }');
    const filler = Array.from(
      { length: 30 },
      (_, at) => `Office ${at} kept its plants watered and wrote it down.`,
    );
    writeFileSync(
      join(home, "report.pdf"),
      await makePdf([["The audit cost 4,200 francs.", ...filler].join(" ")]),
    );
    buildSync({
      entryPoints: [join(root, "test/broken-servers/serve.ts")],
      bundle: true,
      platform: "node",
      format: "esm",
      // These servers read their fixtures from the root.
      banner: { js: `process.chdir(${JSON.stringify(root)}); process.argv[2] = "good";` },
      outfile: join(home, "server.js"),
    });
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.concurrent.each(scripts)("$place runs as it is pasted", async ({ code, until }) => {
    const { code: status, said } = await run(code, until);
    expect({ status, said: status === 0 ? "" : said }).toEqual({ status: 0, said: "" });
  });
});
