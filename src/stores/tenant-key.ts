import { createHash } from "node:crypto";
import { ContractError } from "../contract/contract-error.ts";

/** Enough of a sha256 that no two tenants meet; short enough for a directory's name. */
const KEY_DIGITS = 32;

/** How stores know a tenant: 32 hex digits that name nobody. Tenants that differ in any character differ here. */
export function tenantKey(tenant: string): string {
  if (typeof tenant !== "string" || tenant === "") {
    const message =
      "The tenant is empty: give each caller's own name, or one fixed name when there is only one.";
    throw new ContractError("INVALID_OPTION", message, { option: "tenant" });
  }
  // UTF-16 keeps lone surrogates apart; UTF-8 would turn all of them into the same replacement character.
  return createHash("sha256").update(tenant, "utf16le").digest("hex").slice(0, KEY_DIGITS);
}
