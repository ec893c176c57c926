import type { JsonValue } from "../json/json-value.ts";

/** Several secrets by key id: cursors are signed with `current` and verified with any, so keys can rotate. */
export interface CursorKeyRing {
  readonly current: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** A secret of at least 16 bytes, which has the key id `0`, or a ring of them. */
export type CursorKeys = string | CursorKeyRing;

/** The call a cursor belongs to: it works for exactly these values, and carries none of them. */
export interface CursorBinding {
  readonly tool?: string | undefined;
  readonly filters?: JsonValue | undefined;
  readonly sort?: JsonValue | undefined;
  readonly tenant?: string | undefined;
}

export interface SignedCursorOptions extends CursorBinding {
  readonly format?: "signed" | undefined;
  readonly keys: CursorKeys;
  /** Whole days a cursor lives; 7 unless given. */
  readonly expiresInDays?: number | undefined;
  readonly now?: (() => Date) | undefined;
}

/** The unsigned form of seed 004: anyone can read it, and anyone can write one. */
interface PlainCursorOptions {
  readonly format: "plain";
}

export type EncodeCursorOptions = SignedCursorOptions | PlainCursorOptions;

export type DecodeCursorOptions =
  | PlainCursorOptions
  | (SignedCursorOptions & {
      /** Take unsigned cursors too, which nothing protects: for servers that are moving to signed ones. */
      readonly acceptUnsigned?: boolean | undefined;
    });

/** Longer cursors are neither written nor read. */
export const MAX_CURSOR_LENGTH = 4_096;

export const DEFAULT_EXPIRY_DAYS = 7;
