// Finds source code in a text that is meant for people: the message of an error, a value of its details. It avoids
// false alarms: a sentence, a path, an identifier, a value or one call in brackets is not code, however technical it
// reads.

/** Longer lines are not handwritten code; their beginning shows what they are. */
const MAX_LINE = 2_000;
/** The number of lines that are judged; the text after them is judged as part of the last. */
const MAX_LINES = 5_000;

/** Where a statement may begin: at the start of a line, after a blank, or after what introduces or quotes it. */
const BEGIN = String.raw`(?:^|(?<=[\s:;,.!?=({>"'\u0060\u2026-]))`;
const NAME = String.raw`[A-Za-z_$][\w$]{0,80}`;
const PLACE = String.raw`[\w."\u0060[\]]{1,120}`;

function from(pattern: string, flags = ""): RegExp {
  return new RegExp(BEGIN + pattern, flags);
}

/** Statements that no sentence has, each enough alone. */
const statements: readonly RegExp[] = [
  // Python and Ruby
  from(String.raw`(?:async )?def ${NAME}\s?\([^)\n]{0,300}\)(?:\s?->[^:\n]{1,80})?\s?:`),
  from(String.raw`def ${NAME}[?!]?(?:\([^)\n]{0,200}\))?\s*$`),
  from(String.raw`class ${NAME}(?:\([^)\n]{0,200}\))?:(?=\s*$|\s+(?:def|pass|"""))`),
  from(String.raw`from [\w.]{1,120} import (?:\(|\*|${NAME}(?:\s?,\s?${NAME}|\s+as ${NAME}){0,20}\s*$)`),
  from(String.raw`lambda (?:${NAME}(?:,\s?)?){1,8}:\s?\S`),
  // JavaScript and TypeScript
  from(
    String.raw`(?:export (?:default )?)?(?:async )?function\*?\s*(?:${NAME})?\s*\([^)\n]{0,300}\)\s*(?::[^{\n]{1,80})?\{`,
  ),
  from(
    String.raw`(?:export )?(?:const|let|var) (?:mut )?(?:${NAME}|[{[][^=\n]{1,200}[}\]])(?:\s?:[^=\n]{1,80})?\s*=\s*[^=\s]`,
  ),
  from(String.raw`import (?:type )?[\w*$ {},]{1,200} from ["'][^"'\n]{1,200}["']`),
  /^\s*import ["'][^"'\n]{1,200}["'];/,
  from(
    String.raw`(?:export )?(?:default )?(?:abstract )?class ${NAME}(?: (?:extends|implements) [\w$.<>, ]{1,120})?\s*\{(?:\s|$)`,
  ),
  from(
    String.raw`(?:export )?(?:interface|enum|namespace) ${NAME}(?: extends [\w$.<>, ]{1,120})?\s*\{(?:\s|$)`,
  ),
  from(String.raw`(?:module\.exports\s*=|exports\.${NAME}\s*=\s*\S)`),
  from(
    String.raw`(?:[\w$.]{1,100}\()?(?:\([^()\n]{0,200}\)|${NAME})\s*=>\s*\{(?:\s*$|[^}\n]{0,200}(?:;|\breturn\b))`,
  ),
  from(String.raw`(?:if|for|while|switch|catch)\s?\([^\n]{1,200}\)\s*\{`),
  /^\s*\}\s*(?:else|catch|finally)\b[^\n]{0,100}\{/,
  from(String.raw`return [^\n]{0,200}[=+*/()<>[\]][^\n]{0,200};\s*$`),
  // Java, C#, C and C++
  from(
    String.raw`(?:(?:public|private|protected|static|final|override|virtual|internal|void|int|char|bool) ){1,4}(?:[\w<>[\],.?]{1,60} ){0,2}${NAME}\s*\([^)\n]{0,300}\)[^{;\n]{0,80}[{;]`,
  ),
  from(String.raw`import (?:static )?[a-z]\w{0,40}(?:\.[\w*]{1,60}){1,8};`),
  from(String.raw`using [A-Z][\w.]{1,80};`),
  from(String.raw`#\s?(?:include\s*[<"]\w|define \w+ |ifdef |ifndef |pragma )`),
  // Go and Rust
  from(String.raw`func (?:\([^)\n]{1,100}\) )?${NAME}\([^)\n]{0,300}\)[^{\n]{0,100}\{`),
  from(
    String.raw`(?:pub(?:\([a-z]+\))? )?(?:async )?fn ${NAME}(?:<[^>\n]{1,100}>)?\([^)\n]{0,300}\)[^{\n]{0,100}\{`,
  ),
  from(String.raw`(?:pub )?(?:struct|impl|trait) ${NAME}(?:<[^>\n]{1,80}>)?(?: for ${NAME})?\s*\{(?:\s|$)`),
  from(String.raw`use ${NAME}(?:::[\w{}*, ]{1,100}){1,8};`),
  from(String.raw`type ${NAME} (?:struct|interface)\s*\{`),
  // PHP, shells
  /<\?php\b/,
  /^#!\s?\/[\w/.-]{2,80}/,
  // SQL in capitals; in lower case only with words that no sentence has
  from(
    String.raw`SELECT\s+(?:DISTINCT\s+)?[\w."\u0060()*, ]{1,300}?\s+FROM\s+${PLACE}(?=\s*(?:;|$|\)|,|["'\u0060]|(?:WHERE|JOIN|LEFT|INNER|ORDER|GROUP|LIMIT|UNION|AS)\b|[a-z]\b))`,
  ),
  from(
    String.raw`select\s+(?:\*|[\w.]{1,60}(?:\s?,\s?[\w.]{1,60}){1,40}|count\(\S{1,60}\))\s+from\s+${PLACE}`,
  ),
  from(String.raw`INSERT\s+INTO\s+${PLACE}\s*(?:\([^)\n]{1,300}\)\s*)?(?:VALUES\s*\(|SELECT\b)`, "i"),
  from(String.raw`UPDATE\s+${PLACE}\s+SET\s+${PLACE}\s*=`, "i"),
  from(String.raw`DELETE\s+FROM\s+${PLACE}\s*(?:;|WHERE\s+${PLACE}\s*(?:[=<>]|IN\b|IS\b|LIKE\b))`, "i"),
  from(
    String.raw`(?:CREATE|ALTER|DROP)\s+(?:TABLE|VIEW|INDEX|FUNCTION|TRIGGER)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?${PLACE}\s*(?:\(|;|ADD\b|AS\b|ON\b)`,
  ),
  // HTML: an element that is opened and closed, or what only whole pages have
  /<!doctype html|<(?:script|style|html|body|head)\b[^>\n]{0,300}>[^\n]{0,500}<\/?\w/i,
  /<(div|span|p|a|ul|ol|li|table|tr|td|form|button|h[1-6]|pre|svg)(?:\s[^>\n]{0,300})?>[^\n]{0,1000}<\/\1>/,
];

