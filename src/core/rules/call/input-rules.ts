// Requests for input, with which a server of the modern era asks a client in place of requests of its own.

import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { describeMember, describeMessageValue } from "../../protocol/message-values.ts";
import { mcpMeta } from "../../protocol/names.ts";
import { conversationOf, methodOf, paramsOf, type ServerRecord } from "../server-record.ts";
import { type RuleFinding, type RuleVerdict, type ServerRule, defineServerRules } from "../server-rule.ts";

/** What may be asked for, and the client's capability that allows it. */
const capabilityByMethod: ReadonlyMap<unknown, string> = new Map([
  ["elicitation/create", "elicitation"],
  ["sampling/createMessage", "sampling"],
  ["roots/list", "roots"],
]);

const askable: readonly (string | undefined)[] = ["tools/call", "prompts/get", "resources/read"];

/** A result that asks for input, and the request that it answers. */
interface Asking {
  readonly request: JsonObject | undefined;
  readonly result: JsonObject;
}

function askingIn(record: ServerRecord): readonly Asking[] {
  return conversationOf(record).answers.flatMap(({ request, response: { result } }) =>
    isJsonObject(result) && result["resultType"] === "input_required" ? [{ request, result }] : [],
  );
}

/** Judges each result that asks for input; the same finding of one tool counts once. */
function judgeAsking(record: ServerRecord, judge: (asking: Asking) => readonly RuleFinding[]): RuleVerdict {
  const asking = askingIn(record);
  if (asking.length === 0) return { untested: "No result asks for input" };
  const found = new Map<string, RuleFinding>();
  for (const one of asking) {
    const { name } = paramsOf(one.request);
    const tool = methodOf(one.request) === "tools/call" && typeof name === "string" ? { tool: name } : {};
    for (const finding of judge(one)) {
      const placed = { ...finding, ...tool };
      found.set(JSON.stringify([placed.tool ?? null, placed.path, placed.message]), placed);
    }
  }
  return [...found.values()];
}

function judgePlace(record: ServerRecord): RuleVerdict {
  return judgeAsking(record, ({ request }) => {
    const path = "/resultType";
    if (record.era === "legacy")
      return [
        { path, message: "`input_required` was sent in the legacy era, where clients take it for a result" },
      ];
    const method = methodOf(request);
    if (askable.includes(method)) return [];
    return [{ path, message: `\`${method ?? "A message"}\` was answered with a request for input` }];
  });
}

function judgeContent({ result: { inputRequests, requestState } }: Asking): readonly RuleFinding[] {
  if (inputRequests === undefined && requestState === undefined)
    return [{ path: "", message: "It has neither `inputRequests` nor `requestState`" }];
  const found: RuleFinding[] = [];
  if (requestState !== undefined && typeof requestState !== "string")
    found.push({ path: "/requestState", message: describeMember("requestState", requestState) });
  if (inputRequests === undefined) return found;
  if (!isJsonObject(inputRequests))
    return [...found, { path: "/inputRequests", message: describeMember("inputRequests", inputRequests) }];
  for (const request of Object.values(inputRequests)) {
    const method = isJsonObject(request) ? request["method"] : undefined;
    if (capabilityByMethod.has(method)) continue;
    const message = `An input request has the method ${describeMessageValue(method)}`;
    found.push({ path: "/inputRequests", message });
  }
  return found;
}

/** Only what the request itself declared counts: requests of the modern era stand alone. */
function judgeCapabilities({ request, result: { inputRequests } }: Asking): readonly RuleFinding[] {
  const meta = paramsOf(request)["_meta"];
  const declared = isJsonObject(meta) ? meta[mcpMeta.clientCapabilities] : undefined;
  const asked = isJsonObject(inputRequests) ? Object.values(inputRequests) : [];
  return asked.flatMap((one): readonly RuleFinding[] => {
    const method = isJsonObject(one) ? methodOf(one) : undefined;
    const needed = capabilityByMethod.get(method);
    if (needed === undefined || (isJsonObject(declared) && isJsonObject(declared[needed]))) return [];
    const message = `\`${method ?? ""}\` was asked for, but the client did not declare \`${needed}\``;
    return [{ path: "/inputRequests", message }];
  });
}

/** Results with `input_required`. */
export const inputRules: readonly ServerRule[] = defineServerRules({
  "input/place": {
    severity: "MUST",
    says: "Only calls, prompts and resources are answered with `input_required`, and only in the modern era",
    fix: "Answer lists and greetings at once; in the legacy era send `elicitation/create` as a request of your own.",
    source: "MCP 2026-07-28, multi round-trip requests: supported requests",
    judge: judgePlace,
  },
  "input/content": {
    severity: "MUST",
    says: "A result with `input_required` has `inputRequests` or `requestState`, and they can be read",
    fix: "Send `inputRequests`, an object of elicitation, sampling or roots requests, or `requestState`, a text.",
    source: "MCP 2026-07-28, multi round-trip requests: server requirements",
    judge: (record) => judgeAsking(record, judgeContent),
  },
  "input/capabilities": {
    severity: "MUST",
    says: "A result with `input_required` asks only for what the request's client declared",
    fix: "Look at the client's capabilities in the request's `_meta`, and do without, or fail in words.",
    source: "MCP 2026-07-28, multi round-trip requests: server requirements",
    judge: (record) => judgeAsking(record, judgeCapabilities),
  },
});
