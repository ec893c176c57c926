import { describe, expect, it } from "vitest";
import { type Machine, archiveFolder } from "./state-folder.ts";

const linux: Machine = { platform: "linux", env: {}, home: "/home/ada" };

describe("the folder of the gateway's archive", () => {
  it.each<[string, Machine, string | undefined]>([
    ["on Linux", linux, "/home/ada/.local/state/waybill/archive"],
    ["where XDG_STATE_HOME says", { ...linux, env: { XDG_STATE_HOME: "/var/s" } }, "/var/s/waybill/archive"],
    [
      "not where a relative XDG_STATE_HOME says",
      { ...linux, env: { XDG_STATE_HOME: "state" } },
      "/home/ada/.local/state/waybill/archive",
    ],
    [
      "on macOS",
      { ...linux, platform: "darwin", home: "/Users/ada" },
      "/Users/ada/Library/Application Support/waybill/archive",
    ],
    [
      "on Windows",
      { platform: "win32", env: { LOCALAPPDATA: "/c/Local" }, home: "/c/Users/ada" },
      "/c/Local/waybill/archive",
    ],
    ["nowhere for a user without a home", { ...linux, home: undefined }, undefined],
  ])("is %s", (_where, machine, folder) => {
    expect(archiveFolder(machine)).toBe(folder);
  });
});
