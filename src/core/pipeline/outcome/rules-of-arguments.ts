// What a text says about the arguments of the call: the first list where it leaves no doubt, the second where words about
// things that are not there come first.

import { type FailureRule, wordsRule } from "./failure-rule.ts";

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

/** Asked early: the input was refused, whatever else the text says. */
export const argumentRules: readonly FailureRule[] = [
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

/** Asked after words about things that are not there. */
export const valueRules: readonly FailureRule[] = [
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
