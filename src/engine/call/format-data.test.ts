import { adviceTold } from "./advice-told.fixture.ts";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { contractClient } from "../../doors/client/index.ts";
import { dialectIds } from "../../core/contract/dialect-id.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { Logger } from "../observe/log-event.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import { type ToolOptions, defineTool } from "../settings/tool-definition.ts";

const task = z.object({ id: z.string(), title: z.string() });
const outputSchema = z.object({ tasks: z.array(task) });
type Data = z.infer<typeof outputSchema>;

const tasks = (count: number): Data["tasks"] =>
  Array.from({ length: count }, (_, index) => ({
    id: `task-${index}`,
    title: `Sort the mail of day ${index}`,
  }));

const asList = (data: Data): string =>
  [`${data.tasks.length} tasks`, ...data.tasks.map(({ id, title }) => `- ${id}: ${title}`)].join("\n");

function listTool(data: unknown, format: (data: Data) => unknown = asList, options: ToolOptions = {}) {
  const config = { description: "Tasks", outputSchema, format: format as (data: Data) => string, ...options };
  return defineTool("task_list", config, () => data as Data);
}

function recordingLogger(): Logger & {
  readonly events: () => readonly string[];
  readonly text: () => string;
} {
  const lines: (readonly [object, string])[] = [];
  const keep = (fields: object, event: string): void => void lines.push([fields, event]);
  const told = () => lines.filter(([, event]) => event.startsWith("format-"));
  return {
    info: keep,
    warn: keep,
    error: keep,
    events: () => told().map(([, event]) => event),
    text: () => JSON.stringify(told()),
  };
}

const textsOf = (result: JsonObject): string[] =>
  (result["content"] as unknown as { readonly text: string }[]).map(({ text }) => text);

async function run(tool: ReturnType<typeof listTool>, options: ContractOptions = {}): Promise<JsonObject> {
  const contract = { validate: "always", logLevel: "silent", ...options } as const;
  return (await runTool(tool, {}, { contract })).result;
}

const two = { tasks: tasks(2) };
const twoAsText = "2 tasks\n- task-0: Sort the mail of day 0\n- task-1: Sort the mail of day 1";

