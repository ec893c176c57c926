import { type VerifyReport, verifyDigest } from "../../engine/digest/verify-digest.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { getByPointer } from "../../core/json/pointer.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { createProgress } from "../digest/create-progress.ts";
import { type DocumentViews, type FoundDigest, documentViews, findDigests } from "../digest/verify-input.ts";
import { printVerdict } from "../digest/print-verdict.ts";
import { type SourceOptions, loadDocument } from "../digest/load-document.ts";
import { readInput, readJson } from "../input/read-input.ts";
import { count, printable } from "../output/format-values.ts";
import type { Report, ReportFailure } from "../report.ts";

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
): Promise<Report> {
  if (digest === "-" && given === "-") {
    throw new CliError('"-" is given twice, but stdin can be read only once.', {
      remediation: 'Keep one "-".',
    });
  }
  const input = await readInput(digest, io);
  const found = chooseDigests(readJson(input), input.name, options.pointer);
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

/** Checks against the text with the payload's hash; if there is none, against the document as we parse it. */
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
    `${printable(name)} holds ${count(verdicts.length, "digest")}, and none is of this document.`,
    {
      exitCode: exitCodes.violated,
      errorCode: "VALIDATION_ERROR",
      lines: verdicts.map(({ pointer }) => printable(pointer)),
      remediation: "Name one with --pointer to see how it differs.",
      details: { pointers: verdicts.map(({ pointer }) => pointer) },
    },
  );
}

function toReport(verdicts: readonly Verdict[], digest: string, source: string): Report {
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
