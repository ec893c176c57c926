import type { JsonObject } from "../../src/core/json/json-value.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import { runTool } from "../../src/doors/testing/run-tool.ts";

/** An example of `docs/fit.md`: what a tool gives, and under which contract. */
interface FitExample {
  readonly options: ContractOptions;
  readonly run: () => unknown;
}

function findings(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `f-${index}`,
    title: `Finding number ${index}`,
  }));
}

const wide = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`m${index}`, index]));

/** Items none of which has room: a map of 900 figures cannot lose a part. */
const runs = Array.from({ length: 40 }, (_, index) => ({
  id: `run-${index}`,
  state: index % 5 === 0 ? "failed" : "passed",
  seconds: 30 + index,
  day: `2026-11-${String(1 + (index % 18)).padStart(2, "0")}`,
  metrics: wide,
}));

export const fitExamples: Readonly<Record<string, FitExample>> = {
  partial: { options: { budget: { tokens: 480 } }, run: () => ({ findings: findings(5_000), total: 5_000 }) },
  summary: { options: { budget: { tokens: 480 } }, run: () => ({ runs }) },
  bare: { options: { budget: { tokens: 340 }, dialect: "drf" }, run: () => ({ findings: findings(5_000) }) },
};

/** What a client gets for an example: the envelope, or the texts without one. */
export async function runExample({ options, run }: FitExample): Promise<unknown> {
  const tool = defineTool("scan", { description: "Scans", paging: true }, () => run());
  const requestIds = (): string => "req_0123456789ab";
  const { result } = await runTool(
    tool,
    {},
    { contract: { requestIds, logLevel: "silent", validate: "always", ...options } },
  );
  const envelope = result["structuredContent"];
  if (envelope !== undefined) return envelope;
  return (result["content"] as readonly { readonly text: string }[]).map(
    ({ text }) => JSON.parse(text) as unknown,
  );
}
