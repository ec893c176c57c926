import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createLog } from "../observe/log-event.ts";
import type { Questions } from "../retrieve/question/question.ts";
import { advertiseOwn } from "./advertise-tool.ts";
import { createState } from "./contract-state.ts";
import { QuestionWorkers } from "./question-workers.ts";
import { defineTool } from "../settings/tool-definition.ts";

/** A log that keeps the names of its events. */
function listeningLog() {
  const events: string[] = [];
  const take = (_fields: object, event?: string): void => void events.push(event ?? "");
  const log = createLog({ logger: { debug: take, info: take, warn: take, error: take }, level: "warn" });
  return { log, events };
}

const outputSchema = z.object({ a: z.number() });
const tool = defineTool("t", { description: "t", outputSchema }, () => ({ a: 1 }));

describe.each([
  ["no worker can start", async () => undefined],
  ["starting one fails", () => Promise.reject(new Error("ERR_ACCESS_DENIED"))],
])("where %s", (_, start) => {
  it("no tool is listed with the argument, and the log says so once", async () => {
    const { log, events } = listeningLog();
    const questions = new QuestionWorkers(log, start);
    const state = { ...createState({ select: true, logLevel: "silent" }), questions };
    advertiseOwn(state, tool);
    expect(questions.isOpening).toBe(true);
    await questions.settled();
    const listed = JSON.stringify(advertiseOwn(state, tool));
    advertiseOwn(state, tool);
    expect(listed).not.toContain("select");
    expect(questions.mayAnswer).toBe(false);
    expect(events.filter((event) => event === "questions-off")).toHaveLength(1);
  });

  it("a call that asks all the same gets its whole result, and is told", async () => {
    const desk = new QuestionWorkers(listeningLog().log, start);
    await expect(desk.check("a")).resolves.toBeUndefined();
    await expect(desk.ask({ a: 1 }, "a", undefined)).resolves.toMatchObject({
      warning: {
        code: "SELECT_FAILED",
        message: expect.stringContaining("cannot be answered on this server"),
      },
    });
  });
});

describe("what answers", () => {
  it("is started once, with the first tool that takes questions", async () => {
    let starts = 0;
    const desk = new QuestionWorkers(listeningLog().log, async () => {
      starts += 1;
      return undefined;
    });
    expect({ starts, mayAnswer: desk.mayAnswer, isOpening: desk.isOpening }).toEqual({
      starts: 0,
      mayAnswer: true,
      isOpening: false,
    });
    await Promise.all([desk.open(), desk.open(), desk.settled()]);
    expect(starts).toBe(1);
  });

  it("may break in an unforeseen way: the log has why, the model has its result", async () => {
    const { log, events } = listeningLog();
    const fail = () => Promise.reject(new Error("/home/me/secret: out of memory"));
    const broken: Questions = { check: () => Promise.resolve(), ask: fail, search: fail };
    const asked = await new QuestionWorkers(log, async () => broken).ask({ a: 1 }, "a", undefined);
    expect(asked).toMatchObject({ warning: { code: "SELECT_FAILED" } });
    expect(JSON.stringify(asked)).not.toContain("secret");
    expect(events).toEqual(["question-failed"]);
  });
});
