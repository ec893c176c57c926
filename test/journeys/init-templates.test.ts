// The projects of `waybill init --template`, on the source: their code compiles under their own settings, their tests
// pass, and their servers answer the first call of their READMEs. test/package does it with the default and the package.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { projectFiles } from "../../src/cli/init/project-files.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}.cache/init-templates/`;
const templates = ["http", "resources", "worker"] as const;
const env = { ...process.env, NODE_OPTIONS: "", TSX_TSCONFIG_PATH: `${folder}tsconfig.json` };
const run = promisify(execFile);

function filesOf(template: (typeof templates)[number]): ReadonlyMap<string, string> {
  return projectFiles({ packageName: template, serverName: template }, template);
}

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const template of templates)
    for (const [path, text] of filesOf(template)) {
      mkdirSync(dirname(join(folder, template, path)), { recursive: true });
      writeFileSync(join(folder, template, path), text);
    }
  // Imports of the package lead to the source.
  const compilerOptions = { exactOptionalPropertyTypes: false };
  const include = templates.map((template) => `${template}/src`);
  writeFileSync(
    `${folder}tsconfig.json`,
    JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, include }),
  );
});

describe.runIf(isFullRun)("a project of a template", () => {
  it("compiles", async () => {
    const tsc = `${root}node_modules/typescript/bin/tsc`;
    const { stdout } = await run(process.execPath, [tsc, "-p", `${folder}tsconfig.json`]).catch(
      (error: { stdout: string }) => error,
    );
    // Our own sources are written for the stricter rule that the SDK's types do not hold under.
    expect(stdout.split("\n").filter((line) => line.includes("init-templates"))).toEqual([]);
  });

  it.each(templates)("passes its own tests: %s", async (template) => {
    const tests = [...filesOf(template).keys()].filter((path) => path.endsWith(".test.ts"));
    expect(tests.length).toBeGreaterThan(0);
    const args = ["--import", "tsx", "--test", ...tests];
    const { stdout } = await run(process.execPath, args, { cwd: join(folder, template), env });
    expect(stdout).toContain("# fail 0");
    expect(stdout).not.toContain("# pass 0");
  });

  // Half of it would be long enough for a token.
  const token = "0123456789abcdef:xyz";
  const bearer = (text: string): string => `-H 'Authorization: Bearer ${text}'`;

  it.each([
    { template: "http", callers: {}, calls: [["", '"data":{"task":{"id":"task-1"']] },
    {
      template: "http",
      callers: { CALLERS: `ada:${token}` },
      calls: [
        ["", "This server needs a bearer token"],
        [bearer("0123456789abcdef"), "The token is not known here."],
        [bearer(token), '"data":{"task":{"id":"task-1"'],
      ],
    },
    { template: "resources", callers: {}, calls: [["", "# The first call"]] },
  ] as const)(
    "answers the first call of its README: $template, $callers",
    async ({ template, callers, calls }) => {
      const args = ["--import", "tsx", "src/server.ts", "--http", "0"];
      const server = spawn(process.execPath, args, {
        cwd: join(folder, template),
        env: { ...env, ...callers },
        stdio: ["ignore", "ignore", "pipe"],
      });
      onTestFinished(() => void server.kill("SIGKILL"));
      let said = "";
      server.stderr.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
      await expect.poll(() => said, { timeout: 60_000, interval: 50 }).toMatch(/listens on http:/);
      const port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? "";
      const [call = ""] = /^curl [^`]*/m.exec(filesOf(template).get("README.md") ?? "") ?? [];
      for (const [header, answer] of calls) {
        const { stdout } = await run("sh", ["-c", `${call.trimEnd().replace("3000", port)} -s ${header}`]);
        expect(stdout).toContain(answer);
      }
      server.kill("SIGTERM");
      expect(await once(server, "exit")).toEqual([0, null]);
    },
  );
});
