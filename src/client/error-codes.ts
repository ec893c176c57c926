import type { errorRows } from "../contract/error-rows.ts";
import type { ErrorType } from "../contract/error-types.ts";

type Row = (typeof errorRows)[number];
type AliasOf<One> = One extends { readonly aliases: readonly (infer Alias)[] } ? Alias : never;

/** What the client itself reports, no server having said it. */
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

/** A known code, or a server's own: comparing with a known one narrows. */
export type ReadErrorCode = KnownErrorCode | (string & {});

/** One of the nine types, or what a server calls its own. */
export type ReadErrorType = ErrorType | (string & {});
