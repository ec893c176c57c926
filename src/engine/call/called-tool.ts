import { faults } from "../../core/contract/faults.ts";
import { hasEmptyError, isEnvelope } from "../../core/contract/read-envelope.ts";
import { roundedNumbers } from "../../core/contract/rounded-numbers.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { MAX_JSON_DEPTH, findNonJson, writeJson } from "../../core/json/find-non-json.ts";
import { type JsonObject, isJsonObject, type JsonValue } from "../../core/json/json-value.ts";
import { reportedFailure, fromResult } from "../../core/pipeline/outcome/from-result.ts";
import { spoiltAnswer } from "../../core/pipeline/outcome/classify.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import type { LeanServer } from "../../core/pipeline/pipeline-context.ts";
import type { CallRequest } from "../request/call-request.ts";
import type { ContractState } from "./contract-state.ts";
import { readsDocuments, ToolSchemas } from "./tool-schemas.ts";
import { makeContext } from "./handler-context.ts";
import type { NoteTaker } from "./note-taker.ts";
import { type MaskText, rejectInput, shortened } from "./input-failure.ts";
import type { CallIdentity } from "./open-call.ts";
import { repairArguments } from "./repair-arguments.ts";
import type { CallContract } from "../settings/settings-resolver.ts";
import {
  type SchemaIssue,
  type SchemaResult,
  type StandardSchema,
  jsonSchemaOf,
} from "../settings/standard-schema.ts";
import { definedAt } from "../settings/defined-at.ts";
import type { ToolConfig, ToolDefinition } from "../settings/tool-definition.ts";
import { wrapData } from "../../core/contract/envelope.ts";

/** One call: who calls which tool, for which tenant, under which agreement. */
export interface ToolCall {
  readonly tool: CalledTool;
  readonly args: unknown;
  /** The page that the call asks for beside the tool's own arguments, through `_waybill` or under `paging`. */
  readonly cursor: string | undefined;
  readonly limit: number | undefined;
  /** The question about the result: a JMESPath expression. */
  readonly select: string | undefined;
  /** Arguments that the contract took for itself; an upstream server must not see them. */
  readonly taken: readonly string[];
  readonly request: CallRequest;
  readonly identity: CallIdentity;
  readonly tier: string | undefined;
  readonly contract: CallContract;
  readonly notes: NoteTaker;
  /** What was thrown while the caller and the agreement were determined. */
  readonly refusal: { readonly error: unknown } | undefined;
}

/** What a run may know besides its arguments. */
export interface RunFacts {
  readonly call: ToolCall;
  /** The notes of the run; stored with its answer if the answer is stored. */
  readonly notes: NoteTaker;
  /** A function, because most handlers never use the signal. */
  readonly signal: () => AbortSignal;
  /** Several callers share the answer, so none of them may cancel it. */
  readonly isShared: boolean;
}

/** A tool as the engine calls it: a handler of this server, or a tool of an upstream server. */
export interface CalledTool {
  readonly name: string;
  readonly config: ToolConfig;
  readonly schemas: ToolSchemas;
  /**
   * The output schema that an upstream server listed, or null if it listed none. Undefined: the schema of the
   * config applies.
   */
  readonly listedSchema?: JsonObject | null | undefined;
  /** The tool was not listed through this contract, so a client may know a schema that we do not know. */
  readonly isUnlisted?: boolean | undefined;
  /** For a tool of an upstream server: whether its schemas have room for a question and its answer. */
  readonly canBeAsked?: boolean | undefined;
  /** What is known of an upstream server, for results that are made lean. */
  readonly leanServer?: (() => LeanServer) | undefined;
  /** The name that an upstream server gives itself. */
  readonly serverName?: string | undefined;
  /** The tool returns documents that others wrote: a failure that they quote is not its own. */
  readonly readsDocuments?: boolean | undefined;
  /** The tool runs in another process, so nothing that it does is in the async scope of the call. */
  readonly isRemote?: boolean | undefined;
  /** The name of the tool that gives back what is cut from its results. Default: the contract's retrieval tool. */
  readonly retrieveName?: string | undefined;
  /** True for our own retrieval tool, under any name. */
  readonly answersRetrieval?: boolean | undefined;
  /** The reason for which every call of the tool is refused. */
  readonly refusal?: { readonly error: unknown } | undefined;
  /** The arguments as the run takes them, or a promise of them, repaired if `onRepair` is given; throws the fault that refuses them. */
  readonly parse: (
    state: ContractState,
    args: unknown,
    onRepair?: (warning: WarningDetail) => void,
  ) => unknown;
  readonly run: (state: ContractState, args: unknown, run: RunFacts) => Arrival | Promise<Arrival>;
}

