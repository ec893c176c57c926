import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import type { Heard, LineClient } from "./gateway-recorder.fixture.ts";
import { type PublishedServer, notCalled } from "./published-servers.fixture.ts";

/** What was asked, and what came back. */
export interface Exchange {
  readonly method: string;
  /** The tool, the resource, the prompt: what tells exchanges of one method apart. */
  readonly of: string;
  readonly heard: Heard;
}

export interface Recording {
  readonly exchanges: readonly Exchange[];
  /** Requests and notifications of the server, each as its method and parameters, sorted. */
  readonly told: readonly string[];
}

function listIn({ message }: Heard, key: string): readonly JsonObject[] {
  const { result } = message;
  const list = isJsonObject(result) ? result[key] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

/** Waits a little for what the server says of itself after an answer; the same for both recordings. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));

/** Tools that are only listed to a client that can do what they need. */
const ofCapabilities: Readonly<Record<string, JsonObject>> = {
  "trigger-sampling-request": { prompt: "Say hello", maxTokens: 10 },
  "trigger-sampling-request-async": { prompt: "Say hello", maxTokens: 10 },
};

const MOST_MS = 20_000;

/** Waits for something that a server says by the clock; the recordings are compared whether or not it came. */
async function until(isThere: () => boolean): Promise<void> {
  const end = Date.now() + MOST_MS;
  while (!isThere() && Date.now() < end) await settle();
}

/** Some value for each argument of a prompt. */
function promptArguments(prompt: JsonObject): JsonObject {
  const list = Array.isArray(prompt["arguments"]) ? prompt["arguments"].filter(isJsonObject) : [];
  return Object.fromEntries(list.map(({ name }) => [textOf(name), "1"]));
}

/** Asks a server everything that the protocol has, in a fixed order. */
export async function record(
  client: LineClient,
  server: PublishedServer,
  folder: string,
): Promise<Recording> {
  const exchanges: Exchange[] = [];
  const ask = async (method: string, params?: JsonObject, of = ""): Promise<Heard> => {
    const heard = await client.request(method, params);
    exchanges.push({ method, of, heard });
    return heard;
  };
  exchanges.push({ method: "initialize", of: "", heard: await client.initialize() });
  // Servers ask for roots, and list further tools, once they know what the client can do.
  await settle();
  await ask("ping");
  const tools = listIn(await ask("tools/list"), "tools").map(({ name }) => textOf(name));
  const resources = listIn(await ask("resources/list"), "resources");
  const templates = listIn(await ask("resources/templates/list"), "resourceTemplates");
  const prompts = listIn(await ask("prompts/list"), "prompts");
  const own = templates.filter(({ uriTemplate }) => !textOf(uriTemplate).startsWith("waybill:"));
  for (const [at, { uri }] of resources.slice(0, 3).entries()) {
    await ask("resources/read", { uri: textOf(uri) }, textOf(uri));
    await ask("resources/subscribe", { uri: textOf(uri) }, textOf(uri));
    // The first stays subscribed, to hear of its updates.
    if (at > 0) await ask("resources/unsubscribe", { uri: textOf(uri) }, textOf(uri));
  }
  await ask("resources/read", { uri: "test://nowhere" }, "test://nowhere");
  for (const prompt of prompts) {
    const name = textOf(prompt["name"]);
    await ask("prompts/get", { name, arguments: promptArguments(prompt) }, name);
    const [first] = Object.keys(promptArguments(prompt));
    if (first === undefined) continue;
    const ref = { type: "ref/prompt", name };
    await ask("completion/complete", { ref, argument: { name: first, value: "" } }, name);
  }
  for (const { uriTemplate } of own.slice(0, 2)) {
    const [, name = ""] = /\{(\w+)\}/.exec(textOf(uriTemplate)) ?? [];
    const ref = { type: "ref/resource", uri: textOf(uriTemplate) };
    await ask("completion/complete", { ref, argument: { name, value: "1" } }, textOf(uriTemplate));
  }
  await ask("logging/setLevel", { level: "debug" });
  const given = server.calls(folder);
  const called = [...Object.keys(given), ...tools.filter((name) => given[name] === undefined)];
  for (const name of called.filter((name) => !notCalled.includes(name))) {
    const params = {
      name,
      arguments: given[name] ?? ofCapabilities[name] ?? {},
      _meta: { progressToken: `of ${name}` },
    };
    await ask("tools/call", params, name);
  }
  await ask("tools/call", { name: "no-such-tool", arguments: {} }, "no-such-tool");
  if (tools.includes("simulate-research-query")) await recordTask(ask);
  await ask("no/such/method");
  if (tools.includes("toggle-subscriber-updates"))
    await until(() => client.told("notifications/resources/updated").length > 0);
  await settle();
  const told = client.heard
    .map(({ message }) => message)
    .filter(({ method }) => typeof method === "string")
    .map(({ method, params }) => comparable(`${textOf(method)} ${JSON.stringify(params ?? {})}`));
  // How often the clock makes it say something depends on how long the recording takes: once is enough.
  const isByClock = (one: string): boolean => /<some level>|^notifications\/resources\/updated /.test(one);
  const rest = told.filter((one) => !isByClock(one));
  return { exchanges, told: [...rest, ...new Set(told.filter(isByClock))].toSorted() };
}

type Ask = (method: string, params?: JsonObject, of?: string) => Promise<Heard>;

/** A task from its start to its result; what it asks the client on the way is answered. */
async function recordTask(ask: Ask): Promise<void> {
  const name = "simulate-research-query";
  const params = { name, arguments: { topic: "tea", ambiguous: false }, task: { ttl: 60_000 } };
  const { message } = await ask("tools/call", params, `${name}, as a task`);
  const task = isJsonObject(message["result"]) ? message["result"]["task"] : undefined;
  const taskId = isJsonObject(task) ? textOf(task["taskId"]) : "";
  await ask("tasks/list", {}, "");
  await ask("tasks/result", { taskId }, "");
  await ask("tasks/get", { taskId }, "");
}

/** What differs from run to run in what servers say: the time, ids they make up. */
function comparable(text: string): string {
  return (
    text
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, "<time>")
      .replaceAll(/\b\d{1,2}:\d\d:\d\d(?: [AP]M)?\b/g, "<time>")
      .replaceAll(/[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4}/g, "<date>")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>")
      .replaceAll(/\b1[78]\d{11}(?:\.\d+)?\b/g, "<time>")
      // One server logs at random levels when it is asked to show logging.
      .replaceAll(/"level":"\w+","data":"\w+[- ]level[- ]message"/g, "<some level>")
      .replaceAll(/\b[0-9a-f]{32}\b/g, "<hex>")
  );
}

