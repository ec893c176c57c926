import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defineTool } from "../settings/tool-definition.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import { logLevels } from "./log-event.ts";
import { metricAttributes, metricNames, outcomes, SPAN_NAME, spanAttributes } from "./call-observer.ts";

const page = readFileSync("docs/observe.md", "utf8");

describe("docs/observe.md", () => {
  it("names the span, every attribute, every metric and every level", () => {
    const names = [
      SPAN_NAME,
      ...[spanAttributes, metricAttributes, metricNames].flatMap((each) => Object.values(each)),
    ];
    for (const name of [...names, ...outcomes, ...Object.keys(logLevels)])
      expect(page).toContain(`\`${name}\``);
  });

  it("names no option that createContract does not take", () => {
    const [, table = ""] = /\| option \| \|\n\| --- \| --- \|\n((?:\|.*\n)+)/.exec(page) ?? [];
    const named = Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, name = ""]) => name);
    expect(named).toContain("logger");
    for (const name of named) expect(() => createContract({ [name]: undefined })).not.toThrow();
  });

  it("shows a listener that prints what happened in its order, with a rounded time", async () => {
    const [, code = ""] = /```ts\n(const stop = contract\.onCall.*?)```/s.exec(page) ?? [];
    const contract = createContract({ name: "tasks", requestIds: () => "req_1" });
    const lines: string[] = [];
    const spoken = { error: (line: string) => void lines.push(line) };
    const evaluate = Object.getPrototypeOf(createContract).constructor as FunctionConstructor;
    const stop: unknown = evaluate("contract", "console", `${code}; return stop;`)(contract, spoken);
    await runTool(
      defineTool("t", { description: "T" }, () => ({ n: 1 })),
      {},
      { contract },
    );
    expect(stop).toBeTypeOf("function");
    expect(lines.map((line) => line.split(" ")[1])).toEqual([
      "t",
      "outcome:",
      "shape:",
      "fit:",
      "archive:",
      "dialect:",
      "deliver:",
      "success,",
    ]);
    expect(lines.at(-1)).toMatch(/^req_1: success, \d+(\.\d{1,2})? ms$/);
  });

  it("names no attribute or metric that does not exist", () => {
    const known = new Set<string>([
      SPAN_NAME,
      ...Object.values(spanAttributes),
      ...Object.values(metricNames),
    ]);
    const named = Array.from(page.matchAll(/`((?:waybill|mcp)\.[a-z_.]+)`/g), ([, name = ""]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
