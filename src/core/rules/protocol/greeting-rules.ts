import { type JsonObject, isJsonObject, type JsonValue } from "../../json/json-value.ts";
import { legacyRevisions, MCP_META } from "../../protocol/names.ts";
import { describeMember, describeMessageValue } from "../../protocol/message-values.ts";
import {
  type RecordedReply,
  type ServerProblem,
  type ServerRecord,
  conversationOf,
  methodOf,
  paramsOf,
} from "../server-record.ts";
import { type RuleFinding, type ServerRule, type RuleVerdict, defineServerRules } from "../server-rule.ts";
import { jsonRpcCodes } from "../../protocol/json-rpc-error.ts";

const isLegacyRevision = (name: string): boolean => (legacyRevisions as readonly string[]).includes(name);
const FIRST_WITH_STRUCTURE = "2025-06-18";

/** A reply that is not a result, in words. */
export function describeReply(reply: Exclude<RecordedReply, { kind: "result" }>): string {
  if (reply.kind === "timeout") return `was not answered within ${Math.round(reply.afterMs)} ms`;
  if (reply.kind === "closed") return `was not answered, since the connection ended (${reply.reason})`;
  if (reply.kind === "oversized") return `was answered with ${reply.bytes} bytes, more than is read`;
  const { code, message } = reply.error;
  if (code === undefined && message === undefined)
    return "was answered with neither a result nor an error that is an object";
  const text = typeof message === "string" ? message.slice(0, 200) : "without a message";
  return `was answered with the error ${describeMessageValue(code)}: ${text}`;
}

function greetingOf({ greeting }: ServerRecord): JsonObject | undefined {
  return greeting.kind === "result" ? greeting.result : undefined;
}

const UNGREETED = "The server did not answer the greeting";

function problemsOf(
  { problems }: ServerRecord,
  kinds: readonly ServerProblem["kind"][],
): readonly RuleFinding[] {
  return problems
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ message, call }) => ({ path: "", message, call }));
}

/** If nothing was found but the server never spoke, the rule is untested. */
function spokenProblems(record: ServerRecord, kind: ServerProblem["kind"]): RuleVerdict {
  const found = problemsOf(record, [kind]);
  return found.length === 0 && greetingOf(record) === undefined ? { untested: UNGREETED } : found;
}

/** `call/survives` reports a call that ends the server. */
function judgeDeath(record: ServerRecord): RuleVerdict {
  const verdict = spokenProblems(record, "died");
  return "untested" in verdict ? verdict : verdict.filter(({ call }) => call === undefined);
}

const unreachable = ["start-failed", "start-timeout", "refused"] as const;

function judgeGreeting(record: ServerRecord): RuleVerdict {
  if (problemsOf(record, [...unreachable, "redirected"]).length > 0)
    return { untested: "The server could not be reached" };
  const { greeting } = record;
  if (greeting.kind === "result") return [];
  const method = record.era === "legacy" ? "initialize" : "server/discover";
  return [{ path: "", message: `\`${method}\` ${describeReply(greeting)}` }];
}

function judgeVersion(record: ServerRecord): RuleVerdict {
  const greeting = greetingOf(record);
  if (greeting === undefined) return { untested: UNGREETED };
  if (record.era === "legacy") {
    const { protocolVersion } = greeting;
    // A version that is not a text breaks `initialize/protocol-version`.
    if (typeof protocolVersion !== "string" || isLegacyRevision(protocolVersion)) return [];
    return [{ path: "/protocolVersion", message: describeMember("protocolVersion", protocolVersion) }];
  }
  const { supportedVersions } = greeting;
  if (!Array.isArray(supportedVersions) || !supportedVersions.every((one) => typeof one === "string")) {
    const message = `${describeMember("supportedVersions", supportedVersions)}, not a list of revisions`;
    return [{ path: "/supportedVersions", message }];
  }
  if (record.protocolVersion === undefined || supportedVersions.includes(record.protocolVersion)) return [];
  const message = `\`supportedVersions\` lacks ${record.protocolVersion}, which the server answered in`;
  return [{ path: "/supportedVersions", message }];
}

function judgeRevision(record: ServerRecord): RuleVerdict {
  if (record.era === "modern") return [];
  const version = greetingOf(record)?.["protocolVersion"];
  if (typeof version !== "string") return { untested: UNGREETED };
  // Revisions are dates, so they sort like texts.
  if (!isLegacyRevision(version) || version >= FIRST_WITH_STRUCTURE) return [];
  return [{ path: "/protocolVersion", message: `The server speaks ${version}` }];
}

