import { truncateSync, writeFileSync } from "node:fs";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { loadConfig, loadConfigSync } from "./load-config.ts";
import { refusalOf } from "./refusal-of.fixture.ts";
import { followConfig } from "./watch-config.ts";
import { createTempFolder, type TempFolder } from "./temp-folder.fixture.ts";
import { settingsForTool } from "./describe-config.ts";

const load = (folder: TempFolder, options: object = {}) =>
  loadConfig({ cwd: folder.cwd, home: folder.home, environment: {}, ...options });

const scalpelPath = "repo/.code-scalpel/response_config.json";

describe("loadConfig", () => {
  it("works without any file", async () => {
    const { settings, notices, files } = await load(createTempFolder());
    expect(settings.dialect).toBe("response-v2");
    expect(notices).toEqual([]);
    expect(files.every(({ status }) => status === "absent")).toBe(true);
  });

  it("lets the waybill file win over the scalpel file key by key, and the environment over both", async () => {
    const folder = createTempFolder();
    const scalpel = folder.write(scalpelPath, {
      global: { profile: "standard", exclude_null_values: true, exclude_empty_arrays: true },
      profiles: { mine: { envelope: { include: ["tier"] }, common_exclusions: ["a"] } },
      tool_overrides: { scan: { profile: "debug", exclude_fields: ["a"], include_only: ["b"] } },
    });
    const waybill = folder.write("repo/waybill.config.json", {
      exclude_empty_arrays: false,
      budget: { tokens: 4000 },
      profiles: { mine: { show: { tier: "never" } } },
      tools: { scan: { exclude: ["z"] } },
    });
    const { settings, origins } = await load(folder, { environment: { WAYBILL_BUDGET_TOKENS: "10" } });
    expect(settings).toMatchObject({
      profile: "standard",
      excludeNullValues: true,
      excludeEmptyArrays: false,
      budget: { tokens: 10, bytes: "off" },
      profiles: { mine: { show: { tier: "never", requestId: "notable" }, excludeFields: ["a"] } },
      tools: { scan: { profile: "debug", exclude: ["z"], includeOnly: ["b"] } },
    });
    expect(origins["profile"]).toMatchObject({ source: "scalpel-file", where: `${scalpel}:3` });
    expect(origins["exclude_empty_arrays"]).toMatchObject({ source: "file", where: `${waybill}:2` });
    expect(origins["budget.tokens"]).toMatchObject({ source: "environment", where: "WAYBILL_BUDGET_TOKENS" });
    expect(origins["budget.bytes"]).toEqual({ source: "default", value: "off" });
    expect(origins["tools.scan.exclude"]).toMatchObject({ source: "file" });
    expect(origins["tools.scan.include_only"]).toMatchObject({ source: "scalpel-file" });
  });

  it.each([
    ["default", {}, "standard"],
    ["scalpel file over default", { scalpel: "minimal" }, "minimal"],
    ["file over scalpel file", { scalpel: "minimal", file: "debug" }, "debug"],
    ["WAYBILL_PROFILE over file", { scalpel: "debug", file: "debug", WAYBILL_PROFILE: "minimal" }, "minimal"],
    [
      "scalpel switch over WAYBILL_PROFILE",
      { file: "minimal", WAYBILL_PROFILE: "minimal", SCALPEL_MCP_INFO: "DEBUG" },
      "debug",
    ],
  ])(
    "takes the profile in order: %s",
    async (_, { scalpel, file, ...environment }: Record<string, string>, profile) => {
      const folder = createTempFolder();
      if (scalpel) folder.write(scalpelPath, { global: { profile: scalpel } });
      if (file) folder.write("repo/waybill.config.json", { profile: file });
      expect((await load(folder, { environment })).settings.profile).toBe(profile);
    },
  );

  it("lets a tool of one file use a profile of the other", async () => {
    const folder = createTempFolder();
    folder.write(scalpelPath, { global: { profile: "terse" } });
    folder.write("repo/waybill.config.json", { profiles: { terse: { extends: "minimal" } } });
    expect((await load(folder)).settings.profile).toBe("terse");
  });

  it("refuses a broken file with file, line and column", async () => {
    const folder = createTempFolder();
    const file = folder.write("repo/waybill.config.json", '{\n  "dialect" "drf"\n}');
    await expect(load(folder)).rejects.toMatchObject({
      code: "INVALID_CONFIG",
      message: expect.stringContaining(`${file}:2:13: A colon is expected here.`),
    });
  });

  it.each([
    [{ configPath: "none.json" }, "configPath"],
    [{ configPath: "none.json", namedBy: "--config" as const }, "--config"],
    [{ environment: { WAYBILL_CONFIG: "none.json" } }, "WAYBILL_CONFIG"],
  ])("refuses a named file that is missing (%#)", async (options, origin) => {
    const folder = createTempFolder();
    folder.write("repo/waybill.config.json", {});
    await expect(load(folder, options)).rejects.toMatchObject({
      code: "INVALID_CONFIG",
      message: `${folder.path("repo/none.json")}: There is no such file, but ${origin} names it. Create it, or correct ${origin}.`,
    });
  });

  it.each([
    [{ configPath: "." }, "configPath"],
    [{ configPath: ".", namedBy: "--config" as const }, "--config"],
    [{ environment: { WAYBILL_CONFIG: "." } }, "WAYBILL_CONFIG"],
  ])("says that what is named is a folder (%#)", async (options, origin) => {
    const folder = createTempFolder();
    folder.write("repo/waybill.config.json", {});
    await expect(load(folder, options)).rejects.toMatchObject({
      code: "INVALID_CONFIG",
      message: `${folder.path("repo")}: This is a folder, but ${origin} names it as the file. Name the file in it, such as waybill.config.json.`,
    });
  });

  it("does not mind that a shadowed name is missing", async () => {
    const folder = createTempFolder();
    folder.write("repo/own.json", { dialect: "drf" });
    const options = { configPath: "own.json", environment: { WAYBILL_CONFIG: "none.json" } };
    expect((await load(folder, options)).settings.dialect).toBe("drf");
  });

  it("notices that the scalpel variable names no file, and goes on", async () => {
    const folder = createTempFolder();
    folder.write(scalpelPath, { global: { profile: "minimal" } });
    const { settings, notices } = await load(folder, {
      environment: { CODE_SCALPEL_RESPONSE_CONFIG: "none.json" },
    });
    expect(settings.profile).toBe("minimal");
    expect(notices).toEqual([
      `CODE_SCALPEL_RESPONSE_CONFIG names ${folder.path("repo/none.json")}, which is not a file; the next place is used.`,
    ]);
  });

  it("shows a server that does not catch it one error, without a trace of the reader", () => {
    const folder = createTempFolder();
    folder.write("repo/waybill.config.json", { budgt: {} });
    const options = { cwd: folder.cwd, home: folder.home, environment: {} };
    for (const read of [() => loadConfigSync(options), () => followConfig(options)]) {
      const shown = inspect(refusalOf(read));
      expect(shown).toContain('"budgt" is not a known key. Did you mean "budget"?');
      expect(shown).not.toMatch(/^ +at /m);
    }
  });

  it("refuses a huge file without reading it whole", async () => {
    const folder = createTempFolder();
    truncateSync(folder.write("repo/waybill.config.json", ""), 2 ** 40);
    await expect(load(folder)).rejects.toThrow(
      "waybill.config.json:1:1: The file is larger than 1048576 bytes",
    );
  });

  it("refuses bytes that are not UTF-8", async () => {
    const folder = createTempFolder();
    writeFileSync(folder.path("repo/waybill.config.json"), Buffer.from([0x7b, 0xff, 0x7d]));
    await expect(load(folder)).rejects.toThrow("waybill.config.json:1:1: The file is not UTF-8: byte 1");
  });

  // A file that opens and fails on reading, also for root.
  it.skipIf(process.platform !== "linux")("says that a file cannot be read", async () => {
    const options = { configPath: "/proc/self/mem" };
    await expect(load(createTempFolder(), options)).rejects.toMatchObject({
      code: "INVALID_CONFIG",
      message: "/proc/self/mem:1:1: The file cannot be read (EIO). Check its permissions.",
    });
  });
});

