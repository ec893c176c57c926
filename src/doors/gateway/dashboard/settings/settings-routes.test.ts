import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../engine/settings/find-config.ts";
import { resolveConfig } from "../../../../engine/settings/resolve-config.ts";
import type { ConfigWatch } from "../../../../engine/settings/watch-config.ts";
import { ContractError } from "../../../../core/contract/contract-error.ts";
import type { ContractOptions } from "../../../../engine/settings/contract-options.ts";
import type { JsonValue } from "../../../../core/json/json-value.ts";
import type { TellPages, WatchedGateway, WatchedUpstream } from "../dashboard-parts.ts";
import type { ConfigReport, OwnCall, SettingView } from "../protocol/places.ts";
import { ask, problemOf, watchedGateway } from "../routes.fixture.ts";
import { serverWith, servedUpstream } from "../served-upstream.fixture.ts";
import { Traffic } from "../traffic/traffic.ts";
import { toolsRoutes } from "../tools/tools-routes.ts";
import { watchedState } from "../traffic/watched-state.fixture.ts";
import { settingsRoutes } from "./settings-routes.ts";

function open(gateway: WatchedGateway) {
  const told: string[] = [];
  const tell: TellPages = (event) => void told.push(event);
  return { told, routes: settingsRoutes(gateway, tell, new AbortController().signal) };
}

type Routes = ReturnType<typeof open>["routes"];

const change = (routes: Routes, path: string, value: JsonValue, upstream = "pages") =>
  ask<ConfigReport>(routes, "/api/config", { upstream, path, value });

function settingOf({ upstreams }: ConfigReport, path: string, upstream = "pages"): SettingView | undefined {
  const { settings } = upstreams.find((one) => one.upstream === upstream) ?? { settings: [] };
  return settings.find((one) => one.path === path);
}

const used: Candidate = {
  path: "/home/ada/waybill.config.json",
  kind: "waybill",
  status: "used",
  origin: "--config",
};

/** A configuration as a file, the environment and a command line give it; `load` changes it as an edit would. */
function configOf(file: object, environment: Record<string, string> = {}, commandLine = {}) {
  const load = (said: object) => ({
    ...resolveConfig({
      waybill: { file: "/home/ada/waybill.config.json", text: JSON.stringify(said, null, 2) },
      environment,
      commandLine,
    }),
    files: [used],
  });
  const changes = new Set<Parameters<ConfigWatch["onChange"]>[0]>();
  const problems = new Set<Parameters<ConfigWatch["onProblem"]>[0]>();
  const watch = {
    current: load(file),
    onChange: (listener: Parameters<ConfigWatch["onChange"]>[0]) => {
      changes.add(listener);
      return () => changes.delete(listener);
    },
    onProblem: (listener: Parameters<ConfigWatch["onProblem"]>[0]) => {
      problems.add(listener);
      return () => problems.delete(listener);
    },
    close: async () => undefined,
  };
  const edit = (said: object): void => {
    watch.current = load(said);
    for (const listener of changes) listener(watch.current);
  };
  const breakIt = (why: string): void => {
    for (const listener of problems) listener(new ContractError("INVALID_CONFIG", why));
  };
  return { watch, edit, breakIt };
}

const unsaid = { dialect: undefined, profile: undefined, budget: undefined } as object as ContractOptions;

