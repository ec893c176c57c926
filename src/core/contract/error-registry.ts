import { type ErrorType, type RetryRule, errorTypeTable, isErrorType } from "./error-data.ts";
import { ContractError } from "./contract-error.ts";

/** One code of the registry. Fields that a row leaves out follow from its type. */
export interface ErrorRow {
  readonly code: string;
  readonly type: ErrorType;
  readonly says: string;
  readonly remediation: string;
  readonly aliases?: readonly string[];
  /** The code in the `scalpel` dialect; several of our codes may share one. */
  readonly scalpel: string;
  /** True if the scalpel code means exactly this code, so no other field has to be sent. */
  readonly scalpelTwin?: boolean;
  readonly http?: number;
  readonly jsonRpc?: number;
  readonly retry?: RetryRule;
}

/**
 * The table behind the registry, one row for each code: those of seeds 001 and 004, the twins of the twelve scalpel
 * codes, and the few Waybill raises itself. `docs/errors.md` is generated from it.
 */
export const errorRows = [
  {
    code: "VALIDATION_ERROR",
    type: "validation",
    says: "The input breaks a rule",
    remediation: "Correct the named fields and call again.",
    scalpel: "invalid_argument",
    scalpelTwin: true,
  },
  {
    code: "INVALID_FORMAT",
    type: "validation",
    says: "The input has the wrong type or is malformed",
    remediation: "Send the named fields in the type and format that the input schema asks for.",
    scalpel: "invalid_argument",
  },
  {
    code: "MISSING_REQUIRED",
    type: "validation",
    says: "A required field is absent",
    remediation: "Provide the named fields and call again.",
    scalpel: "invalid_argument",
  },
  {
    code: "INVALID_CURSOR",
    type: "validation",
    says: "The page cursor is malformed, expired or belongs to another query",
    remediation: "Start again without a cursor, or use the cursor of the last page of this same query.",
    scalpel: "invalid_argument",
  },
  {
    code: "INVALID_PATH",
    type: "validation",
    says: "The path is not acceptable",
    remediation: "Use a path inside the allowed directories.",
    scalpel: "invalid_path",
    scalpelTwin: true,
  },
  {
    code: "CORRECTION_NEEDED",
    type: "validation",
    says: "The input names something that does not exist, and close matches are known",
    remediation: "Choose one of the suggestions in the details and call again.",
    scalpel: "correction_needed",
    scalpelTwin: true,
  },
  {
    code: "TOO_LARGE",
    type: "validation",
    says: "The input or the requested result is over a limit",
    remediation: "Ask for less: narrow the query, or work in pages.",
    scalpel: "too_large",
    scalpelTwin: true,
    http: 413,
  },
  {
    code: "NOT_FOUND",
    type: "not_found",
    says: "The resource does not exist",
    remediation: "Check the identifier, or list what exists.",
    scalpel: "not_found",
    scalpelTwin: true,
  },
  {
    code: "SPEC_NOT_FOUND",
    type: "not_found",
    says: "The specification does not exist",
    remediation: "Check the specification id, or list the specifications.",
    scalpel: "not_found",
  },
  {
    code: "TASK_NOT_FOUND",
    type: "not_found",
    says: "The task does not exist in the specification",
    remediation: "Check the task id, or query the tasks of the specification.",
    scalpel: "not_found",
  },
  {
    code: "DUPLICATE_ENTRY",
    type: "conflict",
    says: "The resource exists already",
    remediation: "Use a different identifier, or update the existing resource.",
    aliases: ["ALREADY_EXISTS"],
    scalpel: "invalid_argument",
  },
  {
    code: "CONFLICT",
    type: "conflict",
    says: "The current state does not allow the operation",
    remediation: "Read the current state, then decide whether the call still makes sense.",
    aliases: ["INVALID_STATE", "INVALID_STATE_TRANSITION", "VERSION_CONFLICT"],
    scalpel: "invalid_argument",
  },
  {
    code: "DEPENDENCY_ERROR",
    type: "conflict",
    says: "Something this depends on is not done",
    remediation: "Complete the dependencies first, then call again.",
    scalpel: "invalid_argument",
  },
  {
    code: "UNAUTHORIZED",
    type: "authentication",
    says: "Credentials are missing or invalid",
    remediation: "Authenticate again, then repeat the call.",
    aliases: ["UNAUTHENTICATED"],
    scalpel: "forbidden",
  },
  {
    code: "FORBIDDEN",
    type: "authorization",
    says: "The caller lacks the permission",
    remediation: "Ask someone who may do this, or request the permission.",
    aliases: ["AUTHORIZATION", "PERMISSION_DENIED"],
    scalpel: "forbidden",
    scalpelTwin: true,
  },
  {
    code: "FEATURE_DISABLED",
    type: "feature_flag",
    says: "The feature flag is off for this caller",
    remediation: "Ask the operator to enable the feature, or do without it.",
    scalpel: "upgrade_required",
  },
  {
    code: "UPGRADE_REQUIRED",
    type: "feature_flag",
    says: "The caller's tier does not include this",
    remediation: "Upgrade to the tier named in the upgrade hints, or do without the feature.",
    scalpel: "upgrade_required",
    scalpelTwin: true,
  },
  {
    code: "RATE_LIMIT_EXCEEDED",
    type: "rate_limit",
    says: "Too many requests",
    remediation: "Wait for the time given, then retry; batch requests where possible.",
    aliases: ["RATE_LIMITED"],
    scalpel: "resource_exhausted",
  },
  {
    code: "RESOURCE_EXHAUSTED",
    type: "unavailable",
    says: "The server ran out of memory, disk or another resource",
    remediation: "Retry later with a smaller request.",
    scalpel: "resource_exhausted",
    scalpelTwin: true,
  },
  {
    code: "TIMEOUT",
    type: "unavailable",
    says: "The operation took too long",
    remediation: "Retry with backoff, or ask for less at a time.",
    scalpel: "timeout",
    scalpelTwin: true,
    http: 504,
  },
  {
    code: "UNAVAILABLE",
    type: "unavailable",
    says: "The service or something it needs is away for now",
    remediation: "Retry with backoff.",
    aliases: ["DEPENDENCY_UNAVAILABLE", "RESOURCE_BUSY"],
    scalpel: "dependency_unavailable",
    scalpelTwin: true,
  },
  {
    code: "NOT_IMPLEMENTED",
    type: "internal",
    says: "The operation does not exist in this server yet",
    remediation: "Use another operation; a retry will not help.",
    scalpel: "not_implemented",
    scalpelTwin: true,
    http: 501,
    retry: "never",
  },
  {
    code: "OPERATION_FAILED",
    type: "internal",
    says: "The operation, or every item of a batch, failed",
    remediation:
      "Check the arguments first, then read what failed and correct the cause; the same call would fail again.",
    scalpel: "internal_error",
    retry: "fix_input",
  },
  {
    code: "INTERNAL_ERROR",
    type: "internal",
    says: "The server failed in a way it did not foresee",
    remediation: "Retry with backoff; if it lasts, report it with the request id.",
    scalpel: "internal_error",
    scalpelTwin: true,
  },
] as const satisfies readonly ErrorRow[];

