import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readVersion } from "../cli-io.ts";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

/** A folder with a folder `x` in it, which has these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const cwd = tempFiles({});
  mkdirSync(join(cwd, "x"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, "x", name), text);
  return cwd;
}

describe("waybill deploy", () => {
  it("writes what is shipped into a folder, for its own version, and says what to do next", async () => {
    const cwd = tempFiles({});
    const { exitCode, stdout } = await runInProcess(["deploy", "ops/mcp"], { cwd });
    expect(exitCode).toBe(0);
    const folder = join(cwd, "ops/mcp");
    const shipped = readdirSync("deploy").filter((name) => !/\.tgz$|test/i.test(name));
    expect(readdirSync(folder).sort()).toEqual(shipped.sort());
    for (const name of shipped) expect(stdout).toContain(`\n  ${name}`);
    expect(readFileSync(join(folder, "Dockerfile"), "utf8")).toContain(
      `ARG WAYBILL=waybill@${readVersion()}\n`,
    );
    for (const name of ["compose.yaml", "kubernetes.yaml"])
      expect(readFileSync(join(folder, name), "utf8")).toContain(`image: waybill:${readVersion()}\n`);
    expect(stdout).toContain("docker compose up --build");
    expect(stdout).toContain("kubectl apply -f ops/mcp/kubernetes.yaml");
  });

  it("answers with an envelope under --json", async () => {
    const { stdout } = await runInProcess(["deploy", "x", "--json"], { cwd: tempFiles({}) });
    const { success, data } = JSON.parse(stdout) as { success: boolean; data: Record<string, unknown> };
    expect(success).toBe(true);
    expect(data["version"]).toBe(readVersion());
    expect(data["files"]).toContain("kubernetes.yaml");
    expect(data["next"]).toContain("cd x");
  });

  it("quotes a folder with a space where it names it in a command", async () => {
    const { stdout } = await runInProcess(["deploy", "my files"], { cwd: tempFiles({}) });
    expect(stdout).toContain("cd 'my files'\n");
    expect(stdout).toContain("kubectl apply -f 'my files/kubernetes.yaml'");
  });

  it("writes nothing where one of the files is already, and replaces those alone with --force", async () => {
    const cwd = folderWith({ "gateway.json": "mine", "note.txt": "mine" });
    const refused = await runInProcess(["deploy", "x"], { cwd });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toBe(
      "waybill: The folder x has gateway.json already. Nothing was written.\n" +
        "Give another folder, or --force to replace these files.\n",
    );
    expect(readdirSync(join(cwd, "x")).sort()).toEqual(["gateway.json", "note.txt"]);
    expect((await runInProcess(["deploy", "x", "--force"], { cwd })).exitCode).toBe(0);
    expect(readFileSync(join(cwd, "x/gateway.json"), "utf8")).toContain("upstreams");
    expect(readFileSync(join(cwd, "x/note.txt"), "utf8")).toBe("mine");
  });

  it("replaces a link, and leaves what it leads to", async () => {
    const cwd = folderWith({});
    writeFileSync(join(cwd, "elsewhere"), "mine");
    symlinkSync(join(cwd, "elsewhere"), join(cwd, "x/Dockerfile"));
    await runInProcess(["deploy", "x", "--force"], { cwd });
    expect(readFileSync(join(cwd, "elsewhere"), "utf8")).toBe("mine");
    expect(lstatSync(join(cwd, "x/Dockerfile")).isSymbolicLink()).toBe(false);
  });

  it("says that a file is no folder", async () => {
    const cwd = tempFiles({});
    writeFileSync(join(cwd, "x"), "");
    const { exitCode, stderr } = await runInProcess(["deploy", "x"], { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `The files cannot be written (no folder can be made at ${join(cwd, "x")}: EEXIST). Nothing was left behind.`,
    );
  });

  // In a process of its own: it would have to be ended if it did not end.
  it.runIf(existsSync("/proc/self"))("ends where no folder can be made", () => {
    const main = join(import.meta.dirname, "../main.ts");
    const run = spawnSync(process.execPath, ["--import", "tsx", main, "deploy", "/proc/x/y"], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(run.status).toBe(1);
    expect(run.stderr).toContain("The files cannot be written (no folder can be made at /proc/x/y: ENOENT).");
  });
});
