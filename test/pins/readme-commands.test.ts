import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { HOUR_MS, keep, tasks } from "../../src/cli/archive/stored.fixture.ts";
import { runInProcess } from "../../src/cli/run-in-process.fixture.ts";
import { tempFiles } from "../../src/cli/temp-files.fixture.ts";
import { makePdf } from "../../src/engine/digest/sources/pdf/make-pdf.fixture.ts";
import { successResponse } from "../../src/index.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** Runs until it is stopped; test/journeys/dev.test.ts runs it. */
const lasting = /^waybill dev /;

/** With the packages that npx brings beside it. */
const runsWaybill = /^(?:npx (?:-p \S+ )*)?waybill /;

/** The commands of the blocks without a language; a remark behind `#` is not part of them. */
const commands = [...readme.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
  .flatMap(([, language, block = ""]) => (language === "" ? block.split("\n") : []))
  .filter((line) => runsWaybill.test(line) && !lasting.test(line))
  .map((line) => line.replace(/\s+#.*$/, ""));

function wordsOf(command: string): string[] {
  const [line = ""] = command.split(" > ");
  return [...line.replace(runsWaybill, "").matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? "",
  );
}

const filler = Array.from(
  { length: 20 },
  (_, index) => `Office number ${index} kept its plants watered through the whole summer and wrote it down.`,
);
const report = ["The audit cost 4,200 francs and took eleven days.", ...filler].join(" ");

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A server that keeps every rule, as one file; it reads its fixtures from the root. */
function goodServer(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, "test/broken-servers/serve.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: `process.chdir(${JSON.stringify(root)});` },
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

describe("the commands of the README", () => {
  it("are found", () => {
    expect(commands.length).toBeGreaterThan(8);
  });

  it("all run, one after the other, in one folder", async () => {
    const response = JSON.stringify(successResponse({ tasks: [] }, { requestId: "req_12345" }));
    const cwd = tempFiles({
      "response.json": response,
      "result.json": response,
      "package.json": '{ "type": "module" }',
      "server.js": goodServer(),
      "report.pdf": await makePdf([report]),
    });
    const tenant = "local:tasks";
    const [hash = ""] = await keep(join(cwd, "archive"), [
      { tenant, content: [JSON.stringify({ tasks })], ageMs: HOUR_MS },
    ]);
    const digest: string[] = [];
    for (const command of commands) {
      const words = wordsOf(command)
        // The page's handle is a made-up one.
        .map((word) => (word === "3f2a9c01b7de" ? hash.slice(0, 12) : word))
        .map((word) => (word === "digest.json" ? "-" : word));
      const stdin = words.includes("-") ? { stdin: digest.join("") } : {};
      const { exitCode, stdout, stderr } = await runInProcess(words, { cwd, ...stdin });
      expect({ command, exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({
        command,
        exitCode: 0,
        stderr: "",
      });
      if (command.includes(" > digest.json")) digest.push(stdout);
    }
    expect(digest).toHaveLength(1);
  });
});
