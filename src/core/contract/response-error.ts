import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import {
  canonicalCode,
  retryRuleOfCode,
  type ErrorType,
  type RetryRule,
  errorTypeTable,
  isErrorType,
} from "./error-data.ts";
import type { SaidBy } from "./contract-mark.ts";
import type { errorRows } from "./error-registry.ts";
import type { Fault, Notes } from "./outcome.ts";
import type { DigestPayload } from "./digest-payload.ts";
import { DIGEST_CONTENT_TYPE } from "./wire-names.ts";

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
 * The error of a tool that declares its faults. The key is for the compiler alone: `hasCode` reads there which details
 * a code has.
 */
export type ToolError<Faults> = [keyof Faults] extends [never]
  ? ResponseError
  : ResponseError & Declaring<Faults>;

// No interface: declarations of other packages write its member, and could not name it.
type Declaring<Faults> = { readonly "~faults"?: Faults };

/** The codes of declared faults. */
type CodesOf<Faults> = {
  [Name in keyof Faults]: Faults[Name] extends { readonly code: infer Code extends string } ? Code : never;
}[keyof Faults];

/** The details of the declared faults with a code, where every code is declared. */
type DeclaredDetails<Faults, Code> = [Code] extends [CodesOf<Faults>]
  ? {
      readonly details: {
        [Name in keyof Faults]: Faults[Name] extends { readonly code: Code; readonly details: infer Details }
          ? Details
          : never;
      }[keyof Faults];
    }
  : unknown;

/**
 * True for a ResponseError with one of these codes; a registry's code also matches its aliases. If the error is one of
 * a tool that declares the code, the details are those of the declaration.
 *
 * @example
 * if (hasCode(error, "NOT_FOUND", "SPEC_NOT_FOUND")) return undefined;
 */
export function hasCode<Faults, const Code extends CodesOf<Faults> | ReadErrorCode>(
  error: (ResponseError & Declaring<Faults>) | Error,
  ...codes: readonly Code[]
): error is ErrorWithCode<Code> & DeclaredDetails<Faults, Code>;
export function hasCode<const Code extends ReadErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ErrorWithCode<Code>;
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (!ResponseError.isInstance(error)) return false;
  return codes.includes(error.code) || codes.includes(error.canonicalCode);
}

/** The seeds' rule of thumb: four characters per token. */
const CHARS_PER_TOKEN = 4;

/** A document as research tools return it, digested or not. */
export interface Source {
  readonly id: string;
  readonly title?: string;
  readonly url?: string;
  readonly content_type: string;
  readonly content: string;
}

/** A quote, and its place in the document. */
export interface Citation {
  readonly text: string;
  readonly locator: string;
}

/** A digest, ready for a model. It is a summary already: do not summarise it again. */
export interface ReadDigest {
  readonly kind: "digest";
  readonly context: string;
  readonly highlights: readonly string[];
  readonly citations: readonly Citation[];
  readonly estimatedTokens: number;
  readonly payload: DigestPayload;
}

/** Any other content, as it is. */
export interface ReadText {
  readonly kind: "content";
  readonly content: string;
}

/** True for a source whose content is a digest of a document, not the document. */
export function isDigest(source: { readonly content_type?: unknown }): boolean {
  return source.content_type === DIGEST_CONTENT_TYPE;
}

interface Issue {
  readonly path: string;
  readonly message: string;
}

function invalidDigest({ id }: Source, issues: readonly Issue[], cause?: unknown): ResponseError {
  const says = issues.slice(0, 1).map(({ path, message }) => `${path} ${message}`.trim());
  return new ResponseError(
    {
      message: `The digest of ${id} is invalid: ${says.join()}`,
      code: "INVALID_DIGEST",
      type: "internal",
      remediation: "Ask for the document itself, or have it digested again.",
      details: { source_id: id, issues: issues.map((issue): JsonObject => ({ ...issue })) },
    },
    {},
    cause === undefined ? undefined : { cause },
  );
}

function parse(source: Source): unknown {
  try {
    return JSON.parse(source.content);
  } catch (error) {
    throw invalidDigest(source, [{ path: "", message: "is no JSON" }], error);
  }
}

/**
 * What a source gives a model to read: a digest's summary, points and quotes, or the content as it is. An invalid
 * digest is a ResponseError with the code INVALID_DIGEST and never passes for a text.
 */
export async function readSource(source: Source): Promise<ReadDigest | ReadText> {
  if (!isDigest(source)) return { kind: "content", content: source.content };
  const json = parse(source);
  // The schema loads Zod, which programs that never read a digest do not need.
  const { digestPayloadSchema, fillPayload } = await import("./digest-payload.ts");
  const { success, error } = digestPayloadSchema.safeParse(json);
  if (!success) {
    const issues = error.issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
    throw invalidDigest(source, issues);
  }
  const payload = fillPayload(json as object);
  return {
    kind: "digest",
    context: payload.summary,
    highlights: payload.key_points,
    citations: payload.evidence_snippets.map(({ text, locator }) => ({ text, locator })),
    estimatedTokens: Math.floor(payload.digest_chars / CHARS_PER_TOKEN),
    payload,
  };
}

// SEP-3304, a draft without a sponsor: a JSON-RPC error with which a server refuses a request because of its rate
// limit. The client reads this error. Nothing here sends it: the code belongs to the specification until it is
// accepted.

export const RATE_LIMIT_ERROR = -32023;

/** The seconds to wait that the error's `data` names, rounded up. */
export function retryAfterIn(data: unknown): number | undefined {
  const ms = isJsonObject(data) ? data["retryAfterMs"] : undefined;
  return typeof ms === "number" && ms >= 0 ? Math.ceil(ms / 1_000) : undefined;
}
