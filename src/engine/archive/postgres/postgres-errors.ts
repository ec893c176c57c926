// What an error of the client, or of PostgreSQL itself, says about the store. Texts name the place, never the password.

import { ContractError } from "../../../core/contract/contract-error.ts";
import { ArchiveError, type ArchiveErrorCode } from "../archive-store.ts";

interface Meaning {
  readonly code: ArchiveErrorCode;
  readonly advice: string;
}

const refusedAccount: Meaning = {
  code: "UNREACHABLE",
  advice: "It refuses the name, the password, or a connection without TLS (?sslmode=verify-full).",
};
const missingTables: Meaning = {
  code: "UNREACHABLE",
  advice: "Its tables are gone; the next call makes them anew.",
};

/** By SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const meanings: Readonly<Record<string, Meaning>> = {
  "28000": refusedAccount,
  "28P01": refusedAccount,
  "3D000": { code: "UNREACHABLE", advice: "It has no database of this name." },
  "42501": {
    code: "UNREACHABLE",
    advice: "This user may not do that: it must own the schema, or may create one in the database.",
  },
  "53300": {
    code: "UNREACHABLE",
    advice: "It has no connection left: lower `connections`, or raise max_connections.",
  },
  "57P03": { code: "UNREACHABLE", advice: "It is starting." },
  "57P01": { code: "UNREACHABLE", advice: "It is shutting down." },
  "3F000": missingTables,
  "42P01": missingTables,
  "53100": { code: "FULL", advice: "Its disk is full: free space, or set a shorter ttlMs or a maxBytes." },
  "25006": { code: "READ_ONLY", advice: "It takes no writes: give the address of the primary." },
  "57014": { code: "TIMEOUT", advice: "The statement took too long." },
};

/** The SQLSTATE of an error that PostgreSQL itself sent; undefined for one of the connection. */
function sqlStateOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("severity" in error) || !("code" in error))
    return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Whether the connection can go on after an error: PostgreSQL answered, and does not end it. */
export function isAnswer(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && !/^(?:57P|08)/.test(state);
}

export function areTablesMissing(error: unknown): boolean {
  const state = error instanceof Error ? sqlStateOf(error.cause) : undefined;
  return state === "3F000" || state === "42P01";
}

/** The client's own words, by which alone it can be known: PostgreSQL asked for a password, and the client has none. */
const MISSING_PASSWORD = /^SASL: .*client password must be a/;

/** An `AggregateError` of several addresses has no text of its own. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return "no reason given";
  const code = "code" in error && typeof error.code === "string" ? error.code : "no reason given";
  return error.message === "" ? code : error.message;
}

/** A client's error as a store's error. */
export function toPostgresError(error: unknown, location: string): Error {
  if (ArchiveError.isInstance(error) || ContractError.isInstance(error)) return error;
  const state = sqlStateOf(error);
  const known = state !== undefined && Object.hasOwn(meanings, state) ? meanings[state] : undefined;
  if (known !== undefined) {
    return new ArchiveError(known.code, `PostgreSQL at ${location} refused. ${known.advice}`, {
      cause: error,
    });
  }
  if (error instanceof Error && MISSING_PASSWORD.test(error.message)) {
    const advice = "set PGPASSWORD, or write postgres://name:password@… with the password percent-encoded.";
    const message = `PostgreSQL at ${location} wants a password, and there is none: ${advice}`;
    return new ArchiveError("UNREACHABLE", message, { cause: error });
  }
  const what = state === undefined ? "cannot be reached" : `refused (${state})`;
  return new ArchiveError("UNREACHABLE", `PostgreSQL at ${location} ${what}: ${textOf(error)}.`, {
    cause: error,
  });
}
