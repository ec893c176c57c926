import type { DialectId } from "../../core/contract/dialect-id.ts";
import type { FidelityLevel, Notes } from "../../core/contract/outcome.ts";
import type { Pagination, RateLimit } from "../../core/contract/meta.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import type { ResponseError } from "../../core/contract/response-error.ts";
import { type SaidBy, isByGateway, markIn } from "../../core/contract/contract-mark.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";

/** The call that an answer belongs to. */
export interface Called {
  readonly tool: string;
  readonly args: JsonObject;
}

/** A tool's success, parsed. `data` has the tool's own type only if nothing except items is missing. */
export interface Answer<Data = JsonValue> {
  readonly ok: true;
  readonly data: Data;
  /** Who wrote the received result: the server, or a gateway in front of it that changed or added something. */
  readonly by: SaidBy;
  readonly fidelity: FidelityLevel;
  /** Names of the omitted content, as the server wrote them. */
  readonly dropped: readonly string[];
  /** Where the whole result is kept: key to `sha256:` hash. */
  readonly archives: Readonly<Record<string, string>>;
  /** The JSON text of the whole as the server wrote it, with its spaces; set by `complete()` if the archive has it. */
  readonly text?: string | undefined;
  /** The hashes in `archives` that a gateway keeps itself. */
  readonly keptByGateway: readonly string[];
  /** Each warning with its author: a gateway, or the server. */
  readonly warnings: readonly HeardWarning[];
  readonly pagination: Pagination | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly requestId: string | undefined;
  /** The items of a batch that failed although the call succeeded. */
  readonly failures: readonly JsonObject[];
  readonly dialect: DialectId;
  /** Images and other blocks besides the text of the result. */
  readonly blocks: readonly JsonObject[];
  readonly notes: Notes;
  readonly called: Called;
}

/** The result of `tryCall`: the answer, or why the call failed. */
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
  readonly authors: Authors;
}

export function toAnswer({ data, notes, dialect, blocks, called, authors }: AnswerParts): Answer {
  const archives = notes.fidelity?.archives ?? {};
  return {
    ok: true,
    data,
    by: authors.by,
    fidelity: notes.fidelity?.level ?? "full",
    dropped: notes.fidelity?.dropped ?? [],
    archives,
    keptByGateway: Object.values(archives).filter((hash) => authors.of("archives", hash) === "gateway"),
    warnings: (notes.warnings ?? []).map((warning) => ({
      ...warning,
      by: authors.of("warnings", warning.message),
    })),
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

// Who wrote an answer's notes. A gateway signs what it wrote; unsigned notes are the server's own, even if they passed
// through a gateway.

/** A warning, and its author. */
export interface HeardWarning extends WarningDetail {
  readonly by: SaidBy;
}

/** Tells who wrote each note of one result. */
interface Authors {
  /** Who wrote the received result. */
  readonly by: SaidBy;
  /** Who gave a failure its code and advice: the server, if it wrote an envelope. */
  readonly ofFailure: SaidBy;
  /** Who wrote one of the `warnings` or announced one of the `archives`. */
  of(kind: "warnings" | "archives", text: string): SaidBy;
}

export function authorsOf(meta: unknown): Authors {
  const mark = markIn(meta);
  const by: SaidBy = isByGateway(mark) ? "gateway" : "server";
  const own = mark?.["own"];
  // If the server wrote nothing beside its data, all notes are the gateway's.
  if (by === "server" || !isJsonObject(own)) return { by, ofFailure: by, of: () => by };
  return {
    by,
    ofFailure: "server",
    of: (kind, text) => {
      const texts = own[kind];
      return Array.isArray(texts) && texts.includes(text) ? by : "server";
    },
  };
}
