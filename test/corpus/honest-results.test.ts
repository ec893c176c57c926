import { describe, expect, it } from "vitest";
import { judgeBy, madeRecord } from "../../src/core/rules/made-record.fixture.ts";
import { serverRules } from "../../src/core/rules/server-rules.ts";
import { someOf } from "../arbitrary/law-runs.ts";
import { readCorpus, resultOf } from "./error-corpus.ts";
import { ordinaryResults } from "./ordinary.fixture.ts";

/** What is true of some of them: they are long, indented, or begin in the middle of source code with "Error: ". */
const mild: ReadonlySet<string> = new Set([
  "size/client-bytes",
  "result/indented-json",
  "truth/reads-like-failure",
]);

describe("a check of ordinary results", () => {
  it("finds nothing wrong with any of them", async () => {
    const calls = someOf(ordinaryResults, 150).map(({ name, result }) => ({ tool: name, result }));
    const record = madeRecord(calls);
    const aboutCalls = serverRules.filter(({ id }) =>
      /^(?:result|truth|error|fidelity|size|call)\//.test(id),
    );
    for (const { id } of aboutCalls.filter((rule) => !mild.has(rule.id))) {
      const found = await judgeBy(serverRules, id, record);
      expect([id, found === "untested" ? [] : found]).toEqual([id, []]);
    }
  });

  it("reports the failures that servers send as successes, and none that is marked", async () => {
    const rows = someOf(
      readCorpus("held-out").flatMap((source) => source.rows),
      60,
    );
    const record = madeRecord(rows.map((row, index) => ({ tool: `tool ${index}`, result: resultOf(row) })));
    const found = await judgeBy(serverRules, "truth/success-flag", record);
    const tools = found === "untested" ? [] : found.map((each) => each.split(":")[0]);
    const unmarked = rows.flatMap((row, index) => (row.unmarked === true ? [`tool ${index}`] : []));
    expect(unmarked.length).toBeGreaterThan(0);
    expect(tools).toEqual(unmarked);
  });
});
