// The table of rules for what the text of another server's failure is about, in the order in which they are tried: the
// first that applies decides, or only notes if its confidence is low. Only unambiguous words decide, because a wrong code
// is worse than none, and a false invitation to retry is the worst. `docs/errors.md` lists the rules. Their ids never
// change, because logs and the `debug` profile name them.

import { type FailureRule, NO_CODE } from "./failure-rule.ts";
import {
  codeOfNameIn,
  codeOfStatus,
  codeOfSystemIn,
  isLastingLimit,
  limitedWords,
  statusIn,
} from "./failure-words.ts";

import { queryRules } from "./query-rules.ts";
import { fieldRules, reportRules } from "./report-rules.ts";

/** Names for keys and logins. */
const secret = "(?:api[ _-]?keys?|access[ _-]?keys?|tokens?|credentials?|secrets?|passwords?)";

/** Something of the server's own that is missing is not what the caller asked for. */
const ofSetUp =
  /\b(?:api[ _-]?keys?|tokens?|credentials?|secrets?|environment variables?|env|config(?:uration)? file|executables?|binar(?:y|ies))\b/i;

const OF_OPERATOR = "Tell the person who runs the server: a retry cannot help before they have changed it.";

/** All rules for texts. */
export const failureTextRules: readonly FailureRule[] = [
  // A fault in the server's own set-up, or one that will not pass by itself.
  {
    id: "set-up/program",
    says: 'A program is not installed: `spawn git ENOENT`, `command not found`, "is not installed"',
    code: NO_CODE,
    isFinal: true,
    remediation: `A program is not installed where the server runs. ${OF_OPERATOR}`,
    words:
      /\bspawn(?:Sync)?\b[^\n]{0,120}\b(?:ENOENT|EACCES)\b|\bcommand not found\b|\bis not installed\b|\bnot recognized as an internal\b|\bexecutable (?:file )?(?:not found|doesn't exist)/i,
  },
  {
    id: "set-up/credentials",
    says: 'The server was never given a key, token or variable: "API key not set", "X_TOKEN is required"',
    code: NO_CODE,
    isFinal: true,
    remediation: `The server lacks a key or a setting of its own. ${OF_OPERATOR}`,
    words: new RegExp(
      [
        "unable to locate credentials",
        `\\b(?:failed|unable) to (?:retrieve|obtain|acquire|load|get) (?:an? |the )?(?:\\w+ )?${secret}\\b`,
        `\\b${secret}(?: \\w+){0,2} (?:is |are |was |were )?(?:not (?:been )?(?:set|configured|provided|found|defined|specified|available|present)|missing|required|unset)\\b`,
        `\\b(?:no|missing|without an?) (?:\\w+ ){0,2}${secret}\\b(?! (?:found )?in (?:the )?(?:file|text|line))`,
        "\\b[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:KEY|TOKEN|SECRET|URL|URI|HOST|PASSWORD|ID|PATH)\\b[^\\n]{0,40}\\b(?:not set|is required|are required|missing|not configured|must be set|not defined|not found|not provided)\\b",
        "\\b(?:environment|env) var(?:iable)?s?\\b[^\\n]{0,60}\\b(?:not set|required|missing|not defined|not configured|must be set|unset)\\b",
      ].join("|"),
      "i",
    ),
    unless: /\bunauthori[sz]ed\b|\b40[13]\b/i,
  },
  {
    id: "set-up/configuration",
    says: "The server is not configured, or wrongly",
    code: NO_CODE,
    isFinal: true,
    remediation: `The server is not set up for this. ${OF_OPERATOR}`,
    words:
      /\bmisconfigur|\b(?:is|are|was) not configured\b|\bconfigured connection string\b|\bconfiguration (?:error|issue)\b|\bnot configured (?:for|with|to)\b/i,
  },
  {
    id: "set-up/heading",
    says: "A heading says that the configuration is wrong",
    code: NO_CODE,
    isFinal: true,
    read: ({ heading }) => (/^configuration error$/i.test(heading) ? NO_CODE : undefined),
  },
  {
    id: "output/invalid",
    says: "What the tool gave breaks its own output schema",
    code: NO_CODE,
    isFinal: true,
    words:
      /^Output validation error|^\d+ validation errors? for \w+Output\b|\bhas an output schema but\b|^Invalid structured content\b/i,
  },
  ...reportRules,
  ...queryRules,
  {
    id: "limit/lasting",
    says: "A limit that does not end by waiting a while: a month, a plan, credits, a quota without a short period",
    code: NO_CODE,
    isFinal: true,
    remediation: "This limit does not end by waiting a while. Tell the user what it is, or do without.",
    read: ({ line, lines }) => (isLastingLimit(line, lines) ? NO_CODE : undefined),
  },
  {
    id: "limit/rate",
    says: '"rate limit exceeded", "rate limited", "too many requests", "throttled"',
    code: "RATE_LIMIT_EXCEEDED",
    words: limitedWords,
  },
  {
    id: "system/code",
    says: "An operating system's error: `ENOENT`, `ECONNREFUSED`, `[Errno 13]`, `(os error 2)`",
    gives: "by the error",
    read: ({ lines }) => codeOfSystemIn(lines),
  },
  // Access, before the status, which servers choose with less care than their words.
  {
    id: "access/denied",
    says: '"access denied", "permission denied", "not authorized to", "forbidden", "read-only mode", "not in the allowed …"',
    code: "FORBIDDEN",
    words:
      /\b(?:access|permission)s?(?: to [^\n]{1,60})?(?: is| was| has been)? (?:denied|forbidden)\b|\bAccessDenied\b|\boperation not permitted\b|\boutside (?:of )?(?:the )?(?:allowed|permitted)\b|\bnot (?:authori[sz]ed|allowed|permitted) to\b|\b(?:is|are) forbidden\b|\binsufficient (?:\w+ )?(?:permissions?|privileges?|scopes?|rights|access)\b|\bread-?only (?:mode|transaction|replica|connection|database)\b|\breadonly database\b|\bnot in (?:the )?allow(?:ed|list)\b|\bonly [\w, -]{1,40} (?:is|are) (?:allowed|permitted)\b|\bmust be owner\b|\bpermission required\b|\bnot accessible by\b|\b(?:requires?|needs?) admin|\bonly (?:admins?|administrators|owners?)\b/i,
    starts: /^forbidden\b/i,
  },
  {
    id: "auth/refused",
    says: 'A key, token or login was refused: "invalid API key", "token expired", "authentication failed", "not logged in"',
    code: "UNAUTHORIZED",
    remediation:
      "The credentials were refused. Log in again if there is a tool for it; otherwise tell the person who runs the server.",
    words: new RegExp(
      [
        `\\b(?:bad|invalid|incorrect|wrong|expired|revoked) (?:or (?:expired|missing|invalid|revoked) )?(?:\\w+ )?${secret}\\b(?! (?:at|in|near|'|"))`,
        `\\b${secret}(?: \\w+){0,4} (?:is|are|has|have|was)(?: been)? (?:invalid|expired|revoked|incorrect|not valid|rejected)\\b`,
        `\\b${secret} (?:expired|revoked|rejected|refused)\\b`,
        "\\bunauthori[sz]ed\\b|\\bunauthenticated\\b",
        "\\bnot (?:authenticated|logged in|signed in)\\b",
        "\\bauthentication (?:failed|failure|required|error|is required|expired|not found|missing)\\b",
        "\\bauthori[sz]ation (?:is )?required\\b",
        "\\b(?:failed|unable|could not|couldn't) to authenticate\\b",
        "\\b(?:login|log in|sign in) (?:required|failed|again|first)\\b|\\bplease (?:(?:log|sign) ?in|authenticate)\\b|\\bre-?authenticate\\b|\\bsession (?:has )?expired\\b",
      ].join("|"),
      "i",
    ),
  },
  {
    id: "http/status",
    says: "A status of HTTP that leaves no doubt: 401, 403, 404, 408, 409, 410, 412, 413, 423, 429, 501, 502, 503, 504, 529",
    gives: "by the status",
    read: ({ lines }) => {
      const found = codeOfStatus(statusIn(lines) ?? "");
      return found?.isWeak === false ? found.code : undefined;
    },
  },
  // The input was refused, whatever else the text says.
  {
    id: "arguments/pydantic",
    says: 'Pydantic refuses the arguments: "1 validation error for searchArguments"',
    gives: "`VALIDATION_ERROR`, `MISSING_REQUIRED`",
    read: ({ line, lines }) => {
      if (!/^\d+ validation errors? for /.test(line)) return undefined;
      return /Field required|Missing required|type=missing/.test(lines)
        ? "MISSING_REQUIRED"
        : "VALIDATION_ERROR";
    },
  },
  {
    id: "arguments/heading",
    says: 'A heading says that the input was refused: "Input Error"',
    code: "VALIDATION_ERROR",
    read: ({ heading }) =>
      /^(?:input|validation|invalid input|parameter) error$/i.test(heading) ? "VALIDATION_ERROR" : undefined,
  },
  {
    id: "arguments/sdk",
    says: 'SDKs refuse the arguments: "Input validation error: …"',
    code: "VALIDATION_ERROR",
    starts: /^Input validation error: /,
  },
  {
    id: "arguments/refused",
    says: '"Input validation error", "parameter validation failed", "Invalid arguments", "failed to deserialize parameters"',
    code: "VALIDATION_ERROR",
    words:
      /\b(?:input|parameters?|arguments?|request|body|params|schema) (?:schema )?validation (?:error|failed)\b|\b(?:failed|unable|could not) to (?:deserialize|parse|unmarshal|decode) (?:the )?(?:tool )?(?:parameters?|arguments?|params|input|request)\b/i,
    starts:
      /^(?:validation error|validation failed|schema validation|Invalid arguments? for (?:tool )?['"\w]|Invalid (?:arguments|params|parameters)\b|unmarshal(?:l)?ing: )/i,
    unless: /\boutput\b|\bresponse\b|\b(?:missing|required) (?:field|propert|parameter|argument)/i,
  },
  {
    id: "arguments/absent",
    says: '"missing required parameter", "missing properties", "required argument … not found"',
    code: "MISSING_REQUIRED",
    words:
      /\bmissing (?:required|mandatory)\b|\bmissing (?:propert(?:y|ies)|field) ?[:[`'"]|\brequired (?:parameter|argument|field|property|option|input)s?\b|\b(?:parameter|argument|field|option|property)s?['"`]? (?:is |are )?(?:required|missing)\b/i,
    unless: /\bresponse\b|\bpermission|\bscope|\bauthenticat/i,
    everywhere: true,
  },
  {
    id: "arguments/cursor",
    says: '"invalid cursor"',
    code: "INVALID_CURSOR",
    words: /\b(?:invalid|expired|malformed|bad) (?:page |pagination )?cursor\b/i,
  },
  {
    id: "arguments/path",
    says: '"invalid path", "path must be absolute", "path validation failed", "path traversal"',
    code: "INVALID_PATH",
    words:
      /\b(?:invalid|illegal|bad) (?:file |directory |relative )?path\b|\babsolute paths? (?:is|are) not (?:allowed|supported)\b|\bpath (?:validation failed|traversal|must be (?:absolute|relative|inside|within)|is (?:invalid|not valid|not absolute|a directory))\b|\bis a directory\b|\bnot a directory\b/i,
  },
  {
    id: "arguments/invalid-first",
    says: 'A message begins with what is invalid: "Invalid timezone: …", "Invalid limit: …"',
    code: "VALIDATION_ERROR",
    starts:
      /^invalid (?!response|certificate|state|server|session|credential|login|signature|config|api|token|key|auth)[\w'"`-]{1,40}(?: [\w'"`-]{1,30}){0,3}(?::|,|$)/i,
    unless: /\bformat\b|\bresponse (?:from|body)\b/i,
  },
  // Temporary states.
  {
    id: "time/out",
    says: '"timed out", "timeout of 5000ms exceeded", "deadline exceeded"',
    code: "TIMEOUT",
    words:
      /\btimed[ -]?out\b|\btime(?:out| limit)\b[^.\n]{0,40}\b(?:exceeded|expired|reached|elapsed)\b|\bdeadline exceeded\b|\bdue to (?:\w+ )?timeout\b|\b(?:request|connection|read|operation|query|gateway|navigation|network|response) timeout\b|\btimeout after \d|\btook (?:too long|longer than)\b|\bi\/o timeout\b/i,
    unless: /\btimeout (?:must|should|value|parameter|argument|cannot|is not|has to)\b/i,
  },
  {
    id: "service/away",
    says: '"connection refused", "no such host", "fetch failed", "service unavailable", "failed to connect"',
    code: "UNAVAILABLE",
    words:
      /\bconnection(?: to [^\n]{1,80}?)?(?: was| has been| is)? (?:refused|reset|aborted|closed|lost|dropped|terminated|failed|timed out)\b|\bconnection (?:attempts failed|issue|error)\b|\bno such host\b|\bname (?:or service not known|resolution)\b|\bfailed to resolve '|\bnet::ERR_(?:CONNECTION|NAME|INTERNET|ADDRESS|TIMED)|\bfetch failed\b(?! with)|\bfailed to fetch$|\bnetwork (?:error|is unreachable|failure|request failed)\b|\bsocket hang up\b|\berror sending request for url\b|\bmax retries exceeded\b|\bservice (?:is )?(?:currently |temporarily )?unavailable\b|\b(?:temporarily|currently) unavailable\b|\bbad gateway\b|\b(?:failed|unable|could not|couldn't|cannot|can't) (?:to )?(?:connect|reach)\b|\b(?:is|host|network) unreachable\b|\bclosed the connection\b|\btoo many connections\b|\bunder maintenance\b|\bnot ready yet\b|\bstill (?:starting|initiali[sz]ing)\b|\bis overloaded\b|\bservers? (?:is|are) (?:down|busy|overloaded|not responding)\b/i,
    unless: /\bcertificate\b|\bnot (?:a )?valid\b/i,
  },
  {
    id: "resource/exhausted",
    says: '"out of memory", "no space left on device"',
    code: "RESOURCE_EXHAUSTED",
    words: /\bout of memory\b|\bno space left on device\b|\btoo many open files\b/i,
  },
  {
    id: "state/duplicate",
    says: '"already exists", "duplicate key", "already taken"',
    code: "DUPLICATE_ENTRY",
    words:
      /\balready exists?\b|\bduplicate (?:key|entry|name|record|value)\b|\balready (?:been )?taken\b|\bunique constraint\b/i,
    everywhere: true,
  },
  {
    id: "state/conflict",
    says: '"conflict", "not mergeable", "modified since", "already in use", "already running", "is locked", "would be overwritten"',
    code: "CONFLICT",
    words:
      /\b(?:merge|version|edit|update) conflicts?\b|\bconflicts? with\b|\bnot mergeable\b|\b(?:modified|changed|updated) since\b|\bversion mismatch\b|\balready (?:in use|running|started|stopped|merged|closed|completed|in progress|locked|being)\b|\bis locked\b|\bis not empty\b|\bwould be overwritten\b/i,
  },
  {
    id: "input/too-large",
    says: '"file too large", "exceeds the maximum size", "exceeds 10485760 bytes"',
    code: "TOO_LARGE",
    words:
      /\b(?:files?|responses?|results?|content|payload|body|input|output|message|request|query|document|image|upload|data|prompt|text)\b[^\n]{0,80}\b(?:(?:is |are )?too (?:large|big)|exceeds?\b[^\n]{0,40}\b(?:max(?:imum)?|limit|bytes|tokens|characters|chars|size|[KMG]i?B))\b|\bexceeds?\b[^\n]{0,30}\b(?:maximum|allowed) (?:\w+ )?(?:size|tokens|length|bytes)\b|\b(?:input|prompt|query|text|message|content) (?:is )?too long\b|\bcontext length exceeded\b/i,
  },
  {
    id: "feature/plan",
    says: '"requires a Pro plan", "only available on Enterprise"',
    code: "UPGRADE_REQUIRED",
    words:
      /\brequires? (?:an? |the )?(?:active )?(?:pro|plus|premium|enterprise|business|paid|team)\b[^\n]{0,20}\b(?:plan|subscription|tier|licen[cs]e|account)\b|\bonly available (?:on|in|to|for|with) (?:the )?(?:pro|plus|premium|enterprise|business|paid|team)\b/i,
  },
  {
    id: "feature/disabled",
    says: '"is disabled", "is not enabled"',
    code: "FEATURE_DISABLED",
    words:
      /\b(?:is|are|has been|was) (?:currently )?disabled\b|\b(?:is|are|was|has) not (?:been )?enabled\b|\bfeature (?:is )?(?:disabled|not enabled)\b/i,
  },
  {
    id: "name/error",
    says: "A name of an error: `NoSuchBucket`, `ValidationException`, `(NotFound)`, `PERMISSION_DENIED`, `channel_not_found`",
    gives: "by the name",
    read: ({ line, lines }) => codeOfNameIn(line, lines),
  },
  // What was asked for does not exist, or not for this caller.
  {
    id: "thing/absent",
    says: '"not found", "does not exist", "no such …", "could not find", "unknown tool", "did not match any"',
    code: "NOT_FOUND",
    // "Page not found in the index", but not "the page-not-found handler".
    words:
      /\bnot found(?= ?$| ?[^\w\s]| (?:in|on|at|for|with|by|or|and|after|under|via|within|from|using)\b)|\bdo(?:es)? not exist\b|\bdoesn't exist\b|\bdid not exist\b|\bdid not (?:resolve to|match any)\b|\bno such (?!user agent)[a-z]{2,20}\b|\bcould not resolve to an?\b|\b(?:could not|couldn't|cannot|can't|unable to) (?:find|locate) (?!exact|a? ?match|module|package)/i,
    starts:
      /^not found\b|^(?:unknown|nonexistent|non-existent) (?!error|exception|failure|reason|status|type|field|argument|parameter|option|operation|action|command|column|attribute|property)[a-z]+\b|^no [\w-]+(?: [\w-]+){0,4} (?:found|exists?)\b/i,
    unless: ofSetUp,
  },
  {
    id: "access/lacking",
    says: '"you do not have permission", "lacks the … scope", "is not allowed", "path not allowed"',
    code: "FORBIDDEN",
    words:
      /\b(?:do(?:es)? not|don't|doesn't) have (?:\w+ ){0,3}(?:permissions?|access|privileges?|rights|authori[sz]ation)\b|\black(?:s|ing)? (?:\w+ ){0,3}(?:permissions?|privileges?|scopes?|access)\b|\bmissing (?:\w+ ){0,3}(?:permissions?|scopes?)\b|\b(?:is|are) not (?:allowed|permitted)\b|\bnot (?:allowed|permitted)(?=[:.]|$)|\b(?:is|are|was) (?:blocked|prohibited|disallowed)\b|\bblocked (?:by (?:policy|robots)|because)\b|\b(?:user|administrator) denied\b/i,
    unless: /\b(?:values?|parameters?|arguments?|fields?|propert(?:y|ies)|characters?|null|empty|method)\b/i,
  },
  {
    id: "server/not-implemented",
    says: '"not implemented"',
    code: "NOT_IMPLEMENTED",
    words: /\bnot (?:yet )?implemented\b|\bunimplemented\b/i,
  },
  // What is wrong with the input, after words about missing things.
  {
    id: "arguments/missing",
    says: '"URL is required", "must provide", "… must be provided", "cannot be empty"',
    code: "MISSING_REQUIRED",
    words:
      /\bmissing (?:a |the |one or more )?(?:param(?:eter)?s?|arguments?|fields?|propert(?:y|ies)|inputs?|values?)\b|\bmissing \w+ (?:param(?:eter)?|argument|field|property)\b|\b(?:is|are) (?:a )?(?:required|mandatory)\b(?! (?:to (?:log|auth|run|use)|for auth))|\b(?:must|need to|have to) (?:provide|specify|supply|include)\b|\bprovided without\b|\bprovide (?:both|either|at least)\b|\bmust be (?:provided|specified|supplied)\b|\bcannot be (?:empty|blank|null)\b|\bmust not be (?:empty|blank|null)\b/i,
    starts: /^(?:no|please provide an?) (?:[\w-]+ ){1,4}(?:provided|specified|given)\b/i,
    unless: /\bauthenticat|\blogin\b|\bpermission\b|\bscope\b|\bupgrade\b|\bresponse\b/i,
  },
  {
    id: "arguments/format",
    says: '"invalid … format", "expected format", "malformed", "is not valid JSON", "invalid type: …"',
    code: "INVALID_FORMAT",
    words:
      /\binvalid (?:\w+ ){0,4}(?:format|syntax for type|uuid|json|date)\b|\bexpected format\b|\bmalformed (?!response)\w+|\bis not (?:a )?valid (?:json|uuid|url|date|email|integer|number)\b|\bmust be in (?:the )?format\b|\binvalid type: |\bcannot unmarshal\b/i,
    unless: /\bresponse\b|\bsql\b/i,
  },
  {
    id: "arguments/invalid",
    says: '"must be one of", "parameter x is not", "cannot specify both", "unknown action", "unsupported type"',
    code: "VALIDATION_ERROR",
    words:
      /\bmust be (?:a |an |one of|between|greater|less|at least|at most|positive|non-negative|valid|either|in the range|no more)|\bparameters? ['"`]?[\w.]+['"`]? (?:is|must|should|has|cannot)\b|\bcannot (?:specify|use|combine|set|provide) both\b|\bmutually exclusive\b|\b(?:unknown|unsupported|unrecognized|unrecognised) (?:action|operation|command|option|argument|parameter|field|type|format|mode|method|value|outputType|url|protocol|language|query|attribute|property|filter|sort)\b|\bonly [\w, -]{1,60} (?:is|are) supported\b|\bis not a valid\b|\bis not one of\b|\bhave a resource type\b|(?<!index )\bout of range\b|\bis not of type\b|\bexpected\b[^\n]{1,60}\b(?:got|received|but (?:got|was|found))\b|\bidentifier is invalid\b/i,
    starts:
      /^invalid (?!response|certificate|state|server|session|credential|login|signature|config)[\w'"`. -]{1,50}(?::|\.|,|$| -|\()|^(?:ambiguous|unexpected argument|unexpected parameter) |^expected [\w ]+, (?:got|received)\b|^bad request\b|^unprocessable\b/i,
    unless: /\bresponses?\b|\bmarshal/i,
  },
  ...fieldRules,
  {
    id: "http/status-weak",
    says: "A status that says less than words: 400 and 422, 500",
    gives: "`VALIDATION_ERROR`, `UNAVAILABLE`",
    read: ({ lines }) => codeOfStatus(statusIn(lines) ?? "")?.code,
  },
  // Words that only suggest something. They are noted and decide nothing.
  {
    id: "guess/input",
    confidence: "low",
    says: '"invalid", "not supported", "expected …"',
    code: "VALIDATION_ERROR",
    words: /\binvalid\b|\bnot supported\b|\bunsupported\b|\bexpected\b[^\n]{1,40}\b(?:got|received|but)\b/i,
  },
  {
    id: "guess/absent",
    confidence: "low",
    says: '"no … found", "could not find", "missing"',
    code: "NOT_FOUND",
    words: /\bno [\w ]{1,40} (?:found|available)\b|\bcould not find\b|\bnot found\b|\bmissing\b/i,
  },
  {
    id: "guess/access",
    confidence: "low",
    says: '"permission", "not allowed", "blocked"',
    code: "FORBIDDEN",
    words: /\bpermissions?\b|\bnot (?:allowed|permitted)\b|\bblocked\b/i,
  },
  {
    id: "guess/away",
    confidence: "low",
    says: '"try again later", "not running", "not available", "internal server error"',
    code: "UNAVAILABLE",
    words:
      /\btry again (?:later|in)\b|\bnot (?:running|available|reachable|connected)\b|\binternal server error\b|\btimeout\b/i,
  },
];

/** Tried on failures that would invite a retry: reasons why the call must not be repeated. */
export const vetoes: readonly FailureRule[] = [
  {
    id: "advice/no-retry",
    says: "The text says that a retry will not help: no invitation to retry is made of it",
    code: NO_CODE,
    isFinal: true,
    words:
      /\b(?:do not|don't|should not|must not|never) (?:re)?try\b|\bby retrying\b|\bretry(?:ing)? (?:will|would|does|can)(?:n't| ?not) help\b|\bnot retryable\b/i,
    everywhere: true,
  },
  {
    id: "http/refused",
    says: "A status of HTTP says that the request itself was refused (400, 401, 403, 404, 422): no invitation to retry is made of it",
    code: NO_CODE,
    isFinal: true,
    read: ({ lines }) =>
      /^(?:40[0134]|422)$/.test(statusIn(lines) ?? "") && !limitedWords.test(lines) ? NO_CODE : undefined,
  },
];
