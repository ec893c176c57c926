import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../core/json/json-value.ts";
import { answerQuestion } from "./answer-question.ts";
import { MAX_EXPRESSION_BYTES } from "./check-expression.ts";
import { faultOf } from "./fault-of.fixture.ts";
import { functionNames } from "./function-signatures.ts";
import { MAX_EXPRESSION_DEPTH } from "./parse-expression.ts";

const page = readFileSync(new URL("../../../../docs/questions.md", import.meta.url), "utf8");
const language = /## The language\n(.*?)(?=\n## |$)/s.exec(page)?.[1] ?? "";
const records = JSON.parse(/```json\n(.*?)```/s.exec(language)?.[1] ?? "null") as JsonValue;

/** The rows of the page's tables that end with an expression and its answer. */
const rows = language.split("\n").flatMap((line) => {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
  const code = (cell: string | undefined): string | undefined => /^`(.*)`$/.exec(cell ?? "")?.[1];
  const [expression, answer] = [code(cells.at(-3)), code(cells.at(-2))];
  return expression === undefined || answer === undefined
    ? []
    : [{ expression, answer, first: cells[1] ?? "" }];
});

describe("docs/questions.md, the language", () => {
  it.each(rows)("answers $expression", ({ expression, answer }) => {
    const { value } = answerQuestion(records, expression, 0);
    expect(value).toEqual(JSON.parse(answer));
  });

  it("has an example of every function", () => {
    const shown = rows.flatMap(({ first }) => /^`(\w+)\(/.exec(first)?.[1] ?? []);
    expect(functionNames.filter((name) => !shown.includes(name))).toEqual([]);
  });

  it("has an example for every function and sixteen forms", () => {
    expect(rows.length).toBeGreaterThanOrEqual(functionNames.length + 16);
  });

  it("names the limits that hold", () => {
    expect(language).toContain(
      `${MAX_EXPRESSION_BYTES.toLocaleString("en-US")} bytes of UTF-8, ${MAX_EXPRESSION_DEPTH} levels`,
    );
  });

  it("shows the fault as it is", async () => {
    const shown = JSON.parse(/wrong\n.*?```json\n(.*?)```/s.exec(language)?.[1] ?? "null") as JsonObject;
    const fault = await faultOf(() => answerQuestion(records, "count_by(@, &stat)", 0));
    const { message, remediation, details } = fault;
    expect({ error: message, remediation, details }).toMatchObject(shown);
  });
});
