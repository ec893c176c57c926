import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../../engine/transport/until.fixture.ts";
import { childUpstream } from "./child-upstream.ts";
import { commandProblem } from "../../../engine/transport/command-problem.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-command-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("what is wrong with a command", () => {
  it("is that it is not on PATH, not there, or not executable; arguments are not shown", () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "runs"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(folder, "plain"), "#!/bin/sh\n", { mode: 0o644 });
    const problemOf = (command: string, cwd?: string) =>
      commandProblem({ command, cwd, environment: { PATH: `/no/such/folder:${folder}` } });
    expect(problemOf("runs")).toBeUndefined();
    expect(problemOf("./runs", folder)).toBeUndefined();
    expect(problemOf(join(folder, "runs"))).toBeUndefined();
    expect(problemOf("no-such-cmd")).toBe(
      'the command "no-such-cmd" was not found on PATH. Install it, or correct its name or PATH.',
    );
    expect(problemOf("./no-such-cmd", folder)).toBe(
      'the command "./no-such-cmd" does not exist. Correct its path.',
    );
    expect(problemOf("plain")).toMatch(
      /^the command "plain" may not be run by this user\. Make it executable/,
    );
    expect(problemOf("npx --key secret")).toMatch(/^the command that begins with "npx" was not found\. /);
    expect(problemOf("npx --key secret")).not.toContain("secret");
    expect(problemOf("runs", "/no/such/folder")).toBe(
      'its folder "/no/such/folder" does not exist. Correct `cwd`.',
    );
    expect(commandProblem({ command: "runs", environment: {} })).toBeUndefined();
  });

  it("is told once, however many clients come", async () => {
    const notes: string[] = [];
    const closed: string[] = [];
    const upstream = childUpstream(
      "none",
      { command: "no-such-cmd", args: ["--key", "secret"] },
      { note: (line) => notes.push(line) },
    );
    onTestFinished(() => upstream.close());
    for (const principal of ["a", "b"])
      upstream.connect({ principal }).listen({
        message: () => undefined,
        oversized: () => undefined,
        closed: (why) => closed.push(why),
      });
    await until(() => closed.length === 2);
    expect(notes).toEqual([
      'the server cannot be started: the command "no-such-cmd" was not found on PATH. Install it, or correct its name or PATH.',
    ]);
  });

  it("is that its interpreter is missing where only that is", async () => {
    const script = join(makeFolder(), "script");
    writeFileSync(script, "#!/no/such/interpreter\n", { mode: 0o755 });
    const notes: string[] = [];
    const upstream = childUpstream("none", { command: script }, { note: (line) => notes.push(line) });
    onTestFinished(() => upstream.close());
    upstream.connect({ principal: "a" });
    await until(() => notes.length === 1);
    expect(notes[0]).toContain("was found, but not what runs it. Correct the first line of the script.");
  });
});
