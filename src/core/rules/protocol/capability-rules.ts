import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { jsonRpcCodes } from "../../protocol/json-rpc-error.ts";
import { conversationOf, methodOf, paramsOf } from "../conversation.ts";
import type { ServerRecord } from "../server-record.ts";
import { type Finding, type ServerRule, type Verdict, defineServerRules } from "../server-rule.ts";
import { UNGREETED } from "./greeting-rules.ts";
import { MCP_META } from "../../protocol/names.ts";

function objectAt(value: JsonValue | undefined, key: string): JsonObject | undefined {
  const found = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(found) ? found : undefined;
}

function capabilitiesOf({ greeting }: ServerRecord): JsonObject | undefined {
  return greeting.kind === "result" ? objectAt(greeting.result, "capabilities") : undefined;
}

function judgeTools(record: ServerRecord): Verdict {
  const capabilities = capabilitiesOf(record);
  const first = record.listings[0]?.pages[0]?.reply;
  if (capabilities === undefined || first === undefined) return { untested: UNGREETED };
  const isDeclared = isJsonObject(capabilities["tools"]);
  const path = "/capabilities/tools";
  if (isDeclared && first.kind === "error" && first.error["code"] === jsonRpcCodes.methodNotFound.code)
    return [{ path, message: "`tools` is declared, but there is no method `tools/list`" }];
  if (!isDeclared && record.tools.length > 0)
    return [{ path, message: `${record.tools.length} tools are listed, but \`tools\` is not declared` }];
  return [];
}

/** The capability that a notification needs in the greeting, and a test for it. */
const declarations: Readonly<Record<string, readonly [string, (capabilities: JsonObject) => boolean]>> = {
  "notifications/message": ["logging", (all) => isJsonObject(all["logging"])],
  "notifications/tools/list_changed": [
    "tools.listChanged",
    (all) => objectAt(all, "tools")?.["listChanged"] === true,
  ],
  "notifications/prompts/list_changed": [
    "prompts.listChanged",
    (all) => objectAt(all, "prompts")?.["listChanged"] === true,
  ],
  "notifications/resources/list_changed": [
    "resources.listChanged",
    (all) => objectAt(all, "resources")?.["listChanged"] === true,
  ],
};

function methodsFromServer(record: ServerRecord): readonly string[] {
  return [...new Set(conversationOf(record).fromServer.flatMap((message) => methodOf(message) ?? []))];
}

function judgeNotifications(record: ServerRecord): Verdict {
  const capabilities = capabilitiesOf(record);
  if (capabilities === undefined) return { untested: UNGREETED };
  const sent = methodsFromServer(record).filter((method) => Object.hasOwn(declarations, method));
  if (sent.length === 0) return { untested: "The server sent no notification that needs a capability" };
  return sent.flatMap((method) => {
    const [name, isDeclared] = declarations[method] ?? ["", () => true];
    if (isDeclared(capabilities)) return [];
    return [{ path: "/capabilities", message: `\`${method}\` was sent, but \`${name}\` is not declared` }];
  });
}

/** What a server may ask a client for, and the client's capability that allows it. */
const clientFeatures: Readonly<Record<string, string>> = {
  "sampling/createMessage": "sampling",
  "elicitation/create": "elicitation",
  "roots/list": "roots",
};

/** The capabilities that the client declared in `initialize`. */
function clientCapabilities(record: ServerRecord): JsonObject {
  const { requests } = conversationOf(record);
  const initialize = requests.find((request) => methodOf(request) === "initialize");
  return objectAt(paramsOf(initialize), "capabilities") ?? {};
}