describe("GET /api/config", () => {
  it("gives every setting with who chose it, files without their folders", async () => {
    const { watch } = configOf(
      {
        budget: { tokens: 300 },
        tools: { search: { exclude: ["debug"], encoding: "table" } },
        profiles: { quiet: {} },
      },
      { WAYBILL_PROFILE: "debug", WAYBILL_SECRET: "hush-hush-hush-hush-hush-hush-hush-hush" },
      { dialect: "auto" },
    );
    const pages = watchedState("pages", { ...unsaid, config: watch, fit: { clientLimits: true } });
    pages.state.effective.toolContract({ name: "read", config: {} });
    const { routes } = open(watchedGateway(pages));
    const report = await ask<ConfigReport>(routes, "/api/config");
    const said = (path: string) => {
      const { value, origin } = settingOf(report, path) ?? {};
      return [value, origin];
    };
    expect(report.files).toEqual(["waybill.config.json"]);
    expect(said("budget.tokens")).toEqual([300, "file: waybill.config.json:3"]);
    expect(said("budget.bytes")).toEqual(["off", "default"]);
    expect(said("profile")).toEqual(["debug", "environment: WAYBILL_PROFILE"]);
    expect(said("dialect")).toEqual(["auto", "command line"]);
    expect(said("fit.client_limits")).toEqual([true, "gateway"]);
    expect(said("secret")).toEqual(["set", "environment: WAYBILL_SECRET"]);
    expect(said("tools.search.exclude")).toEqual([["debug"], "file: waybill.config.json:7"]);
    expect(said("tools.search.encoding")).toEqual(["table", "file: waybill.config.json:10"]);
    // A tool that was only listed or called can be changed too.
    expect(said("tools.read.budget.tokens")).toEqual([300, "file: waybill.config.json:3"]);
    expect(JSON.stringify(report)).not.toMatch(/hush|\/home/);
  });

  it("says how budgets, profiles and filters can be changed, and of nothing else", async () => {
    const { routes } = open(watchedGateway(watchedState("pages", { toolSettings: { search: {} } })));
    const report = await ask<ConfigReport>(routes, "/api/config");
    const { settings = [] } = report.upstreams[0] ?? {};
    const changeable = settings.filter((setting) => setting.change !== undefined);
    expect(changeable.map(({ path }) => path)).toEqual([
      "budget.tokens",
      "budget.bytes",
      "profile",
      "exclude_empty_arrays",
      "exclude_empty_objects",
      "exclude_null_values",
      ...["budget.tokens", "budget.bytes", "profile", "include_only", "exclude", "include_on_error"].map(
        (key) => `tools.search.${key}`,
      ),
    ]);
    expect(settingOf(report, "budget.tokens")?.change).toMatchObject({
      kind: "number",
      min: 256,
      canBeOff: true,
    });
    expect(settingOf(report, "profile")?.change).toMatchObject({ choices: ["minimal", "standard", "debug"] });
  });

  it("has no entry for a name that a caller made up", async () => {
    const pages = servedUpstream(
      "pages",
      serverWith(() => new Error("Unknown tool")),
    );
    const traffic = new Traffic({ bodies: false });
    const tools = toolsRoutes(watchedGateway(pages), traffic, new AbortController().signal);
    for (const tool of ["serach", "search"])
      await problemOf(ask(tools, "/api/tools/call", { upstream: "pages", tool }));
    const report = await ask<ConfigReport>(open(watchedGateway(pages)).routes, "/api/config");
    expect(settingOf(report, "tools.search.profile")).toBeDefined();
    expect(JSON.stringify(report)).not.toContain("serach");
    // A name that is listed later has one.
    const { effective } = pages.state;
    effective.toolContract({ name: "late", config: {}, isUnlisted: true });
    expect(effective.names()).not.toContain("late");
    effective.toolContract({ name: "late", config: {} });
    expect(effective.names()).toContain("late");
    pages.drop();
  });

  it("tells pages when the file changed, and what is wrong with it", async () => {
    const { watch, edit, breakIt } = configOf({});
    const gateway = { ...watchedGateway(watchedState("pages", { ...unsaid, config: watch })), config: watch };
    const { routes, told } = open(gateway);
    breakIt("/home/ada/waybill.config.json:3: Expected a comma.");
    expect(told).toEqual(["config"]);
    expect((await ask<ConfigReport>(routes, "/api/config")).problems).toEqual([
      "waybill.config.json:3: Expected a comma.",
    ]);
    edit({ budget: { tokens: 55 } });
    expect(told).toEqual(["config", "config"]);
    const report = await ask<ConfigReport>(routes, "/api/config");
    expect([report.problems, settingOf(report, "budget.tokens")?.value]).toEqual([[], 55]);
  });
});

