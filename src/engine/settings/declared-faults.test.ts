import { adviceTold } from "../call/advice-told.fixture.ts";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { faults } from "../../core/contract/faults.ts";
import type { Logger } from "../observe/log-event.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import { defineTool } from "./tool-definition.ts";

const errors = {
  not_found: {
    code: "NOT_FOUND",
    when: "No task has this id",
    remediation: "List the tasks first.",
    details: z.object({ task_id: z.string() }),
  },
  closed: { code: "PERIOD_CLOSED", type: "conflict", when: "The month is closed", retryable: false },
} as const;

function recordingLogger(): Logger & { readonly lines: (readonly [object, string])[] } {
  const lines: (readonly [object, string])[] = [];
  const keep = (fields: object, event: string): void => void lines.push([fields, event]);
  return { lines, info: keep, warn: keep, error: keep };
}

const failing = (fail: (ctx: { fail: (...given: never) => never }) => never) =>
  defineTool("task_get", { description: "One task", errors }, (_, ctx) => fail(ctx));

describe("ctx.fail", () => {
  it("fails with the declared code, message, remediation and details", async () => {
    const tool = defineTool("task_get", { description: "One task", errors }, (_, ctx) =>
      ctx.fail("not_found", { task_id: "t-7" }),
    );
    const { envelope } = await runTool(tool);
    expect(envelope).toMatchObject({
      success: false,
      error: "No task has this id",
      data: {
        error_code: "NOT_FOUND",
        error_type: "not_found",
        remediation: "List the tasks first.",
        details: { task_id: "t-7" },
      },
    });
  });

  it("takes a message of its own, and a code of the author's with its type", async () => {
    const tool = defineTool("book", { description: "Books", errors }, (_, ctx) =>
      ctx.fail("closed", { month: "2026-10" }, "October is closed"),
    );
    const { outcome } = await runTool(tool);
    expect(outcome).toMatchObject({
      ok: false,
      fault: {
        message: "October is closed",
        code: "PERIOD_CLOSED",
        type: "conflict",
        details: { month: "2026-10", retryable: false },
      },
    });
  });

  it("with an undeclared name is a mistake in the tool, which only the log explains", async () => {
    const logger = recordingLogger();
    const tool = failing((ctx) => ctx.fail(...(["not_fond"] as never)));
    const { outcome } = await runTool(tool, {}, { contract: { logger, logLevel: "warn" } });
    expect(outcome).toMatchObject({ ok: false, fault: { code: "INTERNAL_ERROR" } });
    expect(JSON.stringify(logger.lines)).toContain("not_found");
  });

  it("sends details that break their schema, and the log says what is wrong with them", async () => {
    const logger = recordingLogger();
    const tool = failing((ctx) => ctx.fail(...(["not_found", { task_id: 7 }] as never)));
    const { outcome } = await runTool(tool, {}, { contract: { logger, logLevel: "warn" } });
    expect(outcome).toMatchObject({ ok: false, fault: { code: "NOT_FOUND", details: { task_id: 7 } } });
    const [fields] = logger.lines.find(([, event]) => event === "fault-details-wrong") ?? [];
    expect(fields).toMatchObject({ tool: "task_get", fault: "not_found" });
    expect(JSON.stringify(fields)).toContain("task_id: ");
  });
});

describe("a fault that is not declared", () => {
  const tool = defineTool("task_get", { description: "One task", errors }, ({ how }) => {
    if (how === "known") throw faults.notFound("task", "t-7");
    if (how === "broken") throw new Error("broken");
    throw faults.conflict("The task is open");
  });
  const told = async (how: string, contract = {}): Promise<readonly unknown[]> => {
    const logger = recordingLogger();
    const shared = createContract({ logger, ...contract });
    for (let calls = 0; calls < 3; calls++) {
      const { outcome } = await runTool(tool, { how }, { contract: shared });
      expect(outcome.ok).toBe(false);
    }
    await adviceTold();
    return logger.lines.filter(([, event]) => event === "fault-not-declared").map(([fields]) => fields);
  };

  it("goes out as it is, and the log names it once", async () => {
    const { outcome } = await runTool(tool, { how: "other" }, { contract: { logLevel: "silent" } });
    expect(outcome).toMatchObject({ ok: false, fault: { code: "CONFLICT", message: "The task is open" } });
    expect(await told("other")).toMatchObject([
      { tool: "task_get", error_code: "CONFLICT", declared: ["not_found", "closed"] },
    ]);
  });

  it("is not told of a code that is declared under any name, nor of a crash", async () => {
    expect(await told("known")).toEqual([]);
    expect(await told("broken")).toEqual([]);
  });

  it("is not told in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    try {
      expect(await told("other")).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe("errors in a tool's options", () => {
  const define = (declared: unknown) => () =>
    defineTool("t", { description: "t", errors: declared } as never, () => ({}));

  it.each([
    [
      { gone: { code: "NOT_FOND", when: "It is gone" } },
      'Tool t: "errors.gone.code" is "NOT_FOND", which is no code of the registry. Did you mean "NOT_FOUND"? A code of your own needs its "type": validation, authentication, authorization, not_found, conflict, rate_limit, feature_flag, internal, unavailable.',
    ],
    [
      { gone: { code: "not_found", when: "It is gone" } },
      'Tool t: "errors.gone.code" is "not_found". Write a code in capitals, such as NOT_FOUND.',
    ],
    [
      { gone: { code: "NOT_FOUND", type: "conflict", when: "It is gone" } },
      'Tool t: "errors.gone.code" is "NOT_FOUND", which has the type not_found. Leave "type" out.',
    ],
    [{ gone: { code: "NOT_FOUND" } }, 'Tool t: "errors.gone.when" is missing. Write a string.'],
    [
      { gone: { code: "NOT_FOUND", when: "It is gone", remedation: "List" } },
      'Tool t: "errors.gone.remedation" is not a known key. Did you mean "remediation"?',
    ],
    [
      { gone: { code: "NOT_FOUND", when: "It is gone", details: { id: "string" } } },
      'Tool t: "errors.gone.details" is not a schema: give one of a library of Standard Schema, such as z.object({ … }).',
    ],
    [{ gone: "NOT_FOUND" }, 'Tool t: "errors.gone" is "NOT_FOUND". Write { code, when }.'],
    [["NOT_FOUND"], 'Tool t: "errors" is a list. Write an object: { … }.'],
  ])("are refused where they are wrong: %j", (declared, message) => {
    expect(define(declared)).toThrow(message);
  });

  it("may name a code of the registry by its alias", () => {
    expect(define({ taken: { code: "ALREADY_EXISTS", when: "The name is taken" } })).not.toThrow();
  });
});
