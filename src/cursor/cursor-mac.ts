import { assertJson } from "../contract/note-options.ts";
import type { JsonValue } from "../json/json-value.ts";
import { stableStringify } from "../json/canonical-json.ts";
import type { CursorBinding } from "./cursor-options.ts";

export const MAC_BYTES = 16;

// The same secret may sign other things; the label keeps their signatures from working here.
const LABEL = "waybill.cursor\n";

async function hashBinding(binding: CursorBinding): Promise<Uint8Array<ArrayBuffer>> {
  const values: readonly (JsonValue | undefined)[] = [
    binding.tool,
    binding.filters,
    binding.sort,
    binding.tenant,
  ];
  const parts = values.map((value) => value ?? null);
  assertJson(parts, "binding");
  const text = new TextEncoder().encode(stableStringify(parts));
  return new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", text));
}

/** HMAC-SHA256 over the cursor's body and the call it belongs to, cut to 16 bytes. */
export async function cursorMac(
  secret: string,
  body: Uint8Array,
  binding: CursorBinding,
): Promise<Uint8Array<ArrayBuffer>> {
  const label = new TextEncoder().encode(LABEL);
  const bound = await hashBinding(binding);
  const input = new Uint8Array(label.length + bound.length + body.length);
  input.set(label);
  input.set(bound, label.length);
  input.set(body, label.length + bound.length);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const raw = new TextEncoder().encode(secret);
  const key = await globalThis.crypto.subtle.importKey("raw", raw, algorithm, false, ["sign"]);
  return new Uint8Array(await globalThis.crypto.subtle.sign("HMAC", key, input)).slice(0, MAC_BYTES);
}

/** Compares in a time that does not depend on where two MACs differ. */
export function equalMacs(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
  return difference === 0;
}
