import { readFile } from "node:fs/promises";
import * as z from "zod";
import { dialectChoices, dialectIds } from "../../src/core/contract/dialect-id.ts";
import { configSchema, policyKeys } from "../../src/engine/settings/config-schema.ts";
import { type Leaf, leavesIn } from "../../src/engine/settings/table-leaves.ts";
import { codeTable } from "../../src/engine/settings/code-table.ts";
import type { Row, SettingKind } from "../../src/engine/settings/table-types.ts";
import { fillPlace } from "./fill-place.ts";
import type { GeneratedFile } from "./generated-file.ts";

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

/** The lists of tiers may be empty; every other list by name has to name something. */
function isByTier({ minItems }: Schema): boolean {
  return minItems === undefined;
}

/** The values that a key takes, in words. */
function valueWords(schema: Schema): string {
  const { type, format, enum: choices, const: only, anyOf, items, additionalProperties: named } = schema;
  if (choices?.length === dialectChoices.length && choices.includes("auto")) return "a dialect, or `auto`";
  if (choices !== undefined) return choices.map((choice) => `\`"${choice}"\``).join(", ");
  if (only !== undefined) return `\`"${only}"\``;
  if (anyOf !== undefined) return anyOf.map(valueWords).join(", ");
  if (items !== undefined)
    return items.enum?.length === dialectIds.length ? "list of dialects" : `list of ${valueWords(items)}s`;
  if (typeof named === "object" && named.type === "string") return "strings by name";
  if (typeof named === "object" && named.type === "array")
    return isByTier(named) ? "lists of strings by tier" : "lists of strings by name";
  if (format === "date") return "date, YYYY-MM-DD";
  return type === "boolean" ? "true, false" : type === "integer" ? "whole number" : (type ?? "");
}

/** The rows of an object's keys, and of the objects below; what has names of its own has a table of its own. */
function keyRows(
  { properties = {} }: Schema,
  prefix: string,
  isLeftOut = (_key: string): boolean => false,
): string[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    if (isLeftOut(key)) return [];
    const path = `${prefix}${key}`;
    const row = `| \`${path}\` | ${valueWords(schema)} | ${schema.description ?? ""} |`;
    // A setting with a short form: its keys are those of the object.
    const forms = [schema, ...(schema.anyOf ?? [])];
    return [row, ...forms.flatMap((form) => keyRows(form, `${path}.`))];
  });
}

function keyTable(rows: readonly string[]): string {
  return ["", "| key | value | meaning |", "| --- | --- | --- |", ...rows, ""].join("\n");
}

const code = (text: string | undefined): string => (text === undefined ? "" : `\`${text}\``);

const yes = (isSo: unknown): string => (isSo === undefined ? "" : "yes");

/** Where each setting can be set, and what a request calls it that asks for a value of its own. */
function layerTable(): string {
  const rows = leavesIn("kind")
    .filter(({ kind, file, fileTool }) => kind.is !== "own" && (file ?? fileTool) !== undefined)
    .map((leaf) => {
      const { names, path, contract, tool, file, fileTool, upstream, variable, line, asked } = leaf;
      const option = code(names.join("."));
      const cells = [
        code(path),
        (contract ?? leaf.otherInCode) === undefined ? "" : path === "store.place" ? code("store") : option,
        tool === undefined ? "" : option,
        yes(file),
        yes(fileTool),
        yes(upstream),
        code(variable),
        leaf.gateway === undefined ? "" : code(line),
        yes(leaf.page ?? leaf.pageTool),
        code(asked),
      ];
      return `| ${cells.join(" | ")} |`;
    });
  const head =
    "| setting | `createContract` | `defineTool` | file | `tools.<name>` | `upstreams.<name>` | environment | `waybill gateway` | dashboard | a request |";
  return ["", head, `|${" --- |".repeat(10)}`, ...rows, ""].join("\n");
}

/** The values of a setting in code; those of no kind are functions and objects, which their types describe. */
function kindWords(kind: SettingKind): string {
  if (kind.is === "choice" || kind.is === "choices") {
    const each = kind.of.map((choice) => `\`"${choice}"\``).join(", ");
    return kind.is === "choice" ? each : `list of ${each}`;
  }
  const words: Readonly<Record<string, string>> = {
    toggle: "true, false",
    text: "string",
    whole: "whole number",
    duration: "milliseconds",
  };
  return words[kind.is] ?? "see its type";
}

