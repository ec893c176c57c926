import type { Violation } from "../../contract/rule.ts";
import { messageRules } from "../../protocol/rules.ts";
import { validateMessage } from "../../protocol/validate-message.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import {
  type Conversation,
  conversationOf,
  methodOf,
  type ServerRecord,
  type RecordedMessage,
} from "../server-record.ts";
import { type Survey, reuseRules, withoutFix, type RuleFinding, type ServerRule } from "../server-rule.ts";
import { parseJson } from "../../json/parse-json.ts";
import { jsonRules, violationsOfText } from "../../pipeline/dialect/json-rules.ts";

const fixes = new Map(messageRules.map(({ id, fix }) => [id, fix]));
const TOOL_PLACE = /^\/result\/tools\/(\d+)(\/.*)?$/s;

/** A violation in a definition is a finding about the tool, at its place in the definition. */
function toFinding(violation: Violation, message: JsonValue): RuleFinding {
  const found = { path: violation.path, message: withoutFix(violation, fixes.get(violation.rule)) };
  const [, index, rest = ""] = TOOL_PLACE.exec(violation.path) ?? [];
  const result = isJsonObject(message) ? message["result"] : undefined;
  const tools = isJsonObject(result) ? result["tools"] : undefined;
  const tool = Array.isArray(tools) ? (tools as readonly JsonValue[])[Number(index)] : undefined;
  const name = isJsonObject(tool) ? tool["name"] : undefined;
  return typeof name === "string" && name !== "" ? { ...found, tool: name, path: rest } : found;
}

function methodNote(method: string | undefined, finding: RuleFinding): RuleFinding {
  if (method === undefined || finding.tool !== undefined) return finding;
  return { ...finding, message: `In the answer to ${method}: ${finding.message}` };
}

interface Judged {
  readonly violation: Violation;
  readonly finding: RuleFinding;
}

function judge(message: JsonValue, request: JsonValue | undefined, method: string | undefined): Judged[] {
  return validateMessage(message, { request }).violations.map((violation) => ({
    violation,
    finding: methodNote(method, toFinding(violation, message)),
  }));
}

function judgeAnswers(record: ServerRecord, { answers, requests }: Conversation): Judged[] {
  const answersToNothing = record.exchanges.flatMap(({ purpose, request, response }) =>
    purpose === "unknown-notification" && isJsonObject(response) ? [{ request, response }] : [],
  );
  return [
    ...answersToNothing.flatMap(({ request, response }) =>
      judge(response, request, isJsonObject(request) ? methodOf(request) : undefined),
    ),
    ...answers.flatMap(({ request, response }) => {
      // The way in which a legacy server refuses a greeting that it cannot know proves nothing.
      const isEraProbe = record.era === "legacy" && methodOf(request) === "server/discover";
      if (isEraProbe) return [];
      if (request !== undefined) return judge(response, request, methodOf(request));
      if (answersToNothing.some((told) => jsonEqual(told.response, response))) return [];
      return judge(response, requests, undefined);
    }),
  ];
}

/** Lists and greetings come more than once; their faults are reported once. */
function collect(judged: readonly Judged[]): ReadonlyMap<string, readonly RuleFinding[]> {
  const byRule = new Map<string, Map<string, RuleFinding>>();
  for (const { violation, finding } of judged) {
    const findings = byRule.get(violation.rule) ?? new Map<string, RuleFinding>();
    byRule.set(violation.rule, findings);
    const key = JSON.stringify([finding.tool ?? null, finding.path, finding.message]);
    if (!findings.has(key)) findings.set(key, finding);
  }
  return new Map([...byRule].map(([rule, findings]) => [rule, [...findings.values()]]));
}

