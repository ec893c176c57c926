import { type VerifyReport, verifyDigest, type VerifySource } from "../../engine/digest/verify-digest.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { getByPointer, appendPointer } from "../../core/json/pointer.ts";
import { CliError, exitCodes, type CliIo } from "../cli-io.ts";
import {
  createProgress,
  type SourceOptions,
  loadDocument,
  explainFault,
  type DocumentSource,
} from "../digest/load-document.ts";
import { readInput, readJsonInput } from "../input/read-input.ts";
import { countOf, printable, alignRows } from "../output/format-values.ts";
import type { CommandReport, ReportFailure, Paint } from "../report.ts";
import { DIGEST_CONTENT_TYPE } from "../../core/contract/wire-names.ts";
import { readDocument } from "../../engine/digest/sources/read-document.ts";
import { decodeUtf8 } from "../../core/json/decode-utf8.ts";
import { sha256 } from "../../core/text/bytes.ts";
import type { DigestPayload } from "../../core/contract/digest-payload.ts";
import { formatCount } from "../../core/report/page-text.ts";

export interface VerifyCommandOptions extends SourceOptions {
  readonly pointer?: string | undefined;
  readonly json?: boolean | undefined;
}

interface Verdict extends FoundDigest {
  readonly report: VerifyReport;
}

/** Checks a digest, or all digests in a response that belong to this document. */
export async function verify(
  digest: string,
  given: string,
  options: VerifyCommandOptions,
  io: CliIo,
): Promise<CommandReport> {
  if (digest === "-" && given === "-") {
    throw new CliError('"-" is given twice, but stdin can be read only once.', {
      remediation: 'Keep one "-".',
    });
  }
  const input = await readInput(digest, io);
  const found = chooseDigests(readJsonInput(input), input.name, options.pointer);
  const progress = options.json === true ? undefined : createProgress(io);
  try {
    const source = await loadDocument(given, options, io, (done, total = 0) =>
      progress?.report({ stage: "fetch", done, total }),
    );
    const views = documentViews(source, options, (done, total) =>
      progress?.report({ stage: "read", done, total }),
    );
    const verdicts: Verdict[] = [];
    for (const one of found) verdicts.push({ ...one, report: await judge(one.payload, views) });
    return toReport(ofThisDocument(verdicts, input.name), input.name, source.name);
  } finally {
    progress?.end();
  }
}

function chooseDigests(value: JsonValue, name: string, pointer: string | undefined): readonly FoundDigest[] {
  const asked = pointer === undefined ? value : valueAt(value, pointer);
  const found = asked === undefined ? [] : findDigests(asked, pointer ?? "");
  if (found.length > 0) return found;
  const place = pointer === undefined ? "" : ` at ${printable(pointer)}`;
  throw new CliError(`${printable(name)} holds no digest${place}.`, {
    exitCode: exitCodes.violated,
    errorCode: "VALIDATION_ERROR",
    remediation:
      'Give a payload with "content_type": "digest/v1", as `waybill digest --payload` prints it, or a response that holds one.',
    details: { source: name },
  });
}

function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  try {
    return getByPointer(value, pointer);
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : "The pointer cannot be read.");
  }
}

/** Checks against the text with the payload's hash; without one, against the document as we parse it. */
async function judge(payload: JsonValue, views: DocumentViews): Promise<VerifyReport> {
  const hash = isJsonObject(payload) ? payload["source_text_hash"] : undefined;
  const plain = typeof hash === "string" ? await views.plain(hash) : undefined;
  if (plain !== undefined) return verifyDigest(payload, plain);
  const ours = asRead("canonical", await verifyDigest(payload, await views.read()));
  if (ours.form !== undefined || ours.problems.some(({ check }) => check === "payload")) return ours;
  const foundry = asRead("foundry", await verifyDigest(payload, await views.read("foundry")));
  return foundry.form === undefined ? ours : foundry;
}

/** The check was given our parsed text, so "as_given" does not mean the file's own text. */
function asRead(form: "canonical" | "foundry", report: VerifyReport): VerifyReport {
  return report.form === "as_given" ? { ...report, form } : report;
}

