import { ContractError } from "../contract/contract-error.ts";
import type { CursorKeys } from "./cursor-options.ts";

const MIN_SECRET_BYTES = 16;
const BARE_KEY_ID = "0";
const keyIdPattern = /^[A-Za-z0-9._-]{1,64}$/;

export interface KeyRing {
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

/** Checks every secret; a bare one becomes a ring of one key. */
export function toKeyRing(keys: CursorKeys | undefined): KeyRing {
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
