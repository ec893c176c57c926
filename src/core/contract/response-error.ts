import type { JsonObject } from "../json/json-value.ts";
import { canonicalCode, retryRuleOfCode } from "./error-data.ts";
import type { SaidBy } from "./contract-mark.ts";
import type { errorRows } from "./error-rows.ts";
import { type ErrorType, type RetryRule, errorTypeTable, isErrorType } from "./error-types.ts";
import type { Fault, Notes } from "./outcome.ts";

type Row = (typeof errorRows)[number];
type AliasOf<One> = One extends { readonly aliases: readonly (infer Alias)[] } ? Alias : never;

/** Codes of failures that the client itself reports. */
type ClientErrorCode =
  | "INVALID_RESPONSE"
  | "INVALID_DIGEST"
  | "HASH_MISMATCH"
  | "ARCHIVE_INCOMPLETE"
  | "CURSOR_STUCK"
  | "TOO_MANY_PAGES"
  | "NOT_AS_ASKED";

/** The codes of the registry, their aliases, and those of the client: what an editor can complete. */
export type KnownErrorCode = Row["code"] | AliasOf<Row> | ClientErrorCode;

/** A known code, or a server's own; comparing with a known one narrows the type. */
type ReadErrorCode = KnownErrorCode | (string & {});

/** One of the nine types, or what a server calls its own. */
type ReadErrorType = ErrorType | (string & {});

// Two copies of the package may be installed side by side, so identity is a registered symbol, not the class.
const brand = Symbol.for("waybill.ResponseError");
const faultBrand = Symbol.for("waybill.ToolFault");

/** Faults that the client finds in a server's answers; the same call would produce them again. */
const lastingCodes: ReadonlySet<string> = new Set([
  "INVALID_RESPONSE",
  "INVALID_DIGEST",
  "HASH_MISMATCH",
  "CURSOR_STUCK",
  "TOO_MANY_PAGES",
  "NOT_AS_ASKED",
]);

/** How far a call of several steps got, so that it can continue from there. */
export interface Progress {
  readonly pages: number;
  readonly items: number;
  /** The cursor to continue from; null if the first page never came. */
  readonly cursor: string | null;
}

/** A failure of a tool or of the connection to it, with what to do about it. */
export class ResponseError extends Error {
  override readonly name = "ResponseError";
  readonly fault: Fault;
  readonly notes: Notes;
  /** Who wrote the code and the advice, if they came in a result: a server can write anything a gateway writes. */
  by: SaidBy | undefined;
  /** Set if part of the work was done. */
  progress: Progress | undefined;

  constructor(fault: Fault, notes: Notes = {}, options?: ErrorOptions) {
    super(fault.message, options);
    this.fault = fault;
    this.notes = notes;
    Object.defineProperty(this, brand, { value: true });
    // A tool that calls tools may rethrow this error; the brand keeps its code.
    Object.defineProperty(this, faultBrand, { value: true });
  }

  /** The code as the server wrote it. */
  get code(): ReadErrorCode {
    return this.fault.code;
  }

  /** The registry's name for the code, if the code is an alias. */
  get canonicalCode(): ReadErrorCode {
    return canonicalCode(this.fault.code);
  }

  get type(): ReadErrorType {
    return this.fault.type;
  }

  get remediation(): string | undefined {
    return this.fault.remediation;
  }

  get details(): JsonObject | undefined {
    return this.fault.details;
  }

  get requestId(): string | undefined {
    return this.notes.requestId;
  }

  get retryAfterSeconds(): number | undefined {
    const said = this.fault.data?.["retry_after_seconds"] ?? this.notes.rateLimit?.retry_after;
    return typeof said === "number" && said >= 0 ? said : undefined;
  }

  /** What a caller may do: the code's own rule, else its type's; "never" if the server says a retry cannot help. */
  get retryRule(): RetryRule {
    const { code, type, details } = this.fault;
    // If the tool ran and its answer is broken, it would be broken again.
    const isBroken = type === "internal" && details?.["executed"] === "yes";
    if (isBroken || lastingCodes.has(code) || details?.["retryable"] === false) return "never";
    return retryRuleOfCode(code) ?? (isErrorType(type) ? errorTypeTable[type].retry : "never");
  }

  /** For a tool that passes the error on. */
  toOutcome(): { readonly ok: false; readonly fault: Fault; readonly notes: Notes } {
    return { ok: false, fault: this.fault, notes: this.notes };
  }

  static isInstance(value: unknown): value is ResponseError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** An error with a known code, as the server wrote it or as the registry names it. */
export type ErrorWithCode<Code extends ReadErrorCode> = ResponseError &
  ({ readonly code: Code } | { readonly canonicalCode: Code });

/**
 * True for a ResponseError with one of these codes; a registry's code also matches its aliases.
 *
 * @example
 * if (hasCode(error, "NOT_FOUND", "SPEC_NOT_FOUND")) return undefined;
 */
export function hasCode<const Code extends ReadErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ErrorWithCode<Code> {
  if (!ResponseError.isInstance(error)) return false;
  const names: readonly string[] = codes;
  return names.includes(error.code) || names.includes(error.canonicalCode);
}
