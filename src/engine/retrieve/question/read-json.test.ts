import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { answerQuestion } from "./answer-question.ts";
import { openQuestions } from "./open-questions.ts";
import type { QuestionAnswer } from "./question.ts";

const text =
  '{"rows":[{"id":12345678901234567890},{"id":9007199254740993},{"id":-7},{"v":1e400},{"v":1e21}]}';

describe("numbers that no double keeps", () => {
  const ask = (expression: string, from: JsonValue = { content: text }): QuestionAnswer =>
    answerQuestion(from, expression, 0);

  it("are read as the text they are written as, and the answer says so", () => {
    const { value, note } = ask("rows[*].[id, v][]");
    expect(value).toEqual(["12345678901234567890", "9007199254740993", -7, "1e400", 1e21]);
    expect(note).toBe("Numbers too long to be kept exactly, such as 12345678901234567890, are read as text.");
  });

  it.each([
    ["rows[?id == 9007199254740993].id", ["9007199254740993"]],
    ["rows[?id == `9007199254740993`].id", ["9007199254740993"]],
    ["rows[?id == '9007199254740993'].id", ["9007199254740993"]],
    ["rows[?id == 9007199254740992].id", []],
    ["rows[?id > 9007199254740993].id", ["12345678901234567890"]],
    ["rows[?id < 9007199254740993].id", [-7]],
    ["rows[?id >= 0].id", ["12345678901234567890", "9007199254740993"]],
  ])("are compared exactly: %s", (expression, answer) => {
    const { value, note } = ask(expression);
    expect(value).toEqual(answer);
    expect(note).not.toContain("In the expression");
  });

  it("are told apart among thousands", () => {
    const rows = Array.from(
      { length: 3_000 },
      (_, at) => `{"id":${9_007_199_254_740_900_000n + BigInt(at)},"k":${at}}`,
    );
    const content = `{"rows":[${rows.join(",")}]}`;
    expect(ask("rows[?id==9007199254740900095].k", { content }).value).toEqual([95]);
  });

  it("are no numbers to compute with", () => {
    expect(() => ask("sum(rows[*].id)")).toThrow("must be a list of numbers");
  });

  it("leave what a double keeps as it is, without a note", () => {
    const content =
      '{"a":[9007199254740991,-9007199254740991,1.5,1e3,0.1,123456789.5],"s":"12345678901234567890 \\"1"}';
    expect(ask("a", { content })).toEqual({
      value: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1.5, 1_000, 0.1, 123_456_789.5],
      records: 6,
      note: undefined,
    });
  });

  it("have company: rounded decimals and repeated keys are said too", () => {
    expect(ask("a", { content: '{"a":0.12345678901234567890123}' }).note).toContain("rounded");
    expect(ask("a", { content: '{"a":1,"a":2}' })).toMatchObject({
      value: 2,
      note: expect.stringContaining("only the last value") as string,
    });
  });

  it("stay exact in the bytes of an archive", async () => {
    const questions = await openQuestions();
    const answer = await questions?.ask({ bytes: new TextEncoder().encode(text) }, "rows[1].id");
    expect(answer).toMatchObject({
      value: "9007199254740993",
      note: expect.stringContaining("text") as string,
    });
  });
});
