import { describe, expect, it } from "vitest";
import { isFullRun, someOf } from "../../../test/arbitrary/law-runs.ts";
import { type DialectId, dialectIds } from "../contract/dialect-id.ts";
import type { Outcome } from "../contract/outcome.ts";
import { defaultProfileOf, profileNamed } from "../contract/profile.ts";
import type { JsonObject } from "../json/json-value.ts";
import { advertiseOutput } from "./envelope-schema.ts";
import { advertiseInput } from "./input-schema.ts";
import { type RenderedResult, failures, renderResult, stub, success } from "./rendered-result.fixture.ts";
import { type CallParams, connectSdk, sdkVersions } from "./sdk-clients.fixture.ts";
import { slimDefinition } from "./slim-definition.ts";
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

/** Under an output schema an answer to a question is under `selected`, whatever it is. */
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

function call(params: CallParams): RenderedResult {
  const tool = all.find(({ name }) => name === params.name);
  const result = tool?.results[Number(params.arguments?.["result"])];
  if (result === undefined) throw new Error(`no such result: ${JSON.stringify(params)}`);
  return result;
}

describe.each(someOf(sdkVersions, 2))("an SDK client %s", (version) => {
  it("lists every tool and accepts every success, failure and Stub", async () => {
    const client = await connectSdk(version, { listed, call });
    const found = await client.listTools();
    expect(found.tools.map(({ name, outputSchema }) => ({ name, outputSchema }))).toEqual(
      all.map(({ name, outputSchema }) => ({ name, outputSchema })),
    );
    for (const { name, results } of all) {
      for (const [result, expected] of results.entries()) {
        await expect(
          client.callTool({ name, arguments: { result } }),
          `${name} ${result}`,
        ).resolves.toMatchObject(expected);
      }
    }
  });

  it("lists every tool in fewer words too, and accepts the same results", async () => {
    const slim = { tools: listed.tools.map((tool) => slimDefinition(tool as JsonObject)) };
    const client = await connectSdk(version, { listed: slim, call });
    const found = await client.listTools();
    expect(found.tools.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
    for (const { name, results } of all)
      for (const [result, expected] of results.entries())
        await expect(client.callTool({ name, arguments: { result } })).resolves.toMatchObject(expected);
  });

  it("rejects a success that breaks the advertised schema, so these schemas are really checked", async () => {
    const client = await connectSdk(version, { listed, call });
    await client.listTools();
    const broken = all.findIndex(({ name }) => name === "object, response-v2");
    const { structuredContent = {} } = all[broken]?.results[0] ?? {};
    const data = structuredContent["data"] as Record<string, unknown>;
    const kept = data["total"];
    data["total"] = "two";
    await expect(client.callTool({ name: "object, response-v2", arguments: { result: 0 } })).rejects.toThrow(
      /32602|structured content/i,
    );
    data["total"] = kept;
  });
});
