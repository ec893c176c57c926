// Rules for what the text of another server's failure is about, in the order in which they are tried: the first that
// applies decides, or only notes if its confidence is low. Only unambiguous words decide, because a wrong code is worse
// than none, and a false invitation to retry is the worst. `docs/errors.md` lists them.

import { type FailureRule, limited, wordsRule, secret } from "./failure-rule.ts";
import { codeOfStatus, codeOfSystemIn, statusIn } from "./failure-status.ts";
import { codeOfNameIn } from "./failure-words.ts";
import { setUpRules } from "./rules-of-set-up.ts";

// Rules for unambiguous words, and at the end rules for words that only suggest something.

/** Something of the server's own that is missing is not what the caller asked for. */
const ofSetUp =
  /\b(?:api[ _-]?keys?|tokens?|credentials?|secrets?|environment variables?|env|config(?:uration)? file|executables?|binar(?:y|ies))\b/i;

/** Rules about access. Tried before the status, which servers choose with less care than their words. */
const accessRules: readonly FailureRule[] = [
  wordsRule({
    id: "access/denied",
    says: '"access denied", "permission denied", "not authorized to", "forbidden", "read-only mode", "not in the allowed …"',
    code: "FORBIDDEN",
    words:
      /\b(?:access|permission)s?(?: to [^\n]{1,60})?(?: is| was| has been)? (?:denied|forbidden)\b|\bAccessDenied\b|\boperation not permitted\b|\boutside (?:of )?(?:the )?(?:allowed|permitted)\b|\bnot (?:authori[sz]ed|allowed|permitted) to\b|\b(?:is|are) forbidden\b|\binsufficient (?:\w+ )?(?:permissions?|privileges?|scopes?|rights|access)\b|\bread-?only (?:mode|transaction|replica|connection|database)\b|\breadonly database\b|\bnot in (?:the )?allow(?:ed|list)\b|\bonly [\w, -]{1,40} (?:is|are) (?:allowed|permitted)\b|\bmust be owner\b|\bpermission required\b|\bnot accessible by\b|\b(?:requires?|needs?) admin|\bonly (?:admins?|administrators|owners?)\b/i,
    starts: /^forbidden\b/i,
  }),
  wordsRule({
    id: "auth/refused",
    says: 'A key, token or login was refused: "invalid API key", "token expired", "authentication failed", "not logged in"',
    code: "UNAUTHORIZED",
    remediation:
      "The credentials were refused. Log in again if there is a tool for it; otherwise tell whoever runs the server.",
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
  }),
];

