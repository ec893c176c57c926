// Calls a tool with good, odd and hostile arguments under its contract, and says what breaks. The tool runs in this
// process, with all that it can do: give it folders and databases of a test.

import { advertiseOwn, listedOutput } from "../../../engine/call/advertise-tool.ts";
import type { AnyTool, ToolDefinition } from "../../../engine/settings/tool-definition.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { stringsIn } from "../../../core/rules/called.ts";
import { stateOf } from "../../server/create-contract.ts";
import { Bait } from "./bait.ts";
import { Findings, MAX_FINDINGS } from "./findings.ts";
import { FuzzCalls, MAX_HUNG } from "./fuzz-calls.ts";
import type { FuzzOptions } from "./fuzz-options.ts";
import { type FuzzReport, toReport } from "./fuzz-report.ts";
import type { Judging } from "./judge-answer.ts";
import { type MadeCall, makeArguments } from "./made-arguments.ts";

async function callAll(
  fuzz: FuzzCalls,
  calls: Iterable<MadeCall>,
  findings: Findings,
  runs: number,
): Promise<Pick<FuzzReport, "calls" | "reached" | "stopped">> {
  let count = 0;
  let reached = 0;
  const whyStop = (): string | undefined => {
    if (findings.isFull) return `it has ${MAX_FINDINGS} findings`;
    if (fuzz.hasHung) return `${MAX_HUNG} calls hung`;
    return fuzz.isOver ? "the time in `totalMs` was over" : undefined;
  };
  for (const made of calls) {
    const stopped = count < runs ? whyStop() : undefined;
    if (count >= runs || stopped !== undefined) return { calls: count, reached, stopped };
    count += 1;
    const before = fuzz.runs;
    const seen = await fuzz.try(made);
    reached += fuzz.runs - before;
    await findings.add(seen, made, count);
  }
  return { calls: count, reached };
}

/** What a tool says openly of itself. */
function openTexts({ name, config }: ToolDefinition, schema: JsonObject | undefined): readonly string[] {
  const { description = "", title = "", annotations } = config;
  return [name, description, title, ...stringsIn(annotations), ...stringsIn(schema)];
}

/** The report of a tool whose options were checked. */
export async function runFuzz(tool: AnyTool, options: FuzzOptions): Promise<FuzzReport> {
  const { contract = {}, runs = 300, seed = 1, timeoutMs = 1_000, args = [], allow = [] } = options;
  const state = stateOf(
    "server" in contract ? contract : { validate: "always", logLevel: "silent", ...contract },
  );
  const definition = tool as unknown as ToolDefinition;
  const { inputSchema } = advertiseOwn(state, definition);
  const toolContract = state.effective.toolContract(definition);
  const outputSchema = listedOutput(definition, toolContract, state.masksSuccesses);
  const bait = new Bait();
  const judging: Judging = {
    bait,
    allow,
    open: openTexts(definition, inputSchema),
    outputSchema,
    errors: definition.config.errors,
    timeoutMs,
    ownTimeoutMs: definition.config.timeoutMs,
  };
  const fuzz = new FuzzCalls(state, definition, options, judging);
  const findings = new Findings(fuzz, seed);
  try {
    return await fuzz.listening(async () => {
      const made = await makeArguments({
        name: definition.name,
        schema: inputSchema ?? { type: "object" },
        given: Array.isArray(args) ? (args as readonly JsonObject[]) : [args as JsonObject],
        seed,
        use: { bait: bait.texts() },
        isReadOnly: definition.config.annotations?.["readOnlyHint"] === true,
        accepts: (each) => fuzz.accepts(each),
      });
      const done = await callAll(fuzz, made, findings, runs);
      if (done.reached === 0 && options.except?.includes("unreached") !== true)
        findings.addUnreached(done.calls);
      return toReport({ tool: definition.name, seed, ...done, findings: findings.sorted() });
    });
  } finally {
    bait.close();
  }
}
