import * as z from "zod/mini";
import { MAX_TIMER_MS } from "../../../core/contract/contract-error.ts";
import type { CallRequest } from "../../../engine/request/call-request.ts";
import type { ContractOptions } from "../../../engine/settings/contract-options.ts";
import type { AnyTool } from "../../../engine/settings/tool-definition.ts";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { checkOptions, refuseOptions } from "../../../core/options/check-options.ts";
import {
  callback,
  choice,
  judged,
  list,
  named,
  optionsOf,
  whole,
} from "../../../core/options/option-kinds.ts";
import type { Contract } from "../../server/create-contract.ts";
import { type FuzzKind, type FuzzOrigin, fuzzKinds } from "./fuzz-report.ts";

export interface FuzzOptions {
  /** How many calls are made, not counting those that shrink a finding. Default: 300. */
  readonly runs?: number | undefined;
  /** The same seed makes the same calls. Default: 1. */
  readonly seed?: number | undefined;
  /** Good arguments, or a list of them: each is sent unchanged, and others are made from it. */
  readonly args?: JsonObject | readonly JsonObject[] | undefined;
  /** A contract, or the options of one. Default: a contract that checks every result and logs nothing. */
  readonly contract?: Contract | ContractOptions | undefined;
  /** The `_meta` of every call. */
  readonly meta?: JsonObject | undefined;
  /** Who calls. */
  readonly auth?: CallRequest["auth"] | undefined;
  /** A call that takes longer counts as hung. Default: 1,000. */
  readonly timeoutMs?: number | undefined;
  /** How long the whole run may take. Default: 4,000, since test runners often give a test 5 seconds. */
  readonly totalMs?: number | undefined;
  /** Kinds of findings that do not count. */
  readonly except?: readonly FuzzKind[] | undefined;
  /** Paths, lines of a stack and kinds of secrets that do not count as a leak. */
  readonly allow?: readonly (string | RegExp)[] | undefined;
  /** Called before each call, so that a call that never ends can be identified. */
  readonly onCall?:
    | ((call: { readonly arguments: JsonObject; readonly origin: FuzzOrigin }) => void)
    | undefined;
}

const manyArguments = judged((value) => {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  return given.every(isJsonObject)
    ? undefined
    : "is neither an object of arguments nor a list of such objects.";
});

const textOrPattern = judged((value) =>
  typeof value === "string" || value instanceof RegExp ? undefined : "is neither a text nor a RegExp.",
);

const milliseconds = whole({ min: 1, max: MAX_TIMER_MS, unit: "milliseconds" });

const fuzzOptions = optionsOf<FuzzOptions>({
  runs: whole({ min: 1, max: 1_000_000 }),
  seed: whole({ min: 0, max: 0xffff_ffff }),
  args: manyArguments,
  // The contract made from these options checks them.
  contract: z.looseObject({}, "Write a contract, or the options of one."),
  meta: named(z.unknown()),
  auth: named(z.unknown()),
  timeoutMs: milliseconds,
  totalMs: milliseconds,
  except: list(choice(fuzzKinds)),
  allow: list(textOrPattern),
  onCall: callback,
});

/** Throws a `ContractError` if the tool is not a tool, or if options are wrong. */
export function checkFuzz(tool: AnyTool, options: FuzzOptions): void {
  const { name, config, handler } = Object(tool) as Partial<AnyTool>;
  if (typeof name !== "string" || typeof handler !== "function" || !isJsonObject(config))
    refuseOptions("fuzzTool", [
      { path: [], part: "value", message: "What it is given is no tool. Give one of defineTool." },
    ]);
  checkOptions("fuzzTool", fuzzOptions, options);
}
