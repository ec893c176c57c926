import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}.cache/gateway-in-code/`;
const page = readFileSync(`${root}docs/gateway.md`, "utf8");
const block =
  /<!-- gateway-in-code:begin -->\n```ts\n([^]*?)```\n<!-- gateway-in-code:end -->/.exec(page)?.[1] ?? "";

mkdirSync(folder, { recursive: true });
// A folder that says nothing of modules, as most people have when they try something.
writeFileSync(`${folder}package.json`, "{}");
// The port of the page may be taken.
writeFileSync(`${folder}gateway.ts`, block.replace("port: 3333", "port: 0"));
const config = {
  extends: "../../tsconfig.json",
  compilerOptions: { verbatimModuleSyntax: false },
  files: ["gateway.ts"],
  include: [],
};
writeFileSync(`${folder}tsconfig.json`, JSON.stringify(config));

describe("the program of docs/gateway.md", () => {
  it("waits for nothing at its top level, which not every file may do", () => {
    expect(block).toContain("port: 3333");
    expect(block).not.toMatch(/^(?!.*=>).*\bawait\b/m);
  });

  it.runIf(isFullRun)("runs as it is written, and ends with Ctrl-C", async () => {
    const child = spawn(process.execPath, ["--import", "tsx", `${folder}gateway.ts`], {
      cwd: root,
      env: { ...process.env, TSX_TSCONFIG_PATH: `${folder}tsconfig.json`, NODE_OPTIONS: "", NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let [stdout, stderr] = ["", ""];
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    for await (const chunk of child.stdout) {
      stdout += String(chunk);
      if (stdout.includes("}")) break;
    }
    expect({ stdout, stderr }).toEqual({
      stdout: expect.stringMatching(/files: 'http:\/\/127\.0\.0\.1:\d+\/files\/mcp'[^]*issues: 'http/),
      stderr: "",
    });
    child.kill("SIGINT");
    const [code] = (await once(child, "exit")) as [number | null];
    expect(code).toBe(0);
  });

  it.runIf(isFullRun)("compiles", () => {
    const tsc = `${root}node_modules/typescript/bin/tsc`;
    const args = [tsc, "-p", `${folder}tsconfig.json`];
    expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe("");
  });
});