/** A ready-made result that JSON cannot carry is refused like any such value, and named in the log. */
function toArrival(value: unknown, { name, config }: ToolDefinition): Arrival {
  if (!isToolResult(value)) return { kind: "value", value };
  const { value: written, problem, hasUnsafeInteger } = writeJson(value);
  if (problem !== undefined) return { kind: "value", value };
  const result = written as JsonObject;
  const rounded = hasUnsafeInteger ? roundedNumbers(result["structuredContent"] ?? null) : undefined;
  const { annotations } = config;
  const isDocument = readsDocuments({
    name,
    annotations,
    inputSchema: jsonSchemaOf(config.inputSchema, "input"),
  });
  return { kind: "result", result, isDocument, notes: rounded && { warnings: [rounded] } };
}

/** A tool of this server: its arguments are validated, and its data is checked against its schema. */
export function calledTool({ called, kept }: ContractState, definition: ToolDefinition): CalledTool {
  const known = called.get(definition);
  if (known !== undefined) return known;
  const made = makeCalled(definition);
  called.set(definition, made);
  // Factories make new definitions for each request; a name has one place.
  (kept.tools ??= new Map()).set(made.name, made.schemas);
  const place = definedAt(definition);
  if (place !== undefined) (kept.places ??= new Map()).set(made.name, place);
  return made;
}

function makeCalled(definition: ToolDefinition): CalledTool {
  const { name, config, handler } = definition;
  const schemas = ToolSchemas.ofConfig(config);
  const { outputSchema } = config;
  return {
    name,
    config,
    schemas,
    parse: ({ mask }, args, onRepair) => validateInput(args, config.inputSchema, mask, onRepair),
    run: async (state, args, run) => {
      const value: unknown = await handler(args, makeContext(state, args, run));
      // A fault that is returned was meant to be thrown: a fault never means success.
      if (ToolFault.isInstance(value)) throw value;
      if (hasEmptyError(isToolResult(value) ? value["structuredContent"] : value))
        throw brokenOutput(new TypeError(emptyError));
      if (outputSchema === undefined) return toArrival(value, definition);
      const output = await checkOutput(value, outputSchema, schemas);
      if (output !== value) state.events.parsed(run.call, value, output);
      return toArrival(output, definition);
    },
  };
}

/** A tool of this server, with facts that its definition does not have. */
export function calledWith(
  state: ContractState,
  definition: ToolDefinition,
  more: Pick<CalledTool, "run" | "answersRetrieval">,
): ToolDefinition {
  state.called.set(definition, { ...makeCalled(definition), ...more });
  return definition;
}

const emptyError =
  "The tool's envelope has an empty error: say what failed, or send error: null with success: true.";

/** The model learns that the tool has run; the log says what is wrong with the answer. */
function brokenOutput(cause: unknown): ToolFault {
  return faults.internal(undefined, { ...spoiltAnswer, cause });
}

function describeIssue({ message, path = [] }: SchemaIssue): TypeError {
  const place = path.map((step) => String(typeof step === "object" ? step.key : step)).join(".");
  return new TypeError(`The tool's data breaks its output schema at ${place || "the root"}: ${message}`);
}

/** The data as the schema parses it. Data of a wrong type may be right once written as JSON: a date for a text. */
async function judge(data: unknown, schema: StandardSchema, isWritten = false): Promise<unknown> {
  let result: SchemaResult<unknown>;
  try {
    const judged = schema["~standard"].validate(data);
    result = isPromiseLike(judged) ? await judged : judged;
  } catch (error) {
    const problem = findNonJson(data);
    throw brokenOutput(problem === undefined ? error : new TypeError(problem.message));
  }
  const [issue] = result.issues ?? [];
  if (result.issues === undefined || issue === undefined) return (result as { value: unknown }).value;
  const { value, problem } = writeJson(data);
  if (problem !== undefined) throw brokenOutput(new TypeError(problem.message));
  if (isWritten || value === data) throw brokenOutput(describeIssue(issue));
  return judge(value, schema, true);
}

/**
 * What is sent for a handler's value, or a promise of it: the output of its schema, so that defaults and coercions
 * apply. A ready-made result is checked and sent as it is. Throws if the data breaks the schema: clients
 * would refuse the whole result.
 */
function checkOutput(value: unknown, schema: StandardSchema, schemas: ToolSchemas): unknown {
  if (isUnfinished(value)) return value;
  if (isToolResult(value)) {
    const { value: result, problem } = writeJson(value);
    // A value that JSON cannot carry is refused later, by name.
    if (problem !== undefined) return value;
    return checkReturned(result, dataOfResult(result as JsonObject, schemas), schema);
  }
  if (isEnvelope(value)) return checkReturned(value, dataOfEnvelope(value, schemas), schema);
  // The schema describes the data, and a failure has no data.
  if (reportedFailure(value) !== undefined) return value;
  return judge(value === undefined ? {} : value, schema);
}

async function checkReturned(
  value: unknown,
  found: ReturnedData | undefined,
  schema: StandardSchema,
): Promise<unknown> {
  return found === undefined ? value : found.withOutput(await judge(found.data, schema));
}

