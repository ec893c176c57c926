/** Why a store could not do what it was asked. A miss is no error: it is an undefined answer. */
const archiveErrorCodes = [
  "CORRUPT",
  "FULL",
  "READ_ONLY",
  "TOO_LARGE",
  "UNREACHABLE",
  "TIMEOUT",
  "CLOSED",
] as const;

export type ArchiveErrorCode = (typeof archiveErrorCodes)[number];

// Two copies of the package may be installed side by side, so identity is a registered symbol, not the class.
const brand = Symbol.for("waybill.ArchiveError");

/** Thrown by stores; the message says what happened and what to do, for logs and operators, never for a model. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
  readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  static isInstance(value: unknown): value is ArchiveError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
