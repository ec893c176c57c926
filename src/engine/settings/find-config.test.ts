import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { findConfig, type Candidate } from "./find-config.ts";
import { createTempFolder, type TempFolder } from "./temp-folder.fixture.ts";

function createFind(folder: TempFolder) {
  const root = dirname(folder.cwd);
  const line = ({ path, origin, status }: Candidate) => `${status} ${path.replace(root, "")} (${origin})`;
  return async (options: object = {}, kind: Candidate["kind"] = "waybill") => {
    const found = await findConfig({ cwd: folder.cwd, home: folder.home, environment: {}, ...options });
    return found.filter((candidate) => candidate.kind === kind).map(line);
  };
}

const homeAbsent = "absent /home/.config/waybill/config.json (home directory)";

describe("findConfig", () => {
  it("lists every place when there is no file", async () => {
    const folder = createTempFolder();
    const find = createFind(folder);
    expect(await find()).toEqual([
      "absent /repo/waybill.config.json (working directory)",
      "absent /repo/waybill.config.jsonc (working directory)",
      homeAbsent,
    ]);
    expect(await find({}, "scalpel")).toEqual([
      "absent /repo/.code-scalpel/response_config.json (working directory)",
      "absent /home/.config/code-scalpel/response_config.json (home directory)",
    ]);
  });

  it("prefers .json to .jsonc in one folder", async () => {
    const folder = createTempFolder();
    folder.write("repo/waybill.config.jsonc", {});
    expect(await createFind(folder)()).toContain("used /repo/waybill.config.jsonc (working directory)");
    folder.write("repo/waybill.config.json", {});
    expect(await createFind(folder)()).toEqual([
      "used /repo/waybill.config.json (working directory)",
      "shadowed /repo/waybill.config.jsonc (working directory)",
      homeAbsent,
    ]);
  });

  it("walks up to the folder with .git and no further", async () => {
    const folder = createTempFolder();
    folder.write("waybill.config.json", {});
    folder.write("repo/waybill.config.json", {});
    mkdirSync(folder.path("repo/a/b"), { recursive: true });
    const lines = await createFind(folder)({ cwd: folder.path("repo/a/b") });
    expect(lines).toEqual([
      "absent /repo/a/b/waybill.config.json (working directory)",
      "absent /repo/a/b/waybill.config.jsonc (working directory)",
      "absent /repo/a/waybill.config.json (parent directory)",
      "absent /repo/a/waybill.config.jsonc (parent directory)",
      "used /repo/waybill.config.json (parent directory)",
      "absent /repo/waybill.config.jsonc (parent directory)",
      homeAbsent,
    ]);
  });

  it("takes a .git file for a repository root too", async () => {
    const folder = createTempFolder();
    folder.write("repo/sub/.git", "gitdir: elsewhere");
    folder.write("repo/waybill.config.json", {});
    const lines = await createFind(folder)({ cwd: folder.path("repo/sub") });
    expect(lines.join()).not.toContain("/repo/waybill.config.json");
  });

  it("walks up to the file system's root without a repository", async () => {
    const folder = createTempFolder();
    rmSync(folder.path("repo/.git"), { recursive: true });
    folder.write("waybill.config.json", {});
    const lines = await createFind(folder)();
    expect(lines).toContain("used /waybill.config.json (parent directory)");
    expect(lines.some((line) => line.startsWith("absent /waybill.config.json ("))).toBe(true);
  });

  it("prefers the nearer folder, and any folder to home", async () => {
    const folder = createTempFolder();
    folder.write("home/.config/waybill/config.json", {});
    expect(await createFind(folder)()).toContain("used /home/.config/waybill/config.json (home directory)");
    folder.write("repo/waybill.config.json", {});
    folder.write("repo/a/waybill.config.jsonc", {});
    const lines = await createFind(folder)({ cwd: folder.path("repo/a") });
    expect(lines.filter((line) => !line.startsWith("absent"))).toEqual([
      "used /repo/a/waybill.config.jsonc (working directory)",
      "shadowed /repo/waybill.config.json (parent directory)",
      "shadowed /home/.config/waybill/config.json (home directory)",
    ]);
  });

  it("prefers --config to WAYBILL_CONFIG, and both to the search; relative paths start at the working directory", async () => {
    const folder = createTempFolder();
    for (const name of ["option.json", "variable.json", "waybill.config.json"])
      folder.write(`repo/${name}`, {});
    const environment = { WAYBILL_CONFIG: "variable.json" };
    expect(
      (await createFind(folder)({ environment, configPath: "./option.json", namedBy: "--config" })).slice(
        0,
        3,
      ),
    ).toEqual([
      "used /repo/option.json (--config)",
      "shadowed /repo/variable.json (WAYBILL_CONFIG)",
      "shadowed /repo/waybill.config.json (working directory)",
    ]);
    expect((await createFind(folder)({ environment })).slice(0, 2)).toEqual([
      "used /repo/variable.json (WAYBILL_CONFIG)",
      "shadowed /repo/waybill.config.json (working directory)",
    ]);
  });

  it("looks for the scalpel file by variable, then in the working directory, then at home", async () => {
    const folder = createTempFolder();
    const find = createFind(folder);
    folder.write("home/.config/code-scalpel/response_config.json", {});
    expect((await find({}, "scalpel"))[1]).toBe(
      "used /home/.config/code-scalpel/response_config.json (home directory)",
    );
    folder.write("repo/.code-scalpel/response_config.json", {});
    folder.write("repo/own.json", {});
    expect(await find({ environment: { CODE_SCALPEL_RESPONSE_CONFIG: "own.json" } }, "scalpel")).toEqual([
      "used /repo/own.json (CODE_SCALPEL_RESPONSE_CONFIG)",
      "shadowed /repo/.code-scalpel/response_config.json (working directory)",
      "shadowed /home/.config/code-scalpel/response_config.json (home directory)",
    ]);
  });

  it("takes a folder of that name for absent", async () => {
    const folder = createTempFolder();
    mkdirSync(folder.path("repo/waybill.config.json"));
    expect((await createFind(folder)())[0]).toBe("absent /repo/waybill.config.json (working directory)");
  });
});
