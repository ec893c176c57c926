import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { type DialectChoice, dialectIds } from "../../src/core/contract/dialect-id.ts";
import { faults } from "../../src/core/contract/faults.ts";
import { type ProfileName, profileNames } from "../../src/core/contract/choices.ts";
import { type AnyTool, defineTool } from "../../src/engine/settings/tool-definition.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import { blockTexts } from "../../src/core/pipeline/dialect/result-rules.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { runTool } from "../../src/doors/testing/run-tool.ts";

const description = "An example.";
const rows = Array.from({ length: 400 }, (_, at) => ({
  id: `task-${at}`,
  title: `Task ${at}`,
  done: at < 9,
}));

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

const answerKinds = Object.keys(tools) as (keyof typeof tools)[];
/** What is counted: tokens above the data of an answer, or above the message of a failure; and all of `_meta`. */
const columns = [...answerKinds, "meta"] as const;
type Cost = Readonly<Record<(typeof columns)[number], number>>;

export interface ResultCost {
  readonly dialect: DialectChoice;
  readonly profile: ProfileName;
  readonly cost: Cost;
  readonly limit: Cost;
}

/** The most that each may cost, in the order of the columns: success, list, warning, page, cut, failure, `_meta`. */
const limits: Readonly<Record<DialectChoice, readonly (readonly number[])[]>> = {
  "response-v2": [
    [20, 23, 32, 70, 160, 80, 12],
    [40, 43, 50, 90, 270, 80, 60],
    [66, 69, 78, 116, 300, 112, 60],
  ],
  "response-v2-draft": [
    [20, 23, 32, 70, 160, 80, 13],
    [40, 43, 50, 90, 270, 80, 60],
    [66, 69, 78, 116, 300, 112, 60],
  ],
  "response-v1": [
    [0, 0, 16, 55, 140, 6, 12],
    [0, 0, 16, 55, 240, 6, 55],
    [50, 50, 60, 100, 290, 60, 55],
  ],
  scalpel: [
    [3, 3, 16, 57, 150, 32, 12],
    [24, 24, 36, 76, 260, 50, 55],
    [64, 64, 76, 116, 300, 90, 55],
  ],
  drf: [
    [0, 0, 16, 55, 140, 6, 12],
    [0, 0, 16, 55, 240, 6, 55],
    [50, 50, 60, 100, 290, 64, 55],
  ],
  plain: [
    [0, 0, 16, 55, 140, 2, 12],
    [0, 0, 16, 55, 240, 2, 55],
    [50, 50, 60, 100, 290, 56, 55],
  ],
  auto: [
    [0, 0, 16, 55, 250, 80, 12],
    [0, 0, 16, 55, 270, 80, 55],
    [36, 36, 47, 86, 300, 116, 55],
  ],
};

function limitOf(dialect: DialectChoice, profile: ProfileName): Cost {
  const row = limits[dialect][profileNames.indexOf(profile)] ?? [];
  return Object.fromEntries(columns.map((column, at) => [column, row[at] ?? 0])) as Cost;
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
  const texts = blockTexts(result).reduce((sum, text) => sum + tokensOf(text), 0);
  return Math.max(
    texts,
    result["structuredContent"] === undefined ? 0 : tokensOf(result["structuredContent"]),
  );
}

/** The tool's own value: some dialects put what is no object under `result`. */
function unwrapped(data: JsonValue): JsonValue {
  const { result, ...more } = isJsonObject(data) ? data : {};
  return result === undefined || Object.keys(more).length > 0 ? data : result;
}

async function costOf(dialect: DialectChoice, profile: ProfileName): Promise<ResultCost> {
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
  const cost: { -readonly [Key in keyof Cost]?: number } = { meta: 0 };
  for (const kind of answerKinds) {
    const { result, outcome } = await runTool(tools[kind], {}, { contract });
    const bare = tokensOf(outcome.ok ? unwrapped(outcome.data) : "Task not found: task-9");
    cost[kind] = tokensRead(result) - bare;
    cost.meta = Math.max(cost.meta ?? 0, result["_meta"] === undefined ? 0 : tokensOf(result["_meta"]));
  }
  return { dialect, profile, cost: cost as Cost, limit: limitOf(dialect, profile) };
}

let measured: Promise<readonly ResultCost[]> | undefined;

/** What envelopes and notes cost, by dialect and profile, on results that went through the whole pipeline. */
export function resultCosts(): Promise<readonly ResultCost[]> {
  return (measured ??= measure());
}

async function measure(): Promise<readonly ResultCost[]> {
  const choices = [...dialectIds, "auto" as const];
  const costs: ResultCost[] = [];
  for (const dialect of choices)
    for (const profile of profileNames) costs.push(await costOf(dialect, profile));
  return costs;
}