/** A response may hold digests of several documents: this document can judge only its own. */
function ofThisDocument(verdicts: readonly Verdict[], name: string): readonly Verdict[] {
  if (verdicts.length === 1) return verdicts;
  const own = verdicts.filter(({ report }) => report.form !== undefined);
  if (own.length > 0) return own;
  throw new CliError(
    `${printable(name)} holds ${countOf(verdicts.length, "digest")}, and none is of this document.`,
    {
      exitCode: exitCodes.violated,
      errorCode: "VALIDATION_ERROR",
      lines: verdicts.map(({ pointer }) => printable(pointer)),
      remediation: "Name one with --pointer to see how it differs.",
      details: { pointers: verdicts.map(({ pointer }) => pointer) },
    },
  );
}

function toReport(verdicts: readonly Verdict[], digest: string, source: string): CommandReport {
  const failure = failureOf(verdicts);
  const results = verdicts.map(({ pointer, report: { keyPoints, pagesChecked, form, ...report } }) => ({
    pointer,
    ...report,
    key_points: keyPoints,
    pages_checked: pagesChecked,
    form: form ?? null,
  }));
  return {
    exitCode: failure === undefined ? exitCodes.fine : exitCodes.violated,
    data: { digest, source, results } as unknown as JsonObject,
    failure,
    text: (paint) =>
      verdicts
        .map(({ pointer, payload, report }) => {
          const title = `${digest}${pointer === "" ? "" : ` ${pointer}`} against ${source}`;
          return printVerdict(title, payload, report, paint);
        })
        .join("\n\n"),
  };
}

function failureOf(verdicts: readonly Verdict[]): ReportFailure | undefined {
  const [first] = verdicts.flatMap(({ report }) => report.problems);
  if (first === undefined) return undefined;
  return {
    message: `The digest is not correct: ${first.path} ${first.message}`.trimEnd(),
    errorCode: "VALIDATION_ERROR",
    remediation: "Check that the document is the one it was made of, then make the digest again.",
    details: { check: first.check, path: first.path },
  };
}

/** The possible texts of a source; each is made once, when it is needed. */
interface DocumentViews {
  /** The raw text, if it matches the hash: canonical text need not look like text. */
  plain(hash: string): Promise<VerifySource | undefined>;
  read(compat?: "foundry"): Promise<VerifySource>;
}

function documentViews(
  source: DocumentSource,
  { maxBytes, maxPages }: SourceOptions,
  onProgress: ((done: number, total: number) => void) | undefined,
): DocumentViews {
  const { bytes, contentType, fileName: name } = source;
  const hash = once(async () => `sha256:${await sha256(new Uint8Array(bytes))}`);
  const readAs = (compat?: "foundry") =>
    once(() =>
      readDocument(bytes, { contentType, name, maxBytes, maxPages, compat, onProgress }).catch(
        (error: unknown) => {
          throw explainFault(error, source.name, "verify <digest> <source>");
        },
      ),
    );
  const [ours, foundry] = [readAs(), readAs("foundry")];
  return {
    async plain(wanted) {
      if ((await hash()) !== wanted) return undefined;
      const decoded = decodeUtf8(bytes);
      return decoded.ok ? decoded.text : undefined;
    },
    read: (compat) => (compat === undefined ? ours() : foundry()),
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

interface FoundDigest {
  /** JSON Pointer to the digest; empty for the whole JSON. */
  readonly pointer: string;
  /** Not yet checked: it may be an invalid payload. */
  readonly payload: JsonValue;
}

/** Every digest in a JSON value: a payload itself, a source with a payload as text, or a response around either. */
function findDigests(value: JsonValue, pointer = ""): readonly FoundDigest[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: JsonValue, index) => findDigests(item, appendPointer(pointer, index)));
  }
  if (!isJsonObject(value)) return [];
  if (value["content_type"] === DIGEST_CONTENT_TYPE) return [{ pointer, payload: payloadOf(value) }];
  return Object.entries(value).flatMap(([key, item]) => findDigests(item, appendPointer(pointer, key)));
}

/** A source has the payload as the text of its `content`; text that is not JSON is judged unchanged. */
function payloadOf(value: JsonObject): JsonValue {
  const { content } = value;
  if (typeof content !== "string" || "source_text_hash" in value) return value;
  try {
    return JSON.parse(content) as JsonValue;
  } catch {
    return content;
  }
}

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
function printVerdict(title: string, payload: JsonValue, report: VerifyReport, paint: Paint): string {
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
      ["payload", countOf(problems.length, "problem"), false],
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
    wordsRow("summary", countOf(summary.total, "sentence"), summary, form),
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
    ...(more > 0 ? [`  … and ${countOf(more, "problem")} more`] : []),
  ];
}