describe("format", () => {
  it("writes the text, and leaves the structure what it is", async () => {
    const result = await run(listTool(two));
    expect(textsOf(result)).toEqual([twoAsText]);
    expect(result["structuredContent"]).toMatchObject({ success: true, data: two });
  });

  // The dialect drf is text alone, so its text has to be the data.
  const structured = dialectIds.filter((id) => id !== "drf");

  it.each(structured)("writes it in the dialect %s, and what a client reads is the data", async (dialect) => {
    const contract = createContract({ dialect, logLevel: "silent", tools: [listTool(two)] });
    const server = contract.server(new McpServer({ name: "s", version: "1.0.0" }));
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "c", version: "1.0.0" });
    await Promise.all([server.connect(far), client.connect(near)]);
    const { data, blocks } = await contractClient(client).call("task_list");
    expect(data).toEqual(two);
    expect(JSON.stringify(blocks)).toContain(JSON.stringify(twoAsText).slice(1, -1));
    await client.close();
  });

  it("writes it where the dialect is chosen by the result, with the structure beside it", async () => {
    const tool = defineTool("t", { description: "t", format: () => "One task" }, () => ({ tasks: 1 }));
    const { result } = await runTool(tool, {}, { contract: { dialect: "auto" } });
    expect(textsOf(result)).toEqual(["One task"]);
    expect(result["structuredContent"]).toEqual({ tasks: 1 });
  });

  it("is followed by what else there is to say", async () => {
    const tool = defineTool(
      "task_list",
      { description: "Tasks", outputSchema, format: asList, paging: true },
      (_, ctx) => {
        ctx.warn("The index is a day old");
        return ctx.page({ path: "tasks", fetch: ({ limit }) => tasks(limit), key: ({ id }) => id, limit: 2 });
      },
    );
    const { result } = await runTool(tool, {}, { contract: { logLevel: "silent" } });
    const [text = "", notes = "", ...more] = textsOf(result);
    expect(text).toContain("- task-1: ");
    expect(more).toEqual([]);
    expect(JSON.parse(notes)).toMatchObject({
      meta: {
        warnings: ["The index is a day old"],
        pagination: { has_more: true, cursor: expect.any(String) },
      },
    });
  });

  it("writes the data that is left after a cut, within the budget, and the notice of the cut stays", async () => {
    const result = await run(listTool({ tasks: tasks(400) }), { budget: { tokens: 1_000 } });
    const [text = "", notes = ""] = textsOf(result);
    const { data } = result["structuredContent"] as unknown as { data: Data };
    expect(data.tasks.length).toBeLessThan(400);
    expect(text).toBe(asList(data));
    expect(notes).toContain("waybill_retrieve");
    expect(notes).toContain("content_archive_hashes");
  });

  it("gives way to the JSON where only the JSON has room in the budget, and the log says so once", async () => {
    const logger = recordingLogger();
    const wordy = (data: Data): string => `${asList(data)}\n`.repeat(4);
    const options = { budget: { tokens: 1_000 }, logger, logLevel: "warn" } as const;
    const contract = createContract(options);
    for (let calls = 0; calls < 2; calls++) {
      const { result } = await runTool(listTool({ tasks: tasks(30) }, wordy), {}, { contract });
      expect(JSON.parse(textsOf(result)[0] ?? "")).toEqual(result["structuredContent"]);
    }
    expect(logger.events()).toEqual(["format-too-long"]);
  });

  it("gives way to the JSON for a stub, for failures, and where text is the only channel", async () => {
    const stub = await run(
      listTool({ tasks: tasks(2).map((one) => ({ ...one, title: "x".repeat(9_000) })) }),
      {
        budget: { tokens: 150 },
      },
    );
    expect(textsOf(stub)[0]).toContain("omitted");
    const only = await run(listTool(two), { delivery: "text" });
    expect(JSON.parse(textsOf(only)[0] ?? "")).toMatchObject({ data: two });
    const drf = await run(listTool(two), { dialect: "drf" });
    expect(JSON.parse(textsOf(drf)[0] ?? "")).toEqual(two);
    const failed = await run(listTool({ tasks: "none" }));
    expect(failed["isError"]).toBe(true);
  });

  it.each([
    ["throws", () => JSON.parse("{"), "JSON"],
    ["gives nothing", () => undefined, "format gave no text."],
    ["gives an empty text", () => "", "format gave an empty text."],
    ["gives a number", () => 7, "format gave no text."],
    [
      "gives a promise, even one that fails",
      async () => Promise.reject(new Error("later")),
      "format gave a promise: it has to give a text at once.",
    ],
  ])("that %s leaves the JSON, and the log says why", async (_, format, why) => {
    const logger = recordingLogger();
    const result = await run(listTool(two, format), { logger, logLevel: "warn" });
    expect(JSON.parse(textsOf(result)[0] ?? "")).toEqual(result["structuredContent"]);
    expect(logger.events()).toEqual(["format-failed"]);
    expect(logger.text()).toContain(why);
  });

  it("cannot change the structure", async () => {
    const result = await run(
      listTool(two, (data) => {
        data.tasks.reverse();
        return data.tasks.map(({ id }) => id).join(" ");
      }),
    );
    expect(textsOf(result)).toEqual(["task-1 task-0"]);
    expect(result["structuredContent"]).toMatchObject({ data: two });
  });

  it("gets the objects of a list that is sent as a table", async () => {
    const many = { tasks: tasks(20) };
    const result = await run(listTool(many), { encoding: "table" });
    expect(textsOf(result)).toEqual([asList(many)]);
    expect(JSON.stringify(result["structuredContent"])).not.toContain('"tasks":[{');
  });

  it("has its secrets masked where successes are", async () => {
    const secret = `sk-ant-api03-${"Ab1".repeat(30)}-AA`;
    const result = await run(
      listTool(two, () => `The key is ${secret}`),
      { redact: { successes: true } },
    );
    expect(textsOf(result)[0]).toMatch(/^The key is \[REDACTED/);
  });
});

describe("a text that says more than the structure", () => {
  const chatty = listTool(two, (data) => `${asList(data)}\nCarrier reference ZX-4711`);
  const told = async (): Promise<readonly string[]> => {
    const logger = recordingLogger();
    const contract = createContract({ logger });
    for (let calls = 0; calls < 2; calls++) {
      const { result } = await runTool(chatty, {}, { contract });
      expect(textsOf(result)[0]).toContain("ZX-4711");
    }
    await adviceTold();
    return [...logger.events(), logger.text()];
  };

  it("goes out, and in development the log names once what only it says", async () => {
    const [event, fields] = await told();
    expect(event).toBe("format-says-more");
    expect(fields).toContain('"facts":["ZX-4711"]');
  });

  it("is found by runTool", async () => {
    const { textOnlyFacts } = await runTool(chatty);
    expect(textOnlyFacts).toEqual(["ZX-4711"]);
    expect((await runTool(listTool(two))).textOnlyFacts).toEqual([]);
  });

  it("is not told in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    try {
      expect(await told()).toEqual(["[]"]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe("format in a tool's options", () => {
  it("is refused where it is no function", () => {
    const wrong = { description: "t", format: "markdown" } as never;
    expect(() => defineTool("t", wrong, () => ({}))).toThrow(
      'Tool t: "format" is not a function: give one, or leave it out.',
    );
  });
});
