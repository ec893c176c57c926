import { ContractError } from "../../../core/contract/contract-error.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { faults } from "../../../core/contract/faults.ts";
import type { ToolFault } from "../../../core/contract/tool-fault.ts";

/** Several secrets by key id: cursors are signed with `current` and verified with any, so keys can rotate. */
export interface CursorKeyRing {
  readonly current: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** A secret of at least 16 bytes, which has the key id `0`, or a ring of them. */
export type CursorKeys = string | CursorKeyRing;

/** The call to which a cursor belongs: the cursor works for exactly these values, and contains none of them. */
export interface CursorBinding {
  readonly tool?: string | undefined;
  readonly filters?: JsonValue | undefined;
  readonly sort?: JsonValue | undefined;
  readonly tenant?: string | undefined;
}

export interface SignedCursorOptions extends CursorBinding {
  readonly format?: "signed" | undefined;
  readonly keys: CursorKeys;
  /** How many whole days a cursor is valid. Default: 7. */
  readonly expiresInDays?: number | undefined;
  readonly now?: (() => Date) | undefined;
}

/** The unsigned form of seed 004: anyone can read and write such a cursor. */
interface PlainCursorOptions {
  readonly format: "plain";
}

export type EncodeCursorOptions = SignedCursorOptions | PlainCursorOptions;

export type DecodeCursorOptions =
  | PlainCursorOptions
  | (SignedCursorOptions & {
      /** Also accept unsigned cursors, which nothing protects: for servers that are moving to signed ones. */
      readonly acceptUnsigned?: boolean | undefined;
    });

/** Longer cursors are neither written nor read. */
export const MAX_CURSOR_LENGTH = 4_096;

export const DEFAULT_EXPIRY_DAYS = 7;

const MIN_SECRET_BYTES = 16;
const BARE_KEY_ID = "0";
const keyIdPattern = /^[A-Za-z0-9._-]{1,64}$/;

interface KeyRing {
  readonly current: { readonly id: string; readonly secret: string };
  readonly secretOf: (id: string) => string | undefined;
}

function assertSecret(id: string, secret: unknown): void {
  if (!keyIdPattern.test(id)) {
    throw new ContractError(
      "INVALID_OPTION",
      "A cursor key id has 1 to 64 letters, digits, dots, dashes or underscores.",
    );
  }
  if (typeof secret === "string" && new TextEncoder().encode(secret).length >= MIN_SECRET_BYTES) return;
  throw new ContractError(
    "MISSING_KEY",
    `The cursor key "${id}" is missing or shorter than ${MIN_SECRET_BYTES} bytes: ` +
      "pass a random secret as `keys`, for example the output of `openssl rand -base64 32` in WAYBILL_SECRET.",
    { key_id: id },
  );
}

/** The last single secret that was checked: unlike a ring, a text cannot change. */
let lastChecked: { readonly keys: string; readonly ring: KeyRing } | undefined;

/** Checks every secret; a single secret becomes a ring of one key. */
export function toKeyRing(keys: CursorKeys | undefined): KeyRing {
  if (lastChecked !== undefined && lastChecked.keys === keys) return lastChecked.ring;
  const ring = checkedRing(keys);
  if (typeof keys === "string") lastChecked = { keys, ring };
  return ring;
}

function checkedRing(keys: CursorKeys | undefined): KeyRing {
  const ring =
    typeof keys === "object" && keys !== null
      ? keys
      : { current: BARE_KEY_ID, keys: { [BARE_KEY_ID]: keys } };
  const secrets = new Map(Object.entries(ring.keys ?? {}));
  for (const [id, secret] of secrets) assertSecret(id, secret);
  const secretOf = (id: string): string | undefined => secrets.get(id);
  const secret = secretOf(ring.current);
  if (secret === undefined) {
    const message = `The current cursor key "${ring.current}" is not in the ring: add its secret to \`keys.keys\`.`;
    throw new ContractError("MISSING_KEY", message, { key_id: ring.current });
  }
  return { current: { id: ring.current, secret }, secretOf };
}

/** Why a cursor is refused: the values of `details.cursor_reason`. */
const cursorReasons = [
  "empty",
  "too_long",
  "malformed",
  "not_an_object",
  "version",
  "offset",
  "unknown_key",
  "expired",
  "signature",
] as const;
type CursorReason = (typeof cursorReasons)[number];

const says: Readonly<Record<CursorReason, string>> = {
  empty: "it is empty",
  too_long: "it is too long",
  malformed: "it is not a cursor of this server",
  not_an_object: "it does not hold a position",
  version: "its version is not supported",
  offset: "it counts more than 10,000 items",
  unknown_key: "it was issued under a key that is no longer in use",
  expired: "it has expired",
  // One sentence for both: separate ones would tell a stranger which guess was right.
  signature: "it was changed, or belongs to another query",
};

/** The one answer to a cursor that cannot be used: INVALID_CURSOR with a machine-readable reason. */
export function refuseCursor(reason: CursorReason): ToolFault {
  return faults.invalidCursor(says[reason], { details: { cursor_reason: reason } });
}
