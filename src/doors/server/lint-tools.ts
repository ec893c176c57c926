import * as z from "zod/mini";
import { checkOptions, refuseOptions } from "../../core/options/check-options.ts";
import { list, optionsOf, text } from "../../core/options/option-kinds.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import type { FindingSeverity } from "../../core/rules/server-rule.ts";
import type { Contract } from "./create-contract.ts";

/** One thing that could be better about a tool. */
export interface LintFinding {
  /** The id of the rule, such as `definition/tokens`. */
  readonly rule: string;
  /** The tool that the finding is about; undefined for the list as a whole. */
  readonly tool: string | undefined;
  /** An error keeps the tool, or the whole list, from working somewhere; a warning costs something; info is advice. */
  readonly severity: FindingSeverity;
  /** JSON Pointer into the definition as `tools/list` shows it, or into the tool's options; empty for the whole. */
  readonly path: string;
  readonly message: string;
  /** How to mend it. */
  readonly hint: string;
}

export interface LintOptions {
  /** The contract of the tools, or its options: it decides budgets and the schemas that are listed. */
  readonly contract?: Contract | ContractOptions | undefined;
  /** Rules to leave out: ids, or groups such as `definition`. */
  readonly ignore?: readonly string[] | undefined;
}

const lintOptions = optionsOf<LintOptions>({
  // The contract made from these options checks them.
  contract: z.looseObject({}, "Write a contract, or the options of one."),
  ignore: list(text),
});

/**
 * Judges tools without a server and without calling them: by the rules of `waybill check` for lists and definitions,
 * and by rules for what only the author sees.
 *
 * @example
 * expect(await lintTools([taskQuery, specGet])).toEqual([]);
 */
export async function lintTools(
  tools: readonly AnyTool[],
  options: LintOptions = {},
): Promise<readonly LintFinding[]> {
  checkOptions("lintTools", lintOptions, options);
  if (!Array.isArray(tools)) {
    const message = "What it is given is not a list of tools. Write [tool, …].";
    refuseOptions("lintTools", [{ path: [], part: "value", message }]);
  }
  // The rules are for development; a server in production never loads them.
  const { judgeTools } = await import("./judge-tools.ts");
  return judgeTools(tools, options);
}
