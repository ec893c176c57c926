// Whether a text is the report of a failure and nothing else, so that no reader would take it for anything else:
// it begins as a report does ("Error: …", "Failed to fetch …", "Lookup failed: …"), goes on with a reason in words,
// and has no line beside it that is not part of the report. A log, a page, source code, a title or a measured error
// begins like that too; whatever looks like one of them is left to be noted.

/** A report is short; anything longer is data. */
const MAX_REPORT_LENGTH = 1_000;
const MAX_LINE_LENGTH = 500;
const MAX_LINES = 14;

/** What servers put before the first word to be seen. */
const marks = /^\s*(?:(?:❌|🚫|⛔|🔴|✗|✘|❗|‼|⚠|🛑)\uFE0F?\s{0,3}){0,2}(?:\*\*|__|\[)?/u;
/** What closes them. */
const CLOSED = "(?:\\*\\*|__|\\])?";

/** What a tool does for its caller: nobody writes of anything else that it failed to do it. */
const deeds =
  "(?:fetch|retrieve|get|load|read|write|open|close|create|delete|remove|update|save|store|insert|add|set|connect|reach|" +
  "send|post|upload|download|parse|process|decode|encode|convert|generate|render|execute|run|call|invoke|start|stop|" +
  "launch|initiali[sz]e|authenticate|authori[sz]e|verify|validate|resolve|find|locate|search|list|query|access|perform|" +
  "complete|apply|edit|move|copy|rename|import|export|extract|analy[sz]e|compute|calculate|determine|obtain|acquire|" +
  "install|publish|register|navigate|click|fill|take|capture|switch|select|submit|schedule|book|cancel|push|pull|" +
  "merge|commit|clone|fork|join|make|format|prepare|handle|summari[sz]e|translate|transcribe|scrape|crawl|look up|fulfil|" +
  "specify|combine|use|exec|seriali[sz]e|deseriali[sz]e|marshal|unmarshal|bind|lock|mount|sync|index|scan|check|test)";
/** The same, as something that was being done. */
const doings =
  "(?:fetching|retrieving|getting|loading|reading|writing|opening|closing|creating|deleting|removing|updating|saving|" +
  "storing|inserting|adding|setting|connecting|reaching|sending|posting|uploading|downloading|parsing|processing|" +
  "decoding|encoding|converting|generating|rendering|executing|running|calling|invoking|starting|stopping|launching|" +
  "initiali[sz]ing|authenticating|verifying|validating|resolving|finding|locating|searching|listing|querying|accessing|" +
  "performing|completing|applying|editing|moving|copying|renaming|importing|exporting|extracting|analy[sz]ing|" +
  "computing|calculating|determining|obtaining|installing|publishing|navigating|clicking|filling|taking|capturing|" +
  "submitting|scraping|crawling|translating|looking up|making|preparing|formatting)";

/** Words before "error" that make it a quantity, or one error of many. */
const notOurs =
  "(?!(?:the|an?|this|that|these|one|no|any|each|every|most|last|first|next|previous|common|typical|standard|mean|root|" +
  "squared|absolute|relative|rounding|sampling|measurement|percentage|margin|max|min|maximum|minimum|average|avg|" +
  "training|test|user|human|pilot|trial|not|without)\\b)";

interface Head {
  readonly id: string;
  readonly form: RegExp;
  /** Whether the head says enough alone, so that a reason may be missing. */
  readonly isSentence?: true;
}

const form = (source: string): RegExp => new RegExp(`^(?:${source})`, "iu");

/** How reports begin; what follows the match is the reason. */
const heads: readonly Head[] = [
  {
    id: "named",
    form: new RegExp(
      `^(?:${notOurs}[A-Za-z][\\w/'-]{1,24} ){0,3}(?:(?:[a-z_]\\w{0,40}\\.){0,6}[A-Z]\\w{0,60}(?:Error|Exception)|[Ee]rror|ERROR|[Ee]xception|[Ff]ailure)(?: ?\\((?:code:? ?|status:? ?)?-?\\w{2,40}\\)| (?:code:? ?)?-?\\d{2,6}| [A-Z_]{4,40}| \\[[a-z]{2,30}(?:_[a-z]{2,30})+\\])?${CLOSED} ?[:!](?= |\\*|_|$)(?: ?(?:\\*\\*|__))?\\s{0,4}`,
      "u",
    ),
  },
  {
    id: "doing",
    form: form(
      `(?:an? )?error (?:while |when |in |during |on |from |occurred (?:while|when|during) )?(?:${doings})\\b[^\\n]{0,200}?(?:: |:\\n)`,
    ),
  },
  {
    id: "doing alone",
    form: form(`(?:an? )?error (?:occurred )?(?:while |when )?(?:${doings})\\b[^\\n:]{2,100}$`),
    isSentence: true,
  },
  {
    id: "place",
    form: form("(?:an? )?error (?:in|on|from|at|with) (?:tool )?['\"`]?[\\w./-]{1,64}['\"`]?: "),
  },
  {
    id: "occurred",
    form: form(
      "(?:sorry, )?(?:an? (?:unexpected |internal |unknown |server )?error (?:has )?occurred|something went wrong)\\b[^\\n]{0,200}",
    ),
    isSentence: true,
  },
  { id: "failed to", form: form(`failed to ${deeds} [^\\n:][^\\n]{1,400}`), isSentence: true },
  {
    id: "could not",
    form: form(
      `(?:(?:i |we )?(?:could not|couldn't|cannot|can't|can not|was unable to)|unable to|not able to) ${deeds}\\b(?! (?:any|matching|relevant|results?|match(?:es)?)\\b) [^\\n:][^\\n]{1,400}`,
    ),
    isSentence: true,
  },
  {
    id: "failed",
    form: form(
      "(?!(?:tests?|jobs?|builds?|checks?|pipelines?|workflows?|deployments?|runs?|steps?|stages?|\\d+)\\b)[a-z][\\w./'\"()-]{0,40}(?: [\\w'\"][\\w./'\"-]{0,60}){0,3} failed(?: (?:with|after|for|due to)(?: [^\\n:]{2,80})?)?(?:: |! | - |[.,] (?=(?:please|try|check|make sure|ensure|run|wait|see|verify|retry)\\b))",
    ),
  },
  {
    id: "failed with",
    form: form(
      "(?:the )?(?:api |http )?(?:request|call|command|query|operation|execution) failed(?: with (?:error |status )?(?:code )?[^\\n]{2,120}|[.!]?$)",
    ),
    isSentence: true,
  },
  { id: "failed:", form: form(`failed${CLOSED}: `) },
  {
    id: "refused",
    form: form(
      "(?:missing required [a-z]+s?: |missing (?:parameter|argument|field):? )|(?:access|permission) denied(?:: |\\. |\\.?$| - | to | for )|(?:not )?(?:unauthori[sz]ed|authenticated|logged in)(?:: |\\. |\\.?$)|(?:[a-z]+ )?(?:rate|usage|request) limit(?:ed| exceeded| reached| detected)(?:: |\\. |, |[.!]?$| for )|too many requests(?:: |\\. |[.!]?$)|(?:session|token|login|authentication) (?:has )?(?:expired|failed)(?:: |\\. |, |[.!]?$)|unknown tool:? ",
    ),
    isSentence: true,
  },
  {
    id: "absent",
    form: form(
      "(?:[a-z][\\w'-]{1,30} ){1,4}(?:not found|does not exist|already exists): (?=\\S)|no such [a-z]+(?: [a-z]+){0,2}: (?=\\S)",
    ),
  },
  {
    id: "system",
    form: /^(?:E[A-Z]{3,14}: (?=[a-z])|\[Errno -?\d{1,3}\] )/u,
  },
  {
    id: "client",
    form: form("[45]\\d\\d (?:client|server) error\\b(?:: | for )"),
  },
  {
    id: "argument",
    form: form(
      "(?:the )?(?:(?:parameter|argument|field|property) )?['\"`]?[a-z]+(?:_[a-z]+)+['\"`]? (?:is required|is missing|must be (?:an? |one of|either|between|at |in |set|provided|positive|non|greater|less)|is not of type)[^\\n]{0,200}",
    ),
    isSentence: true,
  },
  {
    id: "count",
    form: form("\\d{1,3} validation errors? for [\\w\\[\\]., -]{2,80}$"),
    isSentence: true,
  },
  {
    id: "invalid",
    form: form(
      "invalid (?:api|arguments?|parameters?|params|input|request|library|token)\\b[^\\n:]{0,60}(?:: |\\. |\\.?$)",
    ),
    isSentence: true,
  },
  {
    id: "other language",
    form: form(
      "(?:错误|錯誤|出错了?|エラー|오류|ошибка|fehler|erreur|erro|errore|lỗi) ?[:：]\\s?|[^\\n:：]{1,40}(?:失败|失敗|出错|出錯|に失敗しました)[:：。]\\s?",
    ),
  },
];

/** Fields that have nothing to say. */
const nothing = /^(?:none|null|nil|no(?: errors?)?|n\/a|false|ok|0|-)?[.!]?$/i;
/** The reason is a number: a measured error, unless it is a status or counts refusals. */
const measured = /^[-+±~<>≈]?\d/;
const countedReason = /^(?:\(?[45]\d\d\b|\d+ validation errors?\b|-32\d{3}\b)/;
/** A time stands before the messages of a log. */
const stamped = /^\W{0,2}(?:\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?\b|\d{1,2}\/\d{1,2}\/\d{2,4})/;
/** How a line of source code ends, or what only source code has. */
const code = /[;{,]\s*$|=>|\bthrow new\b|\s\/\/\s|\\n['"`]/;
/** What is said of an error in the manual of a program, and what a field of an object has. */
const ofManual =
  /^(?:(?:if|when|whenever|raised|thrown|returned) |当|在|\w+\(\S*\)$|(['"`])[^'"`]{0,60}\1$)/i;

function isReason(line: string): boolean {
  const reason = line.trim();
  if (nothing.test(reason) || reason.endsWith("?")) return false;
  if (stamped.test(reason) || ofManual.test(reason)) return false;
  if (measured.test(reason) && !countedReason.test(reason)) return false;
  return /\p{L}{2}/u.test(reason);
}

/** Lines that belong to a report: frames, advice, fields. */
const ofReport =
  /^\s*(?:at |File "|LINE \d+: |[\w.-]{1,60}$|[^\n]{0,300}\[type=|root causes?:|\^+\s*$|~+\s*$|Traceback |Caused by|During handling|The above exception|\[?(?:SQL|parameters|cause|stdout|stderr|errno|code|syscall|path|url|input_value|type)\b|\(?background on this error|for further information|(?:error )?(?:details?|reasons?|messages?|codes?|status|type|hints?|tips?|notes?|suggestions?|solutions?|help|usage|context|request[ _-]id|trace[ _-]id|available|allowed|valid|supported|expected|received|got|troubleshooting|possible|options)\b[^:\n]{0,40}:|please |try |make sure |ensure |check |verify |did you mean|see |use |retry |for more |(?:this|that|it) (?:may|might|could|can|is|was|usually)|the (?:server|service|api|tool|file|request|call|operation) |you (?:can|may|must|need|should|have)|if (?:you|the|this))/i;
const item = /^\s*(?:[-*•]|\d{1,2}[.)]) /;

const indented = /^(?:\t| {2,})\S/;

/** Whether the lines after the first are part of the report. */
function isAllOfReport(lines: readonly string[]): boolean {
  let isListed = false;
  for (const line of lines) {
    if (line.trim() === "") continue;
    if (line.length > MAX_LINE_LENGTH) return false;
    if (item.test(line)) {
      if (!isListed) return false;
      continue;
    }
    if (!ofReport.test(line) && (!indented.test(line) || code.test(line) || stamped.test(line.trim())))
      return false;
    isListed = /:\s*(?:\*\*)?$/.test(line);
  }
  return true;
}

/** Whether the reason is the JSON of what refused the call. */
function isJson(reason: string): boolean {
  const said = reason.trim();
  return (said.startsWith("[") && said.endsWith("]")) || (said.startsWith("{") && said.endsWith("}"));
}

function beginsAsReport(line: string): readonly [head: Head, reason: string] | undefined {
  for (const head of heads) {
    const [match] = head.form.exec(line) ?? [];
    if (match !== undefined) return [head, line.slice(match.length)];
  }
  return undefined;
}

/** A heading that says that something failed: "# Search failed", "**Error**". */
const failedHeading = /^(?:#{1,6} |\*\*)[^\n]{0,60}\b(?:failed|failure|error)\s{0,4}(?:\*\*)?:?\s{0,4}$/i;
const saysItAgain = /^(?:error|failed|could not|unable to)\b/i;
/** The page of a status, as HTTP clients print it before the answer's JSON. */
const statusLine = /^(?:HTTP(?:\/\d(?:\.\d)?)? )?[45]\d\d [A-Z][A-Za-z ]{2,40}$/;
/** Longer than a sentence, because advice follows. */
export const MAX_HEADED_LENGTH = 4_000;

/** A heading and a sentence that both say so: whatever follows is advice. */
function isHeaded(text: string): boolean {
  const [first = "", ...rest] = text.slice(0, MAX_HEADED_LENGTH).trimStart().split(/\r?\n/);
  if (!failedHeading.test(first.trimEnd())) return false;
  const next = rest.find((line) => line.trim() !== "")?.trim() ?? "";
  return next.length <= MAX_LINE_LENGTH && (saysItAgain.test(next) || beginsAsReport(next) !== undefined);
}

/** Whether a text is a report of a failure and nothing else. */
export function isFailureReport(text: string): boolean {
  if (text.length <= MAX_HEADED_LENGTH && isHeaded(text)) return true;
  if (text.length > MAX_REPORT_LENGTH) return false;
  const [first = "", ...rest] = text.trim().replace(marks, "").split(/\r?\n/);
  if (first.length > MAX_LINE_LENGTH || rest.length > MAX_LINES || code.test(first.trimEnd())) return false;
  const isBeforeJson = rest.length > 0 && isJson(rest.join("\n"));
  if (isBeforeJson && statusLine.test(first)) return true;
  // A line that ends with its colon announces the reason on the next.
  const found = beginsAsReport(first) ?? beginsAsReport(`${first}\n`);
  if (found === undefined) return false;
  const [head, after] = found;
  const reason = after.trim();
  if (isBeforeJson || isJson([reason, ...rest].join("\n"))) return true;
  if (head.isSentence === true) return !first.trimEnd().endsWith("?") && isAllOfReport(rest);
  if (reason !== "") return isReason(reason) && isAllOfReport(rest);
  const at = rest.findIndex((line) => line.trim() !== "");
  const next = rest[at] ?? "";
  return (
    at >= 0 && !code.test(next) && !item.test(next) && isReason(next) && isAllOfReport(rest.slice(at + 1))
  );
}
