import { type JsonObject, type JsonValue, isJsonObject } from "../../../src/core/json/json-value.ts";
import { comparable, withoutAddedContext, withoutAddedKeys } from "./comparable.ts";
import type { JourneyClient } from "./connect-client.ts";
import { type ExampleCall, contentOf, fixtureOf } from "./seed-examples.ts";

function cursorIn(result: JsonObject): JsonValue {
  const structured = result["structuredContent"];
  const meta = isJsonObject(structured) ? structured["meta"] : undefined;
  const pagination = isJsonObject(meta) ? meta["pagination"] : undefined;
  return isJsonObject(pagination) ? (pagination["cursor"] ?? null) : null;
}

/** Makes the call as often as the example asks for, and gives the last result. */
export async function callAsListed(client: JourneyClient, example: ExampleCall): Promise<JsonObject> {
  const { tool: name, contract, request_id: id, before = 0, next_page: isNext = false } = example;
  const _meta = {
    ...(contract === undefined ? {} : { "waybill/contract": contract }),
    ...(id === undefined ? {} : { "waybill/request_id": id }),
  };
  const call = (args: JsonObject): Promise<JsonObject> => client.call({ name, arguments: args, _meta });
  for (let made = 0; made < before; made += 1) await call(example.arguments);
  if (!isNext) return call(example.arguments);
  const cursor = cursorIn(await call(example.arguments));
  return call({ ...example.arguments, cursor });
}

function textsOf(result: JsonObject): string[] {
  const content = Array.isArray(result["content"]) ? result["content"] : [];
  return content.map((item) => (isJsonObject(item) && typeof item["text"] === "string" ? item["text"] : ""));
}

/** A success's text is JSON, whose spacing does not count; a failure's is plain. */
function readText(text: string, isError: boolean): JsonValue {
  return isError ? text : (JSON.parse(text) as JsonValue);
}

/** A result in which the text is the answer. */
function answerOf(result: JsonObject): JsonObject {
  const isError = result["isError"] === true;
  return {
    texts: textsOf(result).map((text) => readText(text, isError)),
    isError: result["isError"] ?? null,
  };
}

function isFailure(envelope: JsonObject): boolean {
  const { success, error } = envelope;
  return success === undefined ? error !== undefined && error !== null : success === false;
}

/** The digest that is the content of the first source. */
export function digestOf({ structuredContent }: JsonObject): JsonValue {
  const { data } = structuredContent as {
    readonly data: { readonly sources: readonly { content: string }[] };
  };
  return JSON.parse(data.sources[0]?.content ?? "null") as JsonValue;
}

export interface Replay {
  readonly got: JsonValue;
  readonly expected: JsonValue;
}

/** What the server answered and what the seed shows, both without what differs from run to run. */
export async function replayExample(client: JourneyClient, example: ExampleCall): Promise<Replay> {
  const { dialect, level } = fixtureOf(example.file);
  const result = await callAsListed(client, example);
  const seed = contentOf(example.file);
  if (level === "digest") return { got: digestOf(result), expected: seed };
  if (level !== "envelope") {
    const expected = level === "message" && isJsonObject(seed) ? seed["result"] : seed;
    return { got: answerOf(result), expected: answerOf(expected as JsonObject) };
  }
  const [text = "", ...more] = textsOf(result);
  const envelope = (result["structuredContent"] ?? null) as JsonObject;
  const expected = comparable(seed);
  const read = (json: JsonValue): JsonValue =>
    comparable(withoutAddedContext(withoutAddedKeys(json, dialect, seed), seed));
  return {
    got: {
      envelope: read(envelope),
      mirror: read(JSON.parse(text) as JsonValue),
      isError: result["isError"] ?? null,
      more,
    },
    expected: {
      envelope: expected,
      mirror: expected,
      isError: isJsonObject(seed) && isFailure(seed) ? true : null,
      more: [],
    },
  };
}
