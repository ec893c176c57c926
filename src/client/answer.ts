import type { DialectId } from "../contract/dialect-id.ts";
import type { FidelityLevel, Notes } from "../contract/outcome.ts";
import type { Pagination } from "../contract/pagination.ts";
import type { RateLimit } from "../contract/rate-limit.ts";
import type { WarningDetail } from "../contract/warning.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import type { ResponseError } from "../contract/response-error.ts";

/** Which call an answer belongs to. */
export interface Called {
  readonly tool: string;
  readonly args: JsonObject;
}

/** A tool's success, read. `data` is the tool's own type only while nothing but items is missing. */
export interface Answer<Data = JsonValue> {
  readonly ok: true;
  readonly data: Data;
  readonly fidelity: FidelityLevel;
  /** Names of what was left out, as the server wrote them. */
  readonly dropped: readonly string[];
  /** Where the whole is kept: key to `sha256:` hash. */
  readonly archives: Readonly<Record<string, string>>;
  readonly warnings: readonly WarningDetail[];
  readonly pagination: Pagination | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly requestId: string | undefined;
  /** The items of a batch that failed though the call did not. */
  readonly failures: readonly JsonObject[];
  readonly dialect: DialectId;
  /** Images and other blocks beside the words. */
  readonly blocks: readonly JsonObject[];
  readonly notes: Notes;
  readonly called: Called;
}

/** What `tryCall` gives: the answer, or why the call failed. */
export type Tried<Data = JsonValue> =
  | Answer<Data>
  | { readonly ok: false; readonly error: ResponseError; readonly called: Called };

export function failuresIn(data: JsonValue): readonly JsonObject[] {
  const failures = isJsonObject(data) ? data["failures"] : undefined;
  return Array.isArray(failures) ? failures.filter(isJsonObject) : [];
}

export interface AnswerParts {
  readonly data: JsonValue;
  readonly notes: Notes;
  readonly dialect: DialectId;
  readonly blocks: readonly JsonObject[];
  readonly called: Called;
}

export function toAnswer({ data, notes, dialect, blocks, called }: AnswerParts): Answer {
  return {
    ok: true,
    data,
    fidelity: notes.fidelity?.level ?? "full",
    dropped: notes.fidelity?.dropped ?? [],
    archives: notes.fidelity?.archives ?? {},
    warnings: notes.warnings ?? [],
    pagination: notes.pagination,
    rateLimit: notes.rateLimit,
    requestId: notes.requestId,
    failures: failuresIn(data),
    dialect,
    blocks,
    notes,
    called,
  };
}