/** Rules about temporary states. */
const stateRules: readonly FailureRule[] = [
  wordsRule({
    id: "time/out",
    says: '"timed out", "timeout of 5000ms exceeded", "deadline exceeded"',
    code: "TIMEOUT",
    words:
      /\btimed[ -]?out\b|\btime(?:out| limit)\b[^.\n]{0,40}\b(?:exceeded|expired|reached|elapsed)\b|\bdeadline exceeded\b|\bdue to (?:\w+ )?timeout\b|\b(?:request|connection|read|operation|query|gateway|navigation|network|response) timeout\b|\btimeout after \d|\btook (?:too long|longer than)\b|\bi\/o timeout\b/i,
    unless: /\btimeout (?:must|should|value|parameter|argument|cannot|is not|has to)\b/i,
  }),
  wordsRule({
    id: "service/away",
    says: '"connection refused", "no such host", "fetch failed", "service unavailable", "failed to connect"',
    code: "UNAVAILABLE",
    words:
      /\bconnection(?: to [^\n]{1,80}?)?(?: was| has been| is)? (?:refused|reset|aborted|closed|lost|dropped|terminated|failed|timed out)\b|\bconnection (?:attempts failed|issue|error)\b|\bno such host\b|\bname (?:or service not known|resolution)\b|\bfailed to resolve '|\bnet::ERR_(?:CONNECTION|NAME|INTERNET|ADDRESS|TIMED)|\bfetch failed\b(?! with)|\bfailed to fetch$|\bnetwork (?:error|is unreachable|failure|request failed)\b|\bsocket hang up\b|\berror sending request for url\b|\bmax retries exceeded\b|\bservice (?:is )?(?:currently |temporarily )?unavailable\b|\b(?:temporarily|currently) unavailable\b|\bbad gateway\b|\b(?:failed|unable|could not|couldn't|cannot|can't) (?:to )?(?:connect|reach)\b|\b(?:is|host|network) unreachable\b|\bclosed the connection\b|\btoo many connections\b|\bunder maintenance\b|\bnot ready yet\b|\bstill (?:starting|initiali[sz]ing)\b|\bis overloaded\b|\bservers? (?:is|are) (?:down|busy|overloaded|not responding)\b/i,
    unless: /\bcertificate\b|\bnot (?:a )?valid\b/i,
  }),
  wordsRule({
    id: "resource/exhausted",
    says: '"out of memory", "no space left on device"',
    code: "RESOURCE_EXHAUSTED",
    words: /\bout of memory\b|\bno space left on device\b|\btoo many open files\b/i,
  }),
  wordsRule({
    id: "state/duplicate",
    says: '"already exists", "duplicate key", "already taken"',
    code: "DUPLICATE_ENTRY",
    words:
      /\balready exists?\b|\bduplicate (?:key|entry|name|record|value)\b|\balready (?:been )?taken\b|\bunique constraint\b/i,
    everywhere: true,
  }),
  wordsRule({
    id: "state/conflict",
    says: '"conflict", "not mergeable", "modified since", "already in use", "already running", "is locked", "would be overwritten"',
    code: "CONFLICT",
    words:
      /\b(?:merge|version|edit|update) conflicts?\b|\bconflicts? with\b|\bnot mergeable\b|\b(?:modified|changed|updated) since\b|\bversion mismatch\b|\balready (?:in use|running|started|stopped|merged|closed|completed|in progress|locked|being)\b|\bis locked\b|\bis not empty\b|\bwould be overwritten\b/i,
  }),
  wordsRule({
    id: "input/too-large",
    says: '"file too large", "exceeds the maximum size", "exceeds 10485760 bytes"',
    code: "TOO_LARGE",
    words:
      /\b(?:files?|responses?|results?|content|payload|body|input|output|message|request|query|document|image|upload|data|prompt|text)\b[^\n]{0,80}\b(?:(?:is |are )?too (?:large|big)|exceeds?\b[^\n]{0,40}\b(?:max(?:imum)?|limit|bytes|tokens|characters|chars|size|[KMG]i?B))\b|\bexceeds?\b[^\n]{0,30}\b(?:maximum|allowed) (?:\w+ )?(?:size|tokens|length|bytes)\b|\b(?:input|prompt|query|text|message|content) (?:is )?too long\b|\bcontext length exceeded\b/i,
  }),
  wordsRule({
    id: "feature/plan",
    says: '"requires a Pro plan", "only available on Enterprise"',
    code: "UPGRADE_REQUIRED",
    words:
      /\brequires? (?:an? |the )?(?:active )?(?:pro|plus|premium|enterprise|business|paid|team)\b[^\n]{0,20}\b(?:plan|subscription|tier|licen[cs]e|account)\b|\bonly available (?:on|in|to|for|with) (?:the )?(?:pro|plus|premium|enterprise|business|paid|team)\b/i,
  }),
  wordsRule({
    id: "feature/disabled",
    says: '"is disabled", "is not enabled"',
    code: "FEATURE_DISABLED",
    words:
      /\b(?:is|are|has been|was) (?:currently )?disabled\b|\b(?:is|are|was|has) not (?:been )?enabled\b|\bfeature (?:is )?(?:disabled|not enabled)\b/i,
  }),
];

