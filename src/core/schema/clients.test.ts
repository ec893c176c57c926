import { Client as Client24, InMemoryTransport as Memory24 } from "@modelcontextprotocol/client";
import { Server as Server24 } from "@modelcontextprotocol/server";
import { Client as Client118 } from "mcp-sdk-1-18/client/index.js";
import { InMemoryTransport as Memory118 } from "mcp-sdk-1-18/inMemory.js";
import { Server as Server118 } from "mcp-sdk-1-18/server/index.js";
import { CallToolRequestSchema as Call118, ListToolsRequestSchema as List118 } from "mcp-sdk-1-18/types.js";
import { Client as Client125 } from "mcp-sdk-1-25/client/index.js";
import { InMemoryTransport as Memory125 } from "mcp-sdk-1-25/inMemory.js";
import { Server as Server125 } from "mcp-sdk-1-25/server/index.js";
import { CallToolRequestSchema as Call125, ListToolsRequestSchema as List125 } from "mcp-sdk-1-25/types.js";
import { Client as Client132 } from "mcp-sdk-1-32/client/index.js";
import { InMemoryTransport as Memory132 } from "mcp-sdk-1-32/inMemory.js";
import { Server as Server132 } from "mcp-sdk-1-32/server/index.js";
import { CallToolRequestSchema as Call132, ListToolsRequestSchema as List132 } from "mcp-sdk-1-32/types.js";
import { describe, expect, it } from "vitest";
import { isFullRun, someOf } from "../../../test/arbitrary/law-runs.ts";
import { type DialectId, dialectIds } from "../contract/dialect-id.ts";
import type { Outcome } from "../contract/outcome.ts";
import { defaultProfileOf, profileNamed } from "../contract/profile.ts";
import type { JsonObject } from "../json/json-value.ts";
import { advertiseOutput } from "./envelope-schema.ts";
import { advertiseInput } from "./input-schema.ts";
import { type RenderedResult, failures, renderResult, stub, success } from "./rendered-result.fixture.ts";
import { toolCases } from "./tool-schemas.fixture.ts";

interface Tool {
  readonly name: string;
  readonly outputSchema?: JsonObject;
  readonly results: readonly RenderedResult[];
}

function toolOf(
  name: string,
  schema: JsonObject | undefined,
  dialects: readonly DialectId[],
  outcomes: readonly Outcome[],
  select = false,
): Tool {
  const outputSchema = advertiseOutput(schema, { dialects, select });
  const results = dialects.flatMap((dialect) =>
    outcomes.map((outcome) =>
      renderResult(dialect, outcome, { profile: profileNamed(defaultProfileOf(dialect)) }),
    ),
  );
  return { name, ...(outputSchema === undefined ? {} : { outputSchema }), results };
}

/** Whole successes in plain MCP; failures and stubs, and cuts, in response-v2. */
function autoTool(name: string, schema: JsonObject | undefined, outcomes: readonly Outcome[]): Tool {
  const { outputSchema, results } = toolOf(name, schema, ["plain", "response-v2"], [...outcomes, stub]);
  const sent = results.filter((_, at) => at !== outcomes.length);
  return { name, ...(outputSchema === undefined ? {} : { outputSchema }), results: sent };
}

/** Under an output schema an answer to a question stands under `selected`, whatever it is. */
const answers = [[1, "a", null], null, { rows: {} }, "text"].map((selected) => success({ selected }));

const askedDialects: readonly DialectId[] = isFullRun ? dialectIds : ["response-v2", "plain"];

const canStub: readonly DialectId[] = ["response-v2", "response-v2-draft", "scalpel"];
const tools: readonly Tool[] = toolCases.flatMap(({ name, schema, values, cuts }) => {
  const outcomes = [...values, ...cuts].map(success).concat(failures);
  return [
    ...dialectIds.map((id) =>
      toolOf(`${name}, ${id}`, schema, [id], canStub.includes(id) ? [...outcomes, stub] : outcomes),
    ),
    ...askedDialects.map((id) =>
      toolOf(`${name}, ${id}, asked`, schema, [id], [...outcomes.slice(0, 1), ...answers], true),
    ),
    toolOf(`${name}, two dialects`, schema, ["response-v2", "scalpel"], [...outcomes, stub]),
    autoTool(`${name}, auto`, schema, outcomes),
  ];
});

