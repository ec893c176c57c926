import { ContractError } from "../contract/contract-error.ts";
import type { Rule } from "../contract/rule.ts";
import { checkTool } from "../engine/check-tool.ts";
import { advertiseOwn } from "../engine/advertise-tool.ts";
import type { ContractState } from "../engine/contract-state.ts";
import { jsonSchemaOf } from "../engine/standard-schema.ts";
import type { AnyTool, ToolDefinition } from "../engine/tool-definition.ts";
import type { JsonObject } from "../json/json-value.ts";
import { refuseOptions } from "../options/check-options.ts";
import { type AuthoredTool, authorRules } from "../rules/author/author-rules.ts";
import type { DefinedTool } from "../rules/definition/definition-rule.ts";
import { definitionServerRules } from "../rules/definition/definition-rules.ts";
import { severityOf } from "../rules/finding-severity.ts";
import { listRules } from "../rules/list/list-rules.ts";
import { listedRecord } from "../rules/listed-record.ts";
import { messageServerRules } from "../rules/messages/message-server-rules.ts";
import type { Finding, JudgeTools, ServerRule } from "../rules/server-rule.ts";
import { adviseName } from "../text/did-you-mean.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { isContract, stateOf } from "./create-contract.ts";
import type { LintFinding, LintOptions } from "./lint-tools.ts";

/** Those that ask a validator or a live server are for a check. */
const unasked = new Set(["definition/schema-usable", "protocol/instructions"]);

const listedRules: readonly ServerRule[] = [
  ...definitionServerRules.filter(({ id }) => !unasked.has(id)),
  ...messageServerRules.filter(({ id }) => id.startsWith("tools-list/")),
  ...listRules.filter(({ id }) => id === "list/tokens" || id === "list/count"),
];
const lintRules: readonly Rule[] = [...authorRules, ...listedRules];

/** What is known of one tool: what its author wrote, and what a list would show of it, where it can be listed. */
interface Examined {
  readonly authored: AuthoredTool;
  readonly defined: DefinedTool | undefined;
}

/** The findings of all rules, in the order of the rules. */
export async function judgeTools(
  tools: readonly AnyTool[],
  { contract = {}, ignore = [] }: LintOptions,
): Promise<readonly LintFinding[]> {
  checkIgnored(ignore);
  const state = stateFor(contract);
  const counter = await state.counter();
  const examined = tools.map((tool, index) => examine(state, tool, index, counter));
  const judging: JudgeTools = {
    validate: async () => Promise.resolve({ errors: [] }),
    countTokens: (text) => counter.count(text),
  };
  const found = [
    ...judgeAuthored(examined.map(({ authored }) => authored)),
    ...(await judgeListed(
      examined.flatMap(({ defined }) => defined ?? []),
      judging,
    )),
  ];
  return found.filter(({ rule }) => !ignore.includes(rule) && !ignore.includes(groupOf(rule)));
}

function groupOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}

/** A misspelt name would leave nothing out, silently. */
function checkIgnored(ignore: readonly string[]): void {
  const ids = lintRules.map(({ id }) => id);
  const known = new Set([...ids, ...ids.map(groupOf)]);
  const unknown = ignore.find((name) => !known.has(name));
  if (unknown === undefined) return;
  const message = `"ignore" has ${JSON.stringify(unknown)}, which is no rule. ${adviseName(unknown, [...known])}`;
  refuseOptions("lintTools", [{ path: ["ignore"], part: "value", message }]);
}

/** A contract made of options keeps nothing and says nothing: it is there to be asked what it would list. */
function stateFor(contract: NonNullable<LintOptions["contract"]>): ContractState {
  if (isContract(contract)) return stateOf(contract);
  const { tools: _tools, logger: _logger, ...options } = contract;
  return stateOf({ ...options, store: false, logLevel: "silent" });
}