/** What was asked for does not exist, or not for this caller. */
const thingRules: readonly FailureRule[] = [
  wordsRule({
    id: "thing/absent",
    says: '"not found", "does not exist", "no such …", "could not find", "unknown tool", "did not match any"',
    code: "NOT_FOUND",
    // "Page not found in the index", but not "the page-not-found handler".
    words:
      /\bnot found(?= ?$| ?[^\w\s]| (?:in|on|at|for|with|by|or|and|after|under|via|within|from|using)\b)|\bdo(?:es)? not exist\b|\bdoesn't exist\b|\bdid not exist\b|\bdid not (?:resolve to|match any)\b|\bno such (?!user agent)[a-z]{2,20}\b|\bcould not resolve to an?\b|\b(?:could not|couldn't|cannot|can't|unable to) (?:find|locate) (?!exact|a? ?match|module|package)/i,
    starts:
      /^not found\b|^(?:unknown|nonexistent|non-existent) (?!error|exception|failure|reason|status|type|field|argument|parameter|option|operation|action|command|column|attribute|property)[a-z]+\b|^no [\w-]+(?: [\w-]+){0,4} (?:found|exists?)\b/i,
    unless: ofSetUp,
  }),
  wordsRule({
    id: "access/lacking",
    says: '"you do not have permission", "lacks the … scope", "is not allowed", "path not allowed"',
    code: "FORBIDDEN",
    words:
      /\b(?:do(?:es)? not|don't|doesn't) have (?:\w+ ){0,3}(?:permissions?|access|privileges?|rights|authori[sz]ation)\b|\black(?:s|ing)? (?:\w+ ){0,3}(?:permissions?|privileges?|scopes?|access)\b|\bmissing (?:\w+ ){0,3}(?:permissions?|scopes?)\b|\b(?:is|are) not (?:allowed|permitted)\b|\bnot (?:allowed|permitted)(?=[:.]|$)|\b(?:is|are|was) (?:blocked|prohibited|disallowed)\b|\bblocked (?:by (?:policy|robots)|because)\b|\b(?:user|administrator) denied\b/i,
    unless: /\b(?:values?|parameters?|arguments?|fields?|propert(?:y|ies)|characters?|null|empty|method)\b/i,
  }),
  wordsRule({
    id: "server/not-implemented",
    says: '"not implemented"',
    code: "NOT_IMPLEMENTED",
    words: /\bnot (?:yet )?implemented\b|\bunimplemented\b/i,
  }),
];

/** Words that only suggest something. They are noted and decide nothing. */
const guesses: readonly FailureRule[] = [
  wordsRule({
    id: "guess/input",
    confidence: "low",
    says: '"invalid", "not supported", "expected …"',
    code: "VALIDATION_ERROR",
    words: /\binvalid\b|\bnot supported\b|\bunsupported\b|\bexpected\b[^\n]{1,40}\b(?:got|received|but)\b/i,
  }),
  wordsRule({
    id: "guess/absent",
    confidence: "low",
    says: '"no … found", "could not find", "missing"',
    code: "NOT_FOUND",
    words: /\bno [\w ]{1,40} (?:found|available)\b|\bcould not find\b|\bnot found\b|\bmissing\b/i,
  }),
  wordsRule({
    id: "guess/access",
    confidence: "low",
    says: '"permission", "not allowed", "blocked"',
    code: "FORBIDDEN",
    words: /\bpermissions?\b|\bnot (?:allowed|permitted)\b|\bblocked\b/i,
  }),
  wordsRule({
    id: "guess/away",
    confidence: "low",
    says: '"try again later", "not running", "not available", "internal server error"',
    code: "UNAVAILABLE",
    words:
      /\btry again (?:later|in)\b|\bnot (?:running|available|reachable|connected)\b|\binternal server error\b|\btimeout\b/i,
  }),
];

// What a text says about the arguments of the call: the first list if it is unambiguous, the second if words about
// missing things take precedence.

const pydantic: FailureRule = {
  id: "arguments/pydantic",
  confidence: "high",
  says: 'Pydantic refuses the arguments: "1 validation error for searchArguments"',
  gives: "`VALIDATION_ERROR`, `MISSING_REQUIRED`",
  read: ({ line, lines }) => {
    if (!/^\d+ validation errors? for /.test(line)) return undefined;
    return /Field required|Missing required|type=missing/.test(lines)
      ? "MISSING_REQUIRED"
      : "VALIDATION_ERROR";
  },
};

const refusedHeading: FailureRule = {
  id: "arguments/heading",
  confidence: "high",
  says: 'A heading says that the input was refused: "Input Error"',
  gives: "VALIDATION_ERROR",
  read: ({ heading }) =>
    /^(?:input|validation|invalid input|parameter) error$/i.test(heading) ? "VALIDATION_ERROR" : undefined,
};

