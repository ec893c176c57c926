import * as z from "zod/mini";
import { checkOptions } from "../../core/options/check-options.ts";
import { callback, named, optionsOf, withMethods } from "../../core/options/option-kinds.ts";
import type { Outcome } from "../../core/contract/outcome.ts";
import { type JsonObject, type JsonValue } from "../../core/json/json-value.ts";
import { envelopeOf } from "../../core/pipeline/dialect/detect-dialect.ts";
import { readResponse } from "../../core/pipeline/dialect/translate.ts";
import { listedOutput, assertAdvertised } from "../../engine/call/advertise-tool.ts";
import { textOnlyFacts } from "../../core/rules/result/text-only-facts.ts";
import { checkIsTool } from "../../engine/settings/check-tool.ts";
import { calledTool, isUnfinished } from "../../engine/call/called-tool.ts";
import type { CallRequest } from "../../engine/request/call-request.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { type Contract, stateOf } from "../server/create-contract.ts";
import { answerCall } from "../../engine/call/run-call.ts";
import type { AnyTool, ToolDefinition } from "../../engine/settings/tool-definition.ts";

export interface RunToolOptions {
  /** A contract, so that limits and caches last between calls, or the options of one. */
  readonly contract?: Contract | ContractOptions;
  /** The request's `_meta`, e.g. an idempotency key or the contract a client asks for. */
  readonly meta?: JsonObject;
  readonly auth?: CallRequest["auth"];
  readonly signal?: AbortSignal;
  /** Receives progress notifications. */
  readonly onProgress?: (params: JsonObject) => void;
  /** Receives what `ctx.log` sends. */
  readonly onLog?: (line: {
    readonly level: string;
    readonly data: unknown;
    readonly logger?: string;
  }) => void;
}

export interface ToolRun {
  /** The MCP result, as a client would get it. */
  readonly result: JsonObject;
  /** The envelope in the result; undefined in dialects without an envelope. */
  readonly envelope: JsonValue | undefined;
  /** The outcome of the result, in any dialect. */
  readonly outcome: Outcome;
  /** Numbers, ids and quoted words that occur in the text of the tool's `format` but not in the structure. */
  readonly textOnlyFacts: readonly string[];
}

const runOptions = optionsOf<RunToolOptions>({
  // The contract made from these options checks them.
  contract: z.looseObject({}, "Write a contract, or the options of one."),
  meta: named(z.unknown()),
  auth: named(z.unknown()),
  signal: withMethods(["throwIfAborted"], "give an AbortSignal"),
  onProgress: callback,
  onLog: callback,
});

/**
 * Runs a tool under its contract without a server or a transport. Every result is checked against the contract.
 *
 * @example
 * const { outcome } = await runTool(taskQuery, { status: "pending" });
 */
export async function runTool(
  tool: AnyTool,
  args: JsonObject = {},
  options: RunToolOptions = {},
): Promise<ToolRun> {
  checkIsTool("runTool", [], tool);
  checkOptions("runTool", runOptions, options);
  const { contract = {}, meta = {}, auth, signal, onProgress, onLog } = options;
  const state = stateOf(
    "server" in contract ? contract : { validate: "always", logLevel: "silent", ...contract },
  );
  const definition = tool as unknown as ToolDefinition;
  const schema = listedOutput(definition, state.effective.toolContract(definition), state.masksSuccesses);
  const { result } = await answerCall(state, calledTool(state, definition), args, {
    meta,
    ...(auth === undefined ? {} : { auth }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { notify: async (_method, params) => onProgress(params) }),
    ...(onLog === undefined
      ? {}
      : {
          log: async (level, data, logger) => onLog({ level, data, ...(logger !== undefined && { logger }) }),
        }),
  });
  if (!isUnfinished(result)) assertAdvertised(result, schema);
  return {
    result,
    envelope: envelopeOf(result)?.json,
    outcome: readResponse(result),
    textOnlyFacts: definition.config.format === undefined ? [] : textOnlyFacts(result),
  };
}
