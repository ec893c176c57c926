import { describe, expect, it } from "vitest";
import { answerQuestion } from "../../src/engine/retrieve/question/answer-question.ts";
import { exampleQuestions } from "./example-questions.ts";

const entities = Array.from({ length: 6 }, (_, at) => ({
  name: `Person ${at}`,
  type: at % 2 === 0 ? "person" : "team",
  "born in": 1_960 + at,
}));

describe("exampleQuestions", () => {
  it("asks for what is in the data", () => {
    expect(exampleQuestions(JSON.stringify({ entities, relations: [] }))).toEqual([
      "length(entities)",
      "entities[].name",
      "count_by(entities, &type)",
      'sum(entities[]."born in")',
    ]);
    for (const data of [{ entities, relations: [] }, entities, { deep: { "a b": entities } }])
      for (const question of exampleQuestions(JSON.stringify(data)))
        expect(answerQuestion(data, question, 10_000).value).not.toBeNull();
    expect(exampleQuestions(JSON.stringify(entities)).slice(0, 2)).toEqual(["length(@)", "[].name"]);
  });

  it("looks into a tool result, and into a text that breaks off", () => {
    const result = JSON.stringify({
      content: [{ type: "text", text: JSON.stringify({ graph: { entities } }) }],
    });
    expect(exampleQuestions(result)[1]).toBe("graph.entities[].name");
    expect(exampleQuestions(result.slice(0, 200))[1]).toBe("graph.entities[].name");
  });

  it("gives no example where nothing can be asked", () => {
    for (const text of ["", "plain words", "{", '{"a":1}', '{"a":[]}', "[]"])
      expect(exampleQuestions(text)).toEqual([]);
    expect(exampleQuestions("[[1], [2]]")).toEqual(["length(@)"]);
  });
});
