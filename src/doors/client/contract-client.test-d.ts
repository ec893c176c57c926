import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { faults } from "../../core/contract/faults.ts";
import { successResponse } from "../../core/contract/success-responses.ts";
import { createContract } from "../server/create-contract.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import {
  type Answer,
  type Asked,
  type ContractClient,
  type ErrorWithCode,
  type KnownErrorCode,
  type ResponseError,
  type Stub,
  type ToolErrorOf,
  type ToolsOf,
  contractClient,
  hasCode,
} from "./index.ts";

interface Task {
  id: string;
  status: "done" | "pending";
}
const taskSchema = z.object({ id: z.string(), status: z.enum(["pending", "done"]) });

const taskQuery = defineTool(
  "task_query",
  {
    description: "Tasks",
    inputSchema: z.object({ status: z.string().optional(), page_size: z.number().default(20) }),
    outputSchema: z.object({ tasks: z.array(taskSchema), total: z.number() }),
  },
  () => ({ tasks: [], total: 0 }),
);
const taskGet = defineTool(
  "task_get",
  {
    description: "One task",
    inputSchema: z.object({ id: z.string() }),
    outputSchema: z.object({ task: taskSchema }),
  },
  ({ id }) => ({ task: { id, status: "done" } }),
);
const ping = defineTool("ping", { description: "Says pong" }, () => "pong");
const names = defineTool(
  "names",
  { description: "Names", outputSchema: z.array(z.string()) },
  (): string[] => [],
);
const contract = createContract({ name: "tasks", tools: [taskQuery, taskGet, ping, names] });
const call = async (): Promise<JsonObject> => ({ content: [] });
const tools = contractClient<ToolsOf<typeof contract>>(call);
type Data = { tasks: Task[]; total: number };

describe("ToolsOf", () => {
  it("knows names, arguments and data of a contract's tools", () => {
    type Known = ToolsOf<typeof contract>;
    expectTypeOf<keyof Known>().toEqualTypeOf<"task_query" | "task_get" | "ping" | "names">();
    expectTypeOf<Known["task_get"]["args"]>().toEqualTypeOf<{ id: string }>();
    expectTypeOf<Known["task_query"]["args"]>().toEqualTypeOf<{
      status?: string | undefined;
      page_size?: number | undefined;
    }>();
    expectTypeOf<Known["task_query"]["data"]>().toEqualTypeOf<Data>();
    expectTypeOf<Known["ping"]["args"]>().toEqualTypeOf<JsonObject>();
    expectTypeOf<keyof Known["ping"]["faults"]>().toEqualTypeOf<never>();
  });

  it("gives what is not an object as it is, whatever the wire does", () => {
    expectTypeOf<ToolsOf<typeof contract>["names"]["data"]>().toEqualTypeOf<string[]>();
  });

  it("gives what the handler returns, as JSON, where there is no output schema", () => {
    const find = (): Task | undefined => undefined;
    const list = [
      ping,
      defineTool("later", { description: "t" }, async () => ({ at: new Date(), task: find() })),
      defineTool("enveloped", { description: "t" }, () => successResponse({ task: find() ?? null })),
      defineTool("nothing", { description: "t" }, () => undefined),
      defineTool("failing", { description: "t" }, (_, ctx) =>
        ctx.tier === "free" ? faults.forbidden() : { ok: ctx.tenant },
      ),
      defineTool("ready", { description: "t" }, () => ({ content: [{ type: "text", text: "a" }] })),
      defineTool("unknown", { description: "t" }, (): unknown => 1),
      defineTool("paged", { description: "t", paging: true }, (_, ctx) =>
        ctx.page({ path: "tasks", fetch: (): Task[] => [], key: ({ id }: Task) => id }),
      ),
    ] as const;
    type Known = ToolsOf<typeof list>;
    expectTypeOf<Known["ping"]["data"]>().toEqualTypeOf<"pong">();
    expectTypeOf<Known["later"]["data"]>().toEqualTypeOf<{ at: string; task?: Task }>();
    expectTypeOf<Known["enveloped"]["data"]>().toEqualTypeOf<{ task: Task | null }>();
    expectTypeOf<Known["nothing"]["data"]>().toEqualTypeOf<Record<string, never>>();
    expectTypeOf<Known["failing"]["data"]>().toEqualTypeOf<{ ok: string }>();
    expectTypeOf<Known["ready"]["data"]>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Known["unknown"]["data"]>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Known["paged"]["data"]>().toEqualTypeOf<{ tasks: Task[] }>();
  });

  it("knows the same of a list of tools", () => {
    const list = [taskQuery, taskGet, ping, names] as const;
    expectTypeOf<ToolsOf<typeof list>>().toEqualTypeOf<ToolsOf<typeof contract>>();
  });

  it("lets any name pass where a contract was made without tools", () => {
    const open = createContract({ name: "open" });
    const client = contractClient<ToolsOf<typeof open>>(call);
    expectTypeOf(client.call("whatever", { deep: [1, { a: null }] })).not.toBeAny();
  });
});

