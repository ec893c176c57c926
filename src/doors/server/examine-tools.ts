// Facts about tools before they are served: what their authors wrote, and what `tools/list` would show.

import { ContractError } from "../../core/contract/contract-error.ts";
import { advertiseOwn, wouldCut } from "../../engine/call/advertise-tool.ts";
import { checkFreeName, checkTool } from "../../engine/settings/check-tool.ts";
import type { ContractState } from "../../engine/call/contract-state.ts";
import { retrieveTool } from "../../engine/call/retrieve-tool.ts";
import { jsonSchemaOf, type StandardSchema } from "../../engine/settings/standard-schema.ts";
import type { AnyTool, ToolDefinition } from "../../engine/settings/tool-definition.ts";
import { appendPointer } from "../../core/json/pointer.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { AuthoredTool, ImpossibleInput } from "../../core/rules/author/author-rules.ts";
import type { DefinedTool } from "../../core/rules/definition/definition-rule.ts";
import type { DeclaredFaults } from "../../engine/settings/declared-faults.ts";
import type { TokenCounter } from "../../core/tokens/token-counter.ts";
import { isContract, stateOf } from "./create-contract.ts";
import type { LintOptions } from "./lint-tools.ts";

/** Facts about one tool: what its author wrote, and what `tools/list` would show if the tool can be listed. */
export interface ExaminedTool {
  readonly authored: AuthoredTool;
  readonly defined: DefinedTool | undefined;
}

/** Some tools under a contract, and what the contract adds. */
export interface ExaminedTools {
  /** In the order given. */
  readonly examined: readonly ExaminedTool[];
  /** The tool that the contract adds to the list if a result of these tools may be cut. */
  readonly added: DefinedTool | undefined;
  /** The counter used for the tokens of these tools. */
  readonly counter: TokenCounter;
}

/** Collects all facts about tools under a contract. */
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

/** A contract made from options stores and logs nothing: it is only asked what it would list. */
function stateFor(contract: NonNullable<LintOptions["contract"]>): ContractState {
  if (isContract(contract)) return stateOf(contract);
  const { tools: _tools, logger: _logger, ...options } = contract;
  return stateOf({ ...options, store: false, logLevel: "silent" });
}

/** Reads with care: a linted tool may be half-written, and no server would accept it. */
function examine(state: ContractState, tool: AnyTool, index: number, counter: TokenCounter): ExaminedTool {
  const { name, config, handler } = Object(tool) as Partial<AnyTool>;
  const shownName = typeof name === "string" && name !== "" ? name : `tool ${index + 1}`;
  const wrongOptions = wrongOptionsOf(name, config, handler, state.retrieveName);
  const blank = { input: undefined, output: undefined, isPaged: false, budget: undefined, faultTexts: [] };
  const handlerText = typeof handler === "function" ? Function.prototype.toString.call(handler) : undefined;
  const bare: AuthoredTool = {
    name: shownName,
    wrongOptions,
    unlistable: undefined,
    impossibleInputs: [],
    handlerText,
    ...blank,
  };
  // A tool with a wrong option is still listed if possible, so that all findings are reported at once.
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

/** The error's sentence without the leading tool name, which the finding already has. */
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

// Fields of an input schema that no JSON can satisfy: the list shows them as "anything", and every call is refused. Zod
// schemas say what they are made of; schemas of other libraries are not inspected.

/** The parts of a Zod 4 schema that are read; Zod Mini has them too. */
interface ZodDef {
  readonly type?: unknown;
  /** With z.coerce, the schema converts the value that was sent. */
  readonly coerce?: unknown;
  readonly shape?: Readonly<Record<string, unknown>> | undefined;
  readonly element?: unknown;
  readonly items?: readonly unknown[] | undefined;
  readonly valueType?: unknown;
  readonly innerType?: unknown;
  readonly options?: readonly unknown[] | undefined;
  readonly left?: unknown;
  readonly right?: unknown;
  readonly in?: unknown;
}

const MAX_DEPTH = 32;
/** Schemas that share parts may be far larger than their source. Parts after this many are not inspected. */
const MAX_VISITS = 10_000;

const instead: ReadonlyMap<unknown, string> = new Map([
  ["date", "Take a text and make the date of it: z.iso.datetime().transform((text) => new Date(text))"],
  ["bigint", "Take the digits as a text: z.string().regex(/^-?\\d+$/).transform(BigInt)"],
  ["map", "Take an object: z.record(z.string(), …).transform((object) => new Map(Object.entries(object)))"],
  ["set", "Take a list: z.array(…).transform((items) => new Set(items))"],
  ["file", "Take its path, its URL or its bytes in base64, as a text"],
  ["symbol", "Take a text"],
  ["function", "Take the name of what is to be done, as a text"],
  ["nan", "Take a number, and let it be null where there is no number: z.number().nullable()"],
]);

function defOf(schema: unknown): ZodDef | undefined {
  const { _zod: inner } = Object(schema) as { _zod?: { def?: unknown } };
  return typeof inner?.def === "object" && inner.def !== null ? inner.def : undefined;
}

/** The impossible fields of a tool's arguments, each with its place in the definition. */
function impossibleInputs(input: StandardSchema | undefined): readonly ImpossibleInput[] {
  return findIn(input, "/inputSchema", new Set(), { left: MAX_VISITS });
}

function findIn(
  schema: unknown,
  path: string,
  above: ReadonlySet<unknown>,
  visits: { left: number },
): readonly ImpossibleInput[] {
  const def = defOf(schema);
  // `above` holds a schema that contains itself, so recursion ends here.
  if (def === undefined || above.has(schema) || above.size > MAX_DEPTH || visits.left <= 0) return [];
  visits.left -= 1;
  const within = new Set([...above, schema]);
  const visit = (inner: unknown, place = path): readonly ImpossibleInput[] =>
    findIn(inner, place, within, visits);
  const { type, shape = {}, items = [], options = [] } = def;
  const fix = def.coerce === true ? undefined : instead.get(type);
  if (fix !== undefined) return [{ path, kind: String(type), fix }];
  switch (type) {
    case "object":
      return Object.keys(shape).flatMap((key) => visit(shape[key], appendPointer(`${path}/properties`, key)));
    case "array":
      return visit(def.element, `${path}/items`);
    case "tuple":
      return items.flatMap((item, index) => visit(item, `${path}/prefixItems/${index}`));
    case "record":
      return visit(def.valueType, `${path}/additionalProperties`);
    case "union":
      return ofUnion(options.map((option) => visit(option)));
    case "intersection":
      return [...visit(def.left), ...visit(def.right)];
    case "pipe":
      // Only the input of a transform is judged.
      return visit(def.in);
    default:
      // Optional, nullable, with a default, read-only: a given value must still match the inner type.
      return visit(def.innerType);
  }
}

/** A union is possible if JSON can have one of its forms. */
function ofUnion(forms: readonly (readonly ImpossibleInput[])[]): readonly ImpossibleInput[] {
  return forms.every((found) => found.length > 0) ? (forms[0] ?? []) : [];
}
