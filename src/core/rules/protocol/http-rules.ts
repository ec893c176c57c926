// How a server uses the statuses of HTTP: clients tell by them what to do, before they read a body.

import type { HttpExchange, HttpPurpose, ServerRecord } from "../server-record.ts";
import { type ServerRule, type RuleVerdict, defineServerRules } from "../server-rule.ts";

const NO_URL = "The server was not reached by a URL";
const EVENTS = "text/event-stream";

/** Judges the answer to the request with this purpose; without one the rule is untested. */
function judgeStatus(
  { http }: ServerRecord,
  purpose: HttpPurpose,
  otherwise: string,
  judge: (exchange: HttpExchange) => string | undefined,
): RuleVerdict {
  if (http === undefined) return { untested: NO_URL };
  const exchange = http.find((one) => one.purpose === purpose);
  if (exchange === undefined) return { untested: otherwise };
  const message = judge(exchange);
  return message === undefined ? [] : [{ path: "", message }];
}

/** Finds every status but the given one. */
function wants(status: number, what: string): (exchange: HttpExchange) => string | undefined {
  return (exchange) =>
    exchange.status === status ? undefined : `${what} was answered with HTTP ${exchange.status}`;
}

const isRefused = ({ status }: HttpExchange): boolean => status >= 400 && status < 500;

function judgeNotification(exchange: HttpExchange): string | undefined {
  // A server that cannot accept it says so.
  if (isRefused(exchange)) return undefined;
  if (exchange.status !== 202) return `A notification was answered with HTTP ${exchange.status}`;
  return exchange.hasBody ? "A notification was answered with a body" : undefined;
}

function judgeGet({ status, contentType }: HttpExchange): string | undefined {
  if (status === 405) return undefined;
  if (status === 200 && contentType === EVENTS) return undefined;
  return `GET was answered with HTTP ${status}${status === 200 ? ` and ${contentType ?? "no content type"}` : ""}`;
}

/** The first revision with the header MCP-Protocol-Version, and the first that names the status for a foreign origin. */
const WITH_HEADER = "2025-06-18";
const WITH_ORIGIN = "2025-11-25";

/** Revisions are dates, so they sort like texts. */
function isBefore({ protocolVersion }: ServerRecord, revision: string): boolean {
  return protocolVersion !== undefined && protocolVersion < revision;
}

function judgeOrigin(record: ServerRecord): RuleVerdict {
  const judge = wants(403, "A request with a foreign Origin");
  return judgeStatus(
    record,
    "foreign-origin",
    "The server is not on this machine, or gave no status",
    (exchange) => (isBefore(record, WITH_ORIGIN) && isRefused(exchange) ? undefined : judge(exchange)),
  );
}

const ANSWERED = "It got no status";
const LEGACY_ONLY = "The server was checked in the modern era, or gave no status";
const MODERN_ONLY = "The server was checked in the legacy era, or gave no status";
const NO_SESSION = "The server opened no session that a client can end";

/** Statuses that the protocol asks for. */
export const httpRules: readonly ServerRule[] = defineServerRules({
  "http-status/notification": {
    severity: "MUST",
    says: "Over HTTP a notification is answered with 202 and no body",
    fix: "Send 202 Accepted with an empty body, or a status of 400 and above if it cannot be taken.",
    source: "MCP 2025-11-25, Streamable HTTP: sending messages",
    judge: (record) => judgeStatus(record, "notification", LEGACY_ONLY, judgeNotification),
  },
  "http-status/get": {
    severity: "MUST",
    says: "GET opens a stream of events, or is answered with 405",
    fix: "Send 405 Method Not Allowed if there is no stream: clients take any other status for a broken server.",
    source: "MCP 2025-11-25, Streamable HTTP: listening for messages",
    judge: (record) =>
      judgeStatus(record, "get", ANSWERED, (exchange) =>
        // A server of both eras misses the session that a modern client has not.
        record.era === "modern" && exchange.status === 400 ? undefined : judgeGet(exchange),
      ),
  },
  "http-status/version": {
    severity: "MUST",
    says: "A request in a revision that the server does not know is answered with 400",
    fix: "Look at the header MCP-Protocol-Version, and send 400 Bad Request for revisions that you do not speak.",
    source: "MCP 2025-11-25 and 2026-07-28, Streamable HTTP: protocol version header",
    judge: (record) =>
      isBefore(record, WITH_HEADER)
        ? { untested: `The server speaks a revision before ${WITH_HEADER}` }
        : judgeStatus(record, "bad-version", ANSWERED, wants(400, "A request in the revision 1900-01-01")),
  },
  "http-status/origin": {
    severity: "MUST",
    says: "A server on this machine refuses requests from pages of other sites with 403",
    fix: "Look at the header Origin, and send 403 Forbidden unless you know the site: else any page in a browser can use the server.",
    source: "MCP 2025-11-25 and 2026-07-28, Streamable HTTP: security",
    judge: judgeOrigin,
  },
  "http-status/broken-json": {
    severity: "SHOULD",
    says: "A body that is no JSON is refused with a status of 400",
    fix: "Send 400 Bad Request, with the JSON-RPC error -32700 as its body.",
    source: "MCP 2025-11-25, Streamable HTTP: input that cannot be accepted",
    judge: (record) =>
      judgeStatus(record, "broken-json", ANSWERED, (exchange) =>
        isRefused(exchange) ? undefined : `A body that is no JSON was answered with HTTP ${exchange.status}`,
      ),
  },
  "http-status/session-required": {
    severity: "SHOULD",
    says: "A server with sessions refuses a request without a session with 400",
    fix: "Send 400 Bad Request if MCP-Session-Id is missing on anything but `initialize`.",
    source: "MCP 2025-11-25, Streamable HTTP: session management",
    judge: (record) =>
      judgeStatus(record, "no-session", NO_SESSION, (exchange) =>
        // A server that also works without a session does not require one.
        exchange.status < 300 ? undefined : wants(400, "A request without its session")(exchange),
      ),
  },
  "http-status/session-ended": {
    severity: "MUST",
    says: "A request in a session that has ended is answered with 404",
    fix: "Send 404 Not Found for a session that is gone: clients open a new one only then.",
    source: "MCP 2025-11-25, Streamable HTTP: session management",
    judge: (record) =>
      judgeStatus(record, "ended-session", NO_SESSION, wants(404, "A request in an ended session")),
  },
  "http-status/unknown-method": {
    severity: "MUST",
    says: "In the modern era a method that does not exist is answered with 404",
    fix: "Send 404 Not Found with the JSON-RPC error -32601 as its body.",
    source: "MCP 2026-07-28, Streamable HTTP: request metadata",
    judge: (record) =>
      judgeStatus(record, "unknown-method", MODERN_ONLY, wants(404, "A method that does not exist")),
  },
  "http-status/header-mismatch": {
    severity: "MUST",
    says: "In the modern era a request whose headers contradict its body is answered with 400",
    fix: "Compare Mcp-Method, Mcp-Name and MCP-Protocol-Version with the body; send 400 with the error -32020 where they differ.",
    source: "MCP 2026-07-28, Streamable HTTP: server validation",
    judge: (record) =>
      judgeStatus(
        record,
        "header-mismatch",
        MODERN_ONLY,
        wants(400, "A request whose header Mcp-Method names another method"),
      ),
  },
});
