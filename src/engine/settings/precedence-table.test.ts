// Every layer against every other. In each row the call's real result, `tools/list`, the `server` tool and what
// `waybill config --tool` prints agree on who wins. What "agree" means for the first two: they equal those of a twin,
// a server whose tool says the winning value in its own code and that no other source speaks to.
// A door's defaults reach no server of one's own, so they have a table of their own below.

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { someOf } from "../../../test/arbitrary/law-runs.ts";
import { describeToolConfig } from "./describe-config.ts";
import { resolveConfig } from "./resolve-config.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import { defineTool } from "./tool-definition.ts";
import { SettingsResolver } from "./settings-resolver.ts";

const rows = Array.from({ length: 200 }, (_, id) => ({
  id,
  name: `Row number ${id}`,
  note: "kept",
  more: null,
}));
const outputSchema = z.object({
  rows: z.array(
    z.object({
      id: z.number(),
      name: z.string().optional(),
      note: z.string().optional(),
      more: z.null().optional(),
    }),
  ),
});

const inputSchema = z.object({ page: z.int().optional() });

/** Everything that can be said about the tool `scan`, by whom. */
interface Spoken {
  commandLine: Record<string, unknown>;
  environment: Record<string, string>;
  file: Record<string, unknown> & { tools: { scan: Record<string, unknown> } };
  tool: Record<string, unknown>;
  toolSettings: Record<string, unknown>;
  options: Record<string, unknown>;
}

const silence = (): Spoken => ({
  commandLine: {},
  environment: {},
  file: { tools: { scan: {} } },
  tool: {},
  toolSettings: {},
  options: {},
});

/** Strongest first; `toolSettings` is the code of the tool too, behind its own. */
const layers = [
  "command-line",
  "environment",
  "file-tool",
  "code-tool",
  "toolSettings",
  "widget",
  "file",
  "code",
  "default",
] as const;
type Layer = (typeof layers)[number];

interface Setting {
  readonly name: string;
  /** The default first; the values differ in what a call gives. */
  readonly values: readonly [unknown, ...unknown[]];
  readonly variable?: string;
  readonly widget?: unknown;
  /** What `scan` is called with. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly missing: readonly Layer[];
  /** The setting in the words of a layer. */
  readonly inFile: (value: unknown) => Record<string, unknown>;
  readonly inCode: (value: unknown) => Record<string, unknown>;
  readonly ofServerTool: (tool: Record<string, unknown>) => unknown;
  /** A value as `waybill config` shows it, and as the `server` tool does. */
  readonly shown?: (value: unknown) => unknown;
  readonly told?: (value: unknown) => unknown;
}

const plainKey = (name: string) => ({
  name,
  inFile: (value: unknown) => ({ [name]: value }),
  inCode: (value: unknown) => ({ [name]: value }),
  ofServerTool: (tool: Record<string, unknown>) => tool[name],
});

const tokens = (value: unknown) => ({ budget: { tokens: value } });
const exclude = (value: unknown) => ({ exclude: value });
const noSwitch: readonly Layer[] = ["environment"];

const settings: readonly Setting[] = [
  {
    ...plainKey("dialect"),
    values: ["response-v2", "scalpel", "response-v2-draft"],
    variable: "WAYBILL_DIALECT",
    widget: "plain",
    missing: [],
  },
  {
    ...plainKey("profile"),
    values: ["standard", "debug", "minimal"],
    variable: "WAYBILL_PROFILE",
    missing: ["widget"],
  },
  {
    name: "budget.tokens",
    values: [8000, 400, 900],
    variable: "WAYBILL_BUDGET_TOKENS",
    widget: "off",
    missing: [],
    inFile: tokens,
    inCode: tokens,
    ofServerTool: ({ budget }) => (budget as Record<string, unknown>)["tokens"],
  },
  { ...plainKey("delivery"), values: ["mirror", "text", "brief"], missing: ["environment", "widget"] },
  { ...plainKey("encoding"), values: ["json", "table"], widget: "json", missing: noSwitch },
  {
    ...plainKey("select"),
    values: [false, true],
    variable: "WAYBILL_SELECT",
    widget: false,
    args: { _waybill_select: "rows[:2]" },
    missing: [],
  },
  {
    ...plainKey("lean"),
    values: [false, true],
    variable: "WAYBILL_LEAN",
    widget: false,
    missing: [],
  },
  {
    name: "repair_arguments",
    values: [true, false],
    variable: "WAYBILL_REPAIR_ARGUMENTS",
    args: { page: "5" },
    missing: ["widget"],
    inFile: (value) => ({ repair_arguments: value }),
    inCode: (value) => ({ repairArguments: value }),
    ofServerTool: (tool) => tool["repair_arguments"],
  },
  {
    name: "filter",
    values: [[], ["rows[*].name"], ["rows[*].note"]],
    // A filter names a tool's own fields, so only what is said of the tool can have one.
    missing: ["command-line", "environment", "widget", "file", "code"],
    inFile: exclude,
    inCode: exclude,
    ofServerTool: ({ filtered }) => filtered,
    told: (value) => (value as unknown[]).length > 0,
    shown: (value) => ((value as unknown[]).length === 0 ? {} : { exclude: value }),
  },
];

