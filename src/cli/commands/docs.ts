import { basename, extname } from "node:path";
import type { AuthoredTool } from "../../core/rules/author/author-rules.ts";
import { examineTools, type ExaminedTool, type ExaminedTools } from "../../doors/server/examine-tools.ts";
import { CliError, exitCodes, type CliIo } from "../cli-io.ts";
import { loadTools } from "../lint/load-tools.ts";
import { refuseOwnSource, writeOutput } from "../input/read-input.ts";
import { countOf } from "../output/format-values.ts";
import type { CommandReport } from "../report.ts";
import { retryRuleOfCode, errorTypeTable } from "../../core/contract/error-data.ts";
import { errorRegistry } from "../../core/contract/error-registry.ts";
import type { DeclaredFault } from "../../engine/settings/declared-faults.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import {
  branchesOf,
  choicesOf,
  namedTypes,
  propertiesOf,
  resolveLocal,
} from "../../core/schema/json-schema.ts";

export interface DocsCommandOptions {
  readonly out?: string | undefined;
}

/** A Markdown page of a module's tools, on stdout or in a file. Nothing is started and no tool is called. */
export async function docs(
  modules: readonly string[],
  { out }: DocsCommandOptions,
  io: CliIo,
): Promise<CommandReport> {
  for (const module of out === undefined ? [] : modules)
    await refuseOwnSource("--out", out ?? "", module, io);
  const { tools, contract, server } = await loadTools(modules, io);
  const { examined, added } = await examineTools(tools, contract);
  for (const { authored } of examined) refuseUnlistable(authored);
  const [first = ""] = modules;
  const title = server === undefined ? basename(first, extname(first)) : `${server.name} ${server.version}`;
  const shown = tools.flatMap((tool, index) => {
    const known = examined[index];
    return known === undefined ? [] : [{ tool, examined: known }];
  });
  const page = toolsPage(title, shown, added);
  if (out === undefined)
    return { exitCode: exitCodes.fine, data: { page, tools: tools.length }, text: () => page.trimEnd() };
  await writeOutput(out, Buffer.from(page), io);
  return {
    exitCode: exitCodes.fine,
    data: { file: out, tools: tools.length },
    text: () => `${out}: ${countOf(tools.length, "tool")}`,
  };
}

/** A page with missing tools would be worse than no page. */
function refuseUnlistable({ name, wrongOptions, unlistable }: AuthoredTool): void {
  const reason = wrongOptions[0]?.message ?? unlistable;
  if (reason === undefined) return;
  throw new CliError(`The tool ${name} cannot be listed: ${reason}.`, {
    exitCode: exitCodes.violated,
    errorCode: "VALIDATION_ERROR",
    remediation: "`waybill lint` says all that is wrong with it.",
  });
}

/** A tool as a page shows it. */
interface ShownTool {
  readonly tool: AnyTool;
  readonly examined: ExaminedTool;
}

/** A Markdown page of tools: purpose, input, output, errors, pagination and cost of each. */
function toolsPage(title: string, tools: readonly ShownTool[], added: ExaminedTools["added"]): string {
  const contents = tools.map(({ tool: { name, config } }) => [
    `[\`${name}\`](#${anchorOf(name)})`,
    cell(firstSentence(config.description ?? "")),
  ]);
  return [
    `# ${line(title)}`,
    sayCosts(tools, added),
    table(["tool", "what it does"], contents),
    ...tools.flatMap(toolParts),
  ]
    .join("\n\n")
    .concat("\n");
}

/** The cost of `tools/list`, with the tool that the contract adds. */
function sayCosts(tools: readonly ShownTool[], added: ExaminedTools["added"]): string {
  const own = tools.reduce((sum, { examined }) => sum + (examined.defined?.tokens ?? 0), 0);
  const said = `${countOf(tools.length, "tool")}, ${own.toLocaleString("en")} tokens (o200k_base)`;
  if (added === undefined) return `${said} in \`tools/list\`.`;
  const all = (own + added.tokens).toLocaleString("en");
  return `${said}. Waybill adds ${code(added.name)} (${added.tokens} tokens), by which callers fetch what was cut: ${all} tokens in \`tools/list\`.`;
}

function toolParts({
  tool: { name, config },
  examined: { authored, defined },
}: ShownTool): readonly string[] {
  const input = defined?.definition["inputSchema"] as JsonObject | undefined;
  const args = input === undefined ? [] : schemaRows(input);
  const { output } = authored;
  const results = output === undefined ? [] : schemaRows(output);
  return [
    `## ${name}`,
    ...(config.title === undefined ? [] : [`**${line(config.title)}**`]),
    ...(config.description === undefined ? [] : [config.description.trim()]),
    factsOf(config, defined?.tokens)
      .map((fact) => `- ${fact}`)
      .join("\n"),
    "### Arguments",
    args.length === 0
      ? "None."
      : table(
          ["name", "type", "required", "description"],
          args.map(({ path, type, isRequired, description }) => [
            code(path),
            cell(type),
            isRequired ? "yes" : "no",
            cell(description),
          ]),
        ),
    "### Result",
    results.length === 0
      ? output === undefined
        ? "The tool has no output schema."
        : `A value: ${code(JSON.stringify(output["type"] ?? "any"))}.`
      : table(
          ["field", "type", "description"],
          results.map(({ path, type, isRequired, description }) => [
            code(path),
            cell(isRequired ? type : `${type}, optional`),
            cell(description),
          ]),
        ),
    ...errorParts(config.errors),
  ];
}