/** A code of the registry, or an author's own. */
export type ErrorCode = (typeof errorRows)[number]["code"] | (string & {});

type Row = (typeof errorRows)[number];

/** A code of the registry, or one of its aliases. */
export type KnownCode =
  | Row["code"]
  | (Row extends infer Each
      ? Each extends { readonly aliases: readonly (infer Alias)[] }
        ? Alias
        : never
      : never);

export interface ErrorEntry extends Required<ErrorRow> {}

export interface ErrorRegistry {
  readonly entries: readonly ErrorEntry[];
  /** The entry of a code or of one of its aliases. */
  get(code: string): ErrorEntry | undefined;
  /** The entry that a scalpel code means without further fields. */
  fromScalpel(code: string): ErrorEntry | undefined;
  /** A new registry with more rows. A code or alias that is already known is refused. */
  extend(rows: readonly ErrorRow[]): ErrorRegistry;
}

const codePattern = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

export function isScreamingSnake(code: string): boolean {
  return codePattern.test(code);
}

function toEntry(row: ErrorRow): ErrorEntry {
  const type = errorTypeTable[row.type];
  return Object.freeze({
    ...row,
    aliases: row.aliases ?? [],
    scalpelTwin: row.scalpelTwin ?? false,
    http: row.http ?? type.http,
    jsonRpc: row.jsonRpc ?? (row.type === "validation" || row.type === "not_found" ? -32602 : -32603),
    retry: row.retry ?? type.retry,
  });
}

function claim(byName: Map<string, ErrorEntry>, name: string, entry: ErrorEntry): void {
  if (!isScreamingSnake(name)) {
    throw new ContractError("INVALID_OPTION", `Error code "${name}" is not SCREAMING_SNAKE_CASE: rename it.`);
  }
  if (byName.has(name)) {
    throw new ContractError("INVALID_OPTION", `Error code "${name}" is taken already: choose another.`);
  }
  byName.set(name, entry);
}

export function createErrorRegistry(rows: readonly ErrorRow[]): ErrorRegistry {
  const entries: ErrorEntry[] = [];
  const byName = new Map<string, ErrorEntry>();
  const twins = new Map<string, ErrorEntry>();
  for (const row of rows) {
    if (!isErrorType(row.type)) {
      throw new ContractError(
        "INVALID_OPTION",
        `Error code "${row.code}" has an unknown type "${String(row.type)}".`,
      );
    }
    const entry = toEntry(row);
    entries.push(entry);
    for (const name of [entry.code, ...entry.aliases]) claim(byName, name, entry);
    if (entry.scalpelTwin) twins.set(entry.scalpel, entry);
  }
  return Object.freeze({
    entries: Object.freeze(entries),
    get: (code: string) => byName.get(code),
    fromScalpel: (code: string) => twins.get(code),
    extend: (more: readonly ErrorRow[]) => createErrorRegistry([...rows, ...more]),
  });
}

/** Every code Waybill knows. `errorRegistry.extend(rows)` adds an author's own. */
export const errorRegistry: ErrorRegistry = createErrorRegistry(errorRows);
