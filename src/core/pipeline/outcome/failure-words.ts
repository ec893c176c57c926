// The meaning of error names in any spelling: NOT_FOUND, object_not_found, NoSuchBucket, ResourceNotFoundException.
// Names are read where servers put them: in the fields of a payload, before a message, in brackets such as "(…)".

import { errorRegistry } from "../../contract/error-registry.ts";

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