function whyUntested(id: string, record: ServerRecord, conversation: Conversation): string | undefined {
  const { answers, fromServer, notifications, strays } = conversation;
  const answered = (method: string): JsonObject[] =>
    answers.flatMap(({ request, response: { result } }) =>
      methodOf(request) === method && isJsonObject(result) ? [result] : [],
    );
  if (id.startsWith("initialize/")) {
    return answered("initialize").length === 0 ? "The server did not answer `initialize`" : undefined;
  }
  if (id.startsWith("tools-list/")) {
    const lists = answered("tools/list");
    if (lists.length === 0) return "The server did not answer `tools/list`";
    const isAboutTools = id !== "tools-list/tools" && id !== "tools-list/next-cursor";
    return isAboutTools && record.tools.length === 0 ? "The server lists no tools" : undefined;
  }
  if (id.startsWith("jsonrpc/error-")) {
    const hasError = answers.some(({ response }) => response["error"] !== undefined);
    return hasError ? undefined : "The server answered nothing with an error";
  }
  if (id === "jsonrpc/method" || id === "jsonrpc/params-type") {
    return fromServer.length === 0 ? "The server sent no request and no notification" : undefined;
  }
  if (id === "jsonrpc/notification-answered") {
    return notifications.length === 0 ? "No notification was sent" : undefined;
  }
  return answers.length + fromServer.length + strays.length === 0 ? "The server sent no message" : undefined;
}

function surveyMessages(record: ServerRecord): Survey {
  const conversation = conversationOf(record);
  const judged = [
    ...judgeAnswers(record, conversation),
    ...conversation.fromServer.flatMap((message) => judge(message, undefined, undefined)),
    ...conversation.strays.flatMap((value) => judge(value, undefined, undefined)),
  ];
  return {
    findings: collect(judged),
    untested: (id) => whyUntested(id, record, conversation),
  };
}

/** The rules of JSON-RPC, `initialize` and `tools/list`, tried on every message that the server sent. */
export const messageServerRules: readonly ServerRule[] = reuseRules(messageRules, surveyMessages);

/** The rules for text that could be parsed nevertheless; text that is not JSON at all has its own rule. */
const textRules = [
  jsonRules["json/encoding"],
  jsonRules["json/depth"],
  jsonRules["json/duplicate-key"],
  jsonRules["json/number-range"],
  jsonRules["json/number-precision"],
  jsonRules["json/lone-surrogate"],
];

/** The messages whose text was kept whole. */
function wholeIn({ messages }: ServerRecord): readonly RecordedMessage[] {
  return messages.filter(({ from, value }) => from === "server" && value !== undefined);
}

/** The path to a value that is nested too deep says nothing after its beginning. */
const SHOWN_LEVELS = 20;

function shortened(path: string): string {
  return path
    .split("/")
    .slice(0, SHOWN_LEVELS + 1)
    .join("/");
}

function surveyTexts(record: ServerRecord): Survey {
  const messages = wholeIn(record);
  const found = new Map<string, Map<string, RuleFinding>>();
  if (record.messages.some(({ from, isBadText }) => from === "server" && isBadText === true)) {
    const message = "A message has bytes that are no UTF-8";
    found.set("json/encoding", new Map([["", { path: "", message }]]));
  }
  for (const { raw } of messages) {
    for (const violation of violationsOfText(parseJson(raw).findings)) {
      const rule = textRules.find(({ id }) => id === violation.rule);
      const places = found.get(violation.rule) ?? new Map<string, RuleFinding>();
      found.set(violation.rule, places);
      // The same key in many answers is one finding.
      const place = violation.path.replaceAll(/\/\d+/g, "/*");
      if (!places.has(place))
        places.set(place, { path: shortened(violation.path), message: withoutFix(violation, rule?.fix) });
    }
  }
  return {
    findings: new Map([...found].map(([id, places]) => [id, [...places.values()]])),
    untested: () => (messages.length === 0 ? "The server sent no message" : undefined),
  };
}

/** What a parser would silently change or drop in the server's messages. */
export const jsonServerRules: readonly ServerRule[] = reuseRules(textRules, surveyTexts);
