/* oxlint-disable vitest/expect-expect -- here the compiler asserts */
import { describe, expectTypeOf, it } from "vitest";
import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ToolsOf } from "../../doors/client/index.ts";
import { faults } from "../../core/contract/faults.ts";
import { errorResponse } from "../../core/contract/tool-fault.ts";
import { successResponse } from "../../core/contract/success-responses.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import type { NoErrorsAreDeclaredInTheOptionsOfThisTool } from "./declared-faults.ts";
import type { ToolContext } from "./tool-context.ts";
import { type AnyTool, defineTool } from "./tool-definition.ts";

const task = z.object({ id: z.string(), status: z.enum(["pending", "done"]) });
const config = { description: "Tasks", outputSchema: z.object({ tasks: z.array(task) }) };
const readOnly: readonly { readonly id: string; readonly status: "done" }[] = [];

describe("a handler under an output schema", () => {
  it("returns what the schema takes, at once or later", () => {
    defineTool("t", config, () => ({ tasks: [{ id: "a", status: "done" }] }));
    defineTool("t", config, async () => ({ tasks: [{ id: "a", status: "pending" }] }));
    defineTool("t", config, () => ({ tasks: readOnly }));
    defineTool("t", { ...config, inputSchema: z.object({ id: z.string() }) }, ({ id }) => ({
      tasks: [{ id, status: "done" }],
    }));
  });

  it("returns an envelope, a tool result or a question to the client", () => {
    defineTool("t", config, () => successResponse({ tasks: readOnly }));
    defineTool("t", config, () => errorResponse("Gone"));
    defineTool("t", config, ({ id }) =>
      id === 1 ? errorResponse("Gone") : successResponse({ tasks: readOnly }),
    );
    defineTool("t", config, () => ({ content: [{ type: "text", text: "None" }], isError: true }));
    defineTool("t", config, () => ({ content: [], structuredContent: { tasks: [] } }));
    defineTool("t", config, () => ({ resultType: "input_required", inputRequests: {} }));
  });

  it("returns nothing where `{}` is enough for the schema", () => {
    const filled = z.object({ unit: z.string().default("m") });
    defineTool("t", { description: "t", outputSchema: filled }, () => undefined);
    defineTool("t", { description: "t", outputSchema: filled }, (_, ctx) => ctx.warn("careful"));
    // @ts-expect-error -- the schema requires `tasks`
    defineTool("t", config, () => undefined);
  });

  it("does not compile with another type, a missing key or the envelope of other data", () => {
    // @ts-expect-error -- tasks is a list
    defineTool("t", config, () => ({ tasks: "none" }));
    // @ts-expect-error -- tasks is missing
    defineTool("t", config, () => ({ rows: [] }));
    // @ts-expect-error -- no such status
    defineTool("t", config, () => ({ tasks: [{ id: "a", status: "open" }] }));
    // @ts-expect-error -- later is no better
    defineTool("t", config, async () => ({ tasks: [{ id: 1, status: "done" }] }));
    // @ts-expect-error -- the data of the envelope
    defineTool("t", config, () => successResponse({ rows: [] }));
    const server = createContract().server(new McpServer({ name: "t", version: "1.0.0" }));
    // @ts-expect-error -- the same by the SDK's name
    server.registerTool("t", config, () => ({ tasks: "none" }));
    server.registerTool("t", config, () => ({ tasks: [{ id: "a", status: "done" }] }));
  });

  it("returns pages and batches of the schema's items", () => {
    defineTool("t", { ...config, paging: true }, (_, ctx) =>
      ctx.page({ path: "tasks", fetch: () => [...readOnly], key: ({ id }) => id }),
    );
    defineTool("t", { ...config, paging: true }, (_, ctx) =>
      // @ts-expect-error -- the list is under another key
      ctx.page({ path: "rows", fetch: () => [...readOnly], key: ({ id }) => id }),
    );
    const batch = z.object({
      processed: z.number(),
      failed: z.number(),
      failures: z.array(z.object({ task_id: z.string(), error: z.string() })),
      results: z.array(z.object({ task_id: z.string(), result: task })).optional(),
    });
    defineTool("t", { description: "t", outputSchema: batch }, (_, ctx) =>
      ctx.partial([{ id: "a", result: { id: "a", status: "done" as const } }], { idKey: "task_id" }),
    );
  });

  it("takes a failure as other servers write it", () => {
    defineTool("t", config, () => ({ success: false, error: "Gone" }));
    defineTool("t", config, async () => ({ success: false, error: { message: "Gone" }, code: "NOT_FOUND" }));
    defineTool("t", config, () => faults.notFound("task", "a"));
    // @ts-expect-error -- it says that it failed, but not why
    defineTool("t", config, () => ({ success: false }));
  });
});

