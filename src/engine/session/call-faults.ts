import { faults } from "../../core/contract/faults.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { MAX_PENDING } from "../../core/protocol/pending-requests.ts";

/** What the server kept in memory for this client is lost with the old process. */
export const restarted: WarningDetail = {
  code: "UPSTREAM_RESTARTED",
  // Short profiles show only the message, so it includes the code.
  message:
    "The server was restarted since the last result (UPSTREAM_RESTARTED): what it kept in memory is gone",
};

export function tooLarge(bytes: number): Error {
  return new ToolFault(`The tool's answer of ${bytes} bytes is too large to be read`, {
    errorCode: "TOO_LARGE",
    remediation: "Ask for less: narrow the query, name fewer files or fields, or ask for a page.",
    details: { received_bytes: bytes, executed: "yes" },
  });
}

/** For an archive that only the upstream server announced, and that it does not return. */
export function notOurs(): ToolFault {
  return new ToolFault("The archive is not kept here: the server behind announced it", {
    errorCode: "NOT_FOUND",
    remediation: "Call the tool again with narrower arguments to see what was left out.",
    details: { resource_type: "archive" },
  });
}

export function tooMany(): Error {
  return faults.unavailable(`More than ${MAX_PENDING} calls wait for an answer on this connection`);
}
