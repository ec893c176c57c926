import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { answersOf, bridgeTo, call, serving } from "./bridge.fixture.ts";
import { turns, until } from "../../../engine/transport/until.fixture.ts";

describe("what the contract does not touch", () => {
  it("passes as its bytes in both directions", async () => {
    const lines = {
      request: '{ "jsonrpc":"2.0", "id":12345678901234567890, "method":"prompts/list", "params":{"n":1.0} }',
      answer: '{"result" : {"n":1.50} ,"jsonrpc":"2.0","id":12345678901234567890}',
      notification: '{"method":"notifications/progress","params":{"progress":1.0}}',
      serverAsks: '{"jsonrpc":"2.0","id":1,"method":"roots/list"}',
      clientAnswers: '{ "jsonrpc":"2.0","id":1,"result":{"roots":[]} }',
    };
    const { client, server } = bridgeTo(({ method }) =>
      method === "prompts/list" ? lines.answer : undefined,
    );
    client.send(lines.request);
    server.send(lines.notification);
    server.send(lines.serverAsks);
    client.send(lines.clientAnswers);
    await until(() => client.heardRaw.length === 3 && server.heardRaw.length === 2);
    expect(server.heardRaw).toEqual([lines.request, lines.clientAnswers]);
    expect([...client.heardRaw].sort()).toEqual([lines.answer, lines.notification, lines.serverAsks].sort());
  });

  it("keeps the client's own text of an id where a server writes the number in another way", async () => {
    const { client } = bridgeTo(() => '{"jsonrpc":"2.0","id":1,"result":{}}');
    client.send('{"jsonrpc":"2.0","id":1.0,"method":"ping"}');
    await until(() => client.heardRaw.length === 1);
    expect(client.heardRaw[0]).toBe('{"jsonrpc":"2.0","id":1.0,"result":{}}');
  });
});

describe("a request that its server does not answer", () => {
  it("ends with an error when its time is over, and its late answer is dropped", async () => {
    const { client, server, notes } = bridgeTo(() => undefined, {}, { requestTimeoutMs: 20 });
    client.send('{"jsonrpc":"2.0","id":1.0,"method":"tools/list"}');
    await until(() => client.heardRaw.length === 1);
    expect(client.heard).toMatchObject([{ id: 1, error: { code: -32000, data: { error_code: "TIMEOUT" } } }]);
    expect(client.heardRaw[0]).toContain('"id":1.0,');
    await until(() => server.heard.length === 2);
    expect(server.heard[1]).toMatchObject({ method: "notifications/cancelled", params: { requestId: 1 } });
    server.send('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}');
    await until(() => notes.length === 1);
    expect(client.heardRaw).toHaveLength(1);
  });

  it("is waited for where it waits for what may come at any time, and a greeting is not cancelled", async () => {
    const { client, server } = bridgeTo(() => undefined, {}, { requestTimeoutMs: 20 });
    client.send('{"jsonrpc":"2.0","id":1,"method":"tasks/result","params":{"taskId":"t"}}');
    client.send('{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen"}');
    client.send('{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}');
    await until(() => client.heard.length === 1);
    expect(client.heard).toMatchObject([{ id: 3, error: {} }]);
    await turns();
    expect(server.heard).toHaveLength(3);
  });
});

