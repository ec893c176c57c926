import { retryRuleOfCode } from "../../core/contract/error-data.ts";
import { errorRegistry } from "../../core/contract/error-registry.ts";
import { errorTypeTable } from "../../core/contract/error-types.ts";
import type { DeclaredFault } from "../../engine/settings/declared-faults.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { ExaminedTool, ExaminedTools } from "../../doors/server/examine-tools.ts";
import { count } from "../output/format-values.ts";
import { schemaRows } from "./schema-rows.ts";

/** A tool as a page shows it. */
export interface ShownTool {
  readonly tool: AnyTool;
  readonly examined: ExaminedTool;
}

/** A Markdown page of tools: what each does, takes and gives, how it fails, how it pages and what it costs. */
export function toolsPage(title: string, tools: readonly ShownTool[], added: ExaminedTools["added"]): string {
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

/** What `tools/list` costs, with the tool that the contract adds to it. */
function sayCosts(tools: readonly ShownTool[], added: ExaminedTools["added"]): string {
  const own = tools.reduce((sum, { examined }) => sum + (examined.defined?.tokens ?? 0), 0);
  const said = `${count(tools.length, "tool")}, ${own.toLocaleString("en")} tokens (o200k_base)`;
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

/** What a tool does not say of a fault is what the registry says of its code. */
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

/** One line of Markdown that cannot end a table's cell or begin HTML. */
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

/** The place of a heading as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z0-9_-]/g, "");
}
