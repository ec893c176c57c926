import { describe, expect, it } from "vitest";
import { until } from "../../engine/transport/until.fixture.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { type Serve, bridgeTo } from "./bridge/bridge.fixture.ts";

const rows = Array.from({ length: 500 }, (_, id) => ({
  id,
  name: `Row ${id}`,
  kind: id % 2 ? "odd" : "even",
}));
const structured = { type: "object", properties: { rows: { type: "array" } }, required: ["rows"] };
const open = { type: "object", properties: { table: { type: "string" } }, additionalProperties: false };
const tools = [
  { name: "read", inputSchema: open },
  { name: "typed", inputSchema: { type: "object" }, outputSchema: structured },
  { name: "closed", inputSchema: { type: "object", anyOf: [{ $ref: "#/$defs/a" }], $defs: { a: {} } } },
  { name: "clash", inputSchema: { type: "object", properties: { _waybill_select: { type: "string" } } } },
  { name: "picture", inputSchema: open },
  { name: "later", inputSchema: open },
  { name: "exact", inputSchema: open },
];
const picture = { content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] };

function answerOf(name: unknown): JsonObject {
  if (name === "picture") return picture;
  if (name === "exact") return { content: [{ type: "text", text: '{"id": 12345678901234567890}' }] };
  if (name === "later")
    return { task: { taskId: "t1", status: "working", createdAt: "2026-01-01T00:00:00Z" } };
  const content = [{ type: "text", text: JSON.stringify({ rows }) }];
  return name === "typed" ? { content, structuredContent: { rows } } : { content };
}

const serve: Serve = ({ id, method, params }) => {
  const result = {
    "tools/list": { tools },
    "tools/call": answerOf((params as JsonObject | undefined)?.["name"]),
    "tasks/result": { content: [{ type: "text", text: JSON.stringify({ rows }) }] },
  }[method as string];
  return { jsonrpc: "2.0", id: id ?? null, result: result ?? {} };
};

/** As the gateway has it by default. */
const contract: ContractOptions = { dialect: "auto", profile: "minimal", select: true };

/** A call as its text, and what the client and the server heard of it. */
async function send(name: string, args: string, options: ContractOptions = contract) {
  const { client, server } = bridgeTo(serve, options);
  client.send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  await until(() => client.heard.length === 1);
  client.send(
    `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"arguments":${args},"name":"${name}"}}`,
  );
  await until(() => client.heard.length === 2);
  const listed = (client.heard[0] as { result: { tools: typeof tools } }).result.tools;
  const { result } = client.heard[1] as { result: JsonObject };
  return { result, sent: server.heardRaw.slice(1), listed, client };
}

const question = String.raw`"length(rows)"`;

describe("a tool behind the gateway", () => {
  it("is listed with the argument where its input can take it", async () => {
    const { listed } = await send("read", "{}");
    const names = listed
      .filter(({ inputSchema }) => Object.hasOwn(inputSchema.properties ?? {}, "_waybill_select"))
      .map(({ name }) => name);
    expect(names).toEqual(["read", "typed", "clash", "picture", "later", "exact"]);
    const untouched = listed.filter(({ name }) => name === "clash" || name === "closed");
    expect(untouched).toEqual([tools[2], tools[3]]);
  });

  it("is asked without it, and every other byte of the call stays", async () => {
    const args = `{ "n": 12345678901234567890, "_waybill_select" : ${question} , "x":1.0, "t":"ä\\u00e4" }`;
    const { sent, result } = await send("read", args);
    expect(sent).toEqual([
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"arguments":{"n": 12345678901234567890,"x":1.0,"t":"ä\\u00e4"},"name":"read"}}',
    ]);
    expect(result).toMatchObject({ content: [{ type: "text", text: "500" }] });
  });

  it.each([
    ["null", "null"],
    ["an empty text", '""'],
  ])("gives its result as its own bytes where the question is %s", async (_, said) => {
    const { result, sent } = await send("read", `{"_waybill_select":${said}}`, {
      ...contract,
      budget: { tokens: "off" },
    });
    expect(result).toEqual(answerOf("read"));
    expect(sent[0]).toContain('"arguments":{}');
  });

  it("gives the answer as JSON text, and nothing else of the result", async () => {
    const { result } = await send("read", `{"_waybill_select":"rows[:2].{id: id, kind: kind}"}`);
    expect(result["content"]).toEqual([
      { type: "text", text: '[{"id":0,"kind":"even"},{"id":1,"kind":"odd"}]' },
    ]);
    expect(result).not.toHaveProperty("structuredContent");
  });

  it("gives it under `selected` where it lists an output schema, which allows that", async () => {
    const { result, listed } = await send("typed", `{"_waybill_select":${question}}`);
    expect(result).toMatchObject({ structuredContent: { selected: 500 } });
    expect(result["content"]).toEqual([{ type: "text", text: '{"selected":500}' }]);
    const { outputSchema } = listed.find(({ name }) => name === "typed") ?? {};
    expect(JSON.stringify(outputSchema)).toContain('{"required":["selected"]}');
  });

  it("keeps an argument of that name where it has one itself", async () => {
    const { sent } = await send("clash", `{"_waybill_select":${question}}`);
    expect(sent[0]).toContain(`{"_waybill_select":${question}}`);
  });

  it("is not called with a question that is wrong", async () => {
    const { sent, result } = await send("read", '{"_waybill_select":"rows[?"}');
    expect(sent).toEqual([]);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain("INVALID_FORMAT");
  });

  it("gives a picture as it is, and says that it cannot be asked", async () => {
    const { result } = await send("picture", `{"_waybill_select":${question}}`);
    expect(result["content"]).toEqual([
      ...picture.content,
      { type: "text", text: expect.stringContaining("no data that a question could be put to") },
    ]);
  });

  it("says where numbers of the result were too long for a double, and keeps them", async () => {
    const { result } = await send("exact", '{"_waybill_select":"id"}');
    const [answer, notes] = result["content"] as { text: string }[];
    expect(answer?.text).toBe("12345678901234567890");
    expect(notes?.text).toContain("12345678901234567890");
  });

  it("answers the question of a task when the task is done", async () => {
    const { client } = await send("later", `{"_waybill_select":${question}}`);
    client.send('{"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"t1"}}');
    await until(() => client.heard.length === 3);
    expect(client.heard[2]).toMatchObject({ result: { content: [{ type: "text", text: "500" }] } });
  });

  it("passes the argument on where it is off", async () => {
    const args = `{"_waybill_select":${question}}`;
    const { sent, listed } = await send("read", args, { ...contract, select: false });
    expect(sent[0]).toContain(args);
    expect(listed.slice(0, tools.length).map(({ inputSchema }) => inputSchema)).toEqual(
      tools.map(({ inputSchema }) => inputSchema),
    );
  });
});
