// What words say that leave no doubt, and at the end words that only suggest something.

import { type FailureRule, secret, wordsRule } from "./failure-rule.ts";
import { codeOfStatus, statusIn } from "./failure-status.ts";

const ofSetUp =
  /\b(?:api[ _-]?keys?|tokens?|credentials?|secrets?|environment variables?|env|config(?:uration)?(?: file)?|executables?|binar(?:y|ies)|modules?|plugins?|drivers?|libraries)\b/i;

export const wordRules: readonly FailureRule[] = [
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
        "\\bauthentication (?:failed|failure|required|error|is required|expired)\\b",
        "\\b(?:failed|unable|could not|couldn't) to authenticate\\b",
        "\\b(?:login|log in|sign in) (?:required|failed|again|first)\\b|\\bplease (?:(?:log|sign) ?in|authenticate)\\b|\\bre-?authenticate\\b|\\bsession (?:has )?expired\\b",
      ].join("|"),
      "i",
    ),
  }),
  wordsRule({
    id: "access/denied",
    says: '"access denied", "permission denied", "not authorized to", "forbidden", "read-only mode", "not in the allowed …"',
    code: "FORBIDDEN",
    words:
      /\b(?:access|permission)s?(?: to [^\n]{1,60})?(?: is| was| has been)? (?:denied|forbidden)\b|\bAccessDenied\b|\boperation not permitted\b|\boutside (?:of )?(?:the )?(?:allowed|permitted)\b|\bnot authori[sz]ed to\b|\b(?:is|are) forbidden\b|^forbidden\b|\binsufficient (?:\w+ )?(?:permissions?|privileges?|scopes?|rights|access)\b|\bread-?only (?:mode|transaction|replica|connection|database)\b|\bnot in (?:the )?allow(?:ed|list)\b|\bonly [\w, -]{1,40} (?:is|are) (?:allowed|permitted)\b|\bmust be owner\b|\bpermission required\b/i,
  }),
  wordsRule({
    id: "time/out",
    says: '"timed out", "timeout of 5000ms exceeded", "deadline exceeded"',
    code: "TIMEOUT",
    words:
      /\btimed[ -]?out\b|\btime(?:out| limit)\b[^.\n]{0,40}\b(?:exceeded|expired|reached|elapsed)\b|\bdeadline exceeded\b|\bdue to (?:\w+ )?timeout\b|\b(?:request|connection|read|operation|query|gateway|navigation) timeout\b|\btimeout after \d|\btook too long\b|\bi\/o timeout\b/i,
    unless: /\btimeout (?:must|should|value|parameter|argument|cannot|is not|has to)\b/i,
  }),
  wordsRule({
    id: "service/away",
    says: '"connection refused", "no such host", "fetch failed", "service unavailable", "failed to connect"',
    code: "UNAVAILABLE",
    words:
      /\bconnection(?: to [^\n]{1,80}?)?(?: was| has been| is)? (?:refused|reset|aborted|closed|lost|dropped|terminated|failed|timed out)\b|\bconnection (?:attempts failed|issue|error)\b|\bno such host\b|\bname (?:or service not known|resolution)\b|\bnet::ERR_(?:CONNECTION|NAME|INTERNET|ADDRESS|TIMED)|\bfetch failed\b|\bfailed to fetch$|\bnetwork (?:error|is unreachable|failure|request failed)\b|\bsocket hang up\b|\berror sending request for url\b|\bmax retries exceeded\b|\bservice (?:is )?(?:currently |temporarily )?unavailable\b|\btemporarily unavailable\b|\bcurrently unavailable\b|\bbad gateway\b|\b(?:failed|unable|could not|couldn't|cannot|can't) (?:to )?(?:connect to|reach)\b|\bis overloaded\b|\bservers? (?:is|are) (?:down|busy|overloaded|not responding)\b/i,
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
    says: '"conflict", "not mergeable", "modified since", "already in use", "already running", "is locked"',
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
    id: "thing/absent",
    says: '"not found", "does not exist", "no such …", "could not find", "unknown tool"',
    code: "NOT_FOUND",
    // "Page not found in the index", but not "the page-not-found handler".
    words:
      /\bnot found(?= ?$| ?[^\w\s]| (?:in|on|at|for|with|by|or|and|after|under|via|within|from|using)\b)|^not found\b|\bdo(?:es)? not exist\b|\bdoesn't exist\b|\bdid not exist\b|\bno such (?!user agent)[a-z]{2,20}\b|\bcould not resolve to an?\b|\b(?:could not|couldn't|cannot|can't|unable to) (?:find|locate) (?!exact|a? ?match|module|package)|^(?:unknown|nonexistent|non-existent) (?!error|exception|failure|reason|status|type|field|argument|parameter|option|operation|action|command|column)[a-z]+\b|^no [\w-]+(?: [\w-]+){0,4} (?:found|exists?)\b/i,
    unless: ofSetUp,
  }),
  wordsRule({
    id: "access/lacking",
    says: '"you do not have permission", "lacks the … scope", "is not allowed"',
    code: "FORBIDDEN",
    words:
      /\b(?:do(?:es)? not|don't|doesn't) have (?:\w+ ){0,3}(?:permissions?|access|privileges?|rights|authori[sz]ation)\b|\black(?:s|ing)? (?:\w+ ){0,3}(?:permissions?|privileges?|scopes?|access)\b|\bmissing (?:\w+ ){0,3}(?:permissions?|scopes?)\b|\b(?:is|are) not (?:allowed|permitted)\b|\b(?:is|are) (?:blocked|prohibited|disallowed)\b|\bblocked by (?:policy|robots)\b/i,
    unless: /\b(?:values?|parameters?|arguments?|fields?|propert(?:y|ies)|characters?|null|empty)\b/i,
  }),
  wordsRule({
    id: "arguments/missing",
    says: '"missing required parameter", "URL is required", "must provide"',
    code: "MISSING_REQUIRED",
    words:
      /\bmissing (?:a |the |one or more )?(?:required |mandatory )?(?:param(?:eter)?s?|arguments?|fields?|propert(?:y|ies)|inputs?|values?|keys?)\b|^missing (?:required|mandatory)\b|\b(?:is|are) (?:a )?(?:required|mandatory)\b(?! (?:to (?:log|auth|run|use)|for auth))|\brequired (?:parameter|argument|field|property|option)s?\b|\b(?:must|need to|have to) (?:provide|specify|supply|include)\b|^(?:no|please provide an?) (?:\w+ ){1,4}(?:provided|specified|given)\b|\bmust be (?:provided|specified|supplied)\b|\bcannot be (?:empty|blank|null)\b|\bmust not be empty\b/i,
    unless: /\bauthenticat|\blogin\b|\bpermission\b|\bscope\b|\bupgrade\b/i,
  }),
  wordsRule({
    id: "arguments/format",
    says: '"invalid … format", "expected format", "malformed", "is not valid JSON"',
    code: "INVALID_FORMAT",
    words:
      /\binvalid (?:\w+ ){0,4}(?:format|syntax for type|uuid|json|date)\b|\bexpected format\b|\bmalformed (?!response)\w+|\bis not (?:a )?valid (?:json|uuid|url|date|email|integer|number)\b|\bmust be in (?:the )?format\b/i,
    unless: /\bresponse\b|\bsql\b/i,
  }),
  wordsRule({
    id: "arguments/invalid",
    says: '"Invalid limit: …", "must be one of", "parameter x is not", "cannot specify both", "unknown action"',
    code: "VALIDATION_ERROR",
    words:
      /^invalid (?!response|certificate|state|server|session|credential|login|signature|config)[\w'"`. -]{1,50}(?::|\.|,|$| -|\()|\bmust be (?:a |an |one of|between|greater|less|at least|at most|positive|non-negative|valid|either|in the range|no more)|\bparameters? ['"`]?[\w.]+['"`]? (?:is|must|should|has|cannot)\b|\bcannot (?:specify|use|combine|set) both\b|\bmutually exclusive\b|^(?:unknown|unsupported|unrecognized|unrecognised) (?:action|operation|command|option|argument|parameter|field|type|format|mode|method|value|outputType|url|protocol|language|query)\b|\bonly [\w, -]{1,60} (?:is|are) supported\b|\bis not a valid\b|\bis not one of\b|\bhave a resource type\b|(?<!index )\bout of range\b|\bis not of type\b|^expected [\w ]+, (?:got|received)\b/i,
    unless: /\bresponse (?:from|body)\b/i,
  }),
  wordsRule({
    id: "server/not-implemented",
    says: '"not implemented"',
    code: "NOT_IMPLEMENTED",
    words: /\bnot (?:yet )?implemented\b|\bunimplemented\b/i,
  }),
  {
    id: "http/status-weak",
    confidence: "high",
    says: "A status that says less than words: 400 and 422, 500",
    gives: "`VALIDATION_ERROR`, `UNAVAILABLE`",
    read: ({ lines }) => codeOfStatus(statusIn(lines) ?? "")?.code,
  },
];

/** Words that suggest something. What they say is noted and decides nothing. */
export const guesses: readonly FailureRule[] = [
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
