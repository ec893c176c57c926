import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import { clientKinds } from "../../test/journeys/clients/connect-client.ts";
import { Connections, HttpWorkshops } from "../../test/journeys/clients/open-workshop.ts";
import { callAsListed, digestOf } from "../../test/journeys/clients/replay-example.ts";
import { contentOf, exampleCalls, fixtureOf } from "../../test/journeys/clients/seed-examples.ts";
import { startPageServer } from "./page-server.ts";

/** What a run answered, by the file of the example. */
export type ExampleRuns = ReadonlyMap<string, JsonValue>;

function shownPart(file: string, result: JsonObject): JsonValue {
  const { level } = fixtureOf(file);
  if (level === "digest") return digestOf(result);
  const { _meta, ...rest } = result;
  return level === "envelope" ? (result["structuredContent"] ?? null) : rest;
}

/** The calls of the workshop's own list, in memory, in their order: one of them uses up a quota. */
async function runCalls(): Promise<[string, JsonValue][]> {
  const [kind] = clientKinds;
  const connections = new Connections(kind, "memory", new HttpWorkshops());
  const runs: [string, JsonValue][] = [];
  for (const example of exampleCalls) {
    const result = await callAsListed(await connections.to(example), example);
    runs.push([example.file, shownPart(example.file, result)]);
  }
  await connections.close();
  return runs;
}

/** Requests of source 003 as written there, and the example that is the answer to each. */
const exchanges = [
  { request: "003-L145-request-customers-list.json", answer: "003-L159-response-customers-list.json" },
  {
    request: "003-L178-request-customers-retrieve.json",
    answer: "003-L192-response-customers-retrieve-missing.json",
  },
  { request: "003-L212-request-invalid-method.json", answer: "003-L223-response-method-not-found.json" },
] as const;

/** What the server on the page of source 003 writes back, whole messages. */
async function runExchanges(): Promise<[string, JsonValue][]> {
  const server = await startPageServer();
  const answerTo = async (message: JsonObject): Promise<JsonObject> => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(server.url ?? "", {
      method: "POST",
      headers,
      body: JSON.stringify(message),
    });
    return (await response.json()) as JsonObject;
  };
  const hello = await answerTo({
    jsonrpc: "2.0",
    id: "init-1",
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "reader", version: "1.0.0" },
    },
  });
  const list = await answerTo({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const runs: [string, JsonValue][] = [
    ["003-L017-jsonrpc-success.json", hello],
    ["003-L107-initialize-result.json", hello["result"] ?? null],
    ["003-L122-tools-list-result.json", list["result"] ?? null],
  ];
  for (const { request, answer } of exchanges)
    runs.push([answer, withoutMark(await answerTo(contentOf(request) as JsonObject))]);
  await server.close();
  return runs;
}

/** A result's `_meta` has Waybill's mark, which names the dialect; it is said once on the page. */
export function withoutMark(message: JsonObject): JsonObject {
  const result = message["result"];
  if (!isJsonObject(result)) return message;
  const { _meta, ...rest } = result;
  return { ...message, result: rest };
}

let runs: Promise<ExampleRuns> | undefined;

/** Every example of the sources that a server can answer, answered by one. */
export function exampleRuns(): Promise<ExampleRuns> {
  runs ??= Promise.all([runCalls(), runExchanges()]).then((lists) => new Map(lists.flat()));
  return runs;
}