const hostile: readonly JsonObject[] = [
  { type: "object", properties: { a: true, b: false }, additionalProperties: false },
  { type: "object", properties: { a: { $ref: "https://example.com/a.json" }, b: { $ref: "#/gone" } } },
  { type: "object", properties: { a: { pattern: "[" } }, patternProperties: { "(": {} } },
  { type: "object", properties: { a: { type: "text", id: "x", $async: true, nullable: true } } },
  { type: "object", allOf: [{ $ref: "#/$defs/A" }], $defs: { A: { anyOf: [{ $ref: "#/$defs/A" }] } } },
  { $schema: "https://example.com/no-such-dialect", $id: "#", type: "object", $vocabulary: {} },
  { type: "object", properties: { a: { $dynamicRef: "#x" }, b: { items: [{ type: "string" }, false] } } },
];
const all = [
  ...tools,
  ...hostile.map((schema, at) => toolOf(`hostile ${at}`, schema, ["response-v2"], [success({ b: [] })])),
];

const input = { type: "object", properties: { result: { type: "integer" } } };
const listed = {
  tools: all.map(({ name, outputSchema }) => ({
    name,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    inputSchema: advertiseInput(input, { waybillArgument: true }),
  })),
};

function call(params: { name: string; arguments?: Record<string, unknown> | undefined }): RenderedResult {
  const tool = all.find(({ name }) => name === params.name);
  const result = tool?.results[Number(params.arguments?.["result"])];
  if (result === undefined) throw new Error(`no such result: ${JSON.stringify(params)}`);
  return result;
}

/** What all four clients have in common. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

const info = { name: "advertise", version: "1.0.0" };
const capabilities = { capabilities: { tools: {} } };

/** The schemas of v1 are typed for each Zod of its time; here only the request's shape matters. */
function answer(
  server: { setRequestHandler(schema: never, handler: never): void },
  list: object,
  tool: object,
): void {
  server.setRequestHandler(list as never, (() => listed) as never);
  server.setRequestHandler(
    tool as never,
    (({ params }: { params: Parameters<typeof call>[0] }) => call(params)) as never,
  );
}

async function join(
  server: { connect(transport: never): Promise<void> },
  client: { connect(transport: never): Promise<void> },
  [left, right]: readonly [object, object],
): Promise<AnyClient> {
  await server.connect(left as never);
  await client.connect(right as never);
  return client as unknown as AnyClient;
}

const pairs: Readonly<Record<string, () => Promise<AnyClient>>> = {
  "2.4.0": async () => {
    const server = new Server24(info, capabilities);
    answer(server, "tools/list" as never, "tools/call" as never);
    return join(server, new Client24(info), Memory24.createLinkedPair());
  },
  "1.32": async () => {
    const server = new Server132(info, capabilities);
    answer(server, List132, Call132);
    return join(server, new Client132(info), Memory132.createLinkedPair());
  },
  "1.25": async () => {
    const server = new Server125(info, capabilities);
    answer(server, List125, Call125);
    return join(server, new Client125(info), Memory125.createLinkedPair());
  },
  "1.18": async () => {
    const server = new Server118(info, capabilities);
    answer(server, List118, Call118);
    return join(server, new Client118(info), Memory118.createLinkedPair());
  },
};

describe.each(someOf(Object.keys(pairs), 2))("an SDK client %s", (version) => {
  it("lists every tool and accepts every success, failure and Stub", async () => {
    const client = await (pairs[version] ?? pairs["2.4.0"])?.();
    const found = await client?.listTools();
    expect(found?.tools.map(({ name, outputSchema }) => ({ name, outputSchema }))).toEqual(
      all.map(({ name, outputSchema }) => ({ name, outputSchema })),
    );
    for (const { name, results } of all) {
      for (const [result, expected] of results.entries()) {
        await expect(
          client?.callTool({ name, arguments: { result } }),
          `${name} ${result}`,
        ).resolves.toMatchObject(expected);
      }
    }
  });

  it("rejects a success that breaks the advertised schema, so these schemas are really checked", async () => {
    const client = await (pairs[version] ?? pairs["2.4.0"])?.();
    await client?.listTools();
    const broken = all.findIndex(({ name }) => name === "object, response-v2");
    const { structuredContent = {} } = all[broken]?.results[0] ?? {};
    const data = structuredContent["data"] as Record<string, unknown>;
    const kept = data["total"];
    data["total"] = "two";
    await expect(client?.callTool({ name: "object, response-v2", arguments: { result: 0 } })).rejects.toThrow(
      /32602|structured content/i,
    );
    data["total"] = kept;
  });
});
