import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { type DialectChoice, dialectIds } from "../../src/contract/dialect-id.ts";
import { faults } from "../../src/contract/faults.ts";
import { profileNames } from "../../src/contract/profile.ts";
import { type AnyTool, defineTool } from "../../src/engine/tool-definition.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../src/json/json-value.ts";
import { textsOf } from "../../src/pipeline/dialect/result-rules.ts";
import { createContract } from "../../src/server/create-contract.ts";
import { runTool } from "../../src/testing/run-tool.ts";

const description = "An example.";
const rows = Array.from({ length: 400 }, (_, at) => ({ id: `task-${at}`, title: `Task ${at}`, done: at < 9 }));

/** One tool for each kind of answer. The first has nothing to say but its data. */
const tools = {
  success: defineTool("weather", { description }, () => ({ temperature_c: 21, sky: "clear" })),
  list: defineTool("numbers", { description }, () => [2, 3, 5, 7]),
  warning: defineTool("weather", { description }, (_, ctx) => {
    ctx.warn("The forecast is 3 hours old");
    return { temperature_c: 21, sky: "clear" };
  }),
  page: defineTool("tasks", { description, paging: true }, (_, ctx) =>
    ctx.page({
      path: "tasks",
      fetch: ({ limit }) => rows.slice(0, limit),
      key: ({ id }) => id,
      limit: 2,
    }),
  ),
  cut: defineTool("tasks", { description, budget: { tokens: 1_000 } }, () => ({ tasks: rows })),
  failure: defineTool("task", { description }, (): JsonObject => {
    throw faults.notFound("task", "task-9");
  }),
} satisfies Record<string, AnyTool>;

export type AnswerKind = keyof typeof tools;
export const answerKinds = Object.keys(tools) as AnswerKind[];

export interface ResultCost {
  readonly dialect: DialectChoice;
  readonly profile: string;
  /** Tokens that a model reads above the data alone, or above the message of a failure. */
  readonly above: Readonly<Record<AnswerKind, number>>;
  /** Tokens of the largest `_meta` among these results; not read by most models. */
  readonly meta: number;
}

/** Durations differ from run to run, and so would their tokens. */
function steady(text: string): string {
  return text.replaceAll(/("duration_ms":)[\d.]+/g, "$112.5");
}

function tokensOf(value: JsonValue): number {
  return countTokens(steady(typeof value === "string" ? value : JSON.stringify(value)));
}

/** What a client may show of a result: its texts, or its structure, whichever is more. */
function tokensRead(result: JsonObject): number {
  const texts = textsOf(result).reduce((sum, text) => sum + tokensOf(text), 0);
  return Math.max(texts, result["structuredContent"] === undefined ? 0 : tokensOf(result["structuredContent"]));
}

/** The tool's own value: some dialects put what is no object under `result`. */
function unwrapped(data: JsonValue): JsonValue {
  const { result, ...more } = isJsonObject(data) ? data : {};
  return result === undefined || Object.keys(more).length > 0 ? data : result;
}

async function costOf(dialect: DialectChoice, profile: string): Promise<ResultCost> {
  const contract = createContract({
    name: "costs",
    dialect,
    profile,
    logLevel: "silent",
    validate: "always",
    requestIds: () => "req_0a1b2c3d4e5f",
    cursorKeys: "a secret of the examples",
    now: () => Date.UTC(2026, 10, 16),
  });
  const above: Partial<Record<AnswerKind, number>> = {};
  let meta = 0;
  for (const kind of answerKinds) {
    const { result, outcome } = await runTool(tools[kind] as unknown as AnyTool, {}, { contract });
    const bare = tokensOf(outcome.ok ? unwrapped(outcome.data) : "Task not found: task-9");
    above[kind] = tokensRead(result) - bare;
    meta = Math.max(meta, result["_meta"] === undefined ? 0 : tokensOf(result["_meta"]));
  }
  return { dialect, profile, above: above as Record<AnswerKind, number>, meta };
}

/** What envelopes and notes cost, by dialect and profile, on results that went through the whole pipeline. */
export async function resultCosts(): Promise<readonly ResultCost[]> {
  const choices = [...dialectIds, "auto" as const];
  const costs: ResultCost[] = [];
  for (const dialect of choices)
    for (const profile of profileNames) costs.push(await costOf(dialect, profile));
  return costs;
}