function speak(spoken: Spoken, layer: Layer, setting: Setting, value: unknown): void {
  const { inFile, inCode, variable = "" } = setting;
  if (layer === "command-line") Object.assign(spoken.commandLine, inFile(value));
  if (layer === "environment") spoken.environment[variable] = String(value);
  if (layer === "file-tool") Object.assign(spoken.file.tools.scan, inFile(value));
  if (layer === "code-tool") Object.assign(spoken.tool, inCode(value));
  if (layer === "toolSettings") Object.assign(spoken.toolSettings, inCode(value));
  if (layer === "widget") spoken.tool["_meta"] = { ui: { resourceUri: "ui://scan" } };
  if (layer === "file") Object.assign(spoken.file, inFile(value));
  if (layer === "code") Object.assign(spoken.options, inCode(value));
}

const load = ({ commandLine, environment, file }: Spoken) =>
  resolveConfig({ waybill: { file: "w.json", text: JSON.stringify(file) }, environment, commandLine });

const steady = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/(duration_ms\\*":)[\d.]+/g, "$10"));

/** A real server and client in memory: what they say of `scan`. */
async function observe(spoken: Spoken, args: Setting["args"] = {}) {
  const contract = createContract({
    ...spoken.options,
    ...(Object.keys(spoken.toolSettings).length === 0 ? {} : { toolSettings: { scan: spoken.toolSettings } }),
    config: load(spoken).settings,
    requestIds: () => "req_1",
    logLevel: "silent",
  });
  const scan = defineTool(
    "scan",
    { description: "Rows", inputSchema, outputSchema, ...spoken.tool } as never,
    () => ({
      rows,
    }),
  );
  const server = contract
    .server(new McpServer({ name: "t", version: "1.0.0" }))
    .add(scan)
    .addServerTool();
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "c", version: "1" });
  await Promise.all([server.connect(far), client.connect(near)]);
  const { tools } = await client.listTools();
  const scanTool = tools.find(({ name }) => name === "scan");
  const result = await client.callTool({ name: "scan", arguments: args });
  const asked = { dialect: "response-v2", budget_tokens: 8000 };
  const told = await client.callTool({
    name: "server",
    arguments: { action: "capabilities", tool: "scan" },
    _meta: { "waybill/contract": asked },
  });
  await client.close();
  const [block] = told.content;
  const said = JSON.parse(block?.type === "text" && block.text.startsWith("{") ? block.text : "{}");
  const structured = (told.structuredContent ?? said) as Record<string, never>;
  const data = (structured["data"] ?? structured) as Record<string, Record<string, never>>;
  return {
    result: steady(result),
    listed: [scanTool?.inputSchema, scanTool?.outputSchema],
    told: data["capabilities"]?.["tool"] as unknown as Record<string, unknown>,
  };
}

function pairsOf({ missing }: Setting): readonly { readonly strong: Layer; readonly weak: Layer }[] {
  const able = layers.filter((layer) => !missing.includes(layer));
  return able.flatMap((strong, index) => able.slice(index + 1).map((weak) => ({ strong, weak })));
}

const visible: readonly Layer[] = ["command-line", "environment", "file-tool", "file"];