const resultKeys = ["content", "structuredContent", "isError", "_meta", "resultType"];
const blockTypes: readonly unknown[] = ["text", "image", "audio", "resource_link", "resource"];

/** True for a ready-made `CallToolResult`: known keys only, and blocks of known types. */
export function isToolResult(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || !Array.isArray(value["content"])) return false;
  const hasOnlyResultKeys = Object.keys(value).every((key) => resultKeys.includes(key));
  const blocks: readonly unknown[] = value["content"];
  return (
    hasOnlyResultKeys && blocks.every((block) => isJsonObject(block) && blockTypes.includes(block["type"]))
  );
}

const unfinishedTypes: readonly unknown[] = ["input_required", "task"];
const taskKeys = ["task", "_meta"];

/** Tools may return tasks of their own: only the protocol's task has a `taskId`, a status and nothing else. */
function isTaskReply(value: JsonObject): boolean {
  const { task } = value;
  if (!isJsonObject(task) || !Object.keys(value).every((key) => taskKeys.includes(key))) return false;
  return typeof task["taskId"] === "string" && typeof task["status"] === "string";
}

/** Results that are not an answer yet, and that must not be wrapped. */
export function isUnfinished(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  return unfinishedTypes.includes(value["resultType"]) || isTaskReply(value);
}

/** Handlers and schemas may return any thenable, not only a promise of this realm. */
export function isPromiseLike(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Schema libraries recurse: arguments that are too deep for them are refused first. */
function assertJsonArguments(args: JsonObject): void {
  const problem = findNonJson(args);
  if (problem === undefined) return;
  const isDeep = problem.reason === "too-deep";
  const why = isDeep
    ? `are nested deeper than ${MAX_JSON_DEPTH} levels`
    : "have a part that JSON cannot carry";
  throw faults.validation(`Validation failed: arguments ${why}`, {
    details: {
      field: "arguments",
      constraint: problem.reason,
      received: null,
      errors: [{ pointer: shortened(problem.pointer), field: "arguments", constraint: problem.reason }],
    },
  });
}

/**
 * The parsed arguments, as a promise only if the schema is asynchronous; throws one fault that names every failure. With
 * `onRepair`, arguments are repaired if the schema then accepts them; without it, they are taken as they are.
 */
export function validateInput(
  args: unknown,
  schema: StandardSchema | undefined,
  mask?: MaskText,
  onRepair?: (warning: WarningDetail) => void,
): unknown {
  const given = isJsonObject(args) ? args : {};
  assertJsonArguments(given);
  if (schema === undefined) return given;
  const judgeInput = (result: SchemaResult<unknown>): unknown => {
    const { issues } = result;
    if (issues === undefined) return result.value;
    const repairing = onRepair === undefined ? undefined : repairArguments(given, issues, schema);
    if (repairing === undefined) throw rejectInput(issues, given, schema, mask);
    return repairing.then((repaired) => {
      if (repaired === undefined) throw rejectInput(issues, given, schema, mask);
      onRepair?.(repaired.warning);
      return repaired.value;
    });
  };
  const result = schema["~standard"].validate(given);
  return isPromiseLike(result) ? result.then(judgeInput) : judgeInput(result);
}

// Finds, in a ready-made answer of a handler (a tool result, an envelope), the data that the tool's schema
// describes. A plain value is its own data and is not handled here.

/** The data to check, and a function that puts the schema's output in its place. */
interface ReturnedData {
  readonly data: unknown;
  readonly withOutput: (output: unknown) => unknown;
}

/** The data of an envelope as the schema describes it: some schemas describe the whole envelope. */
function dataIn(envelope: JsonObject, schemas: ToolSchemas): unknown {
  if (schemas.isOfEnvelope) return envelope;
  const data = envelope["data"] as JsonObject;
  const isWrapped = Object.keys(data).join() === "result" && !schemas.takesObjects;
  return isWrapped ? data["result"] : data;
}

/** The data of an envelope that a handler built; undefined for a failure, which has no data. */
function dataOfEnvelope(envelope: JsonObject, schemas: ToolSchemas): ReturnedData | undefined {
  if (envelope["success"] !== true) return undefined;
  const data = dataIn(envelope, schemas);
  if (data === envelope) return { data, withOutput: (output) => output };
  return { data, withOutput: (output) => ({ ...envelope, data: wrapData(output as JsonValue) }) };
}

/** The data of a ready-made result, which is sent as it is: its structured content, or else its text. */
function dataOfResult(result: JsonObject, schemas: ToolSchemas): ReturnedData | undefined {
  const withOutput = (): unknown => result;
  const structured = result["structuredContent"];
  if (result["isError"] === true) return undefined;
  if (structured === undefined) {
    const { outcome } = fromResult(result);
    return outcome.ok ? { data: outcome.data, withOutput } : undefined;
  }
  if (!isJsonObject(structured) || !isEnvelope(structured)) return { data: structured, withOutput };
  return structured["success"] === true ? { data: dataIn(structured, schemas), withOutput } : undefined;
}
