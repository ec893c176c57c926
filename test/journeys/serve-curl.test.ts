import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { faults } from "../../src/index.ts";
import { type Served, defineTool, serve } from "../../src/doors/server/index.ts";
import { curl, hasCurl } from "../services/curl.fixture.ts";

const customers = [{ id: 1, name: "Alice", email: "alice@example.com" }];
const retrieve = defineTool(
  "customers_retrieve",
  { description: "One customer", inputSchema: z.object({ kwargs: z.object({ pk: z.string() }) }) },
  async ({ kwargs }, ctx) => {
    await ctx.progress(1, 2);
    const found = customers.find(({ id }) => String(id) === kwargs.pk);
    if (found === undefined) throw faults.validation("ViewSet returned error: {'detail': 'Not found.'}");
    return found;
  },
);
const list = defineTool("customers_list", { description: "All customers" }, () => customers);

const json = ["-H", "Content-Type: application/json"];
const body = (method: string, params: object): string[] => [
  "-d",
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
];

describe.runIf(hasCurl())("curl in front of serve, as the clients of source 003 call", () => {
  let served: Served;
  const ask = (...words: readonly string[]) => curl(...json, ...words, served.url ?? "");
  beforeAll(async () => {
    served = await serve({
      name: "customers",
      version: "0.1.0",
      tools: [list, retrieve],
      dialect: "drf",
      config: false,
      logLevel: "silent",
      http: { port: 0 },
    });
  });
  afterAll(() => served.close());

  it.each([
    ["its own Accept header, */*", []],
    ["Accept: application/json", ["-H", "Accept: application/json"]],
    ["no Accept header", ["-H", "Accept:"]],
  ])("gets JSON with %s", async (_, words) => {
    const {
      status,
      headers,
      body: text,
    } = await ask(...words, ...body("tools/call", { name: "customers_list", arguments: {} }));
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(JSON.parse(text)).toMatchObject({
      jsonrpc: "2.0",
      id: 1,
      result: { content: [{ type: "text", text: JSON.stringify(customers) }] },
    });
  });

  it("gets JSON from a tool that tells its progress, and from one that fails", async () => {
    const call = (pk: string) =>
      ask(
        ...body("tools/call", {
          name: "customers_retrieve",
          arguments: { kwargs: { pk } },
          _meta: { progressToken: 7 },
        }),
      );
    expect(JSON.parse((await call("1")).body)).toMatchObject({ id: 1, result: { content: [{}] } });
    expect(JSON.parse((await call("999999")).body)).toMatchObject({
      result: {
        content: [{ text: "Error executing tool: ViewSet returned error: {'detail': 'Not found.'}" }],
        isError: true,
      },
    });
  });

  it("gets events where it accepts them, and 406 where it accepts neither", async () => {
    const events = await ask(
      "-H",
      "Accept: application/json, text/event-stream",
      ...body("tools/call", { name: "customers_list", arguments: {} }),
    );
    expect([events.status, events.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect(events.body).toMatch(/^event: message\ndata: \{/);
    const neither = await ask("-H", "Accept: text/html", ...body("ping", {}));
    expect(neither.status).toBe(406);
  });

  // shows 003.11
  it("gets Parse error for a broken body, with status 400", async () => {
    const { status, body: text } = await ask("-d", '{"jsonrpc":');
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({
      jsonrpc: "2.0",
      error: { code: -32700, message: "Parse error" },
      id: null,
    });
  });

  it("gets one list for a batch", async () => {
    const batch = [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
    const { body: text } = await ask("-d", JSON.stringify(batch));
    expect(JSON.parse(text)).toEqual(batch.map(({ id }) => ({ jsonrpc: "2.0", id, result: {} })));
  });

  it("needs no session, neither before nor after", async () => {
    const { headers, body: text } = await ask(...body("tools/list", {}));
    expect(headers["mcp-session-id"]).toBeUndefined();
    expect(JSON.parse(text)).toMatchObject({ result: { tools: [{ name: "customers_list" }, {}, {}] } });
  });
});