describe("contractClient", () => {
  it("takes tools described by hand, as an interface too", () => {
    interface Mine {
      sum: { args: { of: number[] }; data: { sum: number } };
    }
    expectTypeOf(contractClient<Mine>(call)).toEqualTypeOf<ContractClient<Mine>>();
  });

  it("refuses unknown tools, wrong arguments, and none where some are needed", () => {
    expectTypeOf(tools.call("task_get", { id: "task-001" })).not.toBeAny();
    expectTypeOf(tools.call("task_query")).not.toBeAny();
    expectTypeOf(tools.call("ping")).not.toBeAny();
    // @ts-expect-error there is no such tool
    void tools.call("task_got", { id: "task-001" });
    // @ts-expect-error an id is text
    void tools.call("task_get", { id: 1 });
    // @ts-expect-error it needs an id
    void tools.call("task_get");
    // @ts-expect-error options are checked beside arguments
    void tools.call("task_get", { id: "task-001" }, { complete: "yes" });
    // @ts-expect-error a map of tools names arguments and data
    void contractClient<{ broken: { args: string } }>(call);
  });
});

describe("call", () => {
  it("gives the tool's data only while nothing but items is missing", async () => {
    const answer = await tools.call("task_query", { status: "pending" });
    expectTypeOf(answer.data).toEqualTypeOf<Data | Stub>();
    if (answer.fidelity === "full" || answer.fidelity === "partial") {
      expectTypeOf(answer.data).toEqualTypeOf<Data>();
    } else {
      expectTypeOf(answer.data).toEqualTypeOf<Stub>();
    }
  });

  it("gives the tool's data when it is completed", async () => {
    const { data, fidelity } = await tools.call("task_query", {}, { complete: true });
    expectTypeOf(data).toEqualTypeOf<Data>();
    expectTypeOf(fidelity).toEqualTypeOf<"full">();
  });

  it("promises nothing for options that may or may not complete", async () => {
    const options: { complete: boolean } = { complete: true };
    const { data } = await tools.call("task_query", {}, options);
    expectTypeOf(data).toEqualTypeOf<Data | Stub>();
  });

  it("infers data from the caller's own schema", async () => {
    const schema = z.object({ tasks: z.array(z.object({ id: z.string() })) });
    const whole = await tools.call("task_query", {}, { schema, complete: true });
    expectTypeOf(whole.data).toEqualTypeOf<{ tasks: { id: string }[] }>();
    const open = await contractClient(call).call("anything", {}, { schema });
    expectTypeOf(open.data).toEqualTypeOf<{ tasks: { id: string }[] } | Stub>();
  });

  it("gives JSON, or what a schema makes of it, where a question goes with the call", async () => {
    const { data } = await tools.call("task_get", { id: "task-001" }, { select: "task.id", complete: true });
    expectTypeOf(data).toEqualTypeOf<JsonValue>();
    const schema = z.object({ selected: z.string() });
    const read = await tools.call("task_get", { id: "1" }, { select: "task.id", complete: true, schema });
    expectTypeOf(read.data).toEqualTypeOf<{ selected: string }>();
    // @ts-expect-error a question is a text
    void tools.call("task_get", { id: "1" }, { select: 1 });
  });

  it("gives JSON where nothing is known", async () => {
    const { data } = await contractClient(call).call("anything");
    expectTypeOf(data).toEqualTypeOf<JsonValue | Stub>();
    expectTypeOf(data).not.toBeAny();
  });
});

describe("complete", () => {
  it("gives the tool's data back, also from a stub", async () => {
    const answer = await tools.call("task_query");
    expectTypeOf((await tools.complete(answer)).data).toEqualTypeOf<Data>();
    if (answer.fidelity !== "summary") return;
    expectTypeOf((await tools.complete(answer)).data).toEqualTypeOf<Data>();
  });
});

describe("tryCall", () => {
  it("is an answer or an error, told apart by ok", async () => {
    const tried = await tools.tryCall("task_get", { id: "task-001" }, { complete: true });
    if (tried.ok) {
      expectTypeOf(tried.data).toEqualTypeOf<{ task: Task }>();
    } else {
      expectTypeOf(tried.error).toEqualTypeOf<ResponseError>();
    }
  });
});

