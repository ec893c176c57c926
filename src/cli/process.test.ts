import { spawn } from "node:child_process";
import { closeSync, openSync, statSync, symlinkSync } from "node:fs";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { makePdf } from "../engine/digest/sources/pdf/make-pdf.fixture.ts";
import { bad, good } from "./sample-responses.fixture.ts";
import { tempFiles } from "./temp-files.fixture.ts";
import { isFullRun } from "../../test/arbitrary/law-runs.ts";

const node = [process.execPath, "--import", "tsx", "src/cli/main.ts"] as const;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real command in a process of its own. */
function start(args: readonly string[], stdio: "pipe" | "ignore" | number = "pipe") {
  const [command, ...own] = node;
  const child = spawn(command, [...own, ...args], { stdio: ["pipe", stdio, "pipe"] });
  // A child that ends before it read everything breaks the pipe; that is its right.
  child.stdin?.on("error", () => undefined);
  return child;
}

async function end(child: ReturnType<typeof start>): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

async function run(args: readonly string[], stdin = ""): Promise<Ended> {
  const child = start(args);
  child.stdin?.end(stdin);
  return end(child);
}

describe("the waybill process", () => {
  it.runIf(isFullRun).each([
    ["syntax.ts", 'syntax.ts cannot be loaded: syntax.ts:1:17: ERROR: Unexpected ";"\n'],
    ["imports.ts", 'imports.ts cannot be loaded: syntax.ts:1:17: ERROR: Unexpected ";"\n'],
    ["throws.ts", "throws.ts cannot be loaded: Error: no database 1 (throws.ts:2:7)\n"],
  ])("says where %s is wrong, and how to run it", async (module, sentence) => {
    const cwd = tempFiles({
      "package.json": '{"type": "module"}',
      "syntax.ts": "export const x = ;",
      "imports.ts": 'import "./syntax.ts";',
      "throws.ts": 'const given: number = 1;\nthrow new Error("no database " + given);',
    });
    symlinkSync(resolve("node_modules"), join(cwd, "node_modules"));
    const [command] = node;
    const own = ["--import", import.meta.resolve("tsx"), resolve("src/cli/main.ts"), "lint", module];
    const { code, stderr } = await end(spawn(command, own, { cwd, stdio: "pipe" }));
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).toContain(`node --import tsx ${module}`);
  });

  it.runIf(isFullRun)("does not write a page over the file it reads on stdin", async () => {
    const file = join(tempFiles({ "a.txt": "The mill burned down in 1831. ".repeat(100) }), "a.txt");
    const before = statSync(file).size;
    const input = openSync(file, "r");
    const [command, ...own] = node;
    const args = [...own, "digest", "-", "--html", file];
    const { code, stderr } = await end(spawn(command, args, { stdio: [input, "pipe", "pipe"] }));
    closeSync(input);
    expect(code).toBe(2);
    expect(stderr).toContain("would overwrite the document itself");
    expect(statSync(file).size).toBe(before);
  });

  it("ends with the exit code of its command", async () => {
    const codes = await Promise.all([
      run(["validate"], good).then(({ code }) => code),
      run(["validate"], bad).then(({ code }) => code),
      run(["validate", "/nope.json"]).then(({ code }) => code),
    ]);
    expect(codes).toEqual([0, 1, 2]);
  });

  it("prints a result larger than a pipe holds to its end", async () => {
    const list = JSON.stringify({
      data: Array.from({ length: 40_000 }, (_, id) => ({ id, text: "ünïcode" })),
    });
    const { code, stdout } = await run(["translate", "--from", "scalpel", "--to", "response-v1"], list);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(40_000);
  });

  it.runIf(isFullRun)("is silent when the reader of its output leaves", async () => {
    const list = JSON.stringify({ data: Array.from({ length: 100_000 }, (_, id) => ({ id })) });
    const child = start(["translate", "--from", "scalpel", "--to", "response-v1"]);
    child.stdout?.destroy();
    child.stdin?.end(list);
    const { code, stderr } = await end(child);
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });

  it.runIf(isFullRun && process.platform === "linux")("says that the disk is full and exits 1", async () => {
    const full = openSync("/dev/full", "w");
    const child = start(["--version"], full);
    closeSync(full);
    const { code, stderr } = await end(child);
    expect(stderr).toBe("waybill: cannot write to stdout (ENOSPC)\n");
    expect(code).toBe(1);
  });

  it.runIf(isFullRun)("digests 50 MB of one line, and its page stays small", async () => {
    const folder = tempFiles({ "line.txt": "the mill stood by the river ".repeat(1_790_000) });
    const [file, page] = [join(folder, "line.txt"), join(folder, "page.html")];
    const { code, stdout, stderr } = await run([
      "digest",
      file,
      "--query",
      "mill",
      "--html",
      page,
      "--payload",
    ]);
    expect(stderr).toMatch(/waybill: wrote [\d.]+ KiB to .*page\.html\n$/);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).original_chars).toBe(50_119_999);
    expect(statSync(page).size).toBeLessThan(200_000);
  });

  it.runIf(isFullRun)("says without a stack what is wrong with a document", async () => {
    const folder = tempFiles({ "locked.pdf": await makePdf(["secret"], { password: "x" }) });
    const [locked, away] = await Promise.all([
      run(["digest", join(folder, "locked.pdf")]),
      run(["digest", "http://127.0.0.1:1/", "--allow-private", "127.0.0.1:1"]),
    ]);
    expect(locked).toMatchObject({ code: 1, stdout: "" });
    expect(locked.stderr.trimEnd().split("\n")).toHaveLength(2);
    expect(away).toMatchObject({ code: 3, stdout: "" });
    expect(away.stderr.trimEnd().split("\n")).toHaveLength(2);
  });

  it("exits 130 on Ctrl-C", async () => {
    const child = start(["validate", "-"]);
    const ended = end(child);
    // More than a pipe holds is written only once the command reads; the missing end keeps it waiting.
    await new Promise((resolve) => child.stdin?.write(" ".repeat(4 * 1024 * 1024), resolve));
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 130, stdout: "", stderr: "" });
  });
});
