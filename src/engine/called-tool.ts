import { faults } from "../contract/faults.ts";
import { isEnvelope } from "../contract/read-envelope.ts";
import { MAX_JSON_DEPTH, findNonJson } from "../json/find-non-json.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import type { Arrival } from "../pipeline/parcel.ts";
import { type MaybePromise, isPromiseLike } from "../resilience/maybe-promise.ts";
import type { CallRequest } from "./call-request.ts";
import type { ContractState } from "./contract-state.ts";
import { type NoteTaker, makeContext } from "./handler-context.ts";
import { type MaskText, rejectInput, shortened } from "./input-failure.ts";
import type { CallIdentity } from "./open-call.ts";
import type { CallContract } from "./settings/settings-resolver.ts";
import type { SchemaResult, StandardSchema } from "./standard-schema.ts";
import type { ToolConfig, ToolDefinition } from "./tool-definition.ts";

/** One call: who calls what, for whom, under which agreement. */
export interface ToolCall {
  readonly tool: CalledTool;
  readonly args: unknown;
  /** The page that `_waybill` asks for beside the arguments. */
  readonly cursor: string | undefined;
  readonly request: CallRequest;
  readonly identity: CallIdentity;
  readonly tier: string | undefined;
  readonly contract: CallContract;
  readonly notes: NoteTaker;
  /** What was thrown while finding out who calls and what is agreed. */
  readonly refusal: { readonly error: unknown } | undefined;
}

/** What a run may know besides its arguments. */
export interface ToolRun {
  readonly call: ToolCall;
  /** What the run notes; kept with its answer where that is kept. */
  readonly notes: NoteTaker;
  /** Made when somebody asks for it: most handlers never look. */
  readonly signal: () => AbortSignal;
  /** Callers share the answer, so none of them may cancel it. */
  readonly isShared: boolean;
}

/** A tool as the engine calls it: a handler of one's own, or a server behind a door. */
export interface CalledTool {
  readonly name: string;
  readonly config: ToolConfig;
  /** The schema that another server listed for its data, or null if it listed none; undefined: the schema of the config. */
  readonly listedSchema?: JsonObject | null | undefined;
  /** Nobody listed it here, so a client may know a schema of it that we do not. */
  readonly isUnlisted?: boolean | undefined;
  /** Why no call of it is run at all. */
  readonly refusal?: { readonly error: unknown } | undefined;
  /** The arguments as the run takes them; throws the fault that refuses them. */
  readonly parse: (state: ContractState, args: unknown) => MaybePromise<unknown>;
  readonly run: (state: ContractState, args: unknown, run: ToolRun) => MaybePromise<Arrival>;
}

/** A ready-made result that JSON cannot carry is treated as any such value: refused, and named in the log. */
function toArrival(value: unknown): Arrival {
  const isResult = isToolResult(value) && findNonJson(value) === undefined;
  return isResult ? { kind: "result", result: value } : { kind: "value", value };
}

const own = new WeakMap<ToolDefinition, CalledTool>();

/** A tool of your own: its arguments are validated, and its data is checked against its schema. */
export function calledTool(definition: ToolDefinition): CalledTool {
  const known = own.get(definition);
  if (known !== undefined) return known;
  const { name, config, handler } = definition;
  const finish = (value: unknown): MaybePromise<Arrival> => {
    const checked = assertOutput(value, config.outputSchema);
    return isPromiseLike(checked) ? checked.then(() => toArrival(value)) : toArrival(value);
  };
  const made: CalledTool = {
    name,
    config,
    parse: (state, args) => validateInput(args, config.inputSchema, state.mask),
    run: (state, args, run) => {
      const value = handler(args, makeContext(state, args, run));
      return isPromiseLike(value) ? value.then(finish) : finish(value);
    },
  };
  own.set(definition, made);
  return made;
}

/** The data that the schema describes: the structure of a ready-made result; nothing for a failed or text-only one. */
function payloadOf(value: unknown): unknown {
  if (!isToolResult(value)) return value;
  return value["isError"] === true ? undefined : value["structuredContent"];
}

function judge({ issues }: SchemaResult<unknown>): void {
  const [issue] = issues ?? [];
  if (issue === undefined) return;
  const path = (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".");
  throw new TypeError(`The tool's data breaks its output schema at ${path || "the root"}: ${issue.message}`);
}

/**
 * Throws when a handler's data breaks the tool's own output schema: clients would refuse the whole result. The value
 * itself is sent as it is, so a schema that strips or fills in keys changes nothing.
 */
export function assertOutput(value: unknown, schema: StandardSchema | undefined): MaybePromise<void> {
  if (schema === undefined) return;
  const payload = payloadOf(value);
  if (payload === undefined || isUnfinished(value) || isEnvelope(value)) return;
  const result = schema["~standard"].validate(payload);
  return isPromiseLike(result) ? result.then(judge) : judge(result);
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

/** Tools have tasks of their own: only the protocol's has a `taskId`, a status and nothing beside it. */
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

/** A schema library walks by recursion: arguments too deep for it are refused before they reach it. */
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

/** The parsed arguments; throws the fault that names every failure at once. Waits only for a schema that does. */
export function validateInput(
  args: unknown,
  schema: StandardSchema | undefined,
  mask?: MaskText,
): MaybePromise<unknown> {
  const given = isJsonObject(args) ? args : {};
  assertJsonArguments(given);
  if (schema === undefined) return given;
  const judge = (result: SchemaResult<unknown>): unknown => {
    if (result.issues === undefined) return result.value;
    throw rejectInput(result.issues, given, schema, mask);
  };
  const result = schema["~standard"].validate(given);
  return isPromiseLike(result) ? result.then(judge) : judge(result);
}