describe("declared faults", () => {
  const errors = {
    gone: { code: "NOT_FOUND", when: "There is none", details: z.object({ id: z.string(), at: z.date() }) },
    closed: { code: "PERIOD_CLOSED", type: "conflict", when: "The month is closed" },
  } as const;
  const close = defineTool("close", { description: "Closes", errors }, () => ({ done: true }));
  const known = contractClient<ToolsOf<readonly [typeof close]>>(call);

  it("reach the client with their codes and details", () => {
    type Faults = ToolsOf<readonly [typeof close]>["close"]["faults"];
    expectTypeOf<Faults["gone"]["code"]>().toEqualTypeOf<"NOT_FOUND">();
    expectTypeOf<Faults["gone"]["details"]>().toEqualTypeOf<{ id: string; at: string }>();
    expectTypeOf<Faults["closed"]["details"]>().toEqualTypeOf<JsonObject | undefined>();
  });

  it("narrow the error of tryCall", async () => {
    const tried = await known.tryCall("close");
    if (tried.ok) return;
    expectTypeOf(tried.error).toExtend<ResponseError>();
    if (hasCode(tried.error, "NOT_FOUND")) expectTypeOf(tried.error.details.at).toExtend<string>();
    if (hasCode(tried.error, "TIMEOUT"))
      expectTypeOf(tried.error.details).toEqualTypeOf<JsonObject | undefined>();
    // @ts-expect-error -- it has no such detail
    if (hasCode(tried.error, "NOT_FOUND")) void tried.error.details.key.length;
  });

  it("narrow what a call rejects with, and an abort stays possible", async () => {
    const data = await known.call("close").catch((error) => {
      expectTypeOf(error).toExtend<Error>();
      if (hasCode(error, "NOT_FOUND")) return error.details.id;
      throw error;
    });
    expectTypeOf(data).not.toBeAny();
    const failed = (error: unknown): string | undefined =>
      hasCode(error as ToolErrorOf<ToolsOf<readonly [typeof close]>, "close">, "PERIOD_CLOSED")
        ? "closed"
        : undefined;
    expectTypeOf(failed).toBeFunction();
  });
});

describe("pages and items", () => {
  it("have the tool's types", async () => {
    for await (const page of tools.pages("task_query", {}, { complete: true })) {
      expectTypeOf(page.data).toEqualTypeOf<Data>();
    }
    for await (const item of tools.items("task_query")) expectTypeOf(item).toEqualTypeOf<Task>();
    for await (const item of tools.items("task_query", {}, { path: "tasks" })) {
      expectTypeOf(item).toEqualTypeOf<Task>();
    }
    for await (const item of contractClient(call).items("any")) expectTypeOf(item).toEqualTypeOf<JsonValue>();
  });
});

describe("ask", () => {
  it("gives JSON, or what the schema reads, of any answer", async () => {
    const answer = await tools.call("task_query");
    const asked = await tools.ask(answer, "count_by(tasks, &status)");
    expectTypeOf(asked).toEqualTypeOf<Asked>();
    expectTypeOf(asked.data).toEqualTypeOf<JsonValue>();
    expectTypeOf(asked.count).toEqualTypeOf<number>();
    expectTypeOf(asked.hash).toEqualTypeOf<string>();
    const schema = z.record(z.string(), z.number());
    const { data } = await tools.ask(answer, "count_by(tasks, &status)", { schema });
    expectTypeOf(data).toEqualTypeOf<Record<string, number>>();
    // @ts-expect-error a question is a text
    void tools.ask(answer, 7);
  });
});

describe("ResponseError", () => {
  it("has codes that an editor completes, and takes a server's own", () => {
    const compare = ({ code, type }: ResponseError): boolean =>
      code === "RATE_LIMIT_EXCEEDED" || code === "OUT_OF_CHALK" || type === "validation";
    expectTypeOf(compare).returns.toBeBoolean();
    expectTypeOf<KnownErrorCode>().toExtend<ResponseError["code"]>();
    expectTypeOf<"SPEC_NOT_FOUND" | "ALREADY_EXISTS" | "HASH_MISMATCH">().toExtend<KnownErrorCode>();
    expectTypeOf<"OUT_OF_CHALK">().not.toExtend<KnownErrorCode>();
  });

  it("narrows by hasCode, from anything that was thrown", () => {
    const narrow = (error: unknown): void => {
      if (!hasCode(error, "CONFLICT", "OUT_OF_CHALK")) return;
      expectTypeOf(error).toExtend<ResponseError>();
      expectTypeOf(error).toEqualTypeOf<ErrorWithCode<"CONFLICT" | "OUT_OF_CHALK">>();
      if (error.canonicalCode !== "CONFLICT") return;
      expectTypeOf(error.retryRule).not.toBeAny();
    };
    expectTypeOf(narrow).toBeFunction();
  });
});

describe("the public types", () => {
  it("hold no any", () => {
    expectTypeOf<Answer["data"]>().not.toBeAny();
    expectTypeOf<ResponseError["details"]>().toEqualTypeOf<JsonObject | undefined>();
    expectTypeOf<ResponseError["cause"]>().toEqualTypeOf<unknown>();
    expectTypeOf<Parameters<typeof tools.retrieve>[0]["data"]>().toEqualTypeOf<unknown>();
    expectTypeOf<Awaited<ReturnType<typeof tools.negotiate>>>().toEqualTypeOf<JsonObject>();
  });
});
