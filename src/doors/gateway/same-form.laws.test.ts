import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { lawRuns, someOf } from "../../../test/arbitrary/law-runs.ts";
import { type ContractClient, contractClient } from "../client/contract-client.ts";
import { dialectChoices } from "../../core/contract/dialect-id.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { until } from "../../engine/transport/until.fixture.ts";
import { createContract } from "../server/create-contract.ts";
import { bridgeTo } from "./bridge/bridge.fixture.ts";

const given: { value: JsonValue } = { value: null };

/** A gateway in front of a server that hands its value over as JSON in a text. */
function behindGateway(options: object): ContractClient {
  const { client } = bridgeTo(
    ({ id, method }) => {
      if (id === undefined) return undefined;
      const tools = [{ name: "read", inputSchema: { type: "object" } }];
      const { value } = given;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return {
        jsonrpc: "2.0",
        id,
        result: method === "tools/list" ? { tools } : { content: [{ type: "text", text }] },
      };
    },
    { validate: "never", ...options },
  );
  let count = 0;
  return contractClient(async ({ name, arguments: args = {} }) => {
    const id = ++count;
    client.heard.length = 0;
    client.send(
      JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } }),
    );
    await until(() => client.heard.some((message) => (message as JsonObject)["id"] === id));
    const answer = client.heard.find((message) => (message as JsonObject)["id"] === id);
    return (answer as { readonly result: JsonObject }).result;
  });
}

const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/** A server under a contract. */
async function inLibrary(options: object): Promise<ContractClient> {
  const mcp = new McpServer({ name: "same-form", version: "1.0.0" });
  const contract = createContract({ name: "same-form", logLevel: "silent", ...options });
  contract.server(mcp).registerTool("read", { description: "Reads" }, () => given.value);
  const sdk = new Client({ name: "reader", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  await sdk.connect(near);
  closing.push(
    () => sdk.close(),
    () => contract.close(),
  );
  return contractClient(sdk);
}

const item = fc.oneof(
  fc.record({ id: fc.nat(9_999), name: fc.string({ maxLength: 12 }) }),
  fc.constantFrom<JsonValue[]>("a word", 7, true, [1, "b"], { result: [1] }),
);
/** What fits, a few pages, and now and then hundreds of pages, which take nearly all of the time. */
const size = fc.oneof(
  { weight: 30, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 9, arbitrary: fc.integer({ min: 60, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 400, max: 5_000 }) },
);
/** The same items again and again: to draw 5,000 of them would take longer than to cut them. */
const list = fc
  .tuple(fc.array(item, { minLength: 1, maxLength: 8 }), size)
  .map(([items, length]): JsonValue[] => Array.from({ length }, (_, at) => items[at % items.length] ?? 0));
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: list },
  // Their own key, which must stay.
  list.map((rows) => ({ result: rows })),
  fc.constantFrom<JsonValue[]>({ result: 5 }, { result: "x" }, { result: { result: [1] } }),
  list.map((rows) => ({ rows, count: rows.length })),
  size.map((length) => "one more line of it\n".repeat(length)),
);
const scalar = fc.constantFrom<JsonValue[]>(0, 7.5, true, false, "", "short");
/** Under `auto` a small text leaves as plain MCP, where a text that is JSON cannot be told from JSON. */
const jsonText = fc.constant<JsonValue>("[1]");

describe.each(someOf(dialectChoices, 3))("what a program gets of a tool, in %s", (dialect) => {
  const options = { dialect, budget: { tokens: 500 }, fit: { withoutEnvelope: "always" } };

  it("behind a gateway has the form that the tool gave it, at every size", async () => {
    const client = behindGateway(options);
    await fc.assert(
      fc.asyncProperty(value, async (drawn) => {
        given.value = drawn;
        const cut = await client.call("read");
        expect((await client.complete(cut)).data).toEqual(drawn);
        expect((await client.call("read", {}, { complete: true })).data).toEqual(drawn);
        expect(Array.isArray(cut.data) || cut.fidelity !== "partial").toBe(
          Array.isArray(drawn) || cut.fidelity !== "partial",
        );
      }),
      lawRuns(300, 12),
    );
  });

  it("in the library has the form that the tool gave it, at every size", async () => {
    const client = await inLibrary(options);
    const alone = dialect === "auto" ? scalar : fc.oneof(scalar, jsonText);
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 3, arbitrary: value }, alone), async (drawn) => {
        given.value = drawn;
        const cut = await client.call("read");
        const whole = await client.complete(cut);
        expect(whole.data).toEqual(drawn);
        const dropped = await client.retrieve(cut);
        expect(dropped.length > 0).toBe(cut.fidelity !== "full");
      }),
      lawRuns(300, 12),
    );
  });
});
