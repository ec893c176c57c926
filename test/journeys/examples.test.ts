import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

function run(example: string, env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", `examples/${example}/main.ts`],
    { cwd: root, encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "", ...env }, timeout: 170_000 },
  );
  return { status, stdout: stdout.trimStart(), stderr };
}

describe.runIf(isFullRun)("an example that checks itself", () => {
  it.each(["ai-sdk", "openai-agents", "fastmcp", "hono", "library"])(
    "%s says what its README shows",
    (example) => {
      const readme = readFileSync(`${root}examples/${example}/README.md`, "utf8");
      const shown = /<!-- output -->\n```\n([^]*?)```/.exec(readme)?.[1];
      expect(run(example)).toEqual({ status: 0, stdout: shown, stderr: "" });
    },
  );

  it("fails where the list is not cut: then nothing was kept to search in", () => {
    const { status, stdout } = run("ai-sdk", { PARCELS_BUDGET: "100000" });
    expect(status).toBe(1);
    expect(stdout).toContain('NO  it calls: ["parcel_list","parcel_get"]');
  });
});
