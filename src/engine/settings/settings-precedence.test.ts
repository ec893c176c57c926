import { describe, expect, it } from "vitest";
import { resolveConfig } from "./resolve-config.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { CONTRACT_EXTENSION, CONTRACT_META_KEY } from "../../core/contract/wire-names.ts";
import type { ContractOptions } from "./contract-options.ts";
import { SettingsResolver } from "./settings-resolver.ts";
import type { ToolConfig } from "./tool-definition.ts";

const load = (config: object, environment: Record<string, string> = {}) =>
  resolveConfig({ waybill: { file: "w.json", text: JSON.stringify(config) }, environment }).settings;

interface Voices {
  readonly request?: JsonObject;
  readonly capability?: JsonObject;
  readonly negotiated?: JsonObject;
  readonly environment?: Record<string, string>;
  readonly config?: object;
  readonly tool?: ToolConfig;
  readonly options?: ContractOptions;
}

function decide({ request, capability, negotiated, environment, config, tool = {}, options }: Voices) {
  const effective = new SettingsResolver({ config: load(config ?? {}, environment), ...options });
  const { dialect, profile, warnings } = effective.forCall(
    effective.toolContract({ name: "scan", config: tool }),
    {
      meta: request === undefined ? {} : { [CONTRACT_META_KEY]: request },
      capabilities: { extensions: capability === undefined ? {} : { [CONTRACT_EXTENSION]: capability } },
      negotiated,
    },
    undefined,
  );
  return { dialect, profile, warnings: warnings.map(({ code }) => code) };
}

/** Strongest first; each row is taken away to let the next one decide. */
const dialectVoices: readonly (readonly [keyof Voices, Voices, string])[] = [
  ["request", { request: { dialect: "scalpel" } }, "scalpel"],
  ["capability", { capability: { dialect: "drf" } }, "drf"],
  ["negotiated", { negotiated: { dialect: "plain" } }, "plain"],
  ["environment", { environment: { WAYBILL_DIALECT: "response-v1" } }, "response-v1"],
  ["tool", { tool: { dialect: "scalpel" } }, "scalpel"],
  ["config", { config: { dialect: "drf" } }, "drf"],
  ["options", { options: { dialect: "plain" } }, "plain"],
];

const profileVoices: readonly (readonly [keyof Voices, Voices, string])[] = [
  ["request", { request: { profile: "minimal" } }, "minimal"],
  ["capability", { capability: { profile: "standard" } }, "standard"],
  ["negotiated", { negotiated: { profile: "minimal" } }, "minimal"],
  ["environment", { environment: { WAYBILL_PROFILE: "debug" } }, "debug"],
  ["tool", { tool: { profile: "minimal" } }, "minimal"],
  ["config", { config: { profile: "standard" } }, "standard"],
  ["options", { options: { profile: "minimal" } }, "minimal"],
];

const open: ContractOptions = {
  allow: { dialects: ["response-v2", "response-v1", "scalpel", "drf", "plain"] },
};

function from(voices: typeof dialectVoices, strongest: number): Voices {
  const spoken = voices.slice(strongest).map(([, voice]) => voice);
  const merged = Object.assign({}, ...spoken) as Voices;
  return { ...merged, options: { ...open, ...merged.options } };
}

describe("the dialect of a call", () => {
  it.each(dialectVoices.map(([name, , dialect], index) => ({ name, dialect, index })))(
    "is that of the $name when nothing stronger speaks",
    ({ dialect, index }) => {
      expect(decide(from(dialectVoices, index)).dialect).toBe(dialect);
    },
  );

  it("is response-v2 when no source sets it", () => {
    expect(decide({}).dialect).toBe("response-v2");
  });

  it("is what the configuration says of the tool, before what its code says", () => {
    const voices = { config: { tools: { scan: { dialect: "drf" } } }, tool: { dialect: "scalpel" } } as const;
    expect(decide(voices).dialect).toBe("drf");
  });

  it("is plain for a tool with a widget, unless the tool names another", () => {
    const widgets: readonly ToolConfig[] = [
      { _meta: { ui: { resourceUri: "ui://map" } } },
      { _meta: { "openai/outputTemplate": "ui://map" } },
    ];
    for (const tool of widgets) {
      expect(decide({ tool, options: { dialect: "scalpel" } }).dialect).toBe("plain");
      expect(decide({ tool: { ...tool, dialect: "scalpel" } }).dialect).toBe("scalpel");
    }
  });

  it("stays the server's when a request asks for one that is not allowed, with a warning", () => {
    expect(decide({ request: { dialect: "drf" } })).toEqual({
      dialect: "response-v2",
      profile: "standard",
      warnings: ["DIALECT_NOT_ALLOWED"],
    });
  });
});

