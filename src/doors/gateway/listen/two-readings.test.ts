import { afterEach, describe, expect, it } from "vitest";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { bridgeTo } from "../bridge/bridge.fixture.ts";
import { memoryUpstream, openGateway } from "../bridge/http-gateway.fixture.ts";
import { serveProxy } from "../reverse-proxy/proxy-http.fixture.ts";
import { greeting, modern, send } from "../bridge/raw-http.fixture.ts";

const opened: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

function answerOf({ id, method, params }: JsonObject): JsonObject | undefined {
  if (id === undefined || method === undefined) return undefined;
  const result =
    method === "initialize" && isJsonObject(params)
      ? {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "s", version: "1" },
        }
      : {
          content: [{ type: "text", text: "ran" }],
          tools: [{ name: "read", inputSchema: { type: "object" } }],
        };
  return { jsonrpc: "2.0", id, result };
}

/** A door of the gateway with a server behind it; `post` gives the answer to a body, `ran` what reached the server. */
interface Door {
  readonly post: (
    body: string | Buffer,
  ) => Promise<{ readonly status: number | undefined; readonly answer: unknown }>;
  readonly ran: () => readonly string[];
}

const hide = ["secret"];
const callsIn = (bodies: readonly string[]): string[] => bodies.filter((body) => /tools\/call/i.test(body));

async function commandDoor(): Promise<Door> {
  const heard: string[] = [];
  const upstream = memoryUpstream((end) =>
    end.listen({
      message: (bytes) => {
        heard.push(bytes.toString("latin1"));
        const answer = answerOf(JSON.parse(bytes.toString()) as JsonObject);
        if (answer !== undefined) end.send(JSON.stringify(answer));
      },
      oversized: () => undefined,
      closed: () => undefined,
    }),
  );
  const gateway = await openGateway(upstream, { command: { hide } });
  opened.push(gateway.close);
  const hello = await send(gateway.url, { body: JSON.stringify(greeting) });
  const session = { "mcp-session-id": String(hello.headers["mcp-session-id"]) };
  return {
    post: async (body) => {
      const { status, body: text } = await send(gateway.url, { body, headers: session });
      return { status, answer: text === "" ? undefined : JSON.parse(text) };
    },
    ran: () => callsIn(heard),
  };
}

async function urlDoor(): Promise<Door> {
  const server = await serveRaw(({ json }, response) => {
    const answer = answerOf(json as JsonObject);
    response.writeHead(answer === undefined ? 202 : 200, { "content-type": "application/json" });
    response.end(answer === undefined ? undefined : JSON.stringify(answer));
  });
  opened.push(server.close);
  const { url } = await serveProxy({ url: server.url, hide });
  return {
    post: async (body) => {
      const { status, body: text } = await send(new URL(url), { body });
      return { status, answer: text === "" ? undefined : JSON.parse(text) };
    },
    ran: () => callsIn(server.heard.map(({ body }) => body)),
  };
}

async function stdioDoor(): Promise<Door> {
  const heard: string[] = [];
  const { client, bridge } = bridgeTo(
    (message, raw) => {
      heard.push(raw);
      return answerOf(message);
    },
    {},
    { hide },
  );
  opened.push(() => bridge.close());
  return {
    post: async (body) => {
      const before = client.heard.length;
      client.send(body);
      await expect.poll(() => client.heard.length).toBeGreaterThan(before);
      return { status: undefined, answer: client.heard.at(-1) };
    },
    ran: () => callsIn(heard),
  };
}

