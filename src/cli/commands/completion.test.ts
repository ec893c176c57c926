import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

const script = async (shell: string) => (await runInProcess(["completion", shell])).stdout;
const has = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;

const run = (shell: string, args: readonly string[]): string =>
  execFileSync(shell, args, { encoding: "utf8" });

/** What bash offers for a line; the last word is the one being typed. */
async function bashOffers(...words: string[]): Promise<string[]> {
  const file = join(tempFiles({ "waybill.bash": await script("bash") }), "waybill.bash");
  const typed = words.map((word) => `'${word}'`).join(" ");
  const code = `source ${file}; COMP_WORDS=(waybill ${typed}); COMP_CWORD=${words.length}; _waybill; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return run("bash", ["-c", code]).trim().split("\n").filter(Boolean);
}

describe("waybill completion bash", () => {
  it("offers every command", async () => {
    expect(await bashOffers("")).toEqual([
      "init",
      "dev",
      "lint",
      "docs",
      "gateway",
      "check",
      "validate",
      "translate",
      "tokens",
      "digest",
      "verify",
      "archive",
      "wrap",
      "unwrap",
      "login",
      "logout",
      "logins",
      "deploy",
      "clients",
      "audit",
      "ledger",
      "config",
      "doctor",
      "demo",
      "completion",
      "help",
    ]);
    expect(await bashOffers("tr")).toEqual(["translate"]);
  });

  it("offers the options before a command and those of a command", async () => {
    expect(await bashOffers("--v")).toEqual(["--version"]);
    expect(await bashOffers("validate", "--")).toEqual([
      "--dialect",
      "--level",
      "--method",
      "--tiers",
      "--strict",
      "--help",
      "--json",
      "--no-color",
    ]);
  });

  it("offers the choices of an option, after a blank and after an equals sign", async () => {
    expect(await bashOffers("translate", "--to", "s")).toEqual(["scalpel"]);
    expect(await bashOffers("translate", "--to", "=", "dr")).toEqual(["drf"]);
    expect(await bashOffers("translate", "--to", "=")).toContain("plain");
  });

  it("offers the choices of an argument", async () => {
    expect(await bashOffers("completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(await bashOffers("help", "dem")).toEqual(["demo"]);
    expect(await bashOffers("digest", "a.txt", "--policy", "a")).toEqual(["auto", "always"]);
  });

  it("offers the commands of a command, and then their own options", async () => {
    expect(await bashOffers("archive", "")).toEqual(["ls", "tenants", "get", "search", "ask", "sweep"]);
    expect(await bashOffers("archive", "get", "--p")).toEqual(["--pointer"]);
    expect(await bashOffers("archive", "ls", "--p")).toEqual([]);
    expect(await bashOffers("archive", "--store", "x", "search", "--m")).toEqual(["--match"]);
    expect(await bashOffers("validate", "archive", "--s")).toEqual(["--strict"]);
  });

  it("leaves files to readline", async () => {
    expect(await bashOffers("validate", "a")).toEqual([]);
    expect(await bashOffers("verify", "a")).toEqual([]);
    expect(await script("bash")).not.toMatch(/"(digest|verify)"\) compopt/);
    expect(await script("bash")).toContain("complete -o default -F _waybill waybill");
  });

  it("takes the command behind a global option for the command", async () => {
    expect(await bashOffers("--json", "demo", "--f")).toEqual(["--fail"]);
  });
});

describe("waybill completion", () => {
  it.runIf(has("zsh"))("gives zsh a script it can load", async () => {
    const file = join(tempFiles({ "waybill.zsh": await script("zsh") }), "waybill.zsh");
    const code = `autoload -U compinit && compinit -D -u && source ${file} && print $_comps[waybill]`;
    expect(run("zsh", ["-f", "-c", code])).toBe("_waybill\n");
  });

  it.runIf(has("fish"))("gives fish a script that completes", async () => {
    const file = join(tempFiles({ "waybill.fish": await script("fish") }), "waybill.fish");
    const offers = (line: string) => run("fish", ["-N", "-c", `source ${file}; complete -C '${line}'`]);
    expect(offers("waybill tr")).toBe("translate\twrite a response in another dialect\n");
    expect(offers("waybill translate --to s")).toMatch(/^scalpel/);
    expect(offers("waybill validate --str")).toMatch(/^--strict/);
    expect(offers("waybill archive swe")).toMatch(/^sweep/);
    expect(offers("waybill archive get --poi")).toMatch(/^--pointer/);
  });

  it("refuses another shell", async () => {
    const { exitCode, stderr } = await runInProcess(["completion", "tcsh"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Allowed choices are bash, zsh, fish.");
  });

  it("carries the script in one envelope with --json", async () => {
    const { stdout } = await runInProcess(["completion", "bash", "--json"]);
    expect(`${JSON.parse(stdout).data.script}\n`).toBe(await script("bash"));
  });
});
