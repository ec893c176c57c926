import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

describe("waybill config", () => {
  it("aligns settings, values and sources, and lists the files looked for", async () => {
    const cwd = tempFiles({ "waybill.config.json": '{\n  "dialect": "scalpel"\n}' });
    const { exitCode, stdout } = await runInProcess(["config"], {
      cwd,
      env: { WAYBILL_BUDGET_TOKENS: "500" },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^setting +value +source$/m);
    expect(stdout).toMatch(/^budget\.tokens +500 +environment: WAYBILL_BUDGET_TOKENS$/m);
    expect(stdout).toMatch(/^dialect +scalpel +file: .*waybill\.config\.json:2$/m);
    expect(stdout).toMatch(/^profile +minimal +default$/m);
    expect(stdout).toMatch(/^used +.*waybill\.config\.json +working directory$/m);
    expect(stdout).toMatch(/^absent +\/nonexistent\/\.config\/waybill\/config\.json +home directory$/m);
  });

  it.each(["config", "doctor"])("%s notices a misspelt variable", async (command) => {
    const env = { WAYBILL_BUDGT_TOKENS: "5" };
    const { stdout } = await runInProcess([command], { cwd: tempFiles({}), env });
    expect(stdout).toMatch(/WAYBILL_BUDGT_TOKENS is set, but .* Did you mean\s+"WAYBILL_BUDGET_TOKENS"\?/);
  });

  it("says that no configuration names a tool, and which one may be meant", async () => {
    const cwd = tempFiles({ "waybill.config.json": '{ "tools": { "search": { "profile": "minimal" } } }' });
    const asked = async (tool: string) => (await runInProcess(["config", "--tool", tool], { cwd })).stdout;
    expect(await asked("serch")).toMatch(
      /^notice No configuration names the tool "serch", so .* Did you mean "search"\?$/m,
    );
    expect(await asked("zebra")).toMatch(/^notice No configuration names the tool "zebra", so [^?]*\.$/m);
    expect(await asked("search")).not.toContain("notice");
    const { stdout } = await runInProcess(["config", "--tool", "serch", "--json"], { cwd });
    expect(JSON.parse(stdout).data.notices).toEqual([expect.stringContaining("serch")]);
  });

  it("never shows the secret", async () => {
    const env = { WAYBILL_SECRET: "hunter2-hunter2-hunter2" };
    for (const args of [["config"], ["config", "--json"]]) {
      const { stdout } = await runInProcess(args, { cwd: tempFiles({}), env });
      expect(stdout).toContain("set");
      expect(stdout).not.toContain("hunter2");
    }
  });

  it("never shows the password in a store's URL", async () => {
    const cwd = tempFiles({ "waybill.config.json": '{ "store": "redis://ada:hunter2@cache:6379/2" }' });
    const named = ["config", "--config", "waybill.config.json"];
    for (const args of [named, [...named, "--json"]]) {
      const { stdout } = await runInProcess(args, { cwd });
      expect(stdout).toContain("redis://***@cache:6379/2");
      expect(stdout).not.toContain("hunter2");
    }
  });

  it("shows one tool, and which layer decided each of its settings", async () => {
    const file = { dialect: "drf", tools: { scan: { profile: "minimal", exclude: ["rows[*].raw"] } } };
    const cwd = tempFiles({ "waybill.config.json": JSON.stringify(file, null, 2) });
    const env = { WAYBILL_BUDGET_TOKENS: "900" };
    const { stdout } = await runInProcess(["config", "--tool", "scan", "--json"], { cwd, env });
    const { tool, settings } = JSON.parse(stdout).data;
    const rowOf = (name: string) => settings.find(({ setting }: { setting: string }) => setting === name);
    expect(tool).toBe("scan");
    expect(rowOf("dialect")).toMatchObject({ value: "drf", source: "file" });
    expect(rowOf("profile")).toMatchObject({ value: "minimal", source: "file-tool" });
    expect(rowOf("profile").where).toMatch(/waybill\.config\.json:5$/);
    expect(rowOf("budget.tokens")).toMatchObject({
      value: 900,
      source: "environment",
      where: "WAYBILL_BUDGET_TOKENS",
    });
    expect(rowOf("filter")).toMatchObject({ value: { exclude: ["rows[*].raw"] }, source: "file-tool" });
    expect(rowOf("encoding")).toMatchObject({ value: "json", source: "default" });
  });

  it("shows notices", async () => {
    const env = { WAYBILL_PROFILE: "minimal", SCALPEL_MCP_INFO: "DEBUG" };
    const { stdout } = await runInProcess(["config"], { cwd: tempFiles({}), env });
    expect(stdout).toMatch(/^notice WAYBILL_PROFILE=minimal has no effect/m);
  });

  it("looks from --cwd, and for --config from the working directory", async () => {
    const there = tempFiles({ "waybill.config.json": '{ "delivery": "text" }' });
    const here = tempFiles({ "own.json": '{ "delivery": "brief" }' });
    const looked = await runInProcess(["config", "--cwd", there], { cwd: here });
    expect(looked.stdout).toMatch(/^delivery +text +file/m);
    const named = await runInProcess(["config", "--cwd", there, "--config", "own.json"], { cwd: here });
    expect(named.stdout).toMatch(/^delivery +brief +file/m);
    expect(named.stdout).toMatch(/^shadowed +.*waybill\.config\.json/m);
  });

  it("exits 2 for a broken file, with its place and what to do", async () => {
    const cwd = tempFiles({ "waybill.config.json": '{\n  "budgt": {},\n  "validate": "sometimes"\n}' });
    const { exitCode, stdout, stderr } = await runInProcess(["config"], { cwd });
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("waybill: The configuration has 2 problems.\n");
    expect(stderr).toContain(`  ${join(cwd, "waybill.config.json")}:2:3: `);
    expect(stderr).toContain('Did you mean "budget"?');
  });

  it("exits 2 for a file that was named and is missing", async () => {
    const { exitCode, stderr } = await runInProcess(["config", "--config", "nope.json"], {
      cwd: tempFiles({}),
    });
    expect(exitCode).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(
      "nope.json: There is no such file, but --config names it.",
    );
  });

  it("carries settings, files and notices in one envelope with --json", async () => {
    const cwd = tempFiles({});
    const { data } = JSON.parse((await runInProcess(["config", "--json"], { cwd })).stdout);
    expect(data.settings).toContainEqual({
      setting: "dialect",
      value: "response-v2",
      source: "default",
      where: "",
    });
    expect(data.files[0]).toMatchObject({ kind: "waybill", status: "absent" });
    expect(data.notices).toEqual([]);
  });

  it("lists every problem in the details with --json", async () => {
    const cwd = tempFiles({ "waybill.config.json": '{ "budgt": {} }' });
    const { exitCode, stdout } = await runInProcess(["config", "--json"], { cwd });
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout).data.details.problems[0]).toMatchObject({ line: 1, column: 3, path: "budgt" });
  });
});
