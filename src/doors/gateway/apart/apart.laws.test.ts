import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { lawRuns, someOf } from "../../../../test/arbitrary/law-runs.ts";
import { schemaAndResults } from "../../../../test/arbitrary/tool-results.ts";
import type { ContractOptions } from "../../../engine/settings/contract-options.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { until } from "../../../engine/transport/until.fixture.ts";
import { bridgeTo } from "../bridge/bridge.fixture.ts";

const settings: readonly ContractOptions[] = [
  { dialect: "auto", budget: { tokens: 400 } },
  { dialect: "response-v2", budget: { tokens: 400, bytes: 900 }, profile: "debug" },
  { dialect: "auto", budget: { tokens: "off" }, redact: { successes: true } },
  { dialect: "auto", budget: { tokens: 2_000 }, untrusted: true, fit: { clientLimits: true } },
  { dialect: "plain", budget: { tokens: 300 }, store: false },
  { dialect: "response-v1", budget: { tokens: 256 }, encoding: "table" },
  { dialect: "auto", budget: { tokens: 256 }, standards: ["toolFailure"], redact: false },
  { dialect: "auto", budget: { tokens: 300 }, lean: true },
];

/** Two bridges to the same server: one delivers everything on this thread, the other everything in a worker. */
function twins(contract: ContractOptions) {
  let said = "";
  let schema: JsonObject | null = null;
  const ends = [Number.POSITIVE_INFINITY, 1].map((largeBytes) =>
    bridgeTo(
      ({ id, method }) => {
        if (method === "tools/call") return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${said}}`;
        const tool = {
          name: "any",
          inputSchema: { type: "object" },
          ...(schema && { outputSchema: schema }),
        };
        if (method !== "tools/list" || id === undefined) return undefined;
        return { jsonrpc: "2.0", id, result: { tools: [tool] } };
      },
      { ...contract, validate: "never" },
      { largeBytes },
    ),
  );
  let calls = 0;
  const ask = async (answer: string, outputSchema: JsonObject | null): Promise<readonly string[]> => {
    said = answer;
    schema = outputSchema;
    calls += 1;
    for (const { client, server } of ends) {
      client.heardRaw.length = 0;
      server.send('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
      await until(() => client.heardRaw.length > 0);
      client.heardRaw.length = 0;
      client.send(
        JSON.stringify({ jsonrpc: "2.0", id: calls, method: "tools/call", params: { name: "any" } }),
      );
      await until(() => client.heardRaw.length > 0);
    }
    // How long a call took is different each time.
    return ends.map(({ client }) =>
      (client.heardRaw[0] ?? "").replaceAll(/("|\\")duration_ms\1:[\d.]+/g, ""),
    );
  };
  return { ask, close: () => ends.forEach(({ bridge }) => bridge.close()) };
}

const pairs = settings.map((contract) => ({ name: JSON.stringify(contract), ...twins(contract) }));
afterAll(() => pairs.forEach(({ close }) => close()));

const secret = "The token is ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const words = fc.oneof(
  fc.string({ maxLength: 400 }),
  fc.lorem({ maxCount: 600 }),
  fc.json(),
  fc.array(fc.json(), { minLength: 20, maxLength: 60 }).map((items) => `[${items.join(",")}]`),
  fc.constantFrom(
    '{"success":false}',
    '{"error":"gone"}',
    "Error: gone",
    '{"n":1.0,"id":12345678901234567890}',
    secret,
  ),
);
const beside = fc.constantFrom(
  "",
  ',"_meta":{"seen":1.0,"next":{"at":1e2}}',
  ',"isError":true',
  ',"other":[1.50]',
);
const text = fc
  .tuple(fc.array(words, { maxLength: 3 }), beside)
  .map(
    ([texts, more]) =>
      `"result":{"content":${JSON.stringify(texts.map((one) => ({ type: "text", text: one })))}${more}}`,
  )
  .map((answer) => ({ answer, schema: null }));
const structured = schemaAndResults(1).map(({ results: [result = {}], outputSchema }) => ({
  answer: `"result":${JSON.stringify(result)}`,
  schema: outputSchema,
}));
const odd = fc
  .constantFrom(
    '"error":{"code":-32603,"message":"the disk is full"}',
    '"error":{"code":-32601,"message":"no such method"}',
    '"result":{"resultType":"input_required","inputRequests":{}}',
    '"result":{"task":{"taskId":"t1","status":"working"}}',
    '"result":7',
    '"result":{"content":[}',
    '"result":null',
    '"result":{"content":[{"type":"text","text":"there"}]},"error":null',
    `"result":{"content":[],"structuredContent":{"rows":[${"9007199254740993,1e400,".repeat(400)}1]}}`,
    '"result":{"content":[],"structuredContent":{"id":9007199254740993},"isError":true}',
  )
  .map((answer) => ({ answer, schema: null }));

describe("a result that is delivered in another thread", () => {
  it("leaves as the same bytes as one that is delivered here", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 4, arbitrary: text }, { weight: 4, arbitrary: structured }, odd),
        fc.constantFrom(...pairs),
        async ({ answer, schema }, { ask }) => {
          const [here, apart] = await ask(answer, schema);
          expect(apart).toBe(here);
        },
      ),
      lawRuns(1_000),
    );
  });

  const recorded = new URL("../../../../../shared/data/results/livemcpbench.jsonl.gz", import.meta.url);
  const hasRecorded = existsSync(recorded);

  it.runIf(hasRecorded)("does so for results of real servers", async () => {
    const lines = gunzipSync(readFileSync(recorded)).toString().trim().split("\n");
    for (const line of someOf(lines, 25)) {
      const { text: said } = JSON.parse(line) as { readonly text: unknown };
      const content = [{ type: "text", text: typeof said === "string" ? said : JSON.stringify(said) }];
      for (const { ask, name } of pairs) {
        const [here, apart] = await ask(`"result":${JSON.stringify({ content })}`, null);
        expect({ name, text: apart }).toEqual({ name, text: here });
      }
    }
  });
});
