// Which setting of the gateway takes a finding away, by the id of its rule. A claim stands here only where a test shows
// it: the server that breaks the rule, behind the gateway with the policy, no longer does.

import {
  type Remedy,
  asResult,
  because,
  cut,
  envelope,
  hide,
  inDialect,
  itself,
  mask,
  textOnly,
} from "./remedies.ts";

const ownEnvelope = inDialect(
  "The server writes this envelope itself, and a success that fits is sent as the bytes it came in.",
);

const ownFailure = because("A failure that the server wrote as an envelope keeps its own words.");

const remedies: Readonly<Record<string, Remedy>> = {
  "protocol/stray-output": itself,
  "protocol/broken-json": itself,
  "protocol/broken-json-code": itself,
  "protocol/died": itself,
  "jsonrpc/object": itself,
  "jsonrpc/batch-empty": itself,
  "jsonrpc/method": itself,
  "jsonrpc/id-missing": itself,
  "jsonrpc/id-type": itself,
  "jsonrpc/id-null": itself,
  "jsonrpc/id-mismatch": itself,
  "jsonrpc/notification-answered": itself,
  "call/survives": itself,
  "call/cancel": itself,
  "call/time-limit": because(
    "Only the server can answer sooner. call_timeout_ms would answer for it with TIMEOUT, and lose what comes later.",
  ),
  "call/deterministic": because("Only the server knows which of its values are live and which are noise."),
  "arguments/invalid-protocol-error": asResult,
  "error/as-protocol-error": asResult,
  "error/remediation": ownFailure,
  "error/code-case": ownFailure,
  "error/type-known": ownFailure,
  "error/code-type": ownFailure,
  "error/retry-after": ownFailure,
  "envelope/error-type": envelope,
  "envelope/error-message": envelope,
  "draft/error-data": envelope,
  "v1/error-text": envelope,
  "scalpel/error": envelope,
  "scalpel/error-details": envelope,
  "scalpel/code-case": envelope,
  "scalpel/code-known": envelope,
  "drf/error-prefix": envelope,
  "result/is-error": envelope,
  "result/is-error-missing": envelope,
  "error/leaks-secret": mask,
  "error/leaks-stack": because("The gateway masks secrets, and keeps the other words of a failure."),
  "error/leaks-code": because(
    "The gateway masks secrets, and keeps the other words of a failure; in the dialect scalpel alone it leaves code out.",
  ),
  "error/leaks-path": because("The gateway masks secrets, and keeps the other words of a failure."),
  "result/output-schema": textOnly,
  "result/structured-missing": textOnly,
  "result/output-schema-on-error": envelope,
  "result/channels-repeat": because(
    "Clients differ in which channel they show their model, so the gateway sends both as the server wrote them.",
  ),
  "result/text-only-facts": because("The gateway sends both channels as the server wrote them."),
  "result/indented-json": because(
    'A success that fits is sent as it came. The dialect response-v2 writes it densely, inside an envelope: set it under "tools" if that is welcome.',
  ),
  "size/client-bytes": because(
    "Clients that take less get less, by their name: every gateway has fit.client_limits. A check is none of them, so it finds the same again.",
  ),
};

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
  author: because("Only the author of a tool can change how it is written."),
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
  result: inDialect("The gateway sends a success that fits as the bytes it came in."),
  truth: envelope,
  error: envelope,
  arguments: because("The gateway does not judge arguments; it hands them to the server as they are."),
  tool: because("The gateway hands the name of an unknown tool to the server, which answers."),
  paging: because("Pages and their cursors are the server's own."),
  size: cut,
  call: because("Only the server can change how its tools work."),
  meta: inDialect("Keys of _meta are passed on as they are, in both directions."),
  fidelity: because("Only the server knows what it left out of its own results."),
};

const unknown = because("No setting of the gateway is known to repair it.");

export function remedyFor(rule: string): Remedy {
  const [group = ""] = rule.split("/");
  return remedies[rule] ?? groups[group] ?? unknown;
}
