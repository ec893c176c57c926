// Decides what `tools/list` says of a tool under the contract, both for the server's own tools and for tools
// of an upstream server. Computed once for each schema and the settings that matter to it.

import {
  type EnvelopeForm,
  advertiseOutput,
  isEnvelopeSchema,
  withoutRequired,
  withoutTextRules,
} from "../../core/schema/envelope-schema.ts";
import { advertiseInput, withSelect } from "../../core/schema/input-schema.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import { type Budget, tableFormOf } from "../../core/pipeline/pipeline-context.ts";
import { type CalledTool, calledTool } from "./called-tool.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { traitsOf } from "../../core/pipeline/dialect/dialects.ts";
import type { ContractState } from "./contract-state.ts";
import { listedForm, canBeAsked } from "./tool-schemas.ts";
import { withPaging } from "./paging-arguments.ts";
import type { ToolContract } from "../settings/tool-contract.ts";
import { type StandardSchema, acceptingSchema, jsonSchemaOf } from "../settings/standard-schema.ts";
import type { ToolConfig, ToolDefinition } from "../settings/tool-definition.ts";
import { neededBuiltIn } from "../runtime/built-in.ts";

export interface AdvertisedSchemas {
  readonly inputSchema: JsonObject | undefined;
  /** Undefined if no schema can be promised: the tool has no schema itself, or its results are text only. */
  readonly outputSchema: JsonObject | undefined;
}

/** A tool with the schemas that its author or its server gave. */
interface SchemedTool {
  readonly name: string;
  readonly config: ToolConfig;
  readonly input: JsonObject | undefined;
  readonly output: JsonObject | undefined;
  /** Set for a tool of an upstream server, which may have named itself. */
  readonly upstream?: { readonly serverName: string | undefined };
  /** True for our own retrieval tool, which gives back what was cut and answers questions about it. */
  readonly answersRetrieval?: boolean;
}

const emptyInput: JsonObject = { type: "object", properties: {} };

/** A tool whose own schema is a response-v2 envelope keeps that schema; its results are not wrapped again either. */
function isEnveloped(schema: JsonObject, dialects: readonly DialectId[]): boolean {
  const isKept = dialects.every((id) => id === "response-v2" || id === "plain");
  return isKept && dialects.includes("response-v2") && isEnvelopeSchema(schema);
}

/** What is computed once for a schema. */
interface SchemaUses {
  /** The forms that are advertised for it. */
  readonly forms: Map<string, JsonObject | undefined>;
  accepting?: StandardSchema<unknown, unknown>;
  judge?: Judge;
}

/** By the schema, which is data of its author or of an upstream server, and is sent as it is. */
const usesOfSchemas = new WeakMap<JsonObject, SchemaUses>();

function usesOf(schema: JsonObject): SchemaUses {
  const known = usesOfSchemas.get(schema) ?? { forms: new Map() };
  usesOfSchemas.set(schema, known);
  return known;
}

/** Computes each advertised form of a schema only once. */
function once(schema: JsonObject, key: string, make: () => JsonObject | undefined): JsonObject | undefined {
  const { forms } = usesOf(schema);
  if (!forms.has(key)) forms.set(key, make());
  return forms.get(key);
}

/** The SDK takes schemas as validators. Each schema has one validator, because it is handed over with every request. */
export function acceptingOf(schema: JsonObject): StandardSchema<unknown, unknown> {
  return (usesOf(schema).accepting ??= acceptingSchema(schema));
}

/** The schemas of a tool that every client may rely on. */
export function advertiseSchemas(state: ContractState, tool: SchemedTool): AdvertisedSchemas {
  const contract = state.effective.toolContract(tool);
  const { input, output } = tool;
  const { takesWaybill: waybillArgument } = contract;
  const mayAsk = offersSelect(state, tool, contract);
  const isPaged = tool.config.paging === true;
  const form = output && tool.upstream && listedForm(output, contract, tool.upstream.serverName);
  const outputSchema = output && outputOf(output, contract, state.masksSuccesses, mayAsk, form);
  // Clients rely on this schema from now on, so a reload must not break it.
  if (output !== undefined && outputSchema !== undefined) state.effective.advertise(tool, output);
  return {
    inputSchema:
      input &&
      once(input, `input ${waybillArgument} ${isPaged} ${mayAsk}`, () => {
        const own = isPaged ? withPaging(tool.name, input) : input;
        const taking = mayAsk && !waybillArgument ? withSelect(own) : own;
        return advertiseInput(taking, { waybillArgument, select: mayAsk });
      }),
    outputSchema,
  };
}