describe("a file that was found by looking", () => {
  const guarded = {
    store: "./elsewhere",
    allow: { budget_off: true },
    cursors: { accept_unsigned: true },
    flags: { beta: { default: true } },
    dialect: "drf",
  };

  it.each(["repo/waybill.config.json", "home/.config/waybill/config.json"])(
    "sets no store, allowance, cursors or flags: %s",
    async (path) => {
      const folder = createTempFolder();
      const file = folder.write(path, guarded);
      const { settings, notices, origins } = await load(folder);
      expect(settings).toMatchObject({
        dialect: "drf",
        allow: { budgetOff: false },
        cursors: { acceptUnsigned: false },
        flags: {},
      });
      expect(settings.store).toBeUndefined();
      expect(origins["store.place"]).toBeUndefined();
      expect(notices.map((notice) => /: "(\w+)" is ignored/.exec(notice)?.[1])).toEqual([
        "store",
        "allow",
        "flags",
        "cursors",
      ]);
      expect(notices[0]).toContain(`${file}:2:`);
      expect(notices[0]).toContain(`WAYBILL_CONFIG=${file}`);
    },
  );

  it("is told how to name it where it is read: a program has no --config", async () => {
    const folder = createTempFolder();
    const file = folder.write("repo/waybill.config.json", { store: "./elsewhere" });
    const inCode = await load(folder);
    expect(inCode.notices[0]).toMatch(/start with WAYBILL_CONFIG=\S+, or give its path in code/);
    expect(inCode.notices[0]).not.toContain("--config");
    const inCommand = await load(folder, { namedBy: "--config" });
    expect(inCommand.notices[0]).toContain(`--config ${file}, or set WAYBILL_CONFIG=${file}`);
  });

  it("sets them once it is named, by path or by WAYBILL_CONFIG", async () => {
    const folder = createTempFolder();
    const file = folder.write("repo/waybill.config.json", guarded);
    for (const options of [{ configPath: file }, { environment: { WAYBILL_CONFIG: file } }]) {
      const { settings, notices } = await load(folder, options);
      expect(settings).toMatchObject({ store: { place: "./elsewhere" }, allow: { budgetOff: true } });
      expect(notices).toEqual([]);
    }
  });
});

describe("the command line", () => {
  it("beats environment and files, and is named as the origin", async () => {
    const folder = createTempFolder();
    folder.write("repo/waybill.config.json", { dialect: "drf", tools: { scan: { dialect: "plain" } } });
    const { settings, origins } = await load(folder, {
      environment: { WAYBILL_DIALECT: "response-v1", WAYBILL_BUDGET_TOKENS: "900" },
      commandLine: { dialect: "scalpel", budget: { tokens: 700 }, store: { place: "./here" } },
    });
    expect(settingsForTool(settings, "scan")).toMatchObject({ dialect: "scalpel", budget: { tokens: 700 } });
    expect(settings.store).toEqual({ place: "./here" });
    expect(origins["dialect"]).toEqual({ source: "command-line", where: "--dialect", value: "scalpel" });
    expect(origins["budget.tokens"]).toMatchObject({ source: "command-line", where: "--budget" });
  });

  it("is refused with the option's name", async () => {
    const commandLine = { dialect: "drfx" } as never;
    await expect(load(createTempFolder(), { commandLine })).rejects.toThrow('--dialect: "dialect" is "drfx"');
  });
});
