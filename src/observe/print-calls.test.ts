import { describe, expect, it } from "vitest";
import * as z from "zod";
import { faults } from "../index.ts";
import { createContract, defineTool } from "../server/index.ts";
import { runTool } from "../testing/index.ts";
import { printCalls } from "./print-calls.ts";

const taskGet = defineTool(
  "task_get",
  { description: "One task", inputSchema: z.object({ id: z.string() }) },
  ({ id }) => {
    if (id !== "task-1") throw faults.notFound("task", id);
    return { id, status: "open" };
  },
);

const many = defineTool("many", { description: "Many", budget: { tokens: 300 } }, () => ({
  rows: Array.from({ length: 400 }, (_, n) => ({ id: `row-${n}`, text: "a line of text" })),
}));

/** What is printed for one call, without what differs from run to run. */
async function printed(
  run: (contract: ReturnType<typeof createContract>) => Promise<unknown>,
): Promise<string> {
  const contract = createContract({ logLevel: "silent" });
  const lines = new Promise<string>((resolve) =>
    contract.onCall({ start: printCalls({ write: resolve, hasColors: false }) }),
  );
  await run(contract);
  const text = await lines;
  return text.replace(/[\d.]+ ms/, "1 ms").replace(/req_\w+/, "req_1");
}

describe("the printed call", () => {
  it("shows what came of it, then each stage with its tokens", async () => {
    const text = await printed((contract) => runTool(taskGet, { id: "task-1" }, { contract }));
    const [head, ...stages] = text.trimEnd().split("\n");
    expect(head).toMatch(/^task_get: ok, 1 ms, \d+ bytes, response-v2, req_1$/);
    expect(stages.map((line) => line.trim().split(" ")[0])).toEqual([
      "outcome",
      "shape",
      "fit",
      "archive",
      "dialect",
      "deliver",
    ]);
    for (const line of stages) expect(line).toMatch(/ [1-9]\d* tokens$/);
  });

  it("names the code of a failure", async () => {
    const text = await printed((contract) => runTool(taskGet, { id: "task-9" }, { contract }));
    expect(text).toMatch(/^task_get: NOT_FOUND \(not_found\), 1 ms, /);
  });

  it("says that a result was cut", async () => {
    const text = await printed((contract) => runTool(many, {}, { contract }));
    expect(text).toMatch(/^many: ok, 1 ms, \d+ bytes, response-v2, cut, the rest is archived, req_1\n/);
  });
});
