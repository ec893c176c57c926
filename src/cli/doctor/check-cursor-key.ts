import type { Settings } from "../../config/settings.ts";
import type { Check } from "./check.ts";

const SHORT_SECRET = 16;

/** What cursors are signed with, in the order a server looks for it. The secret itself is never shown. */
export function checkCursorKey({ secret }: Settings, store: "lasting" | "broken" | "none"): Check {
  const id = "cursor-key";
  if (secret !== undefined) return checkSecret(secret.reveal().length);
  if (store === "lasting") {
    const says = "made once and kept in the store: restarts and replicas that share it agree";
    return { id, status: "ok", says, details: { source: "store" } };
  }
  const why = store === "broken" ? "the store that should keep it cannot be used, so it is " : "";
  return {
    id,
    status: "note",
    says: `${why}random: cursors end with the server's process, and no replica accepts another's`,
    advice: "Set WAYBILL_SECRET, as from `openssl rand -hex 32`, or a store that outlives the process.",
    details: { source: "random" },
  };
}

function checkSecret(length: number): Check {
  const check = { id: "cursor-key", says: "WAYBILL_SECRET is set", details: { source: "WAYBILL_SECRET" } };
  if (length >= SHORT_SECRET) return { ...check, status: "ok" };
  const advice = "It is short enough to be guessed: set random text, as from `openssl rand -hex 32`.";
  return { ...check, status: "note", advice };
}