describe("POST /api/config", () => {
  it("changes what the very next call is answered with, until it is taken back", async () => {
    const long = Array.from({ length: 400 }, (_, id) => ({ id, name: `Page ${id}`, debug: null }));
    const pages = servedUpstream(
      "pages",
      serverWith(() => ({ content: [{ type: "text", text: JSON.stringify(long) }] })),
    );
    const traffic = new Traffic({ bodies: true });
    traffic.watch(pages);
    const { signal } = new AbortController();
    const tools = toolsRoutes(watchedGateway(pages), traffic, signal);
    const { routes, told } = open(watchedGateway(pages));
    const call = async (): Promise<string> => {
      const body = { upstream: "pages", tool: "search" };
      return (await ask<OwnCall>(tools, "/api/tools/call", body)).body?.text ?? "";
    };
    const whole = await call();
    const report = await change(routes, "tools.search.budget.tokens", 500);
    expect(settingOf(report, "tools.search.budget.tokens")).toMatchObject({ value: 500, origin: "page" });
    expect(told).toEqual(["config"]);
    const cut = await call();
    expect(cut.length).toBeLessThan(whole.length / 4);
    await change(routes, "exclude_null_values", "true");
    expect(await call()).not.toContain("debug");
    await change(routes, "exclude_null_values", null);
    const after = await change(routes, "tools.search.budget.tokens", null);
    expect(settingOf(after, "tools.search.budget.tokens")).toMatchObject({ value: 8_000, origin: "default" });
    expect(await call()).toBe(whole);
    pages.drop();
  });

  it("wins over the command line and over what code says of the tool, and survives an edit of the file", async () => {
    const { watch, edit } = configOf({}, {}, { budget: { tokens: 900 }, profile: "standard" });
    const toolSettings = { search: { budget: { tokens: 800 }, exclude: ["a"] } };
    const { routes } = open(
      watchedGateway(watchedState("pages", { ...unsaid, config: watch, toolSettings })),
    );
    await change(routes, "budget.tokens", "off");
    await change(routes, "tools.search.budget.tokens", 270);
    await change(routes, "tools.search.profile", "debug");
    await change(routes, "tools.search.exclude", []);
    edit({ budget: { bytes: 9_000 } });
    const report = await ask<ConfigReport>(routes, "/api/config");
    const said = (path: string) => settingOf(report, path);
    expect(said("budget.tokens")).toMatchObject({ value: "off", origin: "page" });
    expect(said("budget.bytes")).toMatchObject({ value: 9_000, origin: "file: waybill.config.json:3" });
    expect(said("tools.search.budget.tokens")).toMatchObject({ value: 270, origin: "page" });
    expect(said("tools.search.profile")).toMatchObject({ value: "debug", origin: "page" });
    expect(said("tools.search.exclude")).toMatchObject({ value: [], origin: "page" });
    expect(said("profile")).toMatchObject({ value: "standard", origin: "command line" });
  });

  it("holds for one server only, and for the one that takes its place", async () => {
    const upstreams: WatchedUpstream[] = [watchedState("pages"), watchedState("mail")];
    let changed = (): void => undefined;
    const gateway: WatchedGateway = {
      ...watchedGateway(),
      upstreams: () => upstreams,
      onChange: (listener) => {
        changed = listener;
        return () => undefined;
      },
    };
    const { routes } = open(gateway);
    await change(routes, "budget.tokens", 333);
    const next = watchedState("pages");
    upstreams.push(next);
    changed();
    expect(next.state.effective.general.budget.tokens).toBe(333);
    const report = await ask<ConfigReport>(routes, "/api/config");
    expect(settingOf(report, "budget.tokens", "mail")?.value).toBe(400);
    expect(report.upstreams.map(({ upstream }) => upstream)).toEqual(["pages", "mail"]);
  });

  it.each([
    ["budget.tokens", 0, /"budget\.tokens" is 0\. Write a whole number of tokens above 0, or "off"/],
    ["budget.tokens", 50, /"budget\.tokens" is 50\. Write at least 256, or "off": no honest answer/],
    ["tools.search.budget.bytes", 1_023, /Write at least 1024, or "off"/],
    ["budget.tokens", 1e10, /Write at most 1000000000, or "off"/],
    ["budget.tokens", "of", /Write a whole number of tokens above 0, or "off"/],
    ["profile", "standart", /Unknown profile "standart"\. Did you mean "standard"/],
    ["exclude_null_values", "yes", /Write true or false/],
    ["tools.search.exclude", "a", /Write a list/],
    ["tools.search.exclude", ["a[", "ok"], /a\[/],
    ["tools.search.include_only", [1], /tools\.search\.include_only\[0\]/],
    // Nothing that names a command, a path or a secret.
    ["store", "/tmp", /"store" cannot be changed here/],
    ["upstreams.pages.command", "sh", /cannot be changed here/],
    ["secret", "s", /cannot be changed here/],
    ["tools.search.budgets.tokens", 5, /Did you mean "budget\.tokens"/],
    ["__proto__.polluted", 1, /cannot be changed here/],
    ["tools.__proto__.budget.tokens", 5, /cannot be changed here/],
    ["", 1, /"path" is ""\. Write a string that is not empty/],
    ["]", 1, /cannot be changed here/],
  ])("refuses %s = %j and changes nothing", async (path, value, why) => {
    const pages = watchedState("pages");
    const { routes, told } = open(watchedGateway(pages));
    const before = pages.state.effective.settings;
    const problem = await problemOf(change(routes, path, value));
    expect([problem.code, problem.message]).toEqual(["invalid", expect.stringMatching(why)]);
    expect(pages.state.effective.settings).toBe(before);
    expect(told).toEqual([]);
  });

  it("takes a tool whose name needs quotes, and one that every object has", async () => {
    const { routes } = open(watchedGateway(watchedState("pages")));
    const quoted = 'tools["fs.read \\"x\\""].budget.tokens';
    expect(settingOf(await change(routes, quoted, 444), quoted)).toMatchObject({
      value: 444,
      origin: "page",
    });
    const inherited = "tools.constructor.profile";
    const report = await change(routes, inherited, "debug");
    expect(settingOf(report, inherited)).toMatchObject({ value: "debug", origin: "page" });
    expect(({} as Record<string, unknown>)["budget"]).toBeUndefined();
  });

  it("refuses a filter that breaks what clients were promised by an output schema", async () => {
    const pages = watchedState("pages");
    const config = {};
    pages.state.effective.advertise({ name: "search", config }, { type: "object", required: ["id"] });
    const { routes } = open(watchedGateway(pages));
    const problem = await problemOf(change(routes, "tools.search.exclude", ["id"]));
    expect(problem.message).toMatch(/output schema of "search"/);
    const { settings } = pages.state.effective;
    expect(settings.tools["search"]).toBeUndefined();
    const taken = await change(routes, "tools.search.exclude", ["note"]);
    expect(settingOf(taken, "tools.search.exclude")?.value).toEqual(["note"]);
  });

  it("says for which tools a general filter does nothing, since a schema promised their fields", async () => {
    const pages = watchedState("pages");
    const promised = { type: "object", required: ["id"] } as const;
    pages.state.effective.advertise({ name: "search", config: {} }, promised);
    pages.state.effective.toolContract({ name: "read", config: {} });
    const { routes } = open(watchedGateway(pages));
    const { problems } = await change(routes, "exclude_null_values", true);
    expect(problems).toEqual([
      "pages: exclude_null_values does nothing for search: clients were given output schemas that promise every field.",
    ]);
    expect((await change(routes, "exclude_null_values", null)).problems).toEqual([]);
  });

  it("says so when a profile that was chosen here is gone from the file", async () => {
    const { watch, edit } = configOf({ profiles: { quiet: {} } });
    const { routes } = open(watchedGateway(watchedState("pages", { ...unsaid, config: watch })));
    await change(routes, "profile", "quiet");
    edit({});
    const report = await ask<ConfigReport>(routes, "/api/config");
    expect(settingOf(report, "profile")?.origin).toBe("default");
    expect(report.problems.join()).toMatch(/pages: profile was set to "quiet" here/);
  });
});
