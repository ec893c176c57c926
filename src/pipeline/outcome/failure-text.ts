// What the text of a foreign failure is about. MCP has no error codes for tools, so most servers say in words that a
// thing is not there, not allowed, or not to be asked for so often. Only words that leave no doubt count: a wrong
// code is worse than none. What is about the server's own set-up (keys, programs, its login elsewhere) has none.

/** A code, and how long to wait where the text says so. */
interface SaidFailure {
  readonly code: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** What is longer is the output of a program rather than a message about it. */
const MAX_LINE_LENGTH = 400;
const MAX_TEXT_LENGTH = 4_000;

/** What SDKs and languages put before a message; up to three of them stand in a row. */
const prefix =
  /^(?:MCP error -?\d{1,6}: |(?:Uncaught )?[A-Z]\w{0,40}(?:Error|Exception): |(?:Error|error|Failed|ERROR): |❌ {0,2}|Error (?:executing|calling) tool '?[\w./-]{1,64}'?: |Tool execution failed: )/;

function firstLineOf(text: string): string {
  let line = /\S[^\r\n]*/.exec(text)?.[0] ?? "";
  for (let count = 0; count < 3; count++) line = line.replace(prefix, "");
  return line;
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
  ENOSPC: "RESOURCE_EXHAUSTED",
  EMFILE: "RESOURCE_EXHAUSTED",
  ECONNREFUSED: "UNAVAILABLE",
  ECONNRESET: "UNAVAILABLE",
  EHOSTUNREACH: "UNAVAILABLE",
  ENOTFOUND: "UNAVAILABLE",
  EAI_AGAIN: "UNAVAILABLE",
  ETIMEDOUT: "TIMEOUT",
};
const systemCode = new RegExp(`\\b(?:${Object.keys(systemCodes).join("|")})\\b`);

/** Python names the same by number. */
const errnoCodes: Readonly<Record<string, string>> = {
  "2": "NOT_FOUND",
  "13": "FORBIDDEN",
  "17": "DUPLICATE_ENTRY",
  "20": "INVALID_PATH",
  "21": "INVALID_PATH",
  "28": "RESOURCE_EXHAUSTED",
  "111": "UNAVAILABLE",
};
const errno = /\[Errno (\d{1,3})\]/;

const statusCodes: Readonly<Record<string, string>> = {
  "404": "NOT_FOUND",
  "410": "NOT_FOUND",
  "408": "TIMEOUT",
  "409": "CONFLICT",
  "429": "RATE_LIMIT_EXCEEDED",
  "500": "UNAVAILABLE",
  "502": "UNAVAILABLE",
  "503": "UNAVAILABLE",
  "504": "TIMEOUT",
};
const status = /\b(?:status(?:[ _-]code)?|HTTP(?: error| status)?|API error)[ :=(]{1,3}(\d{3})\b/i;

// A program that is not installed, and a path that a program could not be started in, look alike.
const ofPrograms = /\bspawn\b|\bcommand not found\b/i;
const ofSetUp =
  /\b(?:api[ _-]?keys?|tokens?|credentials?|secrets?|environment variables?|env(?:ironment)?|config(?:uration)?|executables?|binar(?:y|ies)|modules?|plugins?|browsers?|drivers?|libraries)\b/i;
/** Limits that do not end by waiting a while. */
const lastingLimit = /\b(?:month(?:ly)?|daily|per day|plans?|billing|credits?|subscriptions?|upgrade)\b/i;

const limited = /\brate[ -]?limit(?:ed|ing|s)?\b|\btoo many requests\b|\brate exceeded\b/i;
const denied =
  /\b(?:access|permission)(?: is| was)? denied\b|\bAccessDenied\b|\boperation not permitted\b|\boutside (?:of )?(?:the )?allowed director/i;
const late = /\btimed out\b|\btime(?:out| limit)\b[^.]{0,40}\bexceeded\b|\bdeadline exceeded\b/i;
// "Page not found in the index", but not "the page-not-found handler".
const absent =
  /\bnot found(?= ?$| ?[^\w\s]| (?:in|on|at|for|with|by|or|and|after|under)\b)|\bdo(?:es)? not exist\b|\bdoesn't exist\b|\bno such (?!user agent)[a-z]{2,20}\b/i;
const present = /\balready exists?\b/i;
const away =
  /\bconnection refused\b|\bnet::ERR_(?:CONNECTION|NAME|INTERNET|ADDRESS)|\bservice (?:is )?(?:temporarily )?unavailable\b|\btemporarily unavailable\b|\bbad gateway\b/i;
const badInput = /^(?:Input validation error|Invalid arguments? for (?:tool )?['"\w]|Invalid arguments:)/i;
const missingInput = /^missing required (?:parameter|argument|field)s?\b/i;

type Rule = readonly [code: string, applies: (line: string) => boolean];

const rules: readonly Rule[] = [
  ["VALIDATION_ERROR", (line) => badInput.test(line)],
  ["MISSING_REQUIRED", (line) => missingInput.test(line)],
  ["RATE_LIMIT_EXCEEDED", (line) => limited.test(line) && !lastingLimit.test(line)],
  ["FORBIDDEN", (line) => denied.test(line)],
  ["TIMEOUT", (line) => late.test(line)],
  ["UNAVAILABLE", (line) => away.test(line)],
  ["DUPLICATE_ENTRY", (line) => present.test(line)],
  ["NOT_FOUND", (line) => absent.test(line) && !ofSetUp.test(line)],
];

function codeIn(line: string): string | undefined {
  if (ofPrograms.test(line)) return undefined;
  const [, number = ""] = errno.exec(line) ?? [];
  const [system = ""] = systemCode.exec(line) ?? [];
  const [, http = ""] = status.exec(line) ?? [];
  const named = systemCodes[system] ?? errnoCodes[number];
  if (named !== undefined) return named;
  if (statusCodes[http] === "RATE_LIMIT_EXCEEDED" && lastingLimit.test(line)) return undefined;
  return statusCodes[http] ?? rules.find(([, applies]) => applies(line))?.[0];
}

const wait =
  /\b(?:retry|try again|resets?|wait)(?: after| in)?:? (\d{1,6}) ?(s|sec|seconds?|m|min|minutes?)\b/i;

function waitIn(line: string): number | undefined {
  const [, amount, unit = ""] = wait.exec(line) ?? [];
  if (amount === undefined) return undefined;
  return Number(amount) * (/^m/i.test(unit) ? 60 : 1);
}

/** What a failure's text is about, where it leaves no doubt. */
export function readFailureText(text: string): SaidFailure | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const line = firstLineOf(text);
  const code = line.length <= MAX_LINE_LENGTH ? codeIn(line) : undefined;
  if (code === undefined) return undefined;
  return { code, retryAfterSeconds: code === "RATE_LIMIT_EXCEEDED" ? waitIn(line) : undefined };
}