/** Tried early: the input was refused, whatever else the text says. */
const argumentRules: readonly FailureRule[] = [
  pydantic,
  refusedHeading,
  wordsRule({
    id: "arguments/sdk",
    says: 'SDKs refuse the arguments: "Input validation error: …"',
    code: "VALIDATION_ERROR",
    starts: /^Input validation error: /,
  }),
  wordsRule({
    id: "arguments/refused",
    says: '"Input validation error", "parameter validation failed", "Invalid arguments", "failed to deserialize parameters"',
    code: "VALIDATION_ERROR",
    words:
      /\b(?:input|parameters?|arguments?|request|body|params|schema) (?:schema )?validation (?:error|failed)\b|\b(?:failed|unable|could not) to (?:deserialize|parse|unmarshal|decode) (?:the )?(?:tool )?(?:parameters?|arguments?|params|input|request)\b/i,
    starts:
      /^(?:validation error|validation failed|schema validation|Invalid arguments? for (?:tool )?['"\w]|Invalid (?:arguments|params|parameters)\b|unmarshal(?:l)?ing: )/i,
    unless: /\boutput\b|\bresponse\b|\b(?:missing|required) (?:field|propert|parameter|argument)/i,
  }),
  wordsRule({
    id: "arguments/absent",
    says: '"missing required parameter", "missing properties", "required argument … not found"',
    code: "MISSING_REQUIRED",
    words:
      /\bmissing (?:required|mandatory)\b|\bmissing (?:propert(?:y|ies)|field) ?[:[`'"]|\brequired (?:parameter|argument|field|property|option|input)s?\b|\b(?:parameter|argument|field|option|property)s?['"`]? (?:is |are )?(?:required|missing)\b/i,
    unless: /\bresponse\b|\bpermission|\bscope|\bauthenticat/i,
    everywhere: true,
  }),
  wordsRule({
    id: "arguments/cursor",
    says: '"invalid cursor"',
    code: "INVALID_CURSOR",
    words: /\b(?:invalid|expired|malformed|bad) (?:page |pagination )?cursor\b/i,
  }),
  wordsRule({
    id: "arguments/path",
    says: '"invalid path", "path must be absolute", "path validation failed", "path traversal"',
    code: "INVALID_PATH",
    words:
      /\b(?:invalid|illegal|bad) (?:file |directory |relative )?path\b|\bpath (?:validation failed|traversal|must be (?:absolute|relative|inside|within)|is (?:invalid|not valid|not absolute|a directory))\b|\bis a directory\b|\bnot a directory\b/i,
  }),
  wordsRule({
    id: "arguments/invalid-first",
    says: 'A message begins with what is invalid: "Invalid timezone: …", "Invalid limit: …"',
    code: "VALIDATION_ERROR",
    starts:
      /^invalid (?!response|certificate|state|server|session|credential|login|signature|config|api|token|key|auth)[\w'"`-]{1,40}(?: [\w'"`-]{1,30}){0,3}(?::|,|$)/i,
    unless: /\bformat\b|\bresponse (?:from|body)\b/i,
  }),
];

/** Tried after words about missing things. */
const valueRules: readonly FailureRule[] = [
  wordsRule({
    id: "arguments/missing",
    says: '"URL is required", "must provide", "… must be provided", "cannot be empty"',
    code: "MISSING_REQUIRED",
    words:
      /\bmissing (?:a |the |one or more )?(?:param(?:eter)?s?|arguments?|fields?|propert(?:y|ies)|inputs?|values?)\b|\bmissing \w+ (?:param(?:eter)?|argument|field|property)\b|\b(?:is|are) (?:a )?(?:required|mandatory)\b(?! (?:to (?:log|auth|run|use)|for auth))|\b(?:must|need to|have to) (?:provide|specify|supply|include)\b|\bprovided without\b|\bprovide (?:both|either|at least)\b|\bmust be (?:provided|specified|supplied)\b|\bcannot be (?:empty|blank|null)\b|\bmust not be (?:empty|blank|null)\b/i,
    starts: /^(?:no|please provide an?) (?:[\w-]+ ){1,4}(?:provided|specified|given)\b/i,
    unless: /\bauthenticat|\blogin\b|\bpermission\b|\bscope\b|\bupgrade\b|\bresponse\b/i,
  }),
  wordsRule({
    id: "arguments/format",
    says: '"invalid … format", "expected format", "malformed", "is not valid JSON", "invalid type: …"',
    code: "INVALID_FORMAT",
    words:
      /\binvalid (?:\w+ ){0,4}(?:format|syntax for type|uuid|json|date)\b|\bexpected format\b|\bmalformed (?!response)\w+|\bis not (?:a )?valid (?:json|uuid|url|date|email|integer|number)\b|\bmust be in (?:the )?format\b|\binvalid type: |\bcannot unmarshal\b/i,
    unless: /\bresponse\b|\bsql\b/i,
  }),
  wordsRule({
    id: "arguments/invalid",
    says: '"must be one of", "parameter x is not", "cannot specify both", "unknown action", "unsupported type"',
    code: "VALIDATION_ERROR",
    words:
      /\bmust be (?:a |an |one of|between|greater|less|at least|at most|positive|non-negative|valid|either|in the range|no more)|\bparameters? ['"`]?[\w.]+['"`]? (?:is|must|should|has|cannot)\b|\bcannot (?:specify|use|combine|set|provide) both\b|\bmutually exclusive\b|\b(?:unknown|unsupported|unrecognized|unrecognised) (?:action|operation|command|option|argument|parameter|field|type|format|mode|method|value|outputType|url|protocol|language|query|attribute|property|filter|sort)\b|\bonly [\w, -]{1,60} (?:is|are) supported\b|\bis not a valid\b|\bis not one of\b|\bhave a resource type\b|(?<!index )\bout of range\b|\bis not of type\b|\bexpected\b[^\n]{1,60}\b(?:got|received|but (?:got|was|found))\b|\bidentifier is invalid\b/i,
    starts:
      /^invalid (?!response|certificate|state|server|session|credential|login|signature|config)[\w'"`. -]{1,50}(?::|\.|,|$| -|\()|^(?:ambiguous|unexpected argument|unexpected parameter) |^expected [\w ]+, (?:got|received)\b|^bad request\b|^unprocessable\b/i,
    unless: /\bresponses?\b|\bmarshal/i,
  }),
];

export { vetoes } from "./rules-of-set-up.ts";

const limitRule = wordsRule({
  id: "limit/rate",
  says: '"rate limit exceeded", "rate limited", "too many requests", "throttled"',
  code: "RATE_LIMIT_EXCEEDED",
  words: limited,
});

const systemRule: FailureRule = {
  id: "system/code",
  confidence: "high",
  says: "An operating system's error: `ENOENT`, `ECONNREFUSED`, `[Errno 13]`, `(os error 2)`",
  gives: "by the error",
  read: ({ lines }) => codeOfSystemIn(lines),
};

const statusRule: FailureRule = {
  id: "http/status",
  confidence: "high",
  says: "A status of HTTP that leaves no doubt: 401, 403, 404, 408, 409, 410, 412, 413, 423, 429, 501, 502, 503, 504, 529",
  gives: "by the status",
  read: ({ lines }) => {
    const found = codeOfStatus(statusIn(lines) ?? "");
    return found?.isWeak === false ? found.code : undefined;
  },
};

const weakStatusRule: FailureRule = {
  id: "http/status-weak",
  confidence: "high",
  says: "A status that says less than words: 400 and 422, 500",
  gives: "`VALIDATION_ERROR`, `UNAVAILABLE`",
  read: ({ lines }) => codeOfStatus(statusIn(lines) ?? "")?.code,
};

const nameRule: FailureRule = {
  id: "name/error",
  confidence: "high",
  says: "A name of an error: `NoSuchBucket`, `ValidationException`, `(NotFound)`, `PERMISSION_DENIED`, `channel_not_found`",
  gives: "by the name",
  read: ({ line, lines }) => codeOfNameIn(line, lines),
};

/** All rules for texts, in the order in which they are tried. */
export const textRules: readonly FailureRule[] = [
  ...setUpRules,
  limitRule,
  systemRule,
  ...accessRules,
  statusRule,
  ...argumentRules,
  ...stateRules,
  nameRule,
  ...thingRules,
  ...valueRules,
  weakStatusRule,
  ...guesses,
];
