// What the text of a foreign failure is about. MCP has no error codes for tools, so most servers say in words that a
// thing is not there, not allowed, or not to be asked for so often. This finds the words; failure-rules.ts judges them.

import { type Confidence, type FailureRule, NO_CODE, type SaidText } from "./failure-rule.ts";
import { waitIn } from "./wait-in-text.ts";
import { textRules, vetoes } from "./failure-rules.ts";

/** What a rule made of a failure. */
export interface FailureReading {
  readonly code: string;
  readonly rule: string;
  readonly confidence: Confidence;
  readonly retryAfterSeconds?: number | undefined;
  /** The same call cannot succeed before somebody has changed something. */
  readonly isFinal?: boolean | undefined;
  readonly remediation?: string | undefined;
}

/** What is longer is the output of a program rather than a message about it. */
const MAX_LINE_LENGTH = 400;
const MAX_TEXT_LENGTH = 4_000;
/** Beyond the first line only these are looked at, and only for codes and names. */
const MAX_LINES = 6;

/** What SDKs and languages put before a message; up to four of them stand in a row. */
const prefix =
  /^(?:MCP error -?\d{1,6}: |(?:Uncaught )?(?:Error|error|Failed|ERROR|Exception|RuntimeError|ToolError|McpError|ValueError): |❌ {0,2}|⚠️ {0,2}|Error (?:executing|calling|running|in) (?:tool )?['"]?[\w./-]{1,64}['"]?: |Tool execution failed: |Error processing [^\n:]{1,80}(?::\/\/[^\n: ]{1,200})?: |Failed to [^\n:]{1,60}: (?=MCP error |Error: |error: ))/;

/** A line that only announces an error. */
const headingLine =
  /^(?:#{1,6} |\*\*|__|\[)?\s*((?:[A-Z][\w ]{0,30} )?(?:error|failed|failure|result))\s*(?:\*\*|__|\])?\s*:?$/i;
/** The command line of a program that failed; what it said follows. */
const commandLine = /\bcommand failed(?: with exit code \d+)?: /i;

/** The class of the error: its name may say something, its words are what follows. */
const className = /^(?:Uncaught )?(?:[a-z_]+\.)*[A-Z]\w{0,40}(?:Error|Exception): /;

function strip(line: string, ...prefixes: readonly RegExp[]): string {
  let rest = line;
  for (let count = 0; count < 4; count++) for (const each of prefixes) rest = rest.replace(each, "");
  return rest;
}

/** What a program wrote to stderr is what it said; what stands before are its command line and its exit code. */
const stderrLine = /^stderr: ?['"]?(?:error|fatal): /;

function linesOf(text: string): readonly string[] {
  const lines = text.split(/[\r\n]+/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  const from = lines.slice(0, MAX_LINES).findIndex((line) => stderrLine.test(line));
  return from < 0 ? lines : [(lines[from] ?? "").replace(stderrLine, ""), ...lines.slice(from + 1)];
}

const MAX_TAILS = 5;

function tailsOf(line: string): readonly string[] {
  const tails = [line];
  for (
    let from = line.indexOf(": ");
    from > 0 && tails.length < MAX_TAILS;
    from = line.indexOf(": ", from + 1)
  )
    tails.push(line.slice(from + 2));
  return tails;
}

function saidIn(text: string): SaidText | undefined {
  const all = linesOf(text);
  let heading = "";
  let first = 0;
  for (; first < Math.min(all.length - 1, 3); first++) {
    const [, said] = headingLine.exec(all[first] ?? "") ?? [];
    if (said !== undefined) heading ||= said;
    else if (!commandLine.test(all[first] ?? "")) break;
  }
  const named = strip(all[first] ?? "", prefix);
  const line = strip(named, prefix, className);
  if (line.length > MAX_LINE_LENGTH) return undefined;
  const rest = all.slice(first + 1, first + MAX_LINES).filter((each) => each.length <= MAX_LINE_LENGTH);
  return { heading, line, tails: tailsOf(line), lines: [named, ...rest].join("\n") };
}

/** Codes that invite another try, and those that may say when. */
const invitingCodes: ReadonlySet<string> = new Set([
  "RATE_LIMIT_EXCEEDED",
  "UNAVAILABLE",
  "TIMEOUT",
  "RESOURCE_EXHAUSTED",
]);
const waitingCodes: ReadonlySet<string> = new Set(["RATE_LIMIT_EXCEEDED", "UNAVAILABLE"]);

/** What a failure's text is about; undefined where no rule applies. */
export function readFailureText(text: string): FailureReading | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const said = saidIn(text);
  if (said === undefined || said.line === "") return undefined;
  for (const rule of textRules) {
    const code = rule.read(said);
    if (code === undefined) continue;
    const isInviting = invitingCodes.has(code) && rule.confidence === "high";
    const veto = isInviting ? vetoes.find(({ read }) => read(said) !== undefined) : undefined;
    if (veto !== undefined) return readingOf(veto, NO_CODE, said);
    return readingOf(rule, code, said);
  }
  return undefined;
}

function readingOf(rule: FailureRule, code: string, { lines }: SaidText): FailureReading {
  const { id, confidence, isFinal, remediation } = rule;
  const retryAfterSeconds = waitingCodes.has(code) ? waitIn(lines) : undefined;
  return { code, rule: id, confidence, retryAfterSeconds, isFinal, remediation };
}
