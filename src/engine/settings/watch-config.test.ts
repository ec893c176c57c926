import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ContractError } from "../../core/contract/contract-error.ts";
import type { LoadedConfig } from "./resolve-config.ts";
import { createTempFolder, type TempFolder } from "./temp-folder.fixture.ts";
import { followConfig, watchConfig } from "./watch-config.ts";

const TIMEOUT_MS = 120_000;
const own = "repo/waybill.config.json";
const scalpel = "repo/.code-scalpel/response_config.json";

async function follow(folder: TempFolder, options: object = {}) {
  const watch = await watchConfig({ cwd: folder.cwd, home: folder.home, environment: {}, ...options });
  onTestFinished(() => watch.close());
  const changes: LoadedConfig[] = [];
  const problems: ContractError[] = [];
  watch.onChange((config) => changes.push(config));
  watch.onProblem((problem) => problems.push(problem));
  const until = (check: () => void) => vi.waitFor(check, { timeout: TIMEOUT_MS, interval: 5 });
  return {
    watch,
    changes,
    problems,
    untilDialect: (dialect: string) => until(() => expect(watch.current.settings.dialect).toBe(dialect)),
    untilProfile: (profile: string) => until(() => expect(watch.current.settings.profile).toBe(profile)),
    untilProblems: (count: number) => until(() => expect(problems).toHaveLength(count)),
    untilChanges: (count: number) => until(() => expect(changes).toHaveLength(count)),
  };
}

