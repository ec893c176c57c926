import { findNonJson } from "../json/find-non-json.ts";
import type { JsonObject } from "../json/json-value.ts";
import type { Arrival } from "../pipeline/parcel.ts";
import { assertOutput } from "./assert-output.ts";
import type { ContractState } from "./contract-state.ts";
import type { CallIdentity } from "./identify-call.ts";
import { isToolResult } from "./is-tool-result.ts";
import { makeContext } from "./make-context.ts";
import type { CallRequest } from "./call-request.ts";
import type { NoteTaker } from "./note-taker.ts";
import type { CallContract } from "./settings/settings-resolver.ts";
import { type MaybePromise, isPromiseLike } from "../resilience/maybe-promise.ts";
import type { ToolConfig, ToolDefinition } from "./tool-definition.ts";
import { validateInput } from "./validate-input.ts";

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
