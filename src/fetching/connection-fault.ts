import { ToolFault } from "../contract/tool-fault.ts";
import { fetchFault } from "./fetch-fault.ts";

/** What OpenSSL and Node call a chain or a name that they do not trust. */
const UNTRUSTED =
  /^(CERT_|CRL_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|SELF_SIGNED_|UNABLE_TO_)/;

/** Packed data that is not what its header promised, or ends too early. */
const UNREADABLE = /^(Z_|ERR__ERROR_|ERR_BROTLI_)/;

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** What a failed connection or a broken answer means to the caller. */
export function connectionFault(cause: unknown, redirect: number): ToolFault {
  if (ToolFault.isInstance(cause)) return cause;
  const code = codeOf(cause);
  if (UNTRUSTED.test(code)) return fetchFault("certificate", { redirect, cause });
  if (UNREADABLE.test(code)) return fetchFault("encoding", { redirect, cause });
  if (code === "HPE_HEADER_OVERFLOW") return fetchFault("headers", { redirect, cause });
  return fetchFault(code.startsWith("HPE_") ? "protocol" : "connection", { redirect, cause });
}