/** True only if something can answer the question. The first tool that takes questions starts the answering worker. */
function offersSelect({ questions }: ContractState, tool: SchemedTool, { select }: ToolContract): boolean {
  const { input, output, answersRetrieval } = tool;
  if (!select || answersRetrieval === true || input === undefined || !canBeAsked(input, output)) return false;
  void questions.open();
  return questions.mayAnswer;
}

function outputOf(
  given: JsonObject,
  contract: ToolContract,
  masksSuccesses: boolean,
  select: boolean,
  form?: EnvelopeForm,
): JsonObject | undefined {
  const { delivery, hidesSchema, mayLackFields, advertisedDialects: dialects, encoding } = contract;
  if (delivery === "text" || hidesSchema) return undefined;
  const tables = tableFormOf(encoding) !== undefined;
  // Data that is read out of the server's envelope has no envelope; a result that is sent as it came has one.
  const data = form?.isOpen === false ? form.data : undefined;
  const isByResult = traitsOf(contract.dialect).choosesByResult === true;
  return once(
    given,
    `output ${dialects.join()} ${tables} ${mayLackFields} ${masksSuccesses} ${select} ${data === undefined} ${isByResult}`,
    () => {
      const shown = (schema: JsonObject): JsonObject => (masksSuccesses ? withoutTextRules(schema) : schema);
      if (isEnveloped(given, dialects)) return shown(given);
      const promised = (schema: JsonObject): JsonObject =>
        mayLackFields ? withoutRequired(shown(schema)) : shown(schema);
      if (data === undefined) return advertiseOutput(promised(given), { dialects, tables, select });
      const inEnvelope = promised(data);
      return advertiseOutput(isByResult ? promised(given) : inEnvelope, {
        dialects,
        tables,
        select,
        inEnvelope,
      });
    },
  );
}

/** The schemas of one of the server's own tools. */
export function advertiseOwn(state: ContractState, tool: ToolDefinition): AdvertisedSchemas {
  const { name, config } = tool;
  const { inputSchema, outputSchema } = advertiseSchemas(state, {
    name,
    config,
    input: ownInput(name, config.inputSchema),
    output: ownOutput(name, config.outputSchema),
    answersRetrieval: calledTool(state, tool).answersRetrieval === true,
  });
  return { inputSchema: inputSchema && asObject(inputSchema), outputSchema };
}

/** A union of objects has no `type` of its own, and clients refuse a whole list because of one tool without it. */
function asObject(input: JsonObject): JsonObject {
  if (input["type"] !== undefined) return input;
  return once(input, "typed", () => ({ ...input, type: "object" })) ?? input;
}

/** The output schema that `tools/list` shows for one of the server's own tools under a contract. */
export function listedOutput(
  { name, config, answersRetrieval }: Pick<CalledTool, "name" | "config" | "answersRetrieval">,
  contract: ToolContract,
  masksSuccesses: boolean,
): JsonObject | undefined {
  const output = ownOutput(name, config.outputSchema);
  const mayAsk = contract.select && answersRetrieval !== true;
  const isAsked = mayAsk && canBeAsked(ownInput(name, config.inputSchema), output);
  return output && outputOf(output, contract, masksSuccesses, isAsked);
}

const fixes: Readonly<Record<string, string>> = {
  zod: "Describe what is sent: z.iso.datetime() for a date, for instance, and a transform ends with .pipe(schema).",
  valibot: "Give toStandardJsonSchema(schema) of @valibot/to-json-schema in its place.",
};

/** If the arguments of one tool were not an object, every client would refuse the whole list. */
function ownInput(name: string, schema: StandardSchema | undefined): JsonObject {
  const input = jsonSchemaOf(schema, "input") ?? emptyInput;
  const { type = "object" } = input;
  if (type === "object") return input;
  const message = `${name}: its inputSchema is of type ${JSON.stringify(type)}, but arguments are always an object. Give an object schema, such as z.object({ … }).`;
  throw new ContractError("INVALID_OPTION", message, { tool: name, option: "inputSchema" });
}