/** What a file, the environment and a request cannot set. */
function codeRows(): string[] {
  return Object.entries<Row>(codeTable).map(([name, row]) => {
    const at = [row.contract && "`createContract`", row.tool && "`defineTool`"].filter(Boolean).join(", ");
    const byDefault = row.default === undefined ? "" : code(JSON.stringify(row.default));
    return `| \`${name}\` | ${at} | ${kindWords(row.kind)} | ${byDefault} | ${row.code ?? ""} |`;
  });
}

function choiceWords(kind: SettingKind, path: string): string {
  if (path === "reader") return "a client of `waybill clients`, `program` or `auto`";
  if (path === "ledger") return "`on`, `off`";
  if (path === "dialect") return "a dialect, or `auto`";
  return kind.is === "choice" ? kind.of.map(code).join(", ") : "";
}

function variableRow({ kind, path, variable }: Leaf): string {
  const values: Readonly<Record<string, string>> = {
    toggle: "`true`, `false`, `1`, `0`",
    choice: choiceWords(kind, path),
    whole: "whole number",
    span: "a number with `ms`, `s`, `m`, `h`, `d` or `w`, such as `12h`",
    amount: "whole number, `off`",
    profile: "a profile, built in or from a file",
  };
  const ofTools = path.startsWith("store.") ? "" : " of every tool";
  const whose = path === "ledger" ? " of gateways on stdio" : ofTools;
  return `| \`${variable}\` | ${values[kind.is] ?? "text"} | [\`${path}\`](reference/settings.md#keys)${whose} |`;
}

/** Every setting as a page of its own: where it can be set, its values, what it means. */
export function settingsPage(): GeneratedFile {
  const json = z.toJSONSchema(configSchema, { io: "input", reused: "inline" }) as Schema;
  const below = (key: string): Schema => {
    const schema = json.properties?.[key]?.additionalProperties;
    return typeof schema === "object" ? schema : {};
  };
  const http = keyRows(json.properties?.["http"] ?? {}, "http.");
  const dashboard = keyRows(json.properties?.["dashboard"] ?? {}, "dashboard.");
  const reach = keyRows(below("upstreams"), "upstreams.<name>.", (key) => policyKeys.includes(key));
  const top = Object.keys(json.properties ?? {}).flatMap((key) => {
    const schema = json.properties?.[key] ?? {};
    const rows = keyRows({ properties: { [key]: schema } }, "");
    return key === "http" || key === "dashboard" ? rows.slice(0, 1) : rows;
  });
  const lines = [
    "# Settings",
    "",
    "Every key of `waybill.config.json`, and where each setting can be set; [configuration](../configuration.md) says who wins and how files are found.",
    "Generated from `src/engine/settings/table.ts` by `npm run generate`.",
    "",
    "## Keys",
    keyTable(top),
    "## Profiles",
    keyTable(keyRows(below("profiles"), "profiles.<name>.")),
    "## Tools",
    keyTable(keyRows(below("tools"), "tools.<name>.")),
    "## Flags",
    keyTable(keyRows(below("flags"), "flags.<name>.")),
    "## A gateway",
    keyTable([...reach, ...http, ...dashboard]),
    "## Where each can be set",
    "",
    'A request asks in `_meta["waybill/contract"]`.',
    layerTable(),
    "## Only in code",
    "",
    "Functions and objects that a file cannot write, and what belongs to the code of a server or tool: its guards, its clock, its log.",
    "`fit.counter`, a table of your own as `fit.clientLimits` and a store object are given in code as well.",
    "",
    "| option | of | value | default | meaning |",
    "| --- | --- | --- | --- | --- |",
    ...codeRows(),
  ];
  return { path: "docs/reference/settings.md", text: `${lines.join("\n").trimEnd()}\n` };
}

/** The page of the configuration; its variables come from the settings, the rest is written by hand. */
export async function configurationPage(): Promise<GeneratedFile> {
  const path = "docs/configuration.md";
  const variables = [
    "",
    "| variable | value | effect |",
    "| --- | --- | --- |",
    ...leavesIn("variable").map(variableRow),
    "",
  ].join("\n");
  const page = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  return { path, text: fillPlace(path, page, "variables", variables) };
}
