import { ContractError } from "../contract/contract-error.ts";
import { ArchiveError, type ArchiveErrorCode } from "./archive-error.ts";

/** What the first word of an error reply says about the store. */
const replies: Readonly<Record<string, { readonly code: ArchiveErrorCode; readonly advice: string }>> = {
  OOM: { code: "FULL", advice: "Its memory is full: raise maxmemory, or set a shorter ttlMs or a maxBytes." },
  READONLY: { code: "READ_ONLY", advice: "It is a replica: give the address of the primary." },
  MISCONF: { code: "READ_ONLY", advice: "It cannot save to its disk and refuses writes." },
  NOREPLICAS: { code: "READ_ONLY", advice: "Too few replicas follow it." },
  NOAUTH: { code: "UNREACHABLE", advice: "It wants a password: put it into the URL." },
  WRONGPASS: { code: "UNREACHABLE", advice: "It refuses the name or the password in the URL." },
  NOPERM: { code: "UNREACHABLE", advice: "This user may not run the commands of the store." },
  LOADING: { code: "UNREACHABLE", advice: "It is still loading its data." },
};

/** A client's error as a store's. Names the place, never the password. */
export function toRedisError(error: unknown, location: string): Error {
  if (ArchiveError.isInstance(error) || ContractError.isInstance(error)) return error;
  const text = error instanceof Error ? error.message : String(error);
  const word = /^[A-Z]+/.exec(text)?.[0] ?? "";
  const known = Object.hasOwn(replies, word) ? replies[word] : undefined;
  if (known !== undefined) {
    return new ArchiveError(known.code, `Redis at ${location} refused. ${known.advice}`, { cause: error });
  }
  return new ArchiveError(
    "UNREACHABLE",
    `Redis at ${location} cannot be reached: ${text || "no reason given"}.`,
    {
      cause: error,
    },
  );
}
