// Whether a text is the report of a failure and nothing else, so that no reader would take it for anything else: it
// begins as a report does ("Error: …", "Failed to fetch …", "Lookup failed: …"), goes on with a reason in words, and
// has no line beside it that is not part of the report. A log, a page, source code, a title or a measured error begins
// like that too; whatever looks like one of them is left to be noted.

import { type Beginning, beginningOf } from "./report-heads.ts";

/** A report is short; anything longer is data. */
const MAX_REPORT_LENGTH = 1_000;
const MAX_LINE_LENGTH = 500;
const MAX_LINES = 14;

/** What servers put before the first word to be seen. */
const marks = /^\s*(?:(?:❌|🚫|⛔|🔴|✗|✘|❗|‼|⚠|🛑)\uFE0F?\s{0,3}){0,2}(?:\*\*|__|\[)?/u;

/** Fields that have nothing to say. */
const nothing =
  /^(?:none|null|nil|no(?: errors?)?|n\/a|true|false|ok|0|-|string|number|boolean|object|any|void|never)?[.!;]?$/i;
/** The reason is a number: a measured error, unless it is a status or counts refusals. */
const measured = /^[-+±~<>≈]?\d/;
const countedReason = /^(?:\(?[45]\d\d\b|\d+ validation errors?\b|-32\d{3}\b)/;
/** A time stands before the messages of a log. */
const stamped = /^\W{0,2}(?:\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?\b|\d{1,2}\/\d{1,2}\/\d{2,4})/;
/** How a line of source code ends, or what only source code has. */
const code = /[;{,]\s*$|=>|\bthrow new\b|\s\/\/\s|\\n['"`]/;
/** What is said of errors in a manual or on a page about them, and what a field of an object has. */
const ofManual =
  /^(?:(?:if|when|whenever|raised|thrown|returned|handling|reporting|messages|codes) |[^\n]{0,300}\bthis (?:page|article|chapter|book|guide)\b|当|在|\w+\(\S*\)$|(['"`])[^'"`]{0,60}\1$)/i;

function isReason(line: string): boolean {
  const reason = line.trim();
  if (nothing.test(reason) || reason.endsWith("?")) return false;
  if (stamped.test(reason) || ofManual.test(reason)) return false;
  if (countedReason.test(reason)) return true;
  return !measured.test(reason) && /\p{L}{2}/u.test(reason);
}

/** Lines that belong to a report: frames, advice, fields. */
const ofReport =
  /^\s*(?:at |File "|LINE \d+: |[\w.-]{1,60}$|[^\n]{0,300}\[type=|root causes?:|\^+\s*$|~+\s*$|Traceback |Caused by|During handling|The above exception|\[?(?:SQL|parameters|cause|stdout|stderr|errno|code|syscall|path|url|input_value|type)\b|\(?background on this error|for further information|(?:error )?(?:details?|reasons?|messages?|codes?|status|type|hints?|tips?|notes?|suggestions?|solutions?|help|usage|context|request[ _-]id|trace[ _-]id|available|allowed|valid|supported|expected|received|got|troubleshooting|possible|options)\b[^:\n]{0,40}:|please |try |make sure |ensure |check |verify |did you mean|see |use |retry |for more |(?:this|that|it) (?:may|might|could|can|is|was|usually)|the (?:server|service|api|tool|file|request|call|operation) |you (?:can|may|must|need|should|have)|if (?:you|the|this))/i;
const item = /^\s*(?:[-*•]|\d{1,2}[.)]) /;

const indented = /^(?:\t| {2})\s*\S/;

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

/** A heading that says that something failed: "# Search failed", "**Error**". */
const failedHeading = /^(?:#{1,6} |\*\*)[^\n]{0,60}\b(?:failed|failure|error)\s{0,4}(?:\*\*)?:?\s{0,4}$/i;
/** The page of a status, as HTTP clients print it before the answer's JSON. */
const statusLine = /^(?:HTTP(?:\/\d(?:\.\d)?)? )?[45]\d\d [A-Z][A-Za-z ]{2,40}$/;
/** Longer than a sentence, because advice follows. */
const MAX_HEADED_LENGTH = 4_000;

/** A heading and a sentence that both say so: whatever follows is advice. */
function isHeaded(text: string): boolean {
  if (text.length > MAX_HEADED_LENGTH || !/^\s{0,10}(?:#|\*\*)/.test(text)) return false;
  const [first = "", ...rest] = text.trimStart().split(/\r?\n/);
  if (!failedHeading.test(first.trimEnd())) return false;
  const next = rest.find((line) => line.trim() !== "")?.trim() ?? "";
  return next.length <= MAX_LINE_LENGTH && beginningOf(next) !== undefined;
}

/** Whether a text is a report of a failure and nothing else. */
export function isFailureReport(text: string): boolean {
  if (isHeaded(text)) return true;
  if (text.length > MAX_REPORT_LENGTH) return false;
  const said = text.trim().replace(marks, "");
  const [first = ""] = said.split("\n", 1);
  if (first.length > MAX_LINE_LENGTH) return false;
  const begun = beginningOf(first.trimEnd());
  if (begun === undefined && !statusLine.test(first.trimEnd())) return false;
  return isReportAfter(begun, first.trimEnd(), said.split(/\r?\n/).slice(1));
}

function isReportAfter(begun: Beginning | undefined, first: string, rest: readonly string[]): boolean {
  if (rest.length > MAX_LINES || code.test(first)) return false;
  if (rest.length > 0 && isJson(rest.join("\n"))) return true;
  if (begun === undefined) return false;
  const reason = begun.reason.trim();
  if (isJson([reason, ...rest].join("\n"))) return true;
  if (begun.isSentence) return !first.endsWith("?") && isAllOfReport(rest);
  if (reason !== "") return isReason(reason) && isAllOfReport(rest);
  // A line that ends with its colon announces the reason on the next.
  const at = rest.findIndex((line) => line.trim() !== "");
  const next = rest[at] ?? "";
  return (
    at >= 0 && !code.test(next) && !item.test(next) && isReason(next) && isAllOfReport(rest.slice(at + 1))
  );
}
