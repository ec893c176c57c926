import { ToolFault } from "../../contract/tool-fault.ts";

interface UnreadableOptions {
  /** A stable word for programs. */
  readonly reason: string;
  readonly remediation: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A document that cannot be digested as it is: what it is, and what to do. */
export function unreadable(
  message: string,
  { reason, remediation, details, cause }: UnreadableOptions,
): ToolFault {
  return new ToolFault(message, {
    errorCode: "INVALID_FORMAT",
    remediation,
    details: { reason, ...details },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A document over a limit of size. */
export function tooLarge(message: string, { reason, remediation, details }: UnreadableOptions): ToolFault {
  return new ToolFault(message, { errorCode: "TOO_LARGE", remediation, details: { reason, ...details } });
}
