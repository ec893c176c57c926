import { Client as Client24, InMemoryTransport as Memory24 } from "@modelcontextprotocol/client";
import { Client as Client125 } from "mcp-sdk-1-25/client/index.js";
import { InMemoryTransport as Memory125 } from "mcp-sdk-1-25/inMemory.js";
import { Client as Client132 } from "mcp-sdk-1-32/client/index.js";
import { InMemoryTransport as Memory132 } from "mcp-sdk-1-32/inMemory.js";
import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../json/json-value.ts";
import { goodTool, greeting, listed, verdictOf } from "../record.fixture.ts";

interface ServerEnd {
  send(message: never): Promise<void>;
  start(): Promise<void>;
}

/** Answers `initialize` and `tools/list` with what the test says, unchecked. */
async function serve(end: ServerEnd, tools: readonly JsonObject[]): Promise<void> {
  const onmessage = ({ id, method }: { readonly id?: number; readonly method?: string }): void => {
    if (id === undefined) return;
    const result = method === "initialize" ? greeting : { tools };
    void end.send({ jsonrpc: "2.0", id, result } as never);
  };
  Object.assign(end, { onmessage });
  await end.start();
}

const info = { name: "reader", version: "1.0.0" };

/** The clients of the SDKs, and how each lists the tools of a raw server. */
const clients = {
  "1.25": async (tools: readonly JsonObject[]) => {
    const [ours, theirs] = Memory125.createLinkedPair();
    await serve(theirs, tools);
    const client = new Client125(info);
    onTestFinished(async () => client.close());
    await client.connect(ours);
    return client.listTools();
  },
  "1.32": async (tools: readonly JsonObject[]) => {
    const [ours, theirs] = Memory132.createLinkedPair();
    await serve(theirs, tools);
    const client = new Client132(info);
    onTestFinished(async () => client.close());
    await client.connect(ours);
    return client.listTools();
  },
  "2.4": async (tools: readonly JsonObject[]) => {
    const [ours, theirs] = Memory24.createLinkedPair();
    await serve(theirs, tools);
    const client = new Client24(info);
    onTestFinished(async () => client.close());
    await client.connect(ours);
    return client.listTools();
  },
};
type ClientName = keyof typeof clients;

async function refusers(definition: JsonObject): Promise<readonly string[]> {
  const names = Object.keys(clients) as ClientName[];
  const taken = await Promise.all(
    names.map(async (name) =>
      clients[name]([goodTool, definition]).then(
        () => true,
        () => false,
      ),
    ),
  );
  return names.filter((_, index) => taken[index] === false);
}

const other = { ...goodTool, name: "list_orders", description: "Lists every order." };
const output = (outputSchema: JsonObject): JsonObject => ({ ...other, outputSchema });

describe("a list with one such tool", () => {
  test("is read by every client where nothing is wrong", async () => {
    await expect(refusers(other)).resolves.toEqual([]);
  });

  // The sources of these rules say which clients refuse the whole list.
  test.each<readonly [string, JsonObject, readonly ClientName[]]>([
    ["definition/output-schema-root", output({ type: "array", items: {} }), ["1.25", "1.32", "2.4"]],
    ["definition/property-boolean", output({ type: "object", properties: { a: true } }), ["1.25", "1.32"]],
    [
      "definition/schema-ref",
      output({ type: "object", properties: { a: { $ref: "#/$defs/a" } } }),
      ["1.25", "1.32"],
    ],
    [
      "definition/schema-ref-network",
      output({ type: "object", properties: { a: { $ref: "https://example.com/a" } } }),
      ["1.25", "1.32"],
    ],
    [
      "definition/schema-keywords",
      output({ type: "object", properties: { a: { type: "int" } } }),
      ["1.25", "1.32"],
    ],
    [
      "definition/pattern",
      output({ type: "object", properties: { a: { pattern: "(?i)a" } } }),
      ["1.25", "1.32"],
    ],
    ["definition/shape", { ...other, annotations: { readOnlyHint: "true" } }, ["1.25", "1.32", "2.4"]],
    ["definition/shape", { ...other, title: null }, ["1.25", "1.32", "2.4"]],
  ])("breaks %s and is refused (%#)", async (id, definition, names) => {
    await expect(verdictOf(id, listed(goodTool, definition))).resolves.toHaveLength(1);
    await expect(refusers(definition)).resolves.toEqual(names);
  });
});