/** Lines that are typical of code and rare in sentences: two in a row are code. */
const sure: readonly RegExp[] = [
  /^(?=.*[=()[\]{}+*<>"']|\s*\S+\s*$).*[;{]\s*(?:\/\/[^\n]*)?$/,
  /^\s*[A-Za-z_$][\w$.[\]"']{0,100}\s*(?:[-+*/|&]|:|\*\*|\?\?)?=\s*\S/,
  /^\s*(?:return|raise|throw|yield|await|assert|del)\b.*[()[\]{}.=+*/]/,
  /^\s*(?:if|elif|for|while|with|except|try|else|finally|match|case)\b[^?!]{0,300}:\s*(?:#[^\n]*)?$/,
  /^\s*[A-Za-z_$][\w$.]{0,100}\([^\n]*\)\s*;?\s*$/,
  /^\s*import [\w.]{1,120}(?:\s+as \w+)?\s*$/,
  /^\s*<\/?(?:html|head|body|script|style|div|span|p|ul|ol|li|table|tr|td|form|h[1-6])(?:\s[^<>]{0,300})?>/,
];

/** Lines that continue code above them. */
const further: readonly RegExp[] = [
  /^(?: {2,}|\t)\s*\S/,
  /^\s*(?:\/\/|\/\*|\*|#|<\/|[})\]])/,
  /^\s*(?:end|pass|break|continue|return|else|try)\b[^.?!]{0,80}$/,
];

/** Four plain words in a row are a sentence; text in quotes or after a comment sign does not count. */
function isProse(line: string): boolean {
  const spoken = line
    .replaceAll(/"[^"\n]{0,300}"|'[^'\n]{0,300}'|`[^`\n]{0,300}`|(?:\/\/|#).{0,2000}$/g, " q ")
    .replace(/^\s*for [\w, ]{1,80} in (?=\S+:\s*$|\S*[([])/, "");
  return /(?:^|[\s(])(?:[A-Za-z]+[ ,]+){3}[A-Za-z]+/.test(spoken);
}

/** A line of formatted JSON, or its end. */
const json =
  /^\s*(?:"(?:[^"\\\n]|\\.){0,500}"\s*:\s*)?(?:"(?:[^"\\\n]|\\.){0,2000}"|-?[\d.eE+]{1,40}|true|false|null|[{}[\]])?\s*[{}[\],]*\s*$/;

/** The number of a line, as compilers print it beside the code. */
const GUTTER = /^\s*>?\s*\d{1,6}\s*[|│]\s?/;

function columnOf(line: string): number | undefined {
  const columns = statements.map((statement) => statement.exec(line)?.index ?? -1).filter((at) => at >= 0);
  return columns.length === 0 ? undefined : Math.min(...columns);
}

function isSure(line: string): boolean {
  const bare = line.replace(GUTTER, "");
  return !json.test(bare) && !isProse(bare) && sure.some((pattern) => pattern.test(bare));
}

/** Where a line begins to look like code: at its start, or after the words that introduce it. */
function sureColumn(line: string): number | undefined {
  const at = introOf(line);
  if (at > 0 && isSure(line.slice(at))) return at;
  return isSure(line) ? 0 : undefined;
}

/** The length of the words that introduce something: "Cannot parse: ". */
function introOf(line: string): number {
  return /^[A-Za-z][\w '"-]{0,80}: (?=\S)/.exec(line)?.[0].length ?? 0;
}

function isFurther(line: string): boolean {
  return isSure(line) || further.some((pattern) => pattern.test(line));
}

/** The range of code in a text. */
export interface CodeSpan {
  readonly start: number;
  readonly end: number;
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start <= text.length && lines.length < MAX_LINES) {
    const at = text.indexOf("\n", start);
    const isLast = at < 0 || lines.length === MAX_LINES - 1;
    const end = isLast ? text.length : at;
    lines.push({ text: text.slice(start, Math.min(end, start + MAX_LINE)).replace(/\r$/, ""), start, end });
    if (isLast) break;
    start = at + 1;
  }
  return lines;
}

const FENCE = /^(?:[^`~]{0,200}\s)?(?:```|~~~)\s*([\w+#-]*)\s*$/;
/** Languages of a fence that are not code. */
const DATA = /^(?:|json|text|txt|console|log|output|yaml|yml|csv|diff|md|markdown)$/i;

/** Several assignments in a row are settings as often as code. */
function isSettings(lines: readonly Line[]): boolean {
  return lines.every(({ text }) => /^\s*[\w.-]{1,100}\s*[=:]\s*(?!.{0,500}\w\()[^;{]{0,2000}$/.test(text));
}

/** The closing line of a fence that opens code in this line. */
function closedAt(lines: readonly Line[], at: number): number | undefined {
  const [, language] = FENCE.exec(lines[at]?.text ?? "") ?? [];
  if (language === undefined || DATA.test(language)) return undefined;
  const close = lines.findIndex(({ text }, index) => index > at && /^\s*(?:```|~~~)\s*$/.test(text));
  return close < 0 ? lines.length - 1 : close;
}

/** After a line of a Python stack comes the code of that place. */
function isTraced(lines: readonly Line[], at: number): boolean {
  return (
    /^\s*File "[^"\n]{1,300}", line \d+/.test(lines[at - 1]?.text ?? "") &&
    /^\s{2,}\S/.test(lines[at]?.text ?? "")
  );
}

/** Where code begins in a line, if it does. */
function beginsAt(lines: readonly Line[], at: number): number | undefined {
  const { text = "" } = lines[at] ?? {};
  if (isTraced(lines, at)) return 0;
  const column = columnOf(text);
  const pair = sureColumn(text);
  if (pair === undefined || !isSure(lines[at + 1]?.text ?? "")) return column;
  if (column === undefined && isSettings(lines.slice(at, at + 2))) return undefined;
  return Math.min(column ?? pair, pair);
}

/** The pieces of code in a text, in order. */
export function findCode(text: string): readonly CodeSpan[] {
  if (text.length < 8) return [];
  const lines = linesOf(text);
  const found: CodeSpan[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const closed = closedAt(lines, at);
    const column = closed === undefined ? beginsAt(lines, at) : lines[at]?.text.search(/```|~~~/);
    const line = lines[at];
    if (column === undefined || line === undefined) continue;
    let last = closed ?? at;
    if (closed === undefined) while (goesOn(lines, last + 1)) last += 1;
    const start = column > 0 ? line.start + column : startAbove(lines, at, found.at(-1)?.end ?? -1);
    const end = last === at ? endInLine(line, column) : (lines[last]?.end ?? line.end);
    found.push({ start, end });
    at = last;
  }
  return found;
}

/** Decorators, packages and imports above a statement belong to it, even after words that introduce them. */
function startAbove(lines: readonly Line[], at: number, after: number): number {
  let start = lines[at]?.start ?? 0;
  for (let above = at - 1; above >= 0; above -= 1) {
    const line = lines[above];
    if (line === undefined || line.start <= after) break;
    const intro = introOf(line.text);
    const text = line.text.slice(intro);
    if (text.trim() === "") continue;
    if (!isSure(text) && !/^\s*(?:@[\w.]{1,80}|package [\w.]{1,80};?\s*$|import\s\S)/.test(text)) break;
    if (isProse(text)) break;
    start = line.start + intro;
    if (intro > 0) break;
  }
  return start;
}

/** Blank lines belong to code that continues after them. */
function goesOn(lines: readonly Line[], at: number): boolean {
  const line = lines[at];
  if (line === undefined) return false;
  if (line.text.trim() !== "") return isFurther(line.text) || columnOf(line.text) !== undefined;
  const after = lines[at + 1];
  return (
    after !== undefined &&
    after.text.trim() !== "" &&
    (isFurther(after.text) || columnOf(after.text) !== undefined)
  );
}

/** Code in quotes ends with them; any other code extends to the end of its line. */
function endInLine({ text, start, end }: Line, column: number): number {
  const quote = text[column - 1];
  if (quote === undefined || !"\"'`".includes(quote)) return end;
  const close = text.lastIndexOf(quote);
  return close > column ? start + close : end;
}

/** The first code in a text. */
export function codeIn(text: string): string | undefined {
  const [first] = findCode(text);
  return first === undefined ? undefined : text.slice(first.start, first.end);
}

/** The note that replaces code. */
export function leftOut(code: string): string {
  const lines = code.trim().split("\n").length;
  return `[source code left out: ${lines === 1 ? "1 line" : `${lines} lines`}]`;
}

/** The text with a note in place of each piece of code; without code, the same text. */
export function withoutCode(text: string): string {
  const found = findCode(text);
  if (found.length === 0) return text;
  let at = 0;
  const parts: string[] = [];
  for (const { start, end } of found) {
    parts.push(text.slice(at, start), leftOut(text.slice(start, end)));
    at = end;
  }
  return parts.join("") + text.slice(at);
}