describe("a handler without an output schema", () => {
  class Own {
    readonly #id = "a";
    toJSON(): { readonly id: string } {
      return { id: this.#id };
    }
  }

  it("returns what JSON carries, whatever its type is called", () => {
    interface Row {
      readonly id: string;
      readonly more?: unknown;
    }
    const rows: readonly Row[] = [];
    defineTool("t", { description: "t" }, () => ({ rows }));
    defineTool("t", { description: "t" }, async () => rows[0] ?? null);
    defineTool("t", { description: "t" }, () => new Own());
    defineTool("t", { description: "t" }, (): unknown => new Map());
    defineTool("t", { description: "t" }, () => errorResponse("Gone"));
    defineTool("t", { description: "t" }, () => faults.notFound("task", "a"));
    defineTool("t", { description: "t" }, () => undefined);
    defineTool("t", { description: "t" }, (_, ctx) => ctx.warn("careful"));
  });

  it("does not compile with what JSON cannot carry, later no more than at once", () => {
    // @ts-expect-error -- a Map
    defineTool("t", { description: "t" }, () => new Map());
    // @ts-expect-error -- the same, later
    defineTool("t", { description: "t" }, async () => ({ counts: new Map() }));
    // @ts-expect-error -- one of two
    defineTool("t", { description: "t" }, ({ id }) => (id === 1 ? { id: 1n } : null));
    const server = createContract().server(new McpServer({ name: "t", version: "1.0.0" }));
    // @ts-expect-error -- the same by the SDK's name
    server.registerTool("t", {}, () => ({ save: () => 1 }));
  });
});

describe("ctx.page", () => {
  const list = {
    path: "tasks",
    fetch: () => [...readOnly],
    key: ({ id }: { readonly id: string }) => id,
  } as const;

  it("compiles where callers can send a cursor", () => {
    const cursor = z.string().optional();
    defineTool("t", { ...config, paging: true }, (_, ctx) => ctx.page(list));
    defineTool("t", { ...config, inputSchema: z.object({ cursor }) }, (_, ctx) => ctx.page(list));
    defineTool("t", { ...config, inputSchema: z.looseObject({}) }, (_, ctx) => ctx.page(list));
    defineTool("t", { ...config, waybillArgument: true }, (_, ctx) => ctx.page(list));
    const isPaged: boolean = config.description !== "";
    defineTool("t", { ...config, paging: isPaged }, (_, ctx) => ctx.page(list));
    // @ts-expect-error -- no caller can send a cursor
    defineTool("t", config, (_, ctx) => ctx.page(list));
    // @ts-expect-error -- nor here
    defineTool("t", { ...config, inputSchema: z.object({ id: cursor }) }, (_, ctx) => ctx.page(list));
  });

  it("is what a tool with paging: true returns, whole, spread or in an envelope", () => {
    const paged = { description: "t", paging: true } as const;
    defineTool("t", paged, async (_, ctx) => {
      const page = await ctx.page(list);
      return { ...page, tasks: page.tasks.map(({ id }) => id), more: 1 };
    });
    defineTool("t", paged, async (_, ctx) => successResponse(await ctx.page(list)));
    defineTool("t", paged, async (_, ctx) => (ctx.isAnonymous ? null : ctx.page(list)));
    defineTool("t", { ...paged, errors: { no: { code: "FORBIDDEN", when: "x" } } }, (_, ctx) =>
      ctx.fail("no"),
    );
    // @ts-expect-error -- no page
    defineTool("t", paged, () => ({ tasks: [] }));
    // @ts-expect-error -- no page under a schema
    defineTool("t", { ...config, paging: true }, async () => ({ tasks: [] }));
  });
});

describe("annotations", () => {
  it("are the hints of MCP with their types, and keys of one's own with a slash or x-", () => {
    const annotations = { title: "T", readOnlyHint: true, openWorldHint: false };
    defineTool("t", { description: "t", annotations }, () => ({}));
    defineTool("t", { description: "t", annotations: { "acme/cost": 3, "x-team": "a" } }, () => ({}));
    // @ts-expect-error -- misspelt
    defineTool("t", { description: "t", annotations: { readonlyHint: true } }, () => ({}));
    // @ts-expect-error -- a hint is true or false
    defineTool("t", { description: "t", annotations: { readOnlyHint: "yes" } }, () => ({}));
  });
});

describe("ctx.fail", () => {
  const details = z.object({ id: z.string() });
  const errors = {
    not_found: { code: "NOT_FOUND", when: "No task has this id", details },
    closed: { code: "CONFLICT", when: "The task is closed" },
  };
  const declared = { description: "t", errors };

  it("takes a declared name, its details, and a message", () => {
    defineTool("t", declared, (_, ctx) => ctx.fail("not_found", { id: "a" }));
    defineTool("t", declared, (_, ctx) => ctx.fail("not_found", { id: "a" }, "Gone"));
    defineTool("t", declared, (_, ctx) => ctx.fail("closed"));
    defineTool("t", declared, (_, ctx) => ctx.fail("closed", { since: 2026 }));
    const inline = { id: "a" };
    defineTool(
      "t",
      { description: "t", errors: { gone: { code: "NOT_FOUND", when: "It is gone", details } } },
      (_, ctx) => ctx.fail("gone", inline),
    );
  });

  it("ends the handler, and fits every output schema", () => {
    defineTool("t", { ...config, ...declared }, (_, ctx) => ctx.fail("closed"));
    const find = (): { readonly id: string } | undefined => undefined;
    defineTool("t", { ...declared, outputSchema: z.object({ id: z.string() }) }, (_, ctx) => {
      const found = find();
      if (found === undefined) return ctx.fail("closed");
      return { id: found.id };
    });
  });

  it("does not compile with another name or with wrong details", () => {
    // @ts-expect-error -- no such fault
    defineTool("t", declared, (_, ctx) => ctx.fail("not_fond", { id: "a" }));
    // @ts-expect-error -- the id is a text
    defineTool("t", declared, (_, ctx) => ctx.fail("not_found", { id: 1 }));
    // @ts-expect-error -- the details are missing
    defineTool("t", declared, (_, ctx) => ctx.fail("not_found"));
    // @ts-expect-error -- another key
    defineTool("t", declared, (_, ctx) => ctx.fail("not_found", { key: "a" }));
    // @ts-expect-error -- the tool declares no fault
    defineTool("t", { description: "t" }, (_, ctx) => ctx.fail("not_found", { id: "a" }));
    // @ts-expect-error -- a fault says when it happens
    defineTool("t", { description: "t", errors: { gone: { code: "NOT_FOUND" } } }, () => ({}));
    const server = createContract().server(new McpServer({ name: "t", version: "1.0.0" }));
    // @ts-expect-error -- the same by the SDK's name
    server.registerTool("t", declared, (_, ctx) => ctx.fail("not_fond"));
    server.registerTool("t", declared, (_, ctx) => ctx.fail("not_found", { id: "a" }));
  });

  it("does not compile with a misspelt key or an unknown code in what is declared", () => {
    // @ts-expect-error -- no such code
    defineTool("t", { description: "t", errors: { gone: { code: "NOPE", when: "It is gone" } } }, () => ({}));
    const own = { code: "TASK_FROZEN", type: "conflict", when: "The task is frozen" } as const;
    defineTool("t", { description: "t", errors: { own } }, (_, ctx) => ctx.fail("own"));
    const known = {
      code: "SPEC_NOT_FOUND",
      when: "It is gone",
      remediation: "Look.",
      retryable: false,
    } as const;
    defineTool("t", { description: "t", errors: { known } }, (_, ctx) => ctx.fail("known"));
    const errorsOf = { gone: { code: "NOT_FOUND", when: "It is gone", typo: 1 } } as const;
    // @ts-expect-error -- no such key
    defineTool("t", { description: "t", errors: errorsOf }, () => ({}));
    const inPlace = { description: "t" };
    // @ts-expect-error -- the same where it is written in place
    defineTool("t", { ...inPlace, errors: { a: { code: "NOT_FOUND", when: "x", wen: 1 } } }, () => ({}));
    const server = createContract().server(new McpServer({ name: "t", version: "1.0.0" }));
    // @ts-expect-error -- the same by the SDK's name
    server.registerTool("t", { errors: { gone: { code: "NOPE", when: "It is gone" } } }, () => ({}));
  });

  it("takes the names that the tool declares, and a type that says so where it declares none", () => {
    defineTool("t", declared, (_, ctx) => {
      expectTypeOf(ctx.fail).parameter(0).toEqualTypeOf<"not_found" | "closed">();
      return {};
    });
    defineTool("t", { description: "t" }, (_, ctx) => {
      expectTypeOf(ctx.fail).parameter(0).toEqualTypeOf<NoErrorsAreDeclaredInTheOptionsOfThisTool>();
      return {};
    });
  });

  it("leaves tools what they are to contracts, clients and functions that take a context", () => {
    const withContext = (context: ToolContext): string => context.requestId;
    const tool = defineTool("t", { ...declared, outputSchema: details }, (_, ctx) => ({
      id: withContext(ctx),
    }));
    const contract = createContract({ tools: [tool] });
    expectTypeOf<ToolsOf<typeof contract>["t"]["data"]>().toEqualTypeOf<{ id: string }>();
    const list: readonly AnyTool[] = [tool];
    expectTypeOf(list).toEqualTypeOf<readonly AnyTool[]>();
  });
});

describe("format", () => {
  it("gets the data that the output schema describes, and gives a text", () => {
    const outputSchema = z.object({ tasks: z.array(task), unit: z.string().default("m") });
    defineTool(
      "t",
      {
        description: "t",
        outputSchema,
        format: ({ tasks, unit }) => tasks.map(({ id, status }) => `${id} ${status} ${unit}`).join("\n"),
      },
      () => ({ tasks: [{ id: "a", status: "done" }] }),
    );
    const tool = defineTool("t", { ...config, format: ({ tasks }) => tasks[0]?.id ?? "" }, (_, ctx) => ({
      tasks: [{ id: ctx.requestId, status: "done" }],
    }));
    const list: readonly AnyTool[] = [tool];
    expectTypeOf(list).toEqualTypeOf<readonly AnyTool[]>();
  });

  it("does not compile with a key that the data does not have, or without a text", () => {
    // @ts-expect-error -- no such key
    defineTool("t", { ...config, format: ({ rows }) => String(rows) }, () => ({ tasks: [] }));
    // @ts-expect-error -- a number is no text
    defineTool("t", { ...config, format: ({ tasks }) => tasks.length }, () => ({ tasks: [] }));
    // @ts-expect-error -- a text that comes later is no text
    defineTool("t", { ...config, format: async () => "later" }, () => ({ tasks: [] }));
  });
});

describe("ToolsOf", () => {
  it("gives the schema's output: defaults filled in, coercions done", () => {
    const filled = z.object({ n: z.coerce.number().pipe(z.number()), unit: z.string().default("m") });
    const tool = defineTool("measure", { description: "m", outputSchema: filled }, () => ({ n: "3" }));
    const contract = createContract({ tools: [tool] });
    expectTypeOf<ToolsOf<typeof contract>["measure"]["data"]>().toEqualTypeOf<{ n: number; unit: string }>();
  });
});