function factsOf(config: AnyTool["config"], tokens: number | undefined): readonly string[] {
  const { readOnlyHint, destructiveHint, idempotentHint } = config.annotations ?? {};
  return [
    readOnlyHint === true
      ? "It changes nothing."
      : `It may change something${destructiveHint === false ? ", and destroys nothing" : ""}${idempotentHint === true ? "; a second call with the same arguments changes nothing more" : ""}.`,
    ...(config.paging === true
      ? ["It gives its result in pages: send `cursor` of one page to get the next, and `limit` for the size."]
      : []),
    ...(config.tier === undefined ? [] : [`It is for callers of the tier ${code(config.tier)} and above.`]),
    ...(config.flag === undefined ? [] : [`It is there while the feature flag ${code(config.flag)} is on.`]),
    ...(tokens === undefined ? [] : [`Its definition costs ${tokens.toLocaleString("en")} tokens.`]),
  ];
}

/** If a tool leaves out a detail of a fault, the registry's text for the code is used. */
function errorParts(errors: Readonly<Record<string, DeclaredFault>> | undefined): readonly string[] {
  if (errors === undefined || Object.keys(errors).length === 0) return [];
  const rows = Object.entries(errors).map(([name, fault]) => [
    code(name),
    code(fault.code),
    cell(fault.when),
    cell(fault.remediation ?? errorRegistry.get(fault.code)?.remediation ?? ""),
    fault.retryable === false ? "no" : fault.retryable === true ? "yes" : retryOf(fault),
  ]);
  return ["### Errors", table(["name", "code", "when", "what to do", "may work later"], rows)];
}

function retryOf({ code: given, type }: DeclaredFault): string {
  const rule = retryRuleOfCode(given) ?? (type && errorTypeTable[type].retry);
  return rule === "after_delay" || rule === "backoff" ? "yes" : "no";
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

/** One line of Markdown that cannot end a table cell or begin HTML. */
function cell(text: string): string {
  return line(text).replaceAll("|", "\\|");
}

function line(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().replaceAll("<", "&lt;");
}

function code(text: string): string {
  return `\`${line(text).replaceAll("`", "'").replaceAll("|", "\\|").replaceAll("&lt;", "<")}\``;
}

function firstSentence(text: string): string {
  const [first = ""] = text.trim().split(/(?<=[.!?])\s/, 1);
  return first;
}

/** The anchor of a heading, as GitHub generates it. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z0-9_-]/g, "");
}

/** One field of a schema, as a row of a table. */
interface SchemaRow {
  /** The path of the field, such as `orders[].id`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

const MAX_DEPTH = 4;
const MAX_ROWS = 200;
const MAX_CHOICES = 12;

/** The fields of a schema in order, each followed by its inner fields: the first 200, down to a depth of 4. */
function schemaRows(root: JsonObject): readonly SchemaRow[] {
  const rows: SchemaRow[] = [];
  const visit = (given: JsonValue | undefined, path: string, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    const schema = resolveLocal(root, given);
    if (schema["items"] !== undefined) visit(schema["items"], `${path}[]`, depth);
    const { properties, required } = propertiesOf(schema);
    for (const [key, value] of Object.entries(properties)) {
      if (rows.length >= MAX_ROWS) return;
      const own = resolveLocal(root, value);
      const place = path === "" ? key : `${path}.${key}`;
      rows.push({
        path: place,
        type: typeOf(own, root),
        isRequired: required.has(key),
        description: describe(own),
      });
      visit(own, place, depth + 1);
    }
  };
  visit(root, "", 0);
  for (const branch of branchesOf(root)) visit(branch, "", 0);
  return rows;
}

/** The type in a few words: `"a" or "b"`, `list of string`, `integer from 1 to 100`. */
function typeOf(schema: JsonObject, root: JsonObject): string {
  const { type, items, format } = schema;
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    const shown = choices.slice(0, MAX_CHOICES).map((choice) => JSON.stringify(choice));
    return shown.join(" or ") + (choices.length > MAX_CHOICES ? " or …" : "");
  }
  const branches = branchesOf(schema).map((branch) => resolveLocal(root, branch));
  if (type === undefined && branches.length > 0)
    return [...new Set(branches.map((branch) => typeOf(branch, root)))].join(" or ");
  if (type === "array") return `list of ${typeOf(resolveLocal(root, items), root)}`;
  const name = namedTypes(schema)?.join(" or ") ?? "any";
  return [name, typeof format === "string" ? `(${format})` : "", rangeOf(schema)].filter(Boolean).join(" ");
}

const TOP = Number.MAX_SAFE_INTEGER;

/** Meaningful bounds; a schema library may write the largest safe number if its author gave none. */
function rangeOf({ minimum, maximum }: JsonObject): string {
  const least = typeof minimum === "number" && minimum > -TOP ? minimum : undefined;
  const most = typeof maximum === "number" && maximum < TOP ? maximum : undefined;
  if (least !== undefined && most !== undefined) return `from ${least} to ${most}`;
  if (least !== undefined) return `of at least ${least}`;
  return most === undefined ? "" : `of at most ${most}`;
}

function describe({ description, default: standard }: JsonObject): string {
  const said = typeof description === "string" ? description.trim() : "";
  const usual = standard === undefined ? "" : `Default: ${JSON.stringify(standard)}.`;
  return [said, usual].filter(Boolean).join(" ");
}
