import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";

const entry = fileURLToPath(new URL("fuzz-alone.fixture.ts", import.meta.url));

describe("fuzzTool without a test runner", () => {
  it.runIf(isFullRun)(
    "reports a promise that no code awaits, which would have ended the process, and leaves nothing behind",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "fuzz-alone-"));
      try {
        const env = { ...process.env, TMPDIR: folder };
        const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", entry], { env });
        const { shown, left, listeners } = JSON.parse(stdout) as Record<string, unknown>;
        expect(shown).toEqual([
          {
            kind: "crash",
            message: expect.stringMatching(
              /^A promise that no code awaits is rejected with TypeError: cannot be saved \(test.journeys.fuzz-alone\.fixture\.ts:/,
            ),
            args: { name: "\0" },
          },
        ]);
        expect(left).toEqual([]);
        expect(listeners).toBe(0);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
