import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exitCodes } from "./cli-io.ts";
import { runCli } from "./run.ts";
import { runInProcess } from "./run-in-process.fixture.ts";

const commands = [
  "validate",
  "translate",
  "tokens",
  "archive",
  "config",
  "doctor",
  "demo",
  "completion",
  "help",
];

describe("waybill", () => {
  it("prints the version of package.json", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(await runInProcess(["--version"])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
    expect((await runInProcess(["-V"])).stdout).toBe(`${version}\n`);
  });

  it("shows the manual on stderr and exits 2 without a command", async () => {
    const { exitCode, stdout, stderr } = await runInProcess([]);
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    for (const command of commands) expect(stderr).toMatch(new RegExp(`^  ${command} `, "m"));
  });

  it.each(commands)("shows the manual of %s the same in three ways", async (command) => {
    const help = await runInProcess(["help", command]);
    expect(help.exitCode).toBe(0);
    expect(help.stdout).toContain(`Usage: waybill ${command}`);
    expect(await runInProcess([command, "--help"])).toEqual(help);
    expect(await runInProcess([command, "-h"])).toEqual(help);
  });

  it("shows the manual of a command of a command", async () => {
    const help = await runInProcess(["help", "archive", "get"]);
    expect(help.stdout).toContain("Usage: waybill archive get [options] <archive>");
    expect(await runInProcess(["archive", "get", "--help"])).toEqual(help);
  });

  it("lists commands and exit codes with --help", async () => {
    const help = await runInProcess(["--help"]);
    expect(help.exitCode).toBe(0);
    expect(help.stdout).toMatch(/^ {2}2 {2}wrong usage, configuration or input file$/m);
    expect(await runInProcess(["help"])).toEqual(help);
  });

  it("shows a manual that was asked for on stdout, whatever the process would end with", async () => {
    // A process that has not finished would end with this.
    const before = process.exitCode;
    process.exitCode = 13;
    try {
      const { exitCode, stdout, stderr } = await runInProcess(["help", "gateway"]);
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(stdout).toContain("Usage: waybill gateway");
    } finally {
      process.exitCode = before;
    }
  });

  it("shows titles in bold on a terminal only", async () => {
    expect((await runInProcess(["help"], { terminal: true })).stdout).toContain("\u001b[1mUsage:");
    expect((await runInProcess(["help", "--no-color"], { terminal: true })).stdout).not.toContain("\u001b");
    expect((await runInProcess(["help"])).stdout).not.toContain("\u001b");
  });
});

it("keeps the exit codes that scripts rely on", () => {
  expect(exitCodes).toEqual({ fine: 0, violated: 1, usage: 2, unreachable: 3 });
});

describe("a line that cannot be understood", () => {
  it.each([
    [["valdate"], "unknown command 'valdate' (Did you mean validate?)", "waybill help"],
    [["help", "trnslate"], "unknown command 'trnslate' (Did you mean translate?)", "waybill help"],
    [["archive", "serch"], "unknown command 'serch' (Did you mean search?)", "waybill help archive"],
    [["help", "archive", "swep"], "unknown command 'swep' (Did you mean sweep?)", "waybill help"],
    [["help", "xyzzy"], "unknown command 'xyzzy'", "waybill help"],
    [
      ["validate", "--dialct", "drf"],
      "unknown option '--dialct' (Did you mean --dialect?)",
      "waybill help validate",
    ],
    [["--jsn"], "unknown option '--jsn' (Did you mean --json?)", "waybill help"],
    [["validate", "--dialect"], "option '--dialect <dialect>' argument missing", "waybill help validate"],
    [
      ["check", "--record", "--", "node"],
      "option '--record <folder>' argument missing",
      "waybill help check",
    ],
    [["completion"], "missing required argument 'shell'", "waybill help completion"],
    [["demo", "extra"], "too many arguments for 'demo'", "waybill help demo"],
  ])("%j gets a suggestion and exit code 2", async (args, message, page) => {
    const { exitCode, stdout, stderr } = await runInProcess(args);
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(`waybill: ${message}`);
    expect(stderr).toContain(`See \`${page}\`.`);
  });

  it("shows no control character of the line", async () => {
    const { stderr } = await runInProcess(["\u001b[31mred"]);
    expect(stderr).toContain("\\u001b[31mred");
  });
});

describe("global options", () => {
  it("hold before and after the command", async () => {
    const before = JSON.parse((await runInProcess(["--json", "demo", "--fail"])).stdout);
    const after = JSON.parse((await runInProcess(["demo", "--fail", "--json"])).stdout);
    expect(Object.keys(before.data)).toEqual(Object.keys(after.data));
  });

  it("end at a double dash", async () => {
    const { stdout, stderr } = await runInProcess(["validate", "--", "--json"]);
    expect(stdout).toBe("");
    expect(stderr).toContain("Cannot read --json: there is no such file.");
  });
});

describe("an unforeseen error", () => {
  const broken = (env: Record<string, string>, args: string[]) => {
    let stderr = "";
    let stdout = "";
    const stdin = {
      [Symbol.asyncIterator]: () => {
        throw new TypeError("boom\nat secret place");
      },
    };
    const isTTY = { stdin: false, stdout: false, stderr: false };
    const sinks = {
      stdout: { write: (text: string) => (stdout += text) },
      stderr: { write: (text: string) => (stderr += text) },
    };
    // Paths are resolved against cwd, so a cwd that is not text breaks the command from within.
    const cwd = 1 as unknown as string;
    return runCli(["node", "waybill", ...args], { stdin, ...sinks, env, cwd, isTTY }).then((exitCode) => ({
      exitCode,
      stdout,
      stderr,
    }));
  };

  it("is one line without a stack", async () => {
    const { exitCode, stdout, stderr } = await broken({}, ["config"]);
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^waybill: internal error \(TypeError: .*\)\n$/);
  });

  it("shows its stack with WAYBILL_DEBUG=1", async () => {
    const { stderr } = await broken({ WAYBILL_DEBUG: "1" }, ["config"]);
    expect(stderr).toMatch(/\n {4}at /);
  });

  it("is an INTERNAL_ERROR envelope with --json", async () => {
    const { exitCode, stdout } = await broken({}, ["config", "--json"]);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).data.error_code).toBe("INTERNAL_ERROR");
  });
});
