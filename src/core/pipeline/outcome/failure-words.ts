// Words and codes that mean the same in every program: names of errors, HTTP statuses, system errors, waits.

import { errorRegistry } from "../../contract/error-registry.ts";

// The meaning of error names in any spelling: NOT_FOUND, object_not_found, NoSuchBucket, ResourceNotFoundException.
// Names are read where servers put them: in the fields of a payload, before a message, in brackets such as "(…)".

/** `objectNotFound` and `ObjectNotFoundException` as words between underscores, in upper case. */
function toWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[\s.-]+/g, "_")
    .toUpperCase()
    .replace(/_(?:ERROR|EXCEPTION|FAULT|ERR)$/, "");
}

/** The first pattern that matches counts. A name that ends a limit for good is above the limit's own. */
const meanings: readonly (readonly [RegExp, string | undefined])[] = [
  [
    /QUOTA|BILLING|PAYMENT|CREDITS?(?:_|$)|PLAN_|INSUFFICIENT_FUNDS|CREDENTIALS?_UNAVAILABLE|NO_CREDENTIALS/,
    undefined,
  ],
  [
    /(?:^|_)(?:NOT_FOUND|NO_SUCH_[A-Z_]+|DOES_NOT_EXIST|UNKNOWN_(?:TOOL|RESOURCE)|MISSING_RESOURCE)$/,
    "NOT_FOUND",
  ],
  [/^(?:NO_SUCH_[A-Z_]+|[A-Z_]+_NOT_FOUND)$/, "NOT_FOUND"],
  [/RATE_?LIMIT|TOO_MANY_REQUESTS|THROTTL|SLOW_DOWN$/, "RATE_LIMIT_EXCEEDED"],
  [
    /^(?:UNAUTHORIZED|UNAUTHENTICATED|NOT_AUTHED|NOT_AUTHENTICATED|AUTHENTICATION|AUTHENTICATION_FAILED|AUTHENTICATION_REQUIRED|AUTH_FAILED|AUTH|LOGIN_REQUIRED|BAD_CREDENTIALS)$/,
    "UNAUTHORIZED",
  ],
  [
    /(?:INVALID|EXPIRED|REVOKED|BAD)_(?:AUTH|TOKEN|API_?KEY|CREDENTIALS?|ACCESS_TOKEN|CLIENT_TOKEN_ID|GRANT)|(?:TOKEN|KEY|CREDENTIALS?|SESSION)_(?:EXPIRED|REVOKED|INVALID)|^(?:UNRECOGNIZED_CLIENT|SIGNATURE_DOES_NOT_MATCH)$/,
    "UNAUTHORIZED",
  ],
  [
    /FORBIDDEN|(?:^|_)DENIED$|(?:PERMISSION|ACCESS|AUTHORIZATION)_(?:DENIED|ERROR)|^PERMISSION$|NOT_AUTHORIZED|UNAUTHORIZED_OPERATION|INSUFFICIENT_(?:PERMISSIONS?|SCOPE|PRIVILEGES?)|MISSING_SCOPE|READ_?ONLY|RESTRICTED_RESOURCE|NOT_ALLOWED/,
    "FORBIDDEN",
  ],
  [/ALREADY_EXISTS|DUPLICATE|UNIQUE_VIOLATION|ALREADY_IN_USE|NAME_TAKEN/, "DUPLICATE_ENTRY"],
  [/CONFLICT|PRECONDITION_FAILED|INVALID_STATE|RESOURCE_IN_USE|LOCKED$/, "CONFLICT"],
  [/TIMEOUT|TIMED_OUT|DEADLINE_EXCEEDED/, "TIMEOUT"],
  [
    /UNAVAILABLE|CONNECTION_(?:REFUSED|RESET|FAILED|CLOSED|LOST)|^(?:CONNECT|NETWORK|CONNECTION|API_CONNECTION|OVERLOADED|BAD_GATEWAY)$/,
    "UNAVAILABLE",
  ],
  [/RESOURCE_EXHAUSTED|OUT_OF_MEMORY|DISK_FULL/, "RESOURCE_EXHAUSTED"],
  [/TOO_LARGE|PAYLOAD_SIZE|SIZE_EXCEEDED|MAX_LENGTH/, "TOO_LARGE"],
  [/NOT_IMPLEMENTED|UNIMPLEMENTED|UNSUPPORTED_OPERATION|METHOD_NOT_SUPPORTED/, "NOT_IMPLEMENTED"],
  [/(?:INVALID|EXPIRED|BAD)_CURSOR/, "INVALID_CURSOR"],
  [/INVALID_PATH/, "INVALID_PATH"],
  [
    /MISSING_(?:REQUIRED|PARAM|PARAMETER|FIELD|ARGUMENT|ARGS?)|(?:PARAMETER|FIELD|ARGUMENT)_(?:MISSING|REQUIRED)|^MISSING$/,
    "MISSING_REQUIRED",
  ],
  [/INVALID_(?:FORMAT|TYPE)|MALFORMED/, "INVALID_FORMAT"],
  [
    /VALIDATION|INVALID_(?:REQUEST|ARGUMENTS?|PARAM|PARAMS|PARAMETERS?|INPUT|VALUE|QUERY|ARGS|ID|URL|DATE)|BAD_(?:REQUEST|USER_INPUT|INPUT)|USER_INPUT|UNPROCESSABLE/,
    "VALIDATION_ERROR",
  ],
];

