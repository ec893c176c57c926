import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JsonObject, isJsonObject } from "../../src/core/json/json-value.ts";
import { validateResponse } from "../../src/index.ts";
import { assertResponse } from "../../src/doors/testing/index.ts";
import { type JourneyClient, type ListedTool, clientKinds } from "./clients/connect-client.ts";
import { Connections, HttpWorkshops } from "./clients/open-workshop.ts";
import { contentOf } from "./clients/seed-examples.ts";
import { someOf } from "../arbitrary/law-runs.ts";

const http = new HttpWorkshops();
afterAll(() => http.stop());

const names = [
  "spec",
  "task",
  "research",
  "customers_list",
  "customers_retrieve",
  "customers_destroy",
  "analyze_code",
  "security_scan",
  "extract_code",
  "server",
  "waybill_retrieve",
];

const successes = [
  ["spec", { action: "list" }],
  ["task", { action: "list", spec_id: "my-feature" }],
  ["research", { action: "search", query: "" }],
  ["customers_list", {}],
  ["customers_retrieve", { kwargs: { pk: "1" } }],
  ["analyze_code", { path: "/store.py" }],
  ["security_scan", { path: "/runner.py" }],
  ["extract_code", { path: "/store.py", symbol: "Store" }],
  ["server", { action: "capabilities" }],
] as const;

const failures = [
  ["spec", { action: "get", spec_id: "none" }],
  ["task", { action: "list", spec_id: "none" }],
  ["research", { action: "report", research_id: "none" }],
  ["customers_retrieve", { kwargs: { pk: "2" } }],
  ["customers_destroy", { kwargs: { pk: "1" } }],
  ["analyze_code", { path: "/none.py" }],
  ["security_scan", { path: "/store.py", depth: "deep" }],
  ["extract_code", { path: "/store.py", symbol: "none" }],
  ["server", { action: "none" }],
  // What the schema refuses is a failure of the tool, not of the protocol.
  ["analyze_code", { path: 1 }],
  ["task", { action: "quury" }],
] as const;

const environments = [{}, { WORKSHOP_FLAGS: "response_contract_v2=off" }] as const;

const ofCustomers = ["customers_list", "customers_retrieve", "customers_destroy"];
const ofScalpel = ["analyze_code", "security_scan", "extract_code"];

/** The whole form, not only `isError`: keys, types and codes of the dialect that the tool answers in. */
function checkEnvelope(name: string, result: JsonObject, environment: object): void {
  const isOff = "WORKSHOP_FLAGS" in environment;
  const main = isOff ? "response-v1" : "response-v2";
  const dialect = ofCustomers.includes(name) ? "drf" : ofScalpel.includes(name) ? "scalpel" : main;
  assertResponse(result, { dialect });
  const envelope = result["structuredContent"];
  if (dialect === "response-v2") return checkOwnForm(envelope, result["isError"] === true);
  const keys = isJsonObject(envelope) ? Object.keys(envelope) : [];
  expect(keys).not.toEqual(expect.arrayContaining(rootKeys));
  expect(envelope).not.toMatchObject({ meta: { version: expect.anything() } });
}

const rootKeys = ["success", "data", "error", "meta"];

/** The four keys and no other, not even a SHOULD broken; a failure says what happened, which error it is, and what to do next. */
function checkOwnForm(envelope: unknown, hasFailed: boolean): void {
  expect(isJsonObject(envelope) ? Object.keys(envelope) : []).toEqual(rootKeys);
  expect(envelope).toMatchObject({ success: !hasFailed, meta: { version: "response-v2" } });
  expect(validateResponse(envelope, { dialect: "response-v2" }).violations).toEqual([]);
  const word = expect.stringMatching(/\w{3}/);
  const failure = {
    error_code: expect.stringMatching(/^[A-Z_]+$/),
    error_type: expect.stringMatching(/^[a-z_]+$/),
    remediation: word,
  };
  expect(envelope).toMatchObject(hasFailed ? { error: word, data: failure } : { error: null });
}

// On stdio the journeys over all examples list the tools first, too.
describe.each(someOf(["memory", "http"] as const, 1))("over %s", (transport) => {
  describe.each(someOf(clientKinds, 1))("client $version in the $era era", (kind) => {
    const connections = new Connections(kind, transport, http);
    afterAll(() => connections.close());

    describe.each(environments)("with environment %j", (environment) => {
      let client: JourneyClient;
      let tools: readonly ListedTool[];
      beforeAll(async () => {
        client = await connections.to({ environment });
        tools = await client.listTools();
      });

      // shows 003.28, 003.29
      it("lists every tool with a description and schemas that are legal", () => {
        expect(tools.map(({ name }) => name)).toEqual(names);
        expect(tools.filter(({ description }) => !description)).toEqual([]);
        const schemas = tools.flatMap(({ inputSchema, outputSchema }) =>
          outputSchema === undefined ? [inputSchema] : [inputSchema, outputSchema],
        );
        expect(new Set(schemas.map(({ type }) => type))).toEqual(new Set(["object"]));
        const ajv = new Ajv2020({ strict: false });
        expect(schemas.filter((schema) => ajv.validateSchema(schema) !== true)).toEqual([]);
        expect(schemas.map((schema) => typeof ajv.compile(schema))).toEqual(schemas.map(() => "function"));
      });

      it("lists the customers' tools as seed 003 shows them", () => {
        const { tools: shown } = contentOf("003-L122-tools-list-result.json") as unknown as {
          tools: ListedTool[];
        };
        for (const expected of shown) {
          const listed = tools.find(({ name }) => name === expected.name);
          const { $schema: _, ...inputSchema } = listed?.inputSchema ?? {};
          expect({ name: listed?.name, description: listed?.description, inputSchema }).toEqual(expected);
        }
      });

      // shows 000.26, 001.103, 004.1, 004.85
      it.each(successes)("gets a success of %s in the envelope of its dialect", async (name, args) => {
        const result = await client.call({ name, arguments: args });
        expect(result["isError"]).toBeUndefined();
        checkEnvelope(name, result, environment);
      });

      // shows 001.103, 004.1, 004.84, 004.86, 004.87, 004.88
      it.each(failures)(
        "gets a failure of %s in the envelope of its dialect, with what to do next",
        async (name, args) => {
          const result = await client.call({ name, arguments: args });
          expect(result["isError"]).toBe(true);
          checkEnvelope(name, result, environment);
        },
      );

      it("leaves an unknown tool to the protocol, with a suggestion", async () => {
        await expect(client.call({ name: "taks", arguments: {} })).rejects.toThrow(/Did you mean "task"/);
      });
    });
  });
});
