import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";
import { readVersion } from "../cli-io.ts";

const seven = [
  ".gitignore",
  "README.md",
  "package.json",
  "src/server.ts",
  "src/task-get.test.ts",
  "src/task-get.ts",
  "tsconfig.json",
];

/** Every file below a folder, with slashes. */
function filesOf(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
}

describe("waybill init", () => {
  it("writes seven files, for its own version", async () => {
    const cwd = tempFiles({});
    const { exitCode, stdout } = await runInProcess(["init", "demo"], { cwd });
    expect(exitCode).toBe(0);
    expect(filesOf(join(cwd, "demo"))).toEqual(seven);
    const manifest = JSON.parse(readFileSync(join(cwd, "demo/package.json"), "utf8")) as object;
    expect(manifest).toMatchObject({ name: "demo", dependencies: { waybill: `^${readVersion()}` } });
    expect(JSON.stringify(manifest)).not.toContain('"^"');
    for (const file of ["src/server.ts", "src/task-get.test.ts"]) {
      const code = readFileSync(join(cwd, "demo", file), "utf8");
      expect(code).toContain('import { taskGet } from "./task-get.ts";');
    }
    expect(stdout).toContain("Next:\n  cd demo\n  npm install\n  npm test\n  npm run dev\n");
    const fromFile = `npm install <folder>/waybill-${readVersion()}.tgz`;
    expect(stdout).toContain(fromFile);
    expect(readFileSync(join(cwd, "demo/README.md"), "utf8")).toContain(fromFile);
  });

  it("gives a scoped package a folder without the scope", async () => {
    const cwd = tempFiles({});
    await runInProcess(["init", "@acme/tasks"], { cwd });
    const manifest = JSON.parse(readFileSync(join(cwd, "tasks/package.json"), "utf8")) as object;
    expect(manifest).toMatchObject({ name: "@acme/tasks" });
    expect(readFileSync(join(cwd, "tasks/src/server.ts"), "utf8")).toContain('name: "tasks"');
  });

  it("takes this folder if it is empty, under a name that npm takes", async () => {
    const cwd = join(tempFiles({}), "My Tasks!");
    mkdirSync(join(cwd, ".git"), { recursive: true });
    const { exitCode, stdout } = await runInProcess(["init", "--json"], { cwd });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      data: { name: "my-tasks", files: { length: 7 } },
    });
    expect(filesOf(cwd)).toEqual(seven);
  });

  it.each([
    [
      "http",
      ["src/callers.test.ts", "src/callers.ts", "src/server.ts", "src/task-get.test.ts", "src/task-get.ts"],
    ],
    ["resources", ["src/guide-find.ts", "src/guides.test.ts", "src/guides.ts", "src/server.ts"]],
    [
      "worker",
      [
        "src/callers.test.ts",
        "src/callers.ts",
        "src/server.test.ts",
        "src/server.ts",
        "src/task-get.test.ts",
        "src/task-get.ts",
        "src/worker.ts",
      ],
      ["wrangler.jsonc"],
    ],
  ])("writes the code of the template %s", async (template, code, more: readonly string[] = []) => {
    const cwd = tempFiles({});
    const { exitCode, stdout } = await runInProcess(["init", "demo", "--template", template, "--json"], {
      cwd,
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ data: { name: "demo", template } });
    const files = filesOf(join(cwd, "demo"));
    expect(files.filter((path) => path.startsWith("src/"))).toEqual(code);
    expect(files.filter((path) => !path.startsWith("src/"))).toEqual([
      ...seven.filter((path) => !path.startsWith("src/")),
      ...more,
    ]);
    expect(readFileSync(join(cwd, "demo/README.md"), "utf8")).not.toContain("undefined");
  });

  it("gives a Worker a name that Cloudflare takes, and keeps its secrets out of the repository", async () => {
    const cwd = tempFiles({});
    const name = `${"a".repeat(60)}.b_c~d`;
    await runInProcess(["init", name, "--template", "worker"], { cwd });
    const read = (path: string): string => readFileSync(join(cwd, name, path), "utf8");
    expect(read("wrangler.jsonc")).toContain(`"name": "${"a".repeat(60)}-b",`);
    expect(read(".gitignore").split("\n")).toContain(".dev.vars");
  });

  it.each([
    [
      "a folder that is not empty",
      ["init"],
      "This folder is not empty: it has a.txt, b.txt, c.txt and 1 more. Nothing was written.",
    ],
    [
      "a named folder that is not empty",
      ["init", "full"],
      "The folder full is not empty: it has note.txt. Nothing was written.",
    ],
    ["a file in the way", ["init", "a.txt"], "a.txt is a file, not a folder."],
    ["capitals", ["init", "MyServer"], "Did you mean myserver?"],
    ["a path", ["init", "../demo"], "it is a path"],
    ["a name that npm refuses", ["init", "node_modules"], "npm refuses it"],
    ["the name of a package that it needs", ["init", "zod"], "is needed by the project"],
    ["a name of 300 characters", ["init", "a".repeat(300)], "more than 214 characters"],
    ["an empty name", ["init", ""], '"" is no name for a project'],
    [
      "a template that does not exist",
      ["init", "demo", "--template", "htp"],
      "Allowed choices are stdio, http, resources, worker.",
    ],
    ["one name too many", ["init", "one", "two"], "too many arguments"],
  ])("refuses %s and writes nothing", async (_what, args, sentence) => {
    const cwd = tempFiles({ "a.txt": "", "b.txt": "", "c.txt": "" });
    mkdirSync(join(cwd, "full"));
    writeFileSync(join(cwd, "full/note.txt"), "mine");
    const before = filesOf(cwd);
    const { exitCode, stderr, stdout } = await runInProcess(args, { cwd });
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(sentence);
    expect(filesOf(cwd)).toEqual(before);
  });

  it("leaves nothing behind if a file cannot be written", async () => {
    const cwd = tempFiles({});
    // A folder that is a link to nowhere cannot be made.
    symlinkSync(join(cwd, "nowhere/deep"), join(cwd, "demo"));
    const { exitCode, stderr } = await runInProcess(["init", "demo"], { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Nothing was left behind.");
    expect(readdirSync(cwd)).toEqual(["demo"]);
  });
});