const MAX_NAME_LENGTH = 80;
const isName = /^[A-Za-z][\w. -]*$/;

/** Our registry's code for an error name; undefined if the name has no such meaning. */
export function codeOfName(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH || !isName.test(name)) return undefined;
  const words = toWords(name);
  const own = errorRegistry.get(words);
  // A code of our registry, unless it says only that something failed.
  if (own !== undefined && own.type !== "internal") return own.code;
  return meanings.find(([pattern]) => pattern.test(words))?.[1];
}

// "NotFoundError: …", "botocore.exceptions.NoCredentialsError: …"; never the bare "Error: …".
const before = /(?:^|[\s:])((?:[a-z_]+\.)*[A-Z][A-Za-z]{2,60}(?:Error|Exception|Fault|Timeout))(?=[:(]|$)/;
// "An error occurred (NoSuchBucket) when …", "Error from server (NotFound): …", "[NOT_FOUND] …", "NOT_FOUND: …".
const bracketed = /\b(?:error|server|failed|code)\b[^()[\]\n]{0,30}[([]([A-Za-z][A-Za-z_]{3,60})[)\]]/i;
// "rpc error: code = NotFound desc = …".
const coded = /(?:\b|[a-z])code ?[=:] ?['"]?([A-Za-z][A-Za-z_]{3,60})\b/i;
const screaming = /(?:^|[\s[(:])([A-Z][A-Z0-9]{2,}(?:_[A-Z0-9]+){1,6})(?=[\]):\s,.]|$)/;

/** A word that is the whole message, or its end: `channel_not_found`, "failed to post: channel_not_found". */
const alone = /(?:^|: )([a-z][a-z0-9]*(?:[_.][a-z0-9]+){1,8})\.?$/;

/** The code for an error name in the first line, or in the lines after it. */
export function codeOfNameIn(line: string, lines: string): string | undefined {
  const single = alone.exec(line)?.[1];
  const known = single === undefined ? undefined : codeOfName(single);
  if (known !== undefined) return known;
  for (const pattern of [bracketed, coded, before, screaming]) {
    const name = pattern.exec(lines)?.[1];
    const code = name === undefined ? undefined : codeOfName(name.slice(name.lastIndexOf(".") + 1));
    if (code !== undefined) return code;
  }
  return undefined;
}

// HTTP statuses and errors of operating systems.

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

// The wait that a text asks for. Servers have no field for it, so they say it in words.

const waits: readonly RegExp[] = [
  /\b(?:retry|try again|resets?|reset|wait|available)(?:[ -](?:after|in|for))?["']?[:=]? ?(?:about |approximately )?(\d{1,6}(?:\.\d+)?) ?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)(?:(\d{1,2})[sm]?)?\b/i,
  /\bretry[-_ ]?after["']?[:=]? ?(\d{1,6})\b/i,
];

const MAX_WAIT_SECONDS = 86_400;

function secondsOf(amount: string, unit: string, rest: string): number {
  const number = Number(amount);
  if (/^ms|^mil/i.test(unit)) return number / 1_000;
  if (/^h/i.test(unit)) return number * 3_600 + Number(rest) * 60;
  return /^m/i.test(unit) ? number * 60 + Number(rest) : number;
}

/** The wait that a text asks for: "retry after 30s", "try again in 2 minutes", "reset in 12m34s". */
export function waitIn(text: string): number | undefined {
  for (const pattern of waits) {
    const [, amount, unit = "s", rest = "0"] = pattern.exec(text) ?? [];
    if (amount === undefined) continue;
    const seconds = Math.ceil(secondsOf(amount, unit, rest));
    return seconds > 0 && seconds <= MAX_WAIT_SECONDS ? seconds : undefined;
  }
  return undefined;
}

/** Words for asking too often. */
export const limitedWords =
  /\brate[ -]?limit(?:ed\b|ing\b|s?\b[^\n]{0,60}\b(?:exceeded|reached|hit|exhausted|detected|triggered)\b|s?\b[^\n]{0,20}\berror)|\bexceeded\b[^\n]{0,40}\brate limit|\btoo many requests\b|\brate exceeded\b|\bthrottl(?:ed|ing)\b|\bquota exceeded\b/i;

const lastingLimit =
  /\b(?:month(?:ly)?|daily|per day|billing|(?:your|current|free|pricing) plan|plan limit|credits?|subscriptions?|upgrade|payment required|balance)\b/i;
const quota = /\bquota/i;
/** A limit with a short period ends by waiting, whatever else is offered. */
const shortPeriod =
  /\bper[ _-]?(?:second|minute|min|hour|user|100)|\breq(?:uests)?\/(?:s|sec|min|minute|hour)\b/i;
const unpaid = /\b(?:insufficient|out of|not enough|no remaining) (?:\w+ )?(?:credits?|funds|balance)\b/i;

/** Whether a line reports a limit that waiting a while does not end; the lines after it may name its period. */
export function isLastingLimit(line: string, lines: string): boolean {
  const status = statusIn(line);
  if (status === "402" || unpaid.test(line) || /\bpayment required\b/i.test(line)) return true;
  const isLimit = limitedWords.test(line) || quota.test(line) || status === "429";
  const isLasting = lastingLimit.test(lines) || quota.test(lines);
  const isShort = shortPeriod.test(lines) || waitIn(lines) !== undefined;
  return isLimit && isLasting && !isShort;
}