describe("the profile of a call", () => {
  it.each(profileVoices.map(([name, , profile], index) => ({ name, profile, index })))(
    "is that of the $name when nothing stronger speaks",
    ({ profile, index }) => {
      expect(decide(from(profileVoices, index)).profile).toBe(profile);
    },
  );

  it("is the dialect's own default when no source sets it", () => {
    expect(decide({}).profile).toBe("standard");
    expect(decide({ options: { dialect: "scalpel" } }).profile).toBe("minimal");
  });

  it("is what the configuration says of the tool, though the general profile is a default", () => {
    expect(decide({ config: { tools: { scan: { profile: "minimal" } } } }).profile).toBe("minimal");
  });

  it.each(["SCALPEL_MCP_INFO", "SCALPEL_MCP_OUTPUT"])("is debug with %s=DEBUG", (name) => {
    const environment = { [name]: "DEBUG", WAYBILL_PROFILE: "minimal" };
    expect(decide({ environment, tool: { profile: "standard" } }).profile).toBe("debug");
  });

  it("is never debug by a client's wish", () => {
    expect(decide({ request: { profile: "debug" } }).profile).toBe("standard");
  });
});

describe("SettingsResolver", () => {
  it("lists the tool's own dialect first, then those a request may choose", () => {
    const effective = new SettingsResolver({ allow: { dialects: ["drf", "scalpel"] } });
    const dialectsOf = (name: string, config: ToolConfig) =>
      effective.toolContract({ name, config }).dialects;
    expect(dialectsOf("scan", { dialect: "scalpel" })).toEqual(["scalpel", "drf"]);
    expect(dialectsOf("scan", { dialects: ["plain"] })).toEqual(["response-v2", "plain"]);
    expect(dialectsOf("__proto__", {})).toEqual(["response-v2", "drf", "scalpel"]);
  });

  it("drops the fields of the profile that the call gets, not of another", () => {
    const config = load({
      profiles: { lean: { exclude_fields: ["debug_info"] } },
      allow: { profiles: ["lean"] },
    });
    const effective = new SettingsResolver({ config });
    const scan = { name: "scan", config: {} };
    const filterFor = (profile?: string) =>
      effective.forCall(
        effective.toolContract(scan),
        { meta: { [CONTRACT_META_KEY]: profile ? { profile } : {} } },
        undefined,
      ).filter;
    const data = { kept: 1, inner: { debug_info: 2 } };
    expect(filterFor("lean")?.(data, {})).toEqual({ kept: 1, inner: {} });
    expect(filterFor()).toBeUndefined();
    expect(effective.toolContract(scan).mayLackFields).toBe(true);
    expect(new SettingsResolver({}).toolContract(scan).mayLackFields).toBe(false);
  });

  it("follows a configuration that is watched", () => {
    const watch = { current: { settings: load({ dialect: "drf" }) } };
    const effective = new SettingsResolver({ config: watch as never });
    expect(effective.toolContract({ name: "scan", config: {} }).dialect).toBe("drf");
    watch.current = { settings: load({ dialect: "plain" }) };
    expect(effective.toolContract({ name: "scan", config: {} }).dialect).toBe("plain");
  });
});

describe("the encoding of a tool", () => {
  const encodingOf = (config: object, tool: ToolConfig = {}, options: ContractOptions = {}) =>
    new SettingsResolver({ config: load(config), ...options }).toolContract({ name: "scan", config: tool })
      .encoding;

  it("is json when no source sets it", () => {
    expect(encodingOf({})).toBe("json");
  });

  it("is what the contract says, before the default", () => {
    expect(encodingOf({}, {}, { encoding: "table" })).toBe("table");
  });

  it("is what the configuration says in general, before the contract", () => {
    expect(encodingOf({ encoding: "table" }, {}, { encoding: "json" })).toBe("table");
  });

  it("is what the tool's code says, before anything general", () => {
    expect(encodingOf({ encoding: "table" }, { encoding: "json" })).toBe("json");
  });

  it("is what the configuration says of the tool, before its code", () => {
    const config = { tools: { scan: { encoding: "table" } } };
    expect(encodingOf(config, { encoding: "json" })).toBe("table");
  });

  it("is json for a widget that no source speaks of, since it reads its tool's own data", () => {
    const widget = { _meta: { ui: { resourceUri: "ui://scan" } } };
    expect(encodingOf({ encoding: "table" }, widget)).toBe("json");
    expect(encodingOf({ tools: { scan: { encoding: "table" } } }, widget)).toBe("table");
  });
});
