import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const readme = readFileSync(`${root}examples/agent-loop/README.md`, "utf8");

describe.runIf(isFullRun)("examples/agent-loop", () => {
  it("finds everything as it should be, and says what its README shows", () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", "tsx", "examples/agent-loop/main.ts"],
      { cwd: root, encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" }, timeout: 170_000 },
    );
    const shown = /<!-- agent-loop-output -->\n```\n([^]*?)```/.exec(readme)?.[1];
    expect({ status, stdout: stdout.trimStart(), stderr }).toEqual({ status: 0, stdout: shown, stderr: "" });
  });
});