function judgeRequests(record: ServerRecord): Verdict {
  const asked = conversationOf(record).fromServer.filter((message) => message["id"] !== undefined);
  const methods = [...new Set(asked.flatMap((message) => methodOf(message) ?? []))];
  if (methods.length === 0 && record.greeting.kind !== "result") return { untested: UNGREETED };
  if (record.era === "modern") {
    return methods.map((method) => ({
      path: "/method",
      message: `The server sent the request \`${method}\``,
    }));
  }
  const declared = clientCapabilities(record);
  return methods.flatMap((method) => {
    const feature = Object.hasOwn(clientFeatures, method) ? clientFeatures[method] : undefined;
    if (feature === undefined || isJsonObject(declared[feature])) return [];
    const message = `The server asked for \`${method}\`, but the client did not declare \`${feature}\``;
    return [{ path: "/method", message }];
  });
}

/** Logs and change notifications that the client did not ask for, in the modern era. */
function judgeUnasked(record: ServerRecord): Verdict {
  if (record.era === "legacy") return { untested: "In the legacy era a server may send them" };
  const { requests } = conversationOf(record);
  const wantsLogs = requests.some((request) => {
    const meta = objectAt(paramsOf(request), "_meta");
    return meta?.[`${MCP_META}logLevel`] !== undefined;
  });
  const listens = requests.some((request) => methodOf(request) === "subscriptions/listen");
  return methodsFromServer(record).flatMap((method): Finding[] => {
    const isLog = method === "notifications/message";
    const isChange = method.endsWith("/list_changed") || method === "notifications/resources/updated";
    const isAsked = isLog ? wantsLogs : isChange ? listens : true;
    return isAsked ? [] : [{ path: "/method", message: `\`${method}\` was sent without being asked for` }];
  });
}

function judgeProgress(record: ServerRecord): Verdict {
  const { fromServer, requests } = conversationOf(record);
  const sent = fromServer.filter((message) => methodOf(message) === "notifications/progress");
  if (sent.length === 0) return { untested: "The server reported no progress" };
  const known = new Set(
    requests.map((request) => JSON.stringify(objectAt(paramsOf(request), "_meta")?.["progressToken"])),
  );
  const strange = sent.map((message) => paramsOf(message)["progressToken"] ?? null);
  const unknown = [...new Set(strange.map((token) => JSON.stringify(token)))].filter(
    (token) => !known.has(token),
  );
  return unknown.map((token) => ({
    path: "/params/progressToken",
    message: `Progress was reported for the token ${token.slice(0, 80)}, which no request had`,
  }));
}

/** A server does what it declares, and sends only what it may. */
export const capabilityRules: readonly ServerRule[] = defineServerRules({
  "protocol/capability-tools": {
    severity: "MUST",
    says: "A server declares the capability `tools` exactly when it has `tools/list`",
    fix: 'Declare {"tools": {}} in the greeting, or leave it out with the tools.',
    source: "MCP 2025-06-18, tools: capabilities",
    judge: judgeTools,
  },
  "protocol/capability-notifications": {
    severity: "MUST",
    says: "Log messages and changes of lists are sent only where the greeting declares them",
    fix: 'Declare `logging`, or `listChanged: true` in the list\'s capability, such as {"tools": {"listChanged": true}}.',
    source: "MCP 2025-06-18, tools and logging: capabilities",
    judge: judgeNotifications,
  },
  "protocol/client-capabilities": {
    severity: "MUST",
    says: "A server asks a client only for what the client declared, and in the modern era sends no requests at all",
    fix: "Look at the client's capabilities first, and do without; in the modern era answer with `input_required`.",
    source: "MCP 2025-06-18, lifecycle: operation; MCP 2026-07-28",
    judge: judgeRequests,
  },
  "protocol/unasked-notifications": {
    severity: "MUST",
    says: "In the modern era logs are sent only to requests with a log level, changes only to `subscriptions/listen`",
    fix: "Send log messages only where the request's `_meta` has a log level, and write the rest to stderr.",
    source: "MCP 2026-07-28, logging and subscriptions",
    judge: judgeUnasked,
  },
  "protocol/progress-token": {
    severity: "MUST",
    says: "Progress is reported only for tokens that a request had",
    fix: "Send progress only where the request's `_meta` has a `progressToken`, and echo that token unchanged.",
    source: "MCP 2025-06-18, progress",
    judge: judgeProgress,
  },
});
