import type { DigestPayload } from "../../core/contract/digest-payload.ts";
import type { VerifyReport } from "../../engine/digest/verify-digest.ts";
import { formatCount } from "../../core/report/page-text.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { count, printable } from "../output/format-values.ts";
import type { Paint } from "../report.ts";
import { alignRows } from "../output/lay-out-text.ts";

type Row = readonly [name: string, says: string, isRight: boolean | undefined];

const forms = {
  as_given: "of the text as it is",
  canonical: "of the canonical text",
  foundry: "of the text as Foundry has it",
};
const MAX_PROBLEMS = 10;
/** The lines for checks that need a valid payload, if the payload is not valid. */
const furtherRows = ["hash", "length", "size", "quotes", "pages", "summary", "key points"];

/** The checks, one line each, and where the digest and its document differ. */
export function printVerdict(title: string, payload: JsonValue, report: VerifyReport, paint: Paint): string {
  const rows = rowsOf(payload, report);
  const cells = rows.map(([name, says, isRight]) => [name, word(isRight), says]);
  const lines = alignRows(cells).map((line, index) => paintRow(line, rows[index]?.[2], paint));
  return [paint.bold(printable(title)), ...lines.map((line) => `  ${line}`), ...conclude(report, paint)].join(
    "\n",
  );
}

function word(isRight: boolean | undefined): string {
  return isRight === undefined ? "-" : isRight ? "ok" : "wrong";
}

function paintRow(line: string, isRight: boolean | undefined, paint: Paint): string {
  if (isRight === undefined) return paint.dim(line);
  return isRight ? line.replace(/ ok /, (found) => paint.green(found)) : paint.red(line);
}

function rowsOf(payload: JsonValue, report: VerifyReport): readonly Row[] {
  const { problems, quotes, summary, keyPoints, form } = report;
  const wrong = new Set(problems.map(({ check }) => check));
  if (wrong.has("payload")) {
    return [
      ["payload", count(problems.length, "problem"), false],
      ...furtherRows.map((name): Row => [name, "not checked", undefined]),
    ];
  }
  const {
    source_text_hash: hash,
    original_chars: chars,
    digest_chars: size,
  } = payload as unknown as DigestPayload;
  return [
    ["payload", "all fields, all within their limits", true],
    ["hash", `${hash}${form === undefined ? "" : `, ${forms[form]}`}`, !wrong.has("hash")],
    ["length", `${formatCount(chars)} characters`, !wrong.has("length")],
    ["size", `${formatCount(size)} characters as a digest`, !wrong.has("size")],
    ["quotes", `${quotes.exact} of ${quotes.total} exact`, quotes.exact === quotes.total],
    pagesRow(report),
    wordsRow("summary", count(summary.total, "sentence"), summary, form),
    wordsRow("key points", String(keyPoints.total), keyPoints, form),
  ];
}

/** The position is known only for a quote that was found. */
function pagesRow({ problems, quotes: { exact }, pagesChecked }: VerifyReport): Row {
  if (!pagesChecked) return ["pages", "the source has none", undefined];
  if (exact === 0) return ["pages", "no quote was found", undefined];
  const astray = problems.filter(({ check }) => check === "page").length;
  return ["pages", `${exact - astray} of ${exact} on the page it names`, astray === 0];
}

/** Sentences that are not in the document are not a mistake: a model may have written them. */
function wordsRow(
  name: string,
  all: string,
  { found, total }: VerifyReport["summary"],
  form: VerifyReport["form"],
): Row {
  if (total === 0) return [name, "none", undefined];
  if (found === total) return [name, `${found} of ${all} word for word in the document`, true];
  const rest = `${form === undefined ? "not in this document" : "in words of its own"}: not proved`;
  return [name, found === 0 ? rest : `${found} of ${all} word for word, the others ${rest}`, undefined];
}

function conclude({ valid, problems }: VerifyReport, paint: Paint): string[] {
  if (valid) return [paint.green("The digest is correct: every quote is where its locator says.")];
  const shown = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => `  ${printable(`${path} ${message}`.trim())}`);
  const more = problems.length - shown.length;
  return [
    paint.red("The digest is not correct."),
    ...shown,
    ...(more > 0 ? [`  … and ${count(more, "problem")} more`] : []),
  ];
}
