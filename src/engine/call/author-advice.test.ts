import { adviceTold } from "./advice-told.fixture.ts";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import { errorResponse } from "../../core/contract/tool-fault.ts";
import { successResponse } from "../../core/contract/success-responses.ts";
import { faults } from "../../core/contract/faults.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import type { StandardSchema } from "../settings/standard-schema.ts";
import { type AnyTool, defineTool } from "../settings/tool-definition.ts";

/** A handler without types, as a server in JavaScript has it. */
function toolOf(handler: (args: JsonObject) => unknown, outputSchema?: StandardSchema): AnyTool {
  const tool = defineTool("t", { description: "t" }, (args) => handler(args as JsonObject));
  return { ...tool, config: { ...tool.config, ...(outputSchema && { outputSchema }) } };
}

/** What is logged under an event in two calls, and how the last of them ended. */
async function runTwice(event: string, tool: AnyTool, args: JsonObject = {}) {
  const logged: JsonObject[] = [];
  const note = (fields: object, said?: string): void => {
    if (said === event) logged.push(fields as JsonObject);
  };
  const logger = { debug: note, info: note, warn: note, error: note };
  const contract = createContract({ logger, logLevel: "warn", validate: "always" });
  await runTool(tool, args, { contract });
  const { outcome } = await runTool(tool, args, { contract });
  await adviceTold();
  return { logged, outcome };
}

async function inProduction<Value>(run: () => Promise<Value>): Promise<Value> {
  vi.stubEnv("NODE_ENV", "production");
  try {
    return await run();
  } finally {
    vi.unstubAllEnvs();
  }
}

describe("a success whose data reads like a failure", () => {
  const event = "success-reads-like-failure";
  const flagged = z.object({ success: z.boolean(), message: z.string() });

  it.each<[JsonObject, string, StandardSchema?]>([
    [{ success: false, message: "nope" }, "payload/flag"],
    [{ ok: false, reason: "The task is closed", id: 5 }, "payload/flag"],
    [{ error: "nope" }, "payload/error"],
    [{ success: false, message: "nope" }, "payload/flag", flagged],
  ])("is sent as it is, and the log says so once: %j", async (data, rule, schema) => {
    const { logged, outcome } = await runTwice(
      event,
      toolOf(() => data, schema),
    );
    expect(outcome).toMatchObject({ ok: true, data });
    expect(logged).toMatchObject([{ tool: "t", rule, keys: Object.keys(data) }]);
  });

  it.each<[string, JsonObject, StandardSchema?]>([
    ["an error beside data", { error: "The last run failed", runs: [{ id: 1 }] }],
    ["no error", { success: true, error: "none of them" }],
    [
      "an error that the schema has",
      { error: "E1: bad", at: 3 },
      z.object({ error: z.string(), at: z.number() }),
    ],
  ])("is not seen in %s", async (_, data, schema) => {
    expect(
      (
        await runTwice(
          event,
          toolOf(() => data, schema),
        )
      ).logged,
    ).toEqual([]);
  });

  it("is not told in production", async () => {
    const { logged } = await inProduction(() =>
      runTwice(
        event,
        toolOf(() => ({ error: "nope" })),
      ),
    );
    expect(logged).toEqual([]);
  });
});

describe("a fault that a handler returns", () => {
  const fault = () => faults.notFound("task", "7");

  it.each<[string, () => unknown, StandardSchema?]>([
    ["at once", fault],
    ["later", async () => fault()],
    ["under an output schema", fault, z.object({ id: z.string() })],
  ])("counts as thrown: %s", async (_, handler, schema) => {
    const { logged, outcome } = await runTwice("tool-failed", toolOf(handler, schema));
    expect(outcome).toMatchObject({ ok: false, fault: { code: "NOT_FOUND", message: "Task not found: 7" } });
    expect(logged).toEqual([]);
  });
});