describe("a tool call", () => {
  it("reaches the server as its bytes, and its result leaves under the contract and the client's id", async () => {
    const { client, server } = bridgeTo(serving('{"content":[{"type":"text","text":"3"}]}'), {
      dialect: "response-v2",
    });
    client.send(call("12345678901234567890"));
    await until(() => client.heard.length === 1);
    expect(server.heardRaw.at(-1)).toBe(call("12345678901234567890"));
    expect(client.heardRaw[0]).toMatch(/^\{"jsonrpc":"2\.0","id":12345678901234567890,"result":\{/);
    expect(client.heard[0]).toMatchObject({
      result: { structuredContent: { success: true, data: { result: "3" } } },
    });
  });

  it("keeps the text of what the server said in _meta", async () => {
    const { client } = bridgeTo(
      serving('{"content":[],"_meta":{"a/n":12345678901234567890,"a/s":"x","a/f":1.0}}'),
      { dialect: "response-v2" },
    );
    client.send(call("1"));
    await until(() => client.heard.length === 1);
    expect(client.heardRaw[0]).toContain('"a/n":12345678901234567890,"a/s":"x","a/f":1.0,');
    expect(client.heard[0]).toHaveProperty(["result", "_meta", "waybill/contract"]);
  });

  it("that the server refuses by the protocol has the server's own bytes as its answer", async () => {
    const refused =
      '{"jsonrpc":"2.0","id":5, "error":{"code":-32602,"message":"Unknown tool: add","data":1.0}}';
    const { client } = bridgeTo((message, raw) =>
      message["method"] === "tools/call" ? refused : serving("{}")(message, raw),
    );
    client.send(call("5"));
    await until(() => client.heard.length === 1);
    expect(client.heardRaw).toEqual([refused]);
  });
});

describe("under the dialect auto", () => {
  const result =
    '{ "content":[{"type":"text","text":"\\u0041 fine"}], "x":1.0,"_meta":{"a/n":12345678901234567890} }';

  it("a success that fits leaves as the server's own bytes", async () => {
    const { client, server } = bridgeTo(serving(result), { dialect: "auto" });
    client.send(call("12345678901234567890"));
    client.send(call('"a"'));
    await until(() => client.heardRaw.length === 2);
    expect(new Set(client.heardRaw)).toEqual(
      new Set(["12345678901234567890", '"a"'].map((id) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`)),
    );
    expect(server.heardRaw.slice(1)).toEqual([call("12345678901234567890"), call('"a"')]);
  });

  it("two calls under one id keep their bytes but for the id that the server was given", async () => {
    const { client, server } = bridgeTo(serving(result), { dialect: "auto" });
    client.send(call("7"));
    client.send(call("7"));
    await until(() => client.heardRaw.length === 2);
    const whole = `{"jsonrpc":"2.0","id":7,"result":${result}}`;
    expect(client.heardRaw).toEqual([whole, whole]);
    expect(new Set(server.heard.map((message) => (message as JsonObject)["id"])).size).toBe(3);
  });

  it("a list_changed of the server makes the next call ask for the list again", async () => {
    const { client, server } = bridgeTo(serving(result), { dialect: "auto" });
    const lists = () => answersOf(server.heard).filter(({ method }) => method === "tools/list").length;
    client.send(call("1"));
    await until(() => client.heard.length === 1);
    server.send('{"method":"notifications/tools/list_changed","jsonrpc":"2.0"}');
    await until(() => client.heard.length === 2);
    client.send(call("2"));
    await until(() => client.heard.length === 3);
    expect(lists()).toBe(2);
  });
});

describe("a task", () => {
  const notice = (result: string): string =>
    `{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"t","status":"completed","n":1.0,"result":${result}}}`;

  it("whose result is told has it put under the contract, or left as it was said", async () => {
    const { client, server } = bridgeTo(() => undefined, { dialect: "auto" });
    const fine = notice('{"resultType":"complete","content":[{"type":"text","text":"fine"}]}');
    server.send(fine);
    server.send(
      notice(
        '{"resultType":"complete","isError":true,"content":[{"type":"text","text":"ENOENT: no such file"}]}',
      ),
    );
    await until(() => client.heardRaw.length === 2);
    expect(client.heardRaw[0]).toBe(fine);
    expect(client.heard[1]).toMatchObject({
      method: "notifications/tasks",
      params: {
        taskId: "t",
        status: "completed",
        result: { isError: true, _meta: expect.anything() as unknown },
      },
    });
  });
});

describe("what is no message", () => {
  it("of the client gets its JSON-RPC error", async () => {
    const { client, server } = bridgeTo(() => undefined);
    for (const line of ["{", "[]", '{"jsonrpc":"2.0","id":9}']) client.send(line);
    await until(() => client.heard.length === 3);
    expect(answersOf(client.heard).map(({ id, error }) => [id, (error as JsonObject)["code"]])).toEqual([
      [null, -32700],
      [null, -32600],
      [9, -32600],
    ]);
    expect(server.heard).toEqual([]);
  });

  it("of the server is dropped and noted, and the answer behind it arrives", async () => {
    const { client, server, notes } = bridgeTo((message) => {
      server.send("Listening on stdio");
      server.send('{"jsonrpc":"2.0","id":1,"res');
      server.send('"text"');
      return { jsonrpc: "2.0", id: message["id"] ?? null, result: {} };
    });
    client.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    await until(() => client.heard.length === 1);
    expect(client.heard).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
    expect(notes).toHaveLength(3);
  });

  it("answers each request of a batch that a server of 2025-03-26 sends", async () => {
    const { client, server } = bridgeTo(() => undefined);
    client.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    client.send('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    await until(() => server.heard.length === 2);
    server.send('[{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]');
    await until(() => client.heard.length === 2);
    expect(answersOf(client.heard).map(({ id }) => id)).toEqual([2, 1]);
  });
});

describe("answers", () => {
  it("that no caller waits for are dropped: a second one, and one to an unknown id", async () => {
    const { client, server, notes } = bridgeTo(serving('{"content":[]}'));
    client.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    client.send(call("2"));
    await until(() => server.heard.length === 3);
    for (const id of [1, 1, 2, 2, 99]) server.send(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    await until(() => client.heard.length >= 2);
    await turns();
    expect(new Set(answersOf(client.heard).map(({ id }) => id))).toEqual(new Set([1, 2]));
    expect(client.heard).toHaveLength(2);
    expect(notes.length).toBeGreaterThanOrEqual(2);
  });

  it("to one id used for two requests at once go to the first; the second is refused", async () => {
    const { client, server } = bridgeTo(() => undefined);
    client.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    client.send('{"jsonrpc":"2.0","id":1,"method":"prompts/list"}');
    await until(() => server.heard.length === 1 && client.heard.length === 1);
    expect(client.heard[0]).toMatchObject({ id: 1, error: { code: -32600 } });
  });

  it("over the client's limit become an error of the protocol", async () => {
    const { client } = bridgeTo(
      () => ({ jsonrpc: "2.0", id: 1, result: { t: "x".repeat(2_000) } }),
      {},
      {
        maxReplyBytes: 1_000,
      },
    );
    client.send('{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}');
    await until(() => client.heard.length === 1);
    expect(client.heard[0]).toMatchObject({ id: 1, error: { data: { error_code: "TOO_LARGE" } } });
  });
});

describe("a line that is too long to be read", () => {
  it("is answered TOO_LARGE where it answered a tool call, by an error elsewhere", async () => {
    const { client, server } = bridgeTo((message, raw) =>
      message["method"] === "tools/list" ? serving("{}")(message, raw) : undefined,
    );
    client.send(call("1"));
    client.send('{"jsonrpc":"2.0","id":"r","method":"resources/read","params":{}}');
    await until(() => server.heard.length === 3);
    server.sendOversized({ bytes: 200_000_000, rawId: "1", isResponse: true });
    server.sendOversized({ bytes: 200_000_000, rawId: '"r"', isResponse: true });
    await until(() => client.heard.length === 2);
    const byId = new Map(answersOf(client.heard).map((each) => [each["id"], each]));
    expect(byId.get(1)).toMatchObject({
      result: { isError: true, structuredContent: { data: { error_code: "TOO_LARGE" } } },
    });
    expect(byId.get("r")).toMatchObject({ error: { data: { error_code: "TOO_LARGE" } } });
  });

  it("and does not show whose answer it was is taken for that of the only one who waits", async () => {
    const { client, server } = bridgeTo(() => undefined);
    const lost = { bytes: 200_000_000, rawId: undefined, isResponse: true };
    client.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    client.send('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    await until(() => server.heard.length === 2);
    server.sendOversized(lost);
    await turns();
    expect(client.heard).toEqual([]);
    server.send('{"jsonrpc":"2.0","id":1,"result":{}}');
    server.sendOversized(lost);
    await until(() => client.heard.length === 2);
    expect(client.heard[1]).toMatchObject({ id: 2, error: { data: { error_code: "TOO_LARGE" } } });
  });

  it("of the client is refused under its id", async () => {
    const { client } = bridgeTo(() => undefined);
    client.sendOversized({ bytes: 200_000_000, rawId: "4", isResponse: false });
    await until(() => client.heard.length === 1);
    expect(client.heard[0]).toMatchObject({ id: 4, error: { data: { error_code: "TOO_LARGE" } } });
  });
});
