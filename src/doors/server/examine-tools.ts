// What is known of tools before they are served: what their authors wrote, and what `tools/list` would show of them.

import { ContractError } from "../../core/contract/contract-error.ts";
import { advertiseOwn, wouldCut } from "../../engine/call/advertise-tool.ts";
import { checkFreeName, checkTool } from "../../engine/settings/check-tool.ts";
import type { ContractState } from "../../engine/call/contract-state.ts";
import { retrieveTool } from "../../engine/call/retrieve-tool.ts";
import { jsonSchemaOf } from "../../engine/settings/standard-schema.ts";
import type { AnyTool, ToolDefinition } from "../../engine/settings/tool-definition.ts";
import { appendPointer } from "../../core/json/pointer.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { AuthoredTool } from "../../core/rules/author/author-rules.ts";
import type { DefinedTool } from "../../core/rules/definition/definition-rule.ts";
import type { DeclaredFaults } from "../../engine/settings/declared-faults.ts";
import type { TokenCounter } from "../../core/tokens/token-counter.ts";
import { isContract, stateOf } from "./create-contract.ts";
import { impossibleInputs } from "./impossible-inputs.ts";
import type { LintOptions } from "./lint-tools.ts";

/** What is known of one tool: what its author wrote, and what a list would show of it, where it can be listed. */
export interface ExaminedTool {
  readonly authored: AuthoredTool;
  readonly defined: DefinedTool | undefined;
}

/** Some tools under a contract, and what stands beside them. */
export interface ExaminedTools {
  /** In their order. */
  readonly examined: readonly ExaminedTool[];
  /** The tool that the contract adds to the list where a result of these may be cut. */
  readonly added: DefinedTool | undefined;
  /** What counted their tokens. */
  readonly counter: TokenCounter;
}

/** Everything about some tools under a contract. */
export async function examineTools(
  tools: readonly AnyTool[],
  contract: NonNullable<LintOptions["contract"]>,
): Promise<ExaminedTools> {
  const state = stateFor(contract);
  const counter = await state.counter();
  const examined = tools.map((tool, index) => examine(state, tool, index, counter));
  const keeps = isContract(contract) ? state.archive.isOn : contract.store !== false;
  const mayCut = examined.some(
    ({ defined }, index) => defined !== undefined && wouldCut(state, tools[index] as ToolDefinition),
  );
  return {
    examined,
    added: keeps && mayCut ? define(state, retrieveTool(state), counter) : undefined,
    counter,
  };
}

function define(state: ContractState, tool: ToolDefinition, counter: TokenCounter): DefinedTool {
  const definition = definitionOf(state, tool);
  return { name: tool.name, definition, tokens: counter.count(JSON.stringify(definition)) };
}

/** A contract made of options keeps nothing and says nothing: it is there to be asked what it would list. */
function stateFor(contract: NonNullable<LintOptions["contract"]>): ContractState {
  if (isContract(contract)) return stateOf(contract);
  const { tools: _tools, logger: _logger, ...options } = contract;
  return stateOf({ ...options, store: false, logLevel: "silent" });
}

/** Everything is read with care: what is linted may be a half-written tool that no server would take. */
function examine(state: ContractState, tool: AnyTool, index: number, counter: TokenCounter): ExaminedTool {
  const { name, config, handler } = Object(tool) as Partial<AnyTool>;
  const shownName = typeof name === "string" && name !== "" ? name : `tool ${index + 1}`;
  const wrongOptions = wrongOptionsOf(name, config, handler, state.retrieveName);
  const blank = { input: undefined, output: undefined, isPaged: false, budget: undefined, faultTexts: [] };
  const bare: AuthoredTool = {
    name: shownName,
    wrongOptions,
    unlistable: undefined,
    impossibleInputs: [],
    ...blank,
  };
  // A tool with a wrong option is listed all the same where it can be, so that everything is told at once.
  const isNamed = !wrongOptions.some(({ option }) => option === "name");
  if (!isNamed || typeof name !== "string" || typeof config !== "object" || config === null)
    return { authored: bare, defined: undefined };
  try {
    const definition = { name, config, handler } as ToolDefinition;
    const defined = define(state, definition, counter);
    const { inputSchema, outputSchema, paging, errors } = config;
    return {
      authored: {
        ...bare,
        input: jsonSchemaOf(inputSchema, "input"),
        output: jsonSchemaOf(outputSchema, "output"),
        impossibleInputs: impossibleInputs(inputSchema),
        isPaged: paging === true,
        faultTexts: faultTextsOf(errors),
        budget: state.effective.toolContract(definition).budget,
      },
      defined,
    };
  } catch (error) {
    const unlistable = wrongOptions.length > 0 ? undefined : reasonOf(error, name);
    return { authored: { ...bare, unlistable }, defined: undefined };
  }
}

function faultTextsOf(errors: unknown): AuthoredTool["faultTexts"] {
  const declared = Object.entries((errors ?? {}) as DeclaredFaults);
  return declared.flatMap(([name, { when, remediation }]) =>
    Object.entries({ when, remediation }).flatMap(([key, text]) =>
      typeof text === "string" ? [{ path: appendPointer(appendPointer("/errors", name), key), text }] : [],
    ),
  );
}

/** The sentence of an error without the tool's name before it, which a finding has already. */
function reasonOf(error: unknown, name: string): string {
  const [said = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  const own = said.startsWith(`${name}: `) ? said.slice(name.length + 2) : said;
  return own.slice(0, 1).toUpperCase() + own.slice(1).replace(/\.$/, "");
}

function wrongOptionsOf(
  name: unknown,
  config: unknown,
  handler: unknown,
  retrieveName: string,
): { readonly option: string; readonly message: string }[] {
  try {
    checkTool(name, config, handler);
    checkFreeName(name, retrieveName);
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
