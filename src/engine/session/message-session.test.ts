import { describe, expect, it } from "vitest";
import { advertiseOutput } from "../../core/schema/envelope-schema.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import {
  type Serve,
  add,
  call,
  here,
  open,
  outputSchema,
  reply,
  said,
  serving,
} from "./message-session.fixture.ts";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";

async function envelopeOf(serve: Serve, options: ContractOptions = {}, name = "add"): Promise<JsonObject> {
  const { session } = open(serve, options);
  const answer = (await session.request(call(name), here)) as JsonObject;
  return (answer["result"] as JsonObject)["structuredContent"] as JsonObject;
}

describe("a call to a server behind the contract", () => {
  it("comes back in an envelope, with the server's own _meta and other keys", async () => {
    const { session } = open(
      serving({ structuredContent: { sum: 3 }, content: [], resultType: "complete", _meta: { "x/y": 1 } }),
    );
    expect(await session.request(call(), here)).toMatchObject({
      jsonrpc: "2.0",
      id: 1,
      result: {
        resultType: "complete",
        structuredContent: { success: true, data: { sum: 3 } },
        _meta: { "x/y": 1, "waybill/contract": { dialect: "response-v2" } },
      },
    });
  });

  it("asks the author once who calls; a caller that cannot be told is refused before the server hears of it", async () => {
    let asked = 0;
    const tenant = (): string => `tenant-${(asked += 1)}`;
    const known = open(serving({ structuredContent: { sum: 3 }, content: [] }), { tenant });
    await known.session.request(call(), here);
    expect([asked, known.heard.map(({ method }) => method)]).toEqual([1, ["tools/list", "tools/call"]]);
    const broken = (): never => {
      throw new Error("the directory is down");
    };
    for (const options of [{ tenant: broken }, { tiers: { of: broken, limits: {} } }] as ContractOptions[]) {
      const unknown = open(serving({ structuredContent: { sum: 3 }, content: [] }), options);
      expect(await unknown.session.request(call(), here)).toMatchObject({ result: { isError: true } });
      expect(unknown.heard).toEqual([]);
    }
  });

  it("has nothing of the contract in _meta but its mark in minimal, and no notes of a contract behind", async () => {
    const behind = { "waybill/contract": { dialect: "plain" }, "waybill/notes": { request_id: "req_9" } };
    const sent = { structuredContent: { sum: 3 }, content: [], _meta: { "x/y": 1, ...behind } };
    const metaIn = async (profile: string): Promise<unknown> => {
      const { session } = open(serving(sent), { profile });
      return ((await session.request(call(), here)) as { result: JsonObject }).result["_meta"];
    };
    expect(await metaIn("minimal")).toEqual({ "x/y": 1, "waybill/contract": "response-v2" });
    expect(await metaIn("standard")).toMatchObject({
      "x/y": 1,
      "waybill/contract": { dialect: "response-v2", profile: "standard" },
      "waybill/notes": { request_id: "req_1" },
    });
  });

  it("finds the fault behind the message that an SDK kept of it", async () => {
    const serve: Serve = (message, session) => {
      if (message["method"] === "tools/list") return void session.response(reply(message, { tools: [add] }));
      const fault = new ToolFault("Spec not found: login", { errorCode: "SPEC_NOT_FOUND" });
      return void session.response(reply(message, said(`MCP error: ${fault.message}`, { isError: true })));
    };
    expect(await envelopeOf(serve)).toMatchObject({
      success: false,
      error: "Spec not found: login",
      data: { error_code: "SPEC_NOT_FOUND", error_type: "not_found" },
    });
  });

  it("takes no fault that was caught and not thrown", async () => {
    const serve: Serve = (message, session) => {
      if (message["method"] === "tools/list") return void session.response(reply(message, { tools: [add] }));
      const caught = new ToolFault("First try failed", { errorCode: "TIMEOUT" });
      return void session.response(reply(message, said(`Nothing worked: ${caught.code}`, { isError: true })));
    };
    expect(await envelopeOf(serve)).toMatchObject({ data: { error_code: "OPERATION_FAILED" } });
  });

  it("makes an envelope of a JSON-RPC error that speaks of the tool, and names the type of a modern result", async () => {
    const serve: Serve = (message, session) => {
      if (message["method"] === "tools/list") return void session.response(reply(message, { tools: [add] }));
      const error = { code: -32603, message: "Full" };
      return void session.response({ jsonrpc: "2.0", id: message["id"] ?? null, error });
    };
    const { session } = open(serve);
    const modern = call("add", 1, { "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    const answer = (await session.request(modern, here)) as JsonObject;
    expect(answer).not.toHaveProperty("error");
    expect(answer).toMatchObject({ result: { resultType: "complete", isError: true } });
  });

  it("calls a tool that a v1 server does not have NOT_FOUND", async () => {
    const text = "MCP error -32602: Tool nope not found";
    expect(await envelopeOf(serving(said(text, { isError: true })))).toMatchObject({
      error: "Tool not found: nope",
      data: { error_code: "NOT_FOUND", details: { resource_type: "tool", resource_id: "nope" } },
    });
  });

  it.each([
    ["an error of the protocol", { error: { code: -32601, message: "Method not found" } }],
    ["a request for input", { result: { resultType: "input_required", inputRequests: {} } }],
    ["a task", { result: { task: { taskId: "t", status: "working" } } }],
    ["a result of 2024", { result: { toolResult: 1 } }],
  ])("passes %s on at once, as it is", async (_, body) => {
    const sent: unknown[] = [];
    const { session } = open((message, own) => {
      if (message["method"] === "tools/list") void own.response(reply(message, { tools: [add] }));
      else sent.push(own.response({ jsonrpc: "2.0", id: message["id"] ?? null, ...body }));
    });
    await session.request({ jsonrpc: "2.0", id: 9, method: "tools/list", params: {} }, here);
    void session.response(reply({ id: 9 }, { tools: [add] }));
    const answered = session.request(call(), here);
    expect(sent).toEqual([{ jsonrpc: "2.0", id: 1, ...body }]);
    expect(await answered).toBeUndefined();
  });

  it("reaches the server while the client's message is still being delivered, once the tools are known", () => {
    const { session, heard } = open(() => undefined);
    void session.request({ jsonrpc: "2.0", id: 9, method: "tools/list", params: {} }, here);
    void session.response(reply({ id: 9 }, { tools: [add] }));
    void session.request(call(), here);
    expect(heard.map(({ method }) => method)).toEqual(["tools/call"]);
  });
});

describe("a call before any list", () => {
  it("makes the session ask for all pages, with the call's own _meta and an id of ours", async () => {
    const pages: readonly JsonObject[] = [
      { tools: [{ ...add, name: "other" }], nextCursor: "2" },
      { tools: [add] },
    ];
    const { session, heard } = open((message, own) => {
      if (message["method"] === "tools/call")
        return void own.response(reply(message, { content: [], structuredContent: { sum: 1 } }));
      const { cursor } = message["params"] as { cursor?: string };
      return void own.response(reply(message, (cursor === undefined ? pages[0] : pages[1]) ?? {}));
    });
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", progressToken: 5 };
    await session.request(call("add", 1, meta), here);
    const { progressToken: _, ...kept } = meta;
    expect(heard.map(({ method, params }) => [method, params])).toMatchObject([
      ["tools/list", { _meta: kept }],
      ["tools/list", { _meta: kept, cursor: "2" }],
      ["tools/call", { name: "add" }],
    ]);
    expect(heard[0]?.["params"]).not.toHaveProperty("_meta.progressToken");
    expect(heard[0]?.["id"]).not.toBe(1);
    await session.request(call("add", 2), here);
    expect(heard).toHaveLength(4);
  });

  it("goes on without a schema when the server does not list", async () => {
    const { session } = open((message, own) => {
      const error = { code: -32601, message: "Method not found" };
      if (message["method"] === "tools/list")
        return void own.response({ jsonrpc: "2.0", id: message["id"] ?? null, error });
      return void own.response(reply(message, said("fine")));
    });
    expect(await session.request(call(), here)).toMatchObject({
      result: { structuredContent: { success: true, data: { result: "fine" } } },
    });
  });
});

describe("a list", () => {
  async function listed(tools: readonly JsonObject[], options: ContractOptions = {}): Promise<JsonObject> {
    const { session } = open(() => undefined, { budget: { tokens: "off" }, ...options });
    void session.request({ jsonrpc: "2.0", id: 9, method: "tools/list", params: {} }, here);
    const more = { ttlMs: 0, cacheScope: "private", resultType: "complete" };
    return (await session.response(reply({ id: 9 }, { tools, ...more }))) as JsonObject;
  }

  it("puts the envelope around each output schema, and changes nothing else", async () => {
    const tool = { ...add, _meta: { "com.example/x": 1 } };
    expect((await listed([tool]))["result"]).toEqual({
      tools: [{ ...tool, outputSchema: advertiseOutput(outputSchema, { dialects: ["response-v2"] }) }],
      ttlMs: 0,
      cacheScope: "private",
      resultType: "complete",
    });
  });

  it.each([
    ["of its own", { ...add, outputSchema: undefined }, {}],
    ["where results come as text alone", add, { delivery: "text" }],
    ["in a dialect that sends no structure", add, { dialect: "drf" }],
  ] as const)("has no output schema for a tool without one %s", async (_, tool, options) => {
    const { tools } = (await listed([tool as JsonObject], options))["result"] as { tools: JsonObject[] };
    expect(tools[0]).not.toHaveProperty("outputSchema");
  });

  it("leaves a schema that is an envelope's already", async () => {
    const enveloped = { ...add, outputSchema: advertiseOutput(outputSchema, { dialects: ["response-v2"] }) };
    expect((await listed([enveloped as JsonObject]))["result"]).toMatchObject({ tools: [enveloped] });
  });

  it("passes what is no tool untouched", async () => {
    const odd = [null, "x", { name: 5 }] as unknown as JsonObject[];
    expect((await listed(odd))["result"]).toMatchObject({ tools: odd });
  });

  it("stays as it is when it is an error", async () => {
    const { session } = open(() => undefined);
    void session.request({ jsonrpc: "2.0", id: 9, method: "tools/list", params: {} }, here);
    const response = { jsonrpc: "2.0", id: 9, error: { code: -32603, message: "x" } };
    expect(session.response(response)).toBe(response);
  });
});

describe("a server whose tools change", () => {
  it("is asked for its list again by the next call after it said so", async () => {
    const { session, heard } = open(serving({ structuredContent: { sum: 3 }, content: [] }));
    const lists = (): number => heard.filter(({ method }) => method === "tools/list").length;
    await session.request(call(), here);
    await session.request(call("add", 2), here);
    expect(lists()).toBe(1);
    void session.told({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }, here);
    await session.request(call("add", 3), here);
    expect(lists()).toBe(2);
  });
});

describe("time and cancellation", () => {
  const slow: Serve = (message, session) => {
    if (message["method"] === "tools/list") void session.response(reply(message, { tools: [add] }));
  };

  it("answers TIMEOUT, tells the server, and drops its late answer", async () => {
    const { session, heard } = open(slow, { toolSettings: { add: { timeoutMs: 5 } } });
    expect(await session.request(call(), here)).toMatchObject({
      id: 1,
      result: { isError: true, structuredContent: { data: { error_code: "TIMEOUT" } } },
    });
    expect(heard.at(-1)).toMatchObject({
      method: "notifications/cancelled",
      // What the SDK gives its handler as the reason of the signal.
      params: { requestId: 1, reason: expect.stringMatching(/5 ms/) as string },
    });
    expect(session.response(reply({ id: 1 }, said("late")))).toBeUndefined();
  });

  it("gives a cancelled call no answer, and its server's late one neither", async () => {
    const { session, heard } = open(slow);
    const answered = session.request(call(), here);
    await new Promise((resolve) => setImmediate(resolve));
    session.notified({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect(await answered).toBeUndefined();
    expect(session.response(reply({ id: 1 }, said("late")))).toBeUndefined();
    expect(heard.map(({ method }) => method)).toEqual(["tools/list", "tools/call"]);
  });

  it("lets a shared answer outlive the caller that asked first", async () => {
    let asked: JsonObject | undefined;
    const { session } = open(
      (message, own) => {
        if (message["method"] === "tools/list") void own.response(reply(message, { tools: [add] }));
        if (message["method"] === "tools/call") asked = message;
      },
      { toolSettings: { add: { cache: { ttlMs: 10_000 } } } },
    );
    const first = session.request(call("add", 1), here);
    const second = session.request(call("add", 2), here);
    await new Promise((resolve) => setImmediate(resolve));
    session.notified({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect(session.clientIdOf(asked?.["id"])).toBe(1);
    expect(
      session.response(reply(asked ?? {}, { content: [], structuredContent: { sum: 4 } })),
    ).toBeUndefined();
    expect(await first).toBeUndefined();
    expect(await second).toMatchObject({ id: 2, result: { structuredContent: { data: { sum: 4 } } } });
  });

  it("answers calls that wait when the connection closes", async () => {
    const { session } = open(slow);
    const answered = session.request(call(), here);
    await new Promise((resolve) => setImmediate(resolve));
    void session.closed();
    expect(await answered).toMatchObject({
      result: { structuredContent: { data: { error_code: "UNAVAILABLE" } } },
    });
  });

  it.runIf(isFullRun)(
    "refuses a call beyond the bound as UNAVAILABLE, without telling the server",
    async () => {
      const { session, heard } = open(slow);
      void session.request({ jsonrpc: "2.0", id: "l", method: "tools/list", params: {} }, here);
      void session.response(reply({ id: "l" }, { tools: [add] }));
      for (let id = 0; id < 10_000; id++) void session.request(call("add", id), here);
      const before = heard.length;
      expect(await session.request(call("add", "one more"), here)).toMatchObject({
        result: { structuredContent: { data: { error_code: "UNAVAILABLE" } } },
      });
      expect(heard).toHaveLength(before);
      void session.closed();
    },
  );
});

describe("a task", () => {
  const answer = said("Done");

  it.each([
    ["tasks/get", { taskId: "t", status: "completed", result: answer }, "result.result"],
    ["tasks/result", answer, "result"],
  ])("has its result enveloped in %s", async (method, result, path) => {
    const { session } = open(() => undefined);
    void session.request({ jsonrpc: "2.0", id: 3, method, params: { taskId: "t" } }, here);
    const changed = await session.response(reply({ id: 3 }, result));
    expect(changed).toHaveProperty(`${path}.structuredContent.data`, { result: "Done" });
  });

  it.each([
    ["that still works", { taskId: "t", status: "working" }],
    ["that failed", { taskId: "t", status: "failed", error: { code: -32603, message: "x" } }],
    ["that holds no tool result", { taskId: "t", status: "completed", result: { other: 1 } }],
  ])("%s passes untouched", async (_, result) => {
    const { session } = open(() => undefined);
    void session.request({ jsonrpc: "2.0", id: 3, method: "tasks/get", params: { taskId: "t" } }, here);
    const response = reply({ id: 3 }, result);
    expect(await session.response(response)).toBe(response);
  });
});
