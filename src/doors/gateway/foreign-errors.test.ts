import { describe, expect, it, afterEach } from "vitest";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { until } from "../../engine/transport/until.fixture.ts";
import { bridgeTo } from "./bridge/bridge.fixture.ts";
import { memoryUpstream, openGateway } from "./bridge/http-gateway.fixture.ts";
import { greeting, send } from "./bridge/raw-http.fixture.ts";

const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

/** What leaves for a server's refusal of a call, as text. */
async function passedFor(
  error: string,
  contract: ContractOptions = {},
  largeBytes?: number,
): Promise<string> {
  const { client, bridge } = bridgeTo(
    ({ id, method }) => {
      if (method === "tools/list")
        return { jsonrpc: "2.0", id: id ?? null, result: { tools: [{ name: "any" }] } };
      return method === "tools/call"
        ? `{"jsonrpc":"2.0","id":${JSON.stringify(id)}, "error":${error}}`
        : undefined;
    },
    { dialect: "auto", ...contract },
    { largeBytes },
  );
  client.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"any"}}');
  await until(() => client.heardRaw.length > 0);
  bridge.close();
  return client.heardRaw[0] ?? "";
}

describe("an error of the protocol that refuses a call", () => {
  it.each([
    ["its message", `{"code":-32602,"message":"Unknown tool for ${token}"}`],
    ["its data", `{"code":-32601,"message":"no","data":{"header":{"authorization":"Bearer ${token}"}}}`],
  ])("leaves without the secret in %s, here and from another thread", async (_where, error) => {
    const { code } = JSON.parse(error) as { readonly code: number };
    for (const largeBytes of [undefined, 1]) {
      const passed = await passedFor(error, {}, largeBytes);
      expect(JSON.parse(passed)).toMatchObject({ jsonrpc: "2.0", id: 1, error: { code } });
      expect(passed).not.toContain(token);
      expect(passed).toContain("REDACTED");
    }
  });

  it("keeps its bytes where it has none", async () => {
    const error = '{"code":-32602, "message":"Unknown tool: any","data":{"n":12345678901234567890}}';
    expect(await passedFor(error)).toContain(error);
  });

  it("keeps the address that the client is to open", async () => {
    const url = `https://a.example/sign-in?token=${token}`;
    const error = `{"code":-32042,"message":"Sign in","data":{"elicitations":[{"mode":"url","url":"${url}"}]}}`;
    expect(await passedFor(error)).toContain(url);
  });

  it("keeps everything where masking is off", async () => {
    expect(await passedFor(`{"code":-32602,"message":"${token}"}`, { redact: false })).toContain(token);
  });

  it("loses data that is nested too deep to be looked into", async () => {
    const lists = "[".repeat(2_000) + "]".repeat(2_000);
    const passed = await passedFor(`{"code":-32602,"message":"no","data":["${token}",${lists}]}`);
    expect(passed).toContain('"message":"no"');
    expect(passed).not.toContain(token);
  });
});

const opened: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });

describe("what is thrown while one message is handled", () => {
  it("is an error for the client that sent it, and the next message is served", async () => {
    let isBroken = true;
    const handover = () => {
      if (isBroken) throw new RangeError("Maximum call stack size exceeded");
      return { extra: undefined, sessionId: undefined };
    };
    const { bridge, client, notes } = bridgeTo(
      ({ id }) => ({ jsonrpc: "2.0", id: id ?? null, result: {} }),
      {},
      { handover },
    );
    opened.push(() => bridge.close());
    client.send(JSON.stringify(ping(1)));
    await expect.poll(() => client.heard.length).toBe(1);
    isBroken = false;
    client.send(JSON.stringify(ping(1)));
    await expect.poll(() => client.heard.length).toBe(2);
    expect(client.heard).toMatchObject([
      { id: 1, error: { code: -32603, message: "Internal error" } },
      { id: 1, result: {} },
    ]);
    expect(notes).toEqual(["could not handle a message: RangeError: Maximum call stack size exceeded"]);
  });

  it("leaves out one message of the server", async () => {
    const handover = () => {
      throw new RangeError("Maximum call stack size exceeded");
    };
    const { bridge, client, server, notes } = bridgeTo(() => undefined, {}, { handover });
    opened.push(() => bridge.close());
    server.send(
      '[{"jsonrpc":"2.0","method":"notifications/tasks"},{"jsonrpc":"2.0","method":"notifications/a"}]',
    );
    await expect.poll(() => client.heard.length).toBe(1);
    expect(client.heard).toMatchObject([{ method: "notifications/a" }]);
    expect(notes).toHaveLength(1);
  });

  it("is a 500 over HTTP, and a line in the log", async () => {
    const notes: string[] = [];
    const upstream = memoryUpstream(() => {
      throw new RangeError("Maximum call stack size exceeded");
    });
    const gateway = await openGateway(upstream, { http: { note: (text) => notes.push(text) } });
    opened.push(gateway.close);
    for (const _again of [1, 2]) {
      const { status, body } = await send(gateway.url, { body: JSON.stringify(greeting) });
      expect([status, JSON.parse(body)]).toMatchObject([500, { error: { code: -32603 } }]);
    }
    expect(notes[0]).toBe("a request could not be served: RangeError: Maximum call stack size exceeded");
  });
});
