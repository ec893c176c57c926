import { describe, expect, it, onTestFinished } from "vitest";
import { createTempFolder } from "../../engine/settings/temp-folder.fixture.ts";
import { followConfig } from "../../engine/settings/watch-config.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import { TokenGauge } from "./call-tally.ts";
import { ServedSet } from "./served-set.ts";
import { type Machine, archiveFolder } from "./state-folder.ts";

const words = ["ledger", "harbour", "copper", "sail", "winter", "quota", "granite", "lantern"];
const textOf = (length: number, salt: number): string =>
  Array.from({ length }, (_, at) => words[(at * 7 + salt * 3 + (at % 5)) % words.length]).join(" ");

describe("a token gauge", () => {
  it("counts a few short texts exactly", async () => {
    const counter = await loadCounter();
    const gauge = new TokenGauge();
    const texts = [textOf(10, 1), textOf(40, 2), ""];
    for (const text of texts) gauge.add(text);
    const exact = texts.reduce((sum, text) => sum + counter.count(text), 0);
    expect(gauge.total(counter)).toEqual({ tokens: exact, isEstimated: false });
  });

  it("is within a tenth of the truth for many texts, some of them long, and says that it estimates", async () => {
    const counter = await loadCounter();
    const gauge = new TokenGauge();
    let exact = 0;
    for (let at = 0; at < 1_000; at++) {
      const text = textOf(at % 100 === 0 ? 5_000 : 20 + (at % 60), at);
      gauge.add(text);
      exact += counter.count(text);
    }
    const { tokens, isEstimated } = gauge.total(counter);
    expect(isEstimated).toBe(true);
    expect(Math.abs(tokens - exact) / exact).toBeLessThan(0.1);
  });

  it("has nothing to estimate before the first text", async () => {
    expect(new TokenGauge().total(await loadCounter())).toEqual({ tokens: 0, isEstimated: false });
  });
});

describe("the contracts of a gateway", () => {
  it("say once what the configuration notices, with the variable that was meant", () => {
    const { cwd, home } = createTempFolder();
    const config = followConfig({ cwd, home, environment: { WAYBILL_STOR_TTL: "1d" } });
    onTestFinished(() => config.close());
    const notices: unknown[] = [];
    const quiet = (): void => undefined;
    const warn = (fields: object): void => void notices.push(fields);
    const upstreams = { files: { command: "files" }, mail: { command: "mail" }, web: { command: "web" } };
    const logger = { info: quiet, warn, error: quiet };
    const served = new ServedSet({ upstreams, config, store: "memory", logger });
    for (const [name, options] of Object.entries(upstreams)) served.add(name, options);
    expect(notices).toEqual([
      {
        notice:
          'WAYBILL_STOR_TTL is set, but Waybill reads no variable of that name. Did you mean "WAYBILL_STORE_TTL"?',
      },
    ]);
  });
});

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