function judgeDiscover(record: ServerRecord): RuleVerdict {
  if (record.era === "legacy") return { untested: "The server was checked with `initialize`" };
  const greeting = greetingOf(record);
  if (greeting === undefined) return { untested: UNGREETED };
  if (isJsonObject(greeting["capabilities"])) return [];
  const message = describeMember("capabilities", greeting["capabilities"]);
  return [{ path: "/capabilities", message }];
}

/** How a server is reached, started and greeted. */
export const greetingRules: readonly ServerRule[] = defineServerRules({
  "protocol/reachable": {
    severity: "MUST",
    says: "The server starts, or is reached, within the time limit",
    fix: "Start it by hand with the same command, or ask the URL with the same headers, and read what it writes to stderr.",
    source: "MCP 2025-11-25, lifecycle",
    judge: (record) => problemsOf(record, unreachable),
  },
  "protocol/redirect": {
    severity: "SHOULD",
    says: "The URL answers itself, without sending the client elsewhere",
    fix: "Use the final URL: credentials are not sent on to another host.",
    source: "MCP 2025-11-25, Streamable HTTP: one endpoint",
    judge: (record) =>
      record.transport === "http"
        ? problemsOf(record, ["redirected"])
        : { untested: "The server was not reached by a URL" },
  },
  "protocol/greeting": {
    severity: "MUST",
    says: "`initialize`, or `server/discover` in the modern era, is answered with a result",
    fix: "Answer the greeting before anything else, whatever the client's name and capabilities.",
    source: "MCP 2025-11-25, lifecycle; MCP 2026-07-28, versioning",
    judge: judgeGreeting,
  },
  "protocol/version": {
    severity: "MUST",
    says: "The server names revisions of MCP that exist, and the one it speaks is among them",
    fix: 'Answer with the revision that the client asked for, or with the newest you know, such as "2025-11-25".',
    source: "MCP 2025-11-25, lifecycle; MCP 2026-07-28, versioning",
    judge: judgeVersion,
  },
  "protocol/revision": {
    severity: "MAY",
    says: "The server speaks 2025-06-18 or newer, the first with structured results",
    fix: "Update the SDK that the server is built with.",
    source: "MCP 2025-06-18",
    judge: judgeRevision,
  },
  "protocol/discover": {
    severity: "MUST",
    says: "The result of `server/discover` has `capabilities`, an object",
    fix: 'Send an object such as {"tools": {}}.',
    source: "MCP 2026-07-28, versioning",
    judge: judgeDiscover,
  },
  "protocol/died": {
    severity: "MUST",
    says: "The server goes on running whatever it is asked besides calls of its tools",
    fix: "Catch the exception where the message is handled and answer with an error; its text belongs in the log.",
    source: "MCP 2025-11-25, lifecycle: the client ends the connection",
    judge: judgeDeath,
  },
  "protocol/stray-output": {
    severity: "MUST",
    says: "A server on stdio writes nothing but messages to stdout",
    fix: "Write logs to stderr. In Node.js that is console.error, in Python print(…, file=sys.stderr).",
    source: "MCP 2025-06-18, stdio",
    judge: (record) =>
      record.transport === "stdio"
        ? spokenProblems(record, "stray-output")
        : { untested: "The server was not reached by stdio" },
  },
});

function objectAt(value: JsonValue | undefined, key: string): JsonObject | undefined {
  const found = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(found) ? found : undefined;
}

function capabilitiesOf({ greeting }: ServerRecord): JsonObject | undefined {
  return greeting.kind === "result" ? objectAt(greeting.result, "capabilities") : undefined;
}

function judgeTools(record: ServerRecord): RuleVerdict {
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

function judgeNotifications(record: ServerRecord): RuleVerdict {
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

function judgeRequests(record: ServerRecord): RuleVerdict {
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
function judgeUnasked(record: ServerRecord): RuleVerdict {
  if (record.era === "legacy") return { untested: "In the legacy era a server may send them" };
  const { requests } = conversationOf(record);
  const wantsLogs = requests.some((request) => {
    const meta = objectAt(paramsOf(request), "_meta");
    return meta?.[`${MCP_META}logLevel`] !== undefined;
  });
  const listens = requests.some((request) => methodOf(request) === "subscriptions/listen");
  return methodsFromServer(record).flatMap((method): RuleFinding[] => {
    const isLog = method === "notifications/message";
    const isChange = method.endsWith("/list_changed") || method === "notifications/resources/updated";
    const isAsked = isLog ? wantsLogs : isChange ? listens : true;
    return isAsked ? [] : [{ path: "/method", message: `\`${method}\` was sent without being asked for` }];
  });
}

function judgeProgress(record: ServerRecord): RuleVerdict {
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