/** How an answer through the gateway relates to the direct one. */
export const verdicts = ["same bytes", "as allowed", "made whole", "rewritten", "different"] as const;
export type Verdict = (typeof verdicts)[number];

const isObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The answer without what the gateway may add to it. */
function withoutAdded(method: string, message: JsonObject): JsonObject {
  const result = isObject(message["result"]);
  if (method === "initialize") {
    const { resources: _resources, ...capabilities } = isObject(result["capabilities"]);
    return { ...message, result: { ...result, capabilities } };
  }
  if (method === "tools/list") {
    const tools = Array.isArray(result["tools"]) ? result["tools"].filter(isJsonObject) : [];
    const own = tools.filter(({ name }) => name !== "waybill_retrieve");
    return {
      ...message,
      result: { ...result, tools: own.map(({ outputSchema: _schema, ...tool }) => tool) },
    };
  }
  if (method === "resources/templates/list") {
    const list = Array.isArray(result["resourceTemplates"]) ? result["resourceTemplates"] : [];
    const own = list.filter((one) => !textOf(isObject(one)["uriTemplate"]).startsWith("waybill:"));
    // A server without templates answers that it has none of the method, and the gateway with its own alone.
    if (message["error"] !== undefined || own.length === 0) return { none: true };
    return { ...message, result: { ...result, resourceTemplates: own } };
  }
  if (method === "resources/list" && (message["error"] !== undefined || isEmptyList(result["resources"])))
    return { none: true };
  return message;
}

/** The same with its keys in the order of the alphabet: a message that is written anew may have another order. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] ?? null)]));
}

function isEmptyList(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

const rewritable = ["tools/call", "tasks/result"];

/** A rewritten tool result says so itself. */
function isRewritten({ method, heard }: Exchange): boolean {
  const meta = isObject(isObject(heard.message["result"])["_meta"]);
  return rewritable.includes(method) && meta["waybill/contract"] !== undefined;
}

/** Fields under which the structure repeats what only a text says. */
const textFields: readonly string[] = ["text", "content_text"];

/** Both channels hold everything that the server sent, and what one of them lacked was added. */
function isMadeWhole({ method, heard: { message } }: Exchange, { heard }: Exchange): boolean {
  const [left, right] = [isObject(message["result"]), isObject(heard.message["result"])];
  const [before, after] = [left, right].map((result) => listOf(result["content"]).map(saying));
  const [given, sent] = [isObject(left["structuredContent"]), isObject(right["structuredContent"])];
  const isKept = Object.keys(given).every((key) => saying(given[key]) === saying(sent[key]));
  const isOnlyText = Object.keys(sent).every((key) => Object.hasOwn(given, key) || textFields.includes(key));
  return (
    method === "tools/call" &&
    before?.every((one, at) => one === after?.[at]) === true &&
    isKept &&
    isOnlyText
  );
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function saying(value: JsonValue | undefined): string {
  return comparable(JSON.stringify(sorted(value ?? null)));
}

export function judge(direct: Exchange, through: Exchange): Verdict {
  if (comparable(direct.heard.raw) === comparable(through.heard.raw)) return "same bytes";
  const { method } = direct;
  const [left, right] = [direct, through].map(({ heard }) =>
    comparable(JSON.stringify(sorted(withoutAdded(method, heard.message)))),
  );
  if (left === right) return "as allowed";
  if (isRewritten(through)) return "rewritten";
  return isMadeWhole(direct, through) ? "made whole" : "different";
}
