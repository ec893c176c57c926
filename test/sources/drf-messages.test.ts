import { PassThrough } from "node:stream";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { validateMessage } from "../../src/index.ts";
import { type ServeOptions, defineTool, serve } from "../../src/doors/server/index.ts";

const list = defineTool("customers_list", { description: "All customers" }, () => []);

const options: ServeOptions = {
  name: "customers",
  version: "0.1.0",
  tools: [list],
  dialect: "drf",
  config: false,
  logLevel: "silent",
};

type Ask = (body: string) => Promise<unknown>;

/** A server on streams of its own: a line in, a line out. */
async function overStdio(extra: Partial<ServeOptions> = {}): Promise<Ask> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const served = await serve({ ...options, ...extra, stdio: { stdin, stdout } });
  onTestFinished(() => served.close());
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return async (body) => {
    stdin.write(`${body}\n`);
    return JSON.parse((await lines.next()).value as string) as unknown;
  };
}

/** A server on loopback, and a client that takes whatever comes, as curl and the clients of the source do. */
async function overHttp(extra: Partial<ServeOptions> = {}): Promise<Ask> {
  const served = await serve({ ...options, ...extra, http: { port: 0 } });
  onTestFinished(() => served.close());
  return async (body) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(served.url ?? "", { method: "POST", headers, body });
    expect(response.headers.get("content-type")).toBe("application/json");
    return response.json();
  };
}

const ways = [
  ["stdio", overStdio],
  ["HTTP", overHttp],
] as const;

const request = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const greeting = request("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "reader", version: "1.0.0" },
});
const announcing = (capabilities: object) => ({
  jsonrpc: "2.0",
  id: 1,
  result: {
    protocolVersion: "2025-06-18",
    capabilities,
    serverInfo: { name: "customers", version: "0.1.0" },
  },
});

describe.each(ways)("the messages of source 003 over %s", (_, open) => {
  // shows 003.24, 003.25, 003.26
  it("initialize is answered as printed, where nothing is kept", async () => {
    const ask = await open({ store: false });
    const answer = await ask(JSON.stringify(greeting));
    expect(answer).toEqual(announcing({ tools: {} }));
    expect(validateMessage(answer, { request: greeting }).valid).toBe(true);
  });

  // shows 003.27
  it("tools/list is answered as printed, where nothing is kept", async () => {
    const ask = await open({ store: false });
    await ask(JSON.stringify(greeting));
    expect(await ask(JSON.stringify(request("tools/list")))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        tools: [
          {
            name: "customers_list",
            description: "All customers",
            inputSchema: { type: "object", properties: {} },
          },
        ],
      },
    });
  });

  // shows 003.25, 003.27
  it("where cut content is kept, the archive is announced as resources and one tool is added, nothing else", async () => {
    const ask = await open();
    expect(await ask(JSON.stringify(greeting))).toEqual(announcing({ tools: {}, resources: {} }));
    const answer = (await ask(JSON.stringify(request("tools/list")))) as {
      result: { tools: readonly { name: string }[] };
    };
    expect(answer.result.tools.map(({ name }) => name)).toEqual(["customers_list", "waybill_retrieve"]);
  });

  // shows 003.38
  it("a tool's response is in result, on the wire", async () => {
    const ask = await open();
    await ask(JSON.stringify(greeting));
    const call = request("tools/call", { name: "customers_list", arguments: {} });
    const answer = await ask(JSON.stringify(call));
    expect(answer).toMatchObject({
      jsonrpc: "2.0",
      id: 1,
      result: { content: [{ type: "text", text: "[]" }] },
    });
    expect(validateMessage(answer, { request: call, method: "tools/call" }).valid).toBe(true);
  });

  // shows 003.9, 003.11
  it("what is no JSON gets -32700, exactly Parse error, and a null id", async () => {
    const ask = await open();
    const answer = await ask('{"jsonrpc": "2.0", "method":');
    expect(answer).toEqual({ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" }, id: null });
    expect(validateMessage(answer).valid).toBe(true);
  });

  // shows 003.12
  it("an unknown method gets -32601 and is named", async () => {
    const ask = await open();
    await ask(JSON.stringify(greeting));
    expect(await ask(JSON.stringify({ ...request("invalid_method"), id: 3 }))).toEqual({
      jsonrpc: "2.0",
      error: { code: -32601, message: "Method not found: invalid_method" },
      id: 3,
    });
  });

  // shows 003.13
  it("a failure of the server itself gets -32603, exactly Internal error, without the exception's text", async () => {
    const tenant = (): never => {
      throw new Error("no password in /etc/customers");
    };
    const ask = await open({ tenant });
    await ask(JSON.stringify(greeting));
    const uri = `waybill://archive/${"0".repeat(64)}`;
    expect(await ask(JSON.stringify(request("resources/read", { uri })))).toEqual({
      jsonrpc: "2.0",
      error: { code: -32603, message: "Internal error" },
      id: 1,
    });
  });

  it("initialize and tools/call without what they need get -32602 in one sentence", async () => {
    const ask = await open();
    expect(await ask(JSON.stringify(request("initialize")))).toEqual({
      jsonrpc: "2.0",
      error: {
        code: -32602,
        message:
          "Invalid params of initialize: protocolVersion is missing, capabilities is missing, clientInfo is missing",
      },
      id: 1,
    });
    await ask(JSON.stringify(greeting));
    expect(await ask(JSON.stringify(request("tools/call")))).toEqual({
      jsonrpc: "2.0",
      error: { code: -32602, message: "Invalid params of tools/call: name is missing" },
      id: 1,
    });
  });
});