/** A schema that cannot be listed promises nothing to clients, and would still bind the handler. */
function ownOutput(name: string, schema: StandardSchema | undefined): JsonObject | undefined {
  if (schema === undefined) return undefined;
  const { vendor } = schema["~standard"];
  const refuse = (why: string, cause?: unknown): never => {
    const fix = fixes[vendor] ?? "Give a schema that has a JSON Schema.";
    const message = `${name}: its outputSchema ${why}, so tools/list cannot show it. ${fix}`;
    throw new ContractError("INVALID_OPTION", message, { tool: name, option: "outputSchema" }, { cause });
  };
  try {
    return jsonSchemaOf(schema, "output") ?? refuse(`of ${vendor} has no JSON Schema`);
  } catch (error) {
    if (ContractError.isInstance(error)) throw error;
    const said = error instanceof Error ? error.message : String(error);
    return refuse(`cannot be written as JSON Schema (${said})`, error);
  }
}

/** Whether any result may be archived: a tool may have a budget, be lean, or use `ctx.archive`, even if the contract has no budget. */
export function canArchiveResults(state: ContractState, tool?: ToolDefinition): boolean {
  return state.archive.isOn && wouldCut(state, tool);
}

/** The same for a contract that keeps nothing yet: lint and docs use contracts that never keep anything. */
export function wouldCut({ effective }: ContractState, tool?: ToolDefinition): boolean {
  if (tool?.config.archives === true) return true;
  const settled: readonly { readonly budget: Partial<Budget>; readonly lean?: boolean | undefined }[] = [
    effective.general,
    ...Object.values(effective.settings.tools),
    ...(tool === undefined ? [] : [effective.toolContract(tool)]),
  ];
  return settled.some(
    ({ budget: { tokens = "off", bytes = "off" }, lean }) =>
      tokens !== "off" || bytes !== "off" || lean === true,
  );
}

// Checks a result against the schema that tools/list shows for its tool, with the validator of the MCP SDK,
// which clients use too. For tests: the validator is loaded when the first result is checked.

type Judge = (value: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };
interface ValidatorModule {
  readonly AjvJsonSchemaValidator: new () => { getValidator(schema: JsonObject): Judge };
}

const VALIDATOR = "@modelcontextprotocol/server/validators/ajv";

/** By `require`, so that an assertion in a test need not be awaited. */
function loadValidator(): ValidatorModule {
  try {
    return neededBuiltIn("node:module").createRequire(import.meta.url)(VALIDATOR) as ValidatorModule;
  } catch (cause) {
    const message = `${VALIDATOR} cannot be loaded: install @modelcontextprotocol/server, whose validator checks results against their schemas.`;
    throw new ContractError("INVALID_OPTION", message, {}, { cause });
  }
}

function judgeOf(schema: JsonObject): Judge {
  const uses = usesOf(schema);
  uses.judge ??= new (loadValidator().AjvJsonSchemaValidator)().getValidator(schema);
  return uses.judge;
}

/** The reason for which a client would refuse a result under the schema it was shown; undefined if it would not. */
export function refusalOf(result: unknown, schema: JsonObject): string | undefined {
  if (!isJsonObject(result)) return "it is no tool result";
  const { structuredContent } = result;
  if (structuredContent === undefined)
    return result["isError"] === true ? undefined : "it has no structuredContent";
  const { valid, errorMessage = "it does not conform" } = judgeOf(schema)(structuredContent);
  return valid ? undefined : errorMessage;
}

/** Throws if a client would refuse the result: its structured content breaks the advertised schema, or is missing. */
export function assertAdvertised(result: unknown, schema: JsonObject | undefined): void {
  const refusal = schema && refusalOf(result, schema);
  if (refusal === undefined) return;
  const message = `A result breaks its tool's output schema, so clients would refuse it: ${refusal}.`;
  throw new ContractError("INVALID_ENVELOPE", message, { schema: refusal });
}
