import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const script = pathOf("scripts/release.mjs");
let folder = "";

function run(command: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  return { status, output: stdout + stderr };
}
const release = (...args: string[]) => run(process.execPath, [script, ...args]);
const git = (...args: string[]) =>
  run("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args]);

describe("npm run release", () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-release-"));
    cpSync(pathOf(".changeset"), join(folder, ".changeset"), { recursive: true });
    for (const file of ["package.json", "package-lock.json"]) copyFileSync(pathOf(file), join(folder, file));
    writeFileSync(join(folder, ".gitignore"), "node_modules\n");
    // A change of its own, so that the test holds right after a release too.
    writeFileSync(
      join(folder, ".changeset/of-the-test.md"),
      '---\n"waybill": patch\n---\n\nA change that is tried.\n',
    );
    symlinkSync(pathOf("node_modules"), join(folder, "node_modules"));
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "start");
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("runs every script that CI runs", () => {
    const inCi = [
      ...readFileSync(pathOf(".ci/run"), "utf8").matchAll(/^ +step (?:env \S+ )?npm run (\S+)/gm),
    ].map(([, name]) => name);
    const source = readFileSync(script, "utf8");
    const run = [...source.matchAll(/npm\("run", "([^"]+)"/g)].map(([, name]) => name);
    expect(inCi.length).toBeGreaterThan(4);
    expect(run).toEqual(inCi);
  });

  it("has no way to publish", () => {
    const { output } = release("--list");
    expect(output.trim().split("\n").at(-1)).toBe("pack");
    expect(readFileSync(script, "utf8")).not.toMatch(/npm\("publish|"push"|"tag"/);
    expect(release("--only", "publish")).toMatchObject({ status: 2 });
  });

  it("stops where a changeset is not in the changelog", () => {
    const { status, output } = release("--only", "tree,version,pack");
    expect(status).toBe(1);
    expect(output).toContain("run `npx changeset version`");
    expect(output).not.toContain("== pack");
  });

  it("goes on after `changeset version`, a new lock file and a commit", () => {
    expect(run(process.execPath, [pathOf("node_modules/@changesets/cli/bin.js"), "version"]).status).toBe(0);
    expect(readFileSync(join(folder, "CHANGELOG.md"), "utf8")).toContain("A change that is tried.");
    expect(release("--only", "version").output).toContain("npm install --package-lock-only");
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
    const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as object;
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ ...lock, version }));
    expect(release("--only", "tree").output).toContain("Something is uncommitted");
    git("add", ".");
    git("commit", "-qm", "chore: release");
    expect(release("--only", "tree,version")).toMatchObject({ status: 0 });
    git("checkout", "-qb", "elsewhere");
    expect(release("--only", "tree").output).toContain("A release is made from main, and this is elsewhere.");
  });
});
