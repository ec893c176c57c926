import type { IncomingMessage } from "node:http";
import { faults } from "../contract/faults.ts";
import { ToolFault } from "../contract/tool-fault.ts";

const DAY_SECONDS = 24 * 60 * 60;
const USUAL_WAIT_SECONDS = 60;

/** Begins with a day of the week; Date.parse alone takes "-5" for a date. */
const HTTP_DATE = /^[A-Z][a-z]+,? /;

/** The header's seconds, or its date as seconds from now; undefined where it says neither. */
function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  const dateMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((dateMs - nowMs) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), DAY_SECONDS);
}

/** What an answer means that brings no document. Its text is not repeated: it is written by a stranger. */
export function statusFault({ statusCode = 0, headers }: IncomingMessage): ToolFault {
  const details = { reason: "status", http_status: statusCode };
  const remediation = "Check the URL, or give another one.";
  const retryAfterSeconds = readRetryAfter(headers["retry-after"], Date.now());
  switch (statusCode) {
    case 401:
    case 407:
      return faults.unauthorized("The server wants its readers to log in", {
        remediation: "Give a URL that anybody may read.",
        details,
      });
    case 403:
    case 451:
      return faults.forbidden("The server does not give this document out", { remediation, details });
    case 404:
    case 410:
      return new ToolFault("The server has no document at this URL", {
        errorCode: "NOT_FOUND",
        remediation,
        details,
      });
    case 429:
      return faults.rateLimited({ retryAfterSeconds: retryAfterSeconds ?? USUAL_WAIT_SECONDS, details });
    default:
      break;
  }
  if (statusCode >= 400 && statusCode < 500 && statusCode !== 408) {
    return faults.validation("The server does not accept a request for this URL", { remediation, details });
  }
  return faults.unavailable("The server does not give a document at the moment", {
    details,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
