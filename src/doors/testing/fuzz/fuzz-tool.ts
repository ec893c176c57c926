import type { AnyTool } from "../../../engine/settings/tool-definition.ts";
import { type FuzzOptions, type FuzzReport, checkFuzz } from "./fuzz-report.ts";

/**
 * Calls a tool under its contract with arguments made from its input schema: valid, at the edges, wrong and hostile.
 * Reports crashes, hangs, leaks, changed prototypes, files and commands it should not reach, answers that break its
 * output schema, and faults it does not declare, each with the smallest arguments that show it.
 *
 * @example
 * const { findings } = await fuzzTool(taskGet, { args: { id: "task-001" } });
 * expect(findings).toEqual([]);
 */
export async function fuzzTool(tool: AnyTool, options: FuzzOptions = {}): Promise<FuzzReport> {
  checkFuzz(tool, options);
  // Loaded here, so that tests that only run tools do not have to load it.
  const { runFuzz } = await import("./run-fuzz.ts");
  return runFuzz(tool, options);
}
