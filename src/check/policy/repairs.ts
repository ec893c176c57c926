// Which setting of the gateway takes a finding away, by the id of its rule. A claim stands here only where a test shows
// it: the server that breaks the rule, behind the gateway with the policy, no longer does.

import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { errorResult } from "../../wire/foreign-result.ts";
import type { CheckFinding } from "../report/check-report.ts";

/** One setting, below the upstream's section of the file. */
export interface Repair {
  /** Empty for what every gateway does, whatever its settings. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** What it does, for the person who reads the file. */
  readonly effect: string;
}

/** The settings that repair a finding, or why none does. */
export type Remedy = (finding: CheckFinding) => readonly Repair[] | string;

const because =
  (why: string): Remedy =>
  () =>
    why;

const envelope: Remedy = () => [
  {
    path: ["dialect"],
    value: "auto",
    effect:
      "A failure is marked as one, and has a code, a type and a remedy. Other results stay as they are.",
  },
];

const itself: Remedy = () => [
  {
    path: [],
    value: null,
    effect:
      "Any gateway: it drops what is no message, answers messages that cannot be read, and starts the server again when it ends.",
  },
];

const mask: Remedy = () => [{ path: ["redact"], value: true, effect: "Secrets in failures are masked." }];

const BUDGET_TOKENS = 8_000;

const cut: Remedy = () => [
  {
    path: ["budget"],
    value: { tokens: BUDGET_TOKENS },
    effect: "A longer result is cut. It says what is missing, and waybill_retrieve gives it back.",
  },
];

/** Errors of the protocol that speak about the request are the client's to read, so the gateway leaves them. */
const asResult: Remedy = (finding) => {
  const error = replyOf(finding);
  return error !== undefined && errorResult(error) !== undefined
    ? envelope(finding)
    : "A JSON-RPC error of this kind is one that clients act on themselves, so the gateway passes it on.";
};

function replyOf({ call }: CheckFinding): JsonValue | undefined {
  try {
    const reply = JSON.parse(call?.replyExcerpt ?? "") as JsonValue;
    return isJsonObject(reply) && isJsonObject(reply["error"]) ? reply["error"] : reply;
  } catch {
    // It is in words, or was too long to be shown whole.
    return undefined;
  }
}

/** The file's reader takes no empty names, and none that could change an object's prototype. */
function canBeNamed(tool: string | undefined): tool is string {
  return tool !== undefined && tool !== "" && tool !== "__proto__";
}

/** Without a schema and a structure there is nothing for a client to refuse. */
const textOnly: Remedy = ({ tool }) =>
  canBeNamed(tool)
    ? [
        {
          path: ["tools", tool],
          value: { dialect: "response-v2", delivery: "text" },
          effect:
            "Sent as text alone, without the schema that its results break, so that no client refuses them.",
        },
      ]
    : "A file cannot have settings for it.";

/** A tool whose definition harms the client or its model is better not there; anything less is for the owner to weigh. */
const hide: Remedy = ({ tool, severity }) =>
  severity === "error" && canBeNamed(tool)
    ? [
        {
          path: ["hide"],
          value: [tool],
          effect: "Neither listed nor callable. Take a name off this list if you need the tool as it is.",
        },
      ]
    : "Names, descriptions and input schemas are the server's own, and are listed as they are. If nobody needs the tool, hide it.";

const remedies: Readonly<Record<string, Remedy>> = {
  "protocol/stray-output": itself,
  "protocol/broken-json": itself,
  "protocol/broken-json-code": itself,
  "protocol/died": itself,
  "call/survives": itself,
  "call/time-limit": because(
    "Only the server can answer sooner. call_timeout_ms would answer for it with TIMEOUT, and lose what comes later.",
  ),
  "call/deterministic": because("Only the server knows which of its values are live and which are noise."),
  "arguments/invalid-protocol-error": asResult,
  "error/as-protocol-error": asResult,
  "error/leaks-secret": mask,
  "error/leaks-stack": because("The gateway masks secrets, and keeps the other words of a failure."),
  "error/leaks-path": because("The gateway masks secrets, and keeps the other words of a failure."),
  "result/output-schema": textOnly,
  "result/structured-missing": textOnly,
  "result/output-schema-on-error": envelope,
  "result/channels-repeat": because(
    "Clients differ in which channel they show their model, so the gateway sends both as the server wrote them.",
  ),
  "result/indented-json": because(
    'A success that fits is sent as it came. The dialect response-v2 writes it densely, inside an envelope: set it under "tools" if that is welcome.',
  ),
  "size/client-bytes": because(
    "Clients that take less get less, by their name: every gateway has fit.client_limits. A check is none of them, so it finds the same again.",
  ),
};

const ownEnvelope = because(
  "The server writes this envelope itself, and a success that fits is sent as the bytes it came in.",
);

/** For rules without an entry of their own: why the gateway leaves alone what their group is about. */
const groups: Readonly<Record<string, Remedy>> = {
  json: because("The gateway sends a result that fits as the bytes it came in."),
  jsonrpc: because("Only the server can write its own messages."),
  initialize: because("The client and the server greet each other, through the gateway."),
  protocol: because("The client and the server speak the protocol with each other, through the gateway."),
  modern: because("The client and the server speak the protocol with each other, through the gateway."),
  list: because("The gateway lists tools as the server does, in its order and its pages."),
  "tools-list": hide,
  definition: hide,
  envelope: ownEnvelope,
  data: ownEnvelope,
  warning: ownEnvelope,
  pagination: ownEnvelope,
  "rate-limit": ownEnvelope,
  telemetry: ownEnvelope,
  batch: ownEnvelope,
  draft: ownEnvelope,
  v1: ownEnvelope,
  scalpel: ownEnvelope,
  drf: ownEnvelope,
  result: because("The gateway sends a success that fits as the bytes it came in."),
  truth: envelope,
  error: envelope,
  arguments: because("The gateway does not judge arguments; it hands them to the server as they are."),
  tool: because("The gateway hands the name of an unknown tool to the server, which answers."),
  paging: because("Pages and their cursors are the server's own."),
  size: cut,
  call: because("Only the server can change how its tools work."),
  meta: because("Keys of _meta are passed on as they are, in both directions."),
  fidelity: because("Only the server knows what it left out of its own results."),
};

const unknown = because("No setting of the gateway is known to repair it.");

export function remedyFor(rule: string): Remedy {
  const [group = ""] = rule.split("/");
  return remedies[rule] ?? groups[group] ?? unknown;
}
