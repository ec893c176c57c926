import { ContractError } from "../../../core/contract/contract-error.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";

/** Limits are whole numbers from 1; anything else is the caller's mistake, not the document's. */
export function assertLimit(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return;
  throw new ContractError(
    "INVALID_OPTION",
    `${name} must be a whole number of at least 1, not ${String(value)}: pass one, or leave it out.`,
    { option: name },
  );
}

interface UnreadableOptions {
  /** A stable word for programs. */
  readonly reason: string;
  readonly remediation: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The fault for a document that cannot be digested: what it is, and what to do. */
export function unreadableDocument(
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

/** The fault for a document above a size limit. */
export function documentTooLarge(
  message: string,
  { reason, remediation, details }: UnreadableOptions,
): ToolFault {
  return new ToolFault(message, { errorCode: "TOO_LARGE", remediation, details: { reason, ...details } });
}
