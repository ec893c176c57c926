import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { add, call, here, open, said, serving } from "./message-session.fixture.ts";

const widget = { ...add, _meta: { ui: { resourceUri: "ui://chart/app.html" } } };

async function answerTo(result: JsonObject): Promise<JsonObject> {
  const auto = { dialect: "auto", budget: { tokens: 256 } } as const;
  const { session } = open(serving(result, [widget]), auto);
  return (await session.request(call(), here)) as JsonObject;
}

describe("the result of a tool with a widget, under auto", () => {
  it("leaves as it came, however large it is: the widget reads it itself", async () => {
    const result = said("shown", {
      structuredContent: { sum: 1, rows: Array.from({ length: 5_000 }, String) },
    });
    expect((await answerTo(result))["result"]).toBe(result);
  });

  it("is a plain failure where it failed", async () => {
    const answer = await answerTo(said("The printer is out of paper", { isError: true }));
    expect(answer).toMatchObject({
      result: { isError: true, content: [{ type: "text", text: "The printer is out of paper" }] },
    });
  });
});