describe("fields that the output schema does not have", () => {
  const event = "data-left-out";
  const task = z.object({ id: z.number() });
  const tasks = z.object({ tasks: z.array(task) });

  it.each<[string, unknown]>([
    ["at the top", { tasks: [], extra: 1 }],
    ["in an envelope", successResponse({ tasks: [], extra: 1 })],
  ])("are not sent, and the log names them once: %s", async (_, returned) => {
    const { logged, outcome } = await runTwice(
      event,
      toolOf(() => returned, tasks),
    );
    expect(outcome).toMatchObject({ ok: true, data: { tasks: [] } });
    expect(logged).toMatchObject([{ tool: "t", fields: [expect.stringMatching(/^(?:data\.)?extra$/)] }]);
  });

  it("are named once for all items of a list", async () => {
    const returned = { tasks: [1, 2].map((id) => ({ id, note: "x" })) };
    const { logged } = await runTwice(
      event,
      toolOf(() => returned, tasks),
    );
    expect(logged).toMatchObject([{ fields: ["tasks[*].note"] }]);
  });

  it.each<[string, unknown, StandardSchema]>([
    ["a field that is undefined", { tasks: [], extra: undefined }, tasks],
    ["fields that an open schema keeps", { id: 1, extra: 2 }, z.looseObject({ id: z.number() })],
    [
      "a field that the schema itself renames",
      { old: 1 },
      z
        .object({ old: z.number() })
        .transform(({ old }) => ({ id: old }))
        .pipe(task),
    ],
    [
      "what cannot be read",
      Object.defineProperty({ id: 1 }, "x", { enumerable: true, get: () => fail() }),
      task,
    ],
  ])("are not seen in %s", async (_, returned, schema) => {
    const { logged, outcome } = await runTwice(
      event,
      toolOf(() => returned, schema),
    );
    expect(outcome.ok).toBe(true);
    expect(logged).toEqual([]);
  });

  it("are not told in production", async () => {
    const tool = toolOf(() => ({ tasks: [], extra: 1 }), tasks);
    expect((await inProduction(() => runTwice(event, tool))).logged).toEqual([]);
  });
});

function fail(): never {
  throw new Error("unreadable");
}

describe("a failure that tells too much", () => {
  const event = "failure-leaks";
  const stack = "Error: x\n    at read (/srv/shop/db.js:3:9)";

  it.each<[string, () => unknown, string]>([
    [
      "a stack in the details of a fault",
      () => faults.conflict("x", { details: { stack } }),
      "error/leaks-stack",
    ],
    [
      "a stack in a ready-made result",
      () => ({ isError: true, content: [{ type: "text", text: stack }] }),
      "error/leaks-stack",
    ],
    ["a path in an envelope", () => errorResponse("Cannot open /srv/shop/data.json"), "error/leaks-path"],
  ])("is sent as it is, and the log says so once: %s", async (_, handler, rule) => {
    const { logged, outcome } = await runTwice(event, toolOf(handler));
    expect(outcome.ok).toBe(false);
    expect(JSON.stringify(outcome)).toContain("/srv/shop/");
    expect(logged).toMatchObject([{ tool: "t", rule, found: expect.stringContaining("/srv/shop/") }]);
  });

  it("is not seen in a path that the caller named, nor in an unforeseen error", async () => {
    const named = toolOf(({ path }) => faults.notFound("file", path as string));
    expect((await runTwice(event, named, { path: "/srv/shop/a.txt" })).logged).toEqual([]);
    const broken = toolOf(() => {
      throw new Error(stack);
    });
    expect((await runTwice(event, broken)).logged).toEqual([]);
  });

  it("is seen in source code that the caller did not send", async () => {
    const code = "def pay(card):\n    return charge(card)";
    const failing = toolOf(() => faults.validation("Bad code", { details: { at: code } }));
    const { logged } = await runTwice(event, failing);
    expect(logged).toMatchObject([
      { rule: "error/leaks-code", found: expect.stringContaining("def pay(card):") },
    ]);
    expect((await runTwice(event, failing, { program: code })).logged).toEqual([]);
  });

  it("is not told in production", async () => {
    const tool = toolOf(() => faults.conflict(stack));
    expect((await inProduction(() => runTwice(event, tool))).logged).toEqual([]);
  });
});

describe("advice that is not loaded yet", () => {
  it.runIf(isFullRun)("keeps few answers: results may have megabytes", async () => {
    const logged: string[] = [];
    const note = (fields: object, said?: string): void => {
      if (said === "data-left-out") logged.push((fields as { tool: string }).tool);
    };
    const logger = { debug: note, info: note, warn: note, error: note };
    const contract = createContract({ logger, logLevel: "warn" });
    const tools = Array.from({ length: 300 }, (_, index) => ({
      ...toolOf(() => ({ id: 1, extra: 2 }), z.object({ id: z.number() })),
      name: `t${index}`,
    }));
    await Promise.all(tools.map((tool) => runTool(tool, {}, { contract })));
    await adviceTold();
    expect(logged).toContain("t0");
    expect(logged.length).toBeLessThanOrEqual(50);
  });
});
