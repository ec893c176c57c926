import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { faults } from "../../index.ts";
import { createContract, defineTool } from "../../doors/server/index.ts";
import { runTool } from "../../doors/testing/index.ts";
import { printCalls } from "./print-calls.ts";

const taskGet = defineTool(
  "task_get",
  { description: "One task", inputSchema: z.object({ id: z.string() }) },
  ({ id }) => {
    if (id !== "task-1") throw faults.notFound("task", id);
    return { task: { id, title: "Read the README", status: "done" } };
  },
);

const many = defineTool("many", { description: "Many", budget: { tokens: 300 } }, () => ({
  rows: Array.from({ length: 400 }, (_, n) => ({ id: `row-${n}`, text: "a line of text" })),
}));

function atOneMs(text: string): string {
  return text.replace(/[\d.]+ ms/, "1 ms");
}

/** What is printed for one call, without what differs from run to run. */
async function printed(
  run: (contract: ReturnType<typeof createContract>) => Promise<unknown>,
): Promise<string> {
  const contract = createContract({ logLevel: "silent", requestIds: () => "req_4dba6446bdf5" });
  const lines = new Promise<string>((resolve) =>
    contract.onCall({ start: printCalls({ write: resolve, hasColors: false }) }),
  );
  await run(contract);
  return atOneMs(await lines);
}

describe("the printed call", () => {
  it("is as docs/cli.md shows it: what came of it, then each stage with its tokens", async () => {
    const text = await printed((contract) => runTool(taskGet, { id: "task-1" }, { contract }));
    const [shown = ""] = /task_get: ok[^`]*/.exec(readFileSync("docs/cli.md", "utf8")) ?? [];
    expect(text.split("\n")).toHaveLength(8);
    expect(text).toBe(atOneMs(shown));
  });

  it("names the code of a failure", async () => {
    const text = await printed((contract) => runTool(taskGet, { id: "task-9" }, { contract }));
    expect(text).toMatch(/^task_get: NOT_FOUND \(not_found\), 1 ms, /);
  });

  it("says that a result was cut", async () => {
    const text = await printed((contract) => runTool(many, {}, { contract }));
    expect(text).toMatch(
      /^many: ok, 1 ms, \d+ bytes, response-v2, cut, the rest is archived, req_4dba6446bdf5\n/,
    );
  });
});
