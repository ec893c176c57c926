// Codes that mean the same in every program: HTTP status codes and errors of operating systems.

/** Unambiguous status codes. A 400 or 500 says little, so words take precedence over those: see `weakStatuses`. */
const strongStatuses: Readonly<Record<string, string>> = {
  "401": "UNAUTHORIZED",
  "403": "FORBIDDEN",
  "404": "NOT_FOUND",
  "408": "TIMEOUT",
  "409": "CONFLICT",
  "410": "NOT_FOUND",
  "412": "CONFLICT",
  "413": "TOO_LARGE",
  "423": "CONFLICT",
  "429": "RATE_LIMIT_EXCEEDED",
  "501": "NOT_IMPLEMENTED",
  "502": "UNAVAILABLE",
  "503": "UNAVAILABLE",
  "504": "TIMEOUT",
  "529": "UNAVAILABLE",
};

const weakStatuses: Readonly<Record<string, string>> = {
  "400": "VALIDATION_ERROR",
  "422": "VALIDATION_ERROR",
  "500": "UNAVAILABLE",
};

/** The code of a status, and whether other signs should be tried first. */
export function codeOfStatus(
  status: string,
): { readonly code: string; readonly isWeak: boolean } | undefined {
  const strong = strongStatuses[status];
  if (strong !== undefined) return { code: strong, isWeak: false };
  const weak = weakStatuses[status];
  return weak === undefined ? undefined : { code: weak, isWeak: true };
}

const phrases =
  "bad request|unauthorized|payment required|forbidden|not found|method not allowed|request time-?out|conflict|gone|precondition failed|payload too large|content too large|unprocessable|too many requests|internal server error|not implemented|bad gateway|service unavailable|gateway time-?out|client error|server error";

/** A number is a status if a word before it, a phrase after it, or the requested URL says so. */
const statusForms: readonly RegExp[] = [
  new RegExp(`\\b([45]\\d\\d)[ :,-]{1,3}(?:${phrases})\\b`, "i"),
  /\b(?:status(?:[ _-]?code)?|HTTP(?:\/\d(?:\.\d)?)?(?: error| status| code| response)?|(?:API|server|request|response|client)? ?error(?: code)?|failed with(?: code)?|returned|got|received|responded with|response(?: code)?|code)["']?[ :=([#]{1,3}([45]\d\d)\b(?! ?(?:ms|s|bytes|rows|items|chars)\b)/i,
  /\bhttps?:\/\/\S+ ([45]\d\d)\b/,
  /\[([45]\d\d)\]|^([45]\d\d)(?: - |: |$)/m,
  /\b(?:failed|error)\b[^\n]{0,80}: ([45]\d\d) (?=[A-Z])/i,
  /[:(] ?\(?([45]\d\d)\) ?(?::|$)/,
];

/** The HTTP status that a line names. */
export function statusIn(line: string): string | undefined {
  for (const form of statusForms) {
    const [, status, atStart] = form.exec(line) ?? [];
    if (status !== undefined || atStart !== undefined) return status ?? atStart;
  }
  return undefined;
}

const systemCodes: Readonly<Record<string, string>> = {
  ENOENT: "NOT_FOUND",
  EACCES: "FORBIDDEN",
  EPERM: "FORBIDDEN",
  EROFS: "FORBIDDEN",
  EEXIST: "DUPLICATE_ENTRY",
  ENOTEMPTY: "CONFLICT",
  EISDIR: "INVALID_PATH",
  ENOTDIR: "INVALID_PATH",
  ENAMETOOLONG: "INVALID_PATH",
  ENOSPC: "RESOURCE_EXHAUSTED",
  EMFILE: "RESOURCE_EXHAUSTED",
  ENOMEM: "RESOURCE_EXHAUSTED",
  ECONNREFUSED: "UNAVAILABLE",
  ECONNRESET: "UNAVAILABLE",
  EPIPE: "UNAVAILABLE",
  EHOSTUNREACH: "UNAVAILABLE",
  ENETUNREACH: "UNAVAILABLE",
  ENOTFOUND: "UNAVAILABLE",
  EAI_AGAIN: "UNAVAILABLE",
  ETIMEDOUT: "TIMEOUT",
  ESOCKETTIMEDOUT: "TIMEOUT",
  ECONNABORTED: "TIMEOUT",
};
const systemCode = new RegExp(`\\b(?:${Object.keys(systemCodes).join("|")})\\b`);

/** Python gives the same errors by number; Go and Rust by words or "os error". */
const errnoCodes: Readonly<Record<string, string>> = {
  "-2": "UNAVAILABLE",
  "-3": "UNAVAILABLE",
  "2": "NOT_FOUND",
  "13": "FORBIDDEN",
  "17": "DUPLICATE_ENTRY",
  "20": "INVALID_PATH",
  "21": "INVALID_PATH",
  "28": "RESOURCE_EXHAUSTED",
  "104": "UNAVAILABLE",
  "110": "TIMEOUT",
  "111": "UNAVAILABLE",
};
const errno = /(?:\[Errno |\(os error )(-?\d{1,3})[\])]/;

/** The code of an operating system's error that a line names. */
export function codeOfSystemIn(line: string): string | undefined {
  const [name = ""] = systemCode.exec(line) ?? [];
  const [, number = ""] = errno.exec(line) ?? [];
  return systemCodes[name] ?? errnoCodes[number];
}
