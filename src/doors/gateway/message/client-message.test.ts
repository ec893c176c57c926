import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { listen, stopListening } from "../../../engine/observe/open-telemetry.fixture.ts";
import { bridgeTo } from "../bridge/bridge.fixture.ts";
import { until } from "../../../engine/transport/until.fixture.ts";
import { withTrace } from "./client-message.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${spanId}-01`;
const trace = { traceparent, tracestate: undefined };
const changed = (text: string, more = {}): string =>
  withTrace(Buffer.from(text), { ...trace, ...more }).toString();

describe("withTrace", () => {
  it.each([
    ['{"id":1,"params":{"n":1.0}}', `{"id":1,"params":{"_meta":{"traceparent":"${traceparent}"},"n":1.0}}`],
    ['{ "params" : { } }', `{ "params" : {"_meta":{"traceparent":"${traceparent}"} } }`],
    [
      '{"params":{"_meta":{"a":12345678901234567890}}}',
      `{"params":{"_meta":{"traceparent":"${traceparent}","a":12345678901234567890}}}`,
    ],
    [
      '{"params":{"_meta":{"traceparent":"00-old","b":1e3},"x":"ä"}}',
      `{"params":{"_meta":{"traceparent":"${traceparent}","b":1e3},"x":"ä"}}`,
    ],
  ])("changes nothing else in %s", (text, expected) => expect(changed(text)).toBe(expected));

  it("names the state of the trace too", () => {
    const text = '{"params":{"_meta":{"tracestate":"old=1"}}}';
    expect(JSON.parse(changed(text, { tracestate: "a=1,b=2" }))).toEqual({
      params: { _meta: { traceparent, tracestate: "a=1,b=2" } },
    });
  });

  it.each(['{"id":1}', '{"params":[1]}', '{"params":{"_meta":7}}', "{", ""])("leaves %s as it is", (text) =>
    expect(changed(text)).toBe(text),
  );
});

describe("a call through a bridge, with somebody who listens to spans", () => {
  afterEach(stopListening);

  const asked = (meta: object, args = '{"big":12345678901234567890}') =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":${args},"_meta":${JSON.stringify(meta)}}}`;

  async function callThrough(line: string, headers?: Record<string, string>) {
    const heard = listen();
    const calls: string[] = [];
    const handover =
      headers === undefined
        ? undefined
        : () => ({ extra: { requestInfo: { headers } }, sessionId: undefined });
    const { client } = bridgeTo(
      ({ id, method }, raw) => {
        if (method === "tools/list") return { jsonrpc: "2.0", id: id ?? null, result: { tools: [] } };
        calls.push(raw);
        return { jsonrpc: "2.0", id: id ?? null, result: { content: [{ type: "text", text: "3" }] } };
      },
      {},
      { handover },
    );
    client.send(line);
    await until(() => client.heardRaw.length === 1);
    const [span] = heard.spans();
    const [raw = "{}"] = calls;
    const { params } = JSON.parse(raw) as JsonObject as { params: { _meta: Record<string, string> } };
    return { span, raw, meta: params._meta };
  }

  it("joins the client's trace, and the server gets the gateway's span as its parent", async () => {
    const { span, meta, raw } = await callThrough(asked({ traceparent, tracestate: "a=1" }));
    expect(span?.spanContext().traceId).toBe(traceId);
    expect(span?.parentSpanContext?.spanId).toBe(spanId);
    expect(meta["traceparent"]).toBe(`00-${traceId}-${span?.spanContext().spanId}-01`);
    expect(meta["tracestate"]).toBe("a=1");
    expect(raw).toContain("12345678901234567890");
  });

  it("joins the trace of the HTTP request where the message names none", async () => {
    const { span, meta } = await callThrough(asked({}), { traceparent });
    expect(span?.parentSpanContext?.spanId).toBe(spanId);
    expect(meta["traceparent"]).toContain(span?.spanContext().spanId);
  });

  it("takes the message's word before that of the HTTP request", async () => {
    const other = `00-${"1".repeat(32)}-${"2".repeat(16)}-01`;
    const { span } = await callThrough(asked({ traceparent }), { traceparent: other });
    expect(span?.spanContext().traceId).toBe(traceId);
  });
});

describe("a call of a renamed tool", () => {
  it("reaches the server under its own name, with every digit and space, without what the contract took", async () => {
    const line =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{ "name" : "plus", "arguments":{"big":12345678901234567890, "_waybill_select":"a"}}}';
    const heard: string[] = [];
    const { client } = bridgeTo(
      ({ id, method }, raw) => {
        if (method === "tools/call") heard.push(raw);
        const tools = [{ name: "add", inputSchema: { type: "object", properties: { big: {} } } }];
        return { jsonrpc: "2.0", id: id ?? null, result: { content: [], tools } };
      },
      { select: true },
      { renameTools: { add: "plus" } },
    );
    client.send(line);
    await until(() => client.heardRaw.length === 1);
    expect(heard).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{ "name" : "add", "arguments":{"big":12345678901234567890}}}',
    ]);
  });
});

describe("a call through a bridge, without listeners", () => {
  it("leaves as its bytes, trace and all", async () => {
    const line = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{"traceparent":"${traceparent}"}}}`;
    const { client, server } = bridgeTo(({ id }) => ({
      jsonrpc: "2.0",
      id: id ?? null,
      result: { content: [], tools: [] },
    }));
    client.send(line);
    await until(() => client.heardRaw.length === 1);
    expect(server.heardRaw).toContain(line);
  });
});