/** What the layers of a row say: first values of their own, then the strong one says the default in so many words. */
function rowsOf(setting: Setting, { strong, weak }: { readonly strong: Layer; readonly weak: Layer }) {
  const [byDefault, first, second = byDefault] = setting.values;
  const valueOf = (layer: Layer, value: unknown): unknown =>
    layer === "widget" ? setting.widget : layer === "default" ? byDefault : value;
  return [
    { wins: valueOf(strong, first), loses: valueOf(weak, second) },
    { wins: valueOf(strong, byDefault), loses: valueOf(weak, first) },
  ];
}

describe.each(settings)("$name", (setting) => {
  const same = (value: unknown): unknown => value;
  const { name, inCode, ofServerTool, args, shown = same, told = same } = setting;

  it("differs in what a call gives, value by value", async () => {
    const seen = await Promise.all(
      setting.values.map(
        async (value) => (await observe({ ...silence(), tool: inCode(value) }, args)).result,
      ),
    );
    expect(new Set(seen.map((result) => JSON.stringify(result))).size).toBe(setting.values.length);
  });

  it.each(someOf(pairsOf(setting), 1))("of $strong beats that of $weak, everywhere", async (pair) => {
    const { strong, weak } = pair;
    for (const { wins, loses } of rowsOf(setting, pair)) {
      const spoken = silence();
      speak(spoken, weak, setting, loses);
      speak(spoken, strong, setting, wins);
      const twin = silence();
      if (strong === "widget" || weak === "widget") speak(twin, "widget", setting, undefined);
      Object.assign(twin.tool, inCode(wins));
      const [seen, expected] = await Promise.all([observe(spoken, args), observe(twin, args)]);
      expect(seen.result).toEqual(expected.result);
      expect(seen.listed).toEqual(expected.listed);
      expect(ofServerTool(seen.told)).toEqual(told(wins));
      // `waybill config` runs no server, so it names the strongest layer that it can see.
      const [byDefault] = setting.values;
      const source = [strong, weak].find((layer) => visible.includes(layer)) ?? "default";
      const value = source === strong ? wins : source === weak ? loses : byDefault;
      const row = describeToolConfig(load(spoken), "scan").find((each) => each.setting === name);
      expect(row).toMatchObject({ source, value: shown(value) });
    }
  });
});

describe("the choice auto", () => {
  const [dialect] = settings as readonly [Setting, ...Setting[]];
  const able = layers.filter((layer) => layer !== "widget" && layer !== "default");

  it.each(able)("of %s makes the result plain that needs no envelope", async (layer) => {
    const spoken = silence();
    speak(spoken, layer, dialect, "auto");
    const { result, listed, told } = await observe(spoken);
    expect(result).toMatchObject({ _meta: { "waybill/contract": "plain" } });
    const [, outputSchema] = listed;
    expect(outputSchema).toMatchObject({ type: "object", anyOf: [expect.anything(), expect.anything()] });
    expect(told).toMatchObject({ dialect: "auto", dialects: ["auto", "response-v2"], profile: "minimal" });
  });

  it("is the default of a door that says so, and of no other", () => {
    const chosen = (doorDefaults: object): unknown =>
      new SettingsResolver({ config: load(silence()).settings }, { doorDefaults }).general.dialect;
    expect(chosen({ dialect: "auto" })).toBe("auto");
    expect(chosen({})).toBe("response-v2");
  });
});

describe("the default of a door", () => {
  const contractOf = (spoken: Spoken, setting: Setting, door: unknown) =>
    new SettingsResolver(
      { ...spoken.options, config: load(spoken).settings, toolSettings: { scan: spoken.toolSettings } },
      { doorDefaults: setting.inCode(door) },
    ).toolContract({ name: "scan", config: spoken.tool });

  it.each(settings.filter(({ name }) => name !== "filter"))(
    "of $name is weaker than every other layer",
    (setting) => {
      const [, wins, door = setting.values[0]] = setting.values;
      for (const layer of layers.filter((each) => !setting.missing.includes(each) && each !== "default")) {
        const spoken = silence();
        speak(spoken, layer, setting, wins);
        const contract = contractOf(spoken, setting, door);
        const source = layer === "toolSettings" ? "code-tool" : layer;
        expect(contract.origins[setting.name as "dialect"].source).toBe(source);
      }
      const alone = contractOf(silence(), setting, door);
      expect(alone.origins[setting.name as "dialect"].source).toBe("door");
      expect(alone).toMatchObject(setting.inCode(door));
    },
  );
});