describe("watchConfig", () => {
  it("takes a changed file and tells its listeners", async () => {
    const folder = createTempFolder();
    folder.write(own, { dialect: "drf" });
    const { watch, changes, untilChanges } = await follow(folder);
    expect(watch.current.settings.dialect).toBe("drf");
    folder.write(own, { dialect: "plain" });
    await untilChanges(1);
    expect(changes[0]?.settings.dialect).toBe("plain");
    expect(watch.current).toBe(changes[0]);
  });

  // shows 002.35
  it("keeps the last good config on a broken edit, reports it once, and takes the repaired file", async () => {
    const folder = createTempFolder();
    folder.write(own, { dialect: "drf" });
    const { watch, changes, problems, untilProblems, untilDialect, untilChanges } = await follow(folder);
    folder.write(own, '{ "dialect": ');
    await untilProblems(1);
    expect(watch.current.settings.dialect).toBe("drf");
    expect(problems[0]).toMatchObject({ code: "INVALID_CONFIG" });
    expect(problems[0]?.message).toContain(`${folder.path(own)}:1:14: A value is expected here.`);

    const control = await follow(folder, { configPath: folder.write("repo/control.json", {}) });
    folder.write(own, '{ "dialect": ');
    folder.write("repo/control.json", { dialect: "drf" });
    await control.untilDialect("drf");
    folder.write(own, '{ "dialect": "plian" }');
    await untilProblems(2);
    expect(problems[1]?.message).toContain('Did you mean "plain"?');

    folder.write(own, { dialect: "plain" });
    await untilDialect("plain");
    await untilChanges(1);
    expect(problems).toHaveLength(2);
    expect(changes).toHaveLength(1);
  });

  it("says so when a repaired file brings back the same settings", async () => {
    const folder = createTempFolder();
    folder.write(own, { dialect: "drf" });
    const { changes, untilProblems, untilChanges } = await follow(folder);
    folder.write(own, "{");
    await untilProblems(1);
    folder.write(own, { dialect: "drf" });
    await untilChanges(1);
    expect(changes[0]?.settings.dialect).toBe("drf");
  });

  it("falls back when a file is deleted, and takes it when it returns", async () => {
    const folder = createTempFolder();
    folder.write("home/.config/waybill/config.json", { dialect: "plain" });
    folder.write(own, { dialect: "drf" });
    const { problems, untilDialect } = await follow(folder);
    rmSync(folder.path(own));
    await untilDialect("plain");
    folder.write(own, { dialect: "drf" });
    await untilDialect("drf");
    rmSync(folder.path(own));
    await untilDialect("plain");
    rmSync(folder.path("home/.config/waybill/config.json"));
    await untilDialect("response-v2");
    expect(problems).toEqual([]);
  });

  it.each([own, "repo/waybill.config.jsonc", "home/.config/waybill/config.json"])(
    "takes %s when it is created later, folders included",
    async (file) => {
      const folder = createTempFolder();
      const { problems, untilDialect } = await follow(folder);
      folder.write(file, { dialect: "drf" });
      await untilDialect("drf");
      expect(problems).toEqual([]);
    },
  );

  it.each([scalpel, "home/.config/code-scalpel/response_config.json"])(
    "takes %s when it is created later, and again after its folder was deleted",
    async (file) => {
      const folder = createTempFolder();
      const { problems, untilProfile } = await follow(folder);
      for (const profile of ["minimal", "debug"]) {
        folder.write(file, { global: { profile } });
        await untilProfile(profile);
        folder.write(file, { global: { profile: "standard" } });
        await untilProfile("standard");
        folder.write(file, { global: { profile } });
        await untilProfile(profile);
        rmSync(folder.path(file).replace(/\/[^/]+$/, ""), { recursive: true });
        await untilProfile("standard");
      }
      expect(problems).toEqual([]);
    },
  );

  it("follows a file in a parent folder", async () => {
    const folder = createTempFolder();
    mkdirSync(folder.path("repo/a/b"), { recursive: true });
    const { watch, untilDialect } = await follow(folder, { cwd: folder.path("repo/a/b") });
    folder.write(own, { dialect: "drf" });
    await untilDialect("drf");
    folder.write("repo/a/waybill.config.json", { dialect: "plain" });
    await untilDialect("plain");
    expect(watch.current.files.map(({ status }) => status)).toContain("shadowed");
  });

  it("follows saves that write a new file and rename it, many times over", async () => {
    const folder = createTempFolder();
    folder.write(own, {});
    const { problems, untilDialect } = await follow(folder);
    for (const dialect of ["drf", "plain", "scalpel", "response-v1", "drf", "plain"]) {
      renameSync(folder.write("repo/.waybill.config.json.tmp", { dialect }), folder.path(own));
      await untilDialect(dialect);
    }
    expect(problems).toEqual([]);
  });

  it("follows saves that move the old file away first", async () => {
    const folder = createTempFolder();
    folder.write(own, {});
    const { problems, untilDialect } = await follow(folder);
    for (const dialect of ["drf", "plain", "drf"]) {
      renameSync(folder.path(own), folder.path(`${own}~`));
      folder.write(own, { dialect });
      await untilDialect(dialect);
    }
    expect(problems).toEqual([]);
  });

  it("follows a mounted ConfigMap, whose files are links into a swapped folder", async () => {
    const folder = createTempFolder();
    folder.write("repo/..one/waybill.config.json", { dialect: "drf" });
    folder.write("repo/..two/waybill.config.json", { dialect: "plain" });
    symlinkSync("..one", folder.path("repo/..data"));
    symlinkSync("..data/waybill.config.json", folder.path(own));
    const { problems, untilDialect } = await follow(folder);
    for (const [target, dialect] of [
      ["..two", "plain"],
      ["..one", "drf"],
    ] as const) {
      symlinkSync(target, folder.path("repo/..data_tmp"));
      renameSync(folder.path("repo/..data_tmp"), folder.path("repo/..data"));
      await untilDialect(dialect);
    }
    expect(problems).toEqual([]);
  });

  it("ends up at the last of many quick edits", async () => {
    const folder = createTempFolder();
    const { watch, untilDialect } = await follow(folder);
    for (let index = 0; index < 200; index++) {
      if (index % 3 === 0) rmSync(folder.path(own), { force: true });
      else writeFileSync(folder.path(own), index % 5 === 0 ? "{" : JSON.stringify({ dialect: "drf" }));
    }
    folder.write(own, { dialect: "plain" });
    await untilDialect("plain");
    folder.write(own, { dialect: "drf" });
    await untilDialect("drf");
    expect(watch.current.files[0]?.status).toBe("used");
  });

  it("keeps the last good config while an explicit file is missing", async () => {
    const folder = createTempFolder();
    folder.write("repo/own.json", { dialect: "drf" });
    const { watch, problems, untilProblems, untilDialect } = await follow(folder, { configPath: "own.json" });
    rmSync(folder.path("repo/own.json"));
    await untilProblems(1);
    expect(problems[0]?.message).toContain("There is no such file, but configPath names it.");
    expect(watch.current.settings.dialect).toBe("drf");
    folder.write("repo/own.json", { dialect: "plain" });
    await untilDialect("plain");
  });

  it("updates places without telling anyone when only a comment moved", async () => {
    const folder = createTempFolder();
    folder.write(own, '{"dialect": "drf"}');
    const { watch, changes } = await follow(folder);
    folder.write(own, '// why\n{"dialect": "drf"}');
    await vi.waitFor(() => expect(watch.current.origins["dialect"]?.where).toBe(`${folder.path(own)}:2`), {
      timeout: TIMEOUT_MS,
    });
    expect(changes).toEqual([]);
  });

  it("rejects when the first load fails", async () => {
    const folder = createTempFolder();
    folder.write(own, "{");
    await expect(watchConfig({ cwd: folder.cwd, home: folder.home, environment: {} })).rejects.toMatchObject({
      code: "INVALID_CONFIG",
    });
  });

  it("keeps a problem for the first listener", async () => {
    const folder = createTempFolder();
    const watch = await watchConfig({ cwd: folder.cwd, home: folder.home, environment: {} });
    onTestFinished(() => watch.close());
    const other = await follow(folder);
    folder.write(own, "{");
    await other.untilProblems(1);
    const heard: ContractError[] = [];
    watch.onProblem((problem) => heard.push(problem));
    await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: TIMEOUT_MS });
    expect(heard[0]?.message).toBe(other.problems[0]?.message);
  });

  it("goes on when a listener throws, and stops calling one that left", async () => {
    const folder = createTempFolder();
    const warned = once(process, "warning");
    const { watch, changes, untilChanges, untilDialect } = await follow(folder);
    const late = vi.fn<() => void>();
    const leave = watch.onChange(late);
    leave();
    watch.onChange(() => {
      throw new Error("from a listener");
    });
    folder.write(own, { dialect: "drf" });
    await untilChanges(1);
    expect(String(await warned)).toContain("from a listener");
    folder.write(own, { dialect: "plain" });
    await untilDialect("plain");
    expect(changes).toHaveLength(2);
    expect(late).not.toHaveBeenCalled();
  });

  it("hears nothing after close, and may be closed twice", async () => {
    const folder = createTempFolder();
    const closed = await follow(folder);
    const open = await follow(folder);
    await closed.watch.close();
    await closed.watch.close();
    folder.write(own, { dialect: "drf" });
    await open.untilDialect("drf");
    expect(closed.watch.current.settings.dialect).toBe("response-v2");
    expect(closed.changes).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("does not keep a process alive", async () => {
    const folder = createTempFolder();
    const source = fileURLToPath(new URL("./watch-config.ts", import.meta.url));
    const options = JSON.stringify({ cwd: folder.cwd, home: folder.home, environment: {} });
    const script = `const { watchConfig } = await import(${JSON.stringify(source)}); await watchConfig(${options}); console.log("watching");`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      cwd: fileURLToPath(new URL("../../..", import.meta.url)),
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill());
    const output: string[] = [];
    child.stdout.on("data", (chunk) => output.push(String(chunk)));
    const [code] = (await once(child, "exit")) as [number];
    expect([code, output.join("")]).toEqual([0, "watching\n"]);
  });
});

describe("followConfig", () => {
  const open = (folder: TempFolder) => {
    const watch = followConfig({ cwd: folder.cwd, home: folder.home, environment: {} });
    onTestFinished(() => watch.close());
    return watch;
  };

  it("gives the settings at once, and takes an edit that follows", async () => {
    const folder = createTempFolder();
    folder.write(own, { dialect: "drf" });
    const watch = open(folder);
    expect(watch.current.settings.dialect).toBe("drf");
    folder.write(own, { dialect: "plain" });
    await vi.waitFor(() => expect(watch.current.settings.dialect).toBe("plain"), { timeout: TIMEOUT_MS });
  });

  it("throws at once when the first read fails", () => {
    const folder = createTempFolder();
    folder.write(own, "{ broken");
    expect(() => open(folder)).toThrow(/waybill\.config\.json:1:/);
  });

  it("can be closed before the watcher is open", async () => {
    const watch = followConfig({ cwd: createTempFolder().cwd, environment: {} });
    await expect(watch.close()).resolves.toBeUndefined();
  });
});