const call = (params: string, rest = ""): string =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{${params}}${rest}}`;

describe.each([
  ["HTTP in front of a command", commandDoor],
  ["HTTP in front of a URL", urlDoor],
  ["stdio", stdioDoor],
] as const)("over %s", (_name, open) => {
  it("refuses what two readers would read in two ways, by the name of the key, and the server sees nothing", async () => {
    const { post, ran } = await open();
    const bodies: readonly (readonly [string, number, unknown, string])[] = [
      [call('"name":"read","Name":"secret"'), -32602, 7, 'params has the key "Name"'],
      [call('"name":"secret","name":"read"'), -32602, 7, 'params has the key "name" twice'],
      [call('"NAME":"secret"'), -32602, 7, 'params has the key "NAME"'],
      [call('"name":"read","arguments":{},"argumentſ":{}'), -32602, 7, "argumentſ"],
      [call('"name":"read","arguments":{"a":1,"a":2}'), -32602, 7, 'params.arguments has the key "a" twice'],
      [call('"name":"read","_meta":{"k":1,"k":2}'), -32602, 7, 'params._meta has the key "k" twice'],
      [call('"name":"read"', ',"Method":"ping"'), -32600, 7, 'the message has the key "Method"'],
      [call('"name":"secret"', ',"method":"ping"'), -32600, 7, 'the message has the key "method" twice'],
      [
        call('"name":"read"', ',"params":{"name":"read"}'),
        -32600,
        7,
        'the message has the key "params" twice',
      ],
      [call('"name":"read"', ',"id":8'), -32600, null, 'the message has the key "id" twice'],
      [call('"name":"read"', ',"ID":8'), -32600, null, 'the message has the key "ID"'],
      [
        '{"jsonrpc":"2.0","id":7,"result":{},"Method":"tools/call","Params":{"name":"secret"}}',
        -32600,
        null,
        'the message has the key "Method"',
      ],
    ];
    for (const [body, code, id, words] of bodies) {
      const { status, answer } = await post(body);
      expect({ body, status, answer }).toMatchObject({
        answer: { id, error: { code, message: expect.stringContaining(words) as string } },
      });
      expect([400, undefined]).toContain(status);
    }
    expect(ran()).toEqual([]);
  });

  it("refuses a call without an id, which a server might run all the same", async () => {
    const { post, ran } = await open();
    const body = '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"secret"}}';
    expect(await post(body)).toMatchObject({
      answer: { id: null, error: { code: -32600, message: "Invalid Request: tools/call needs an id." } },
    });
    expect(ran()).toEqual([]);
  });

  it("refuses a name that is no string, which some servers make one of", async () => {
    const { post, ran } = await open();
    for (const name of ['["secret"]', '{"toString":"secret"}', "7", "null", "true"])
      expect(await post(call(`"name":${name},"arguments":{}`))).toMatchObject({
        answer: { id: 7, error: { code: -32602, message: "Invalid params: params.name must be a string." } },
      });
    expect(await post(call('"arguments":{}'))).toMatchObject({ answer: { id: 7, error: { code: -32602 } } });
    for (const [method, params] of [
      ["prompts/get", '{"name":["a"]}'],
      ["resources/read", '{"uri":["file:///a"]}'],
    ])
      expect(await post(`{"jsonrpc":"2.0","id":7,"method":"${method}","params":${params}}`)).toMatchObject({
        answer: { id: 7, error: { code: -32602 } },
      });
    expect(ran()).toEqual([]);
  });

  it("refuses bytes that are no UTF-8", async () => {
    const { post, ran } = await open();
    const body = Buffer.from(call('"name":"read","arguments":{"a":"\xff"}'), "latin1");
    expect(await post(body)).toMatchObject({ answer: { id: null, error: { code: -32700 } } });
    expect(ran()).toEqual([]);
  });

  it("takes keys of a tool's own that differ by case, as the bytes that they are", async () => {
    const { post, ran } = await open();
    const body = call('"name":"read","arguments":{"path":1,"Path":{"path":2}},"_meta":{"a":1,"A":2}');
    const { answer } = await post(body);
    expect(answer).toMatchObject({ id: 7, result: {} });
    expect(JSON.stringify(answer)).toContain("ran");
    expect(ran()).toEqual([body]);
  });
});

describe("over HTTP in front of a command", () => {
  it("refuses raw control characters that end lines for some: they are no JSON", async () => {
    const { post, ran } = await commandDoor();
    for (const character of ["\v", "\f", "\u001C", "\u001D", "\u001E"])
      for (const body of [
        call(`"name":"read",${character}"arguments":{}`),
        call(`"name":"re${character}ad"`),
      ])
        expect(await post(body)).toMatchObject({ status: 400, answer: { error: { code: -32700 } } });
    expect(ran()).toEqual([]);
  });

  it("refuses keys of the modern era, and those of a batch", async () => {
    const { post, ran } = await commandDoor();
    const gateway = await openGateway(
      memoryUpstream(() => undefined),
      { command: { hide } },
    );
    opened.push(gateway.close);
    const { headers, body } = modern("tools/call", { name: "read", arguments: {}, Name: "secret" });
    const refused = await send(gateway.url, { headers, body });
    expect(refused).toMatchObject({ status: 400, body: expect.stringContaining("-32602") as string });
    for (const params of ['"name":"read","Name":"secret"', '"name":["secret"]'])
      expect(await post(`[${call(params)}]`)).toMatchObject({
        status: 400,
        answer: { error: { code: -32602 } },
      });
    expect(ran()).toEqual([]);
  });
});

describe("a byte order mark", () => {
  // On stdio it is left out where lines are read.
  it.each([
    ["a command", commandDoor],
    ["a URL", urlDoor],
  ] as const)("before a message over HTTP in front of %s is left out", async (_name, open) => {
    const { post, ran } = await open();
    const body = call('"name":"read","arguments":{}');
    expect((await post(`\uFEFF${body}`)).answer).toMatchObject({ id: 7, result: {} });
    expect(ran()).toEqual([body]);
  });
});