/** Everything is read with care: what is linted may be a half-written tool that no server would take. */
function examine(state: ContractState, tool: AnyTool, index: number, counter: TokenCounter): Examined {
  const { name, config, handler } = Object(tool) as Partial<AnyTool>;
  const shownName = typeof name === "string" && name !== "" ? name : `tool ${index + 1}`;
  const wrongOptions = wrongOptionsOf(name, config, handler);
  const blank = { input: undefined, output: undefined, isPaged: false, budget: undefined };
  const bare: AuthoredTool = { name: shownName, wrongOptions, unlistable: undefined, ...blank };
  // A tool with a wrong option is listed all the same where it can be, so that everything is told at once.
  const isNamed = !wrongOptions.some(({ option }) => option === "name");
  if (!isNamed || typeof name !== "string" || typeof config !== "object" || config === null)
    return { authored: bare, defined: undefined };
  try {
    const definition = { name, config, handler } as ToolDefinition;
    const listed = definitionOf(state, definition);
    const { inputSchema, outputSchema, paging } = config;
    return {
      authored: {
        ...bare,
        input: jsonSchemaOf(inputSchema, "input"),
        output: jsonSchemaOf(outputSchema, "output"),
        isPaged: paging === true,
        budget: state.effective.toolContract(definition).budget,
      },
      defined: { name, definition: listed, tokens: counter.count(JSON.stringify(listed)) },
    };
  } catch (error) {
    const unlistable = wrongOptions.length > 0 ? undefined : reasonOf(error, name);
    return { authored: { ...bare, unlistable }, defined: undefined };
  }
}

/** The sentence of an error without the tool's name before it, which a finding has already. */
function reasonOf(error: unknown, name: string): string {
  const said = error instanceof Error ? error.message : String(error);
  const own = said.startsWith(`${name}: `) ? said.slice(name.length + 2) : said;
  return own.slice(0, 1).toUpperCase() + own.slice(1).replace(/\.$/, "");
}

function wrongOptionsOf(
  name: unknown,
  config: unknown,
  handler: unknown,
): { readonly option: string; readonly message: string }[] {
  try {
    checkTool(name, config, handler);
    return [];
  } catch (error) {
    if (!ContractError.isInstance(error)) throw error;
    const { problems } = error.details as { problems?: { option: string; message: string }[] };
    return (problems ?? []).map(({ option, message }) => ({ option, message: message.replace(/\.$/, "") }));
  }
}

/** A tool as `tools/list` shows it. */
function definitionOf(state: ContractState, tool: ToolDefinition): JsonObject {
  const { title, description, annotations, icons, _meta } = tool.config;
  const { inputSchema, outputSchema } = advertiseOwn(state, tool);
  const listed = {
    name: tool.name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
    icons,
    _meta,
  };
  return JSON.parse(JSON.stringify(listed)) as JsonObject;
}

function judgeAuthored(tools: readonly AuthoredTool[]): readonly LintFinding[] {
  return authorRules.flatMap((rule) =>
    tools.flatMap((tool) =>
      rule.judgeTool(tool).map((problem) => toFinding(rule, { tool: tool.name, ...problem })),
    ),
  );
}

/** Rules that hold in one era only are tried in it; what both eras find is told once. */
async function judgeListed(
  tools: readonly DefinedTool[],
  judging: JudgeTools,
): Promise<readonly LintFinding[]> {
  if (tools.length === 0) return [];
  const records = [listedRecord(tools, "legacy"), listedRecord(tools, "modern")];
  const found: LintFinding[] = [];
  for (const rule of listedRules) {
    const told = new Set<string>();
    for (const record of records) {
      const verdict = await rule.judge(record, judging);
      for (const finding of "untested" in verdict ? [] : verdict) {
        const key = JSON.stringify([finding.tool, finding.path, finding.message]);
        if (!told.has(key)) found.push(toFinding(rule, finding));
        told.add(key);
      }
    }
  }
  return found;
}

function toFinding(rule: Rule, { tool, path, message }: Finding): LintFinding {
  return { rule: rule.id, tool, severity: severityOf(rule), path, message, hint: rule.fix };
}
