import type { DigestPayload } from "../../core/contract/digest-payload.ts";
import { digestDocument } from "../../engine/digest/digest-document.ts";
import type { DigestOptions } from "../../engine/digest/digest-options.ts";
import type { DigestResult, Skip, SkipReason } from "../../engine/digest/digest-result.ts";
import type { CanonicalDocument } from "../../engine/digest/document.ts";
import { serializePayload } from "../../engine/digest/payload/serialize-payload.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import type { PolicyChoice } from "../choices.ts";
import { type SummariserOptions, chooseSummariser } from "../digest/choose-summariser.ts";
import { createProgress } from "../digest/create-progress.ts";
import { explainFault } from "../digest/explain-fault.ts";
import { printDigest } from "../digest/print-digest.ts";
import { type Source, type SourceOptions, loadDocument } from "../digest/load-document.ts";
import { formatBytes, printable, shellWord } from "../output/format-values.ts";
import type { Report } from "../report.ts";

export interface DigestCommandOptions extends SourceOptions, SummariserOptions {
  readonly query?: string | undefined;
  readonly policy: PolicyChoice;
  readonly snippets?: number | undefined;
  readonly summaryChars?: number | undefined;
  readonly keyPoints?: number | undefined;
  readonly compat?: "foundry" | undefined;
  readonly payload?: boolean | undefined;
  readonly html?: string | undefined;
  readonly json?: boolean | undefined;
}

type Made = DigestResult & { readonly payload: DigestPayload; readonly document: CanonicalDocument };

/** Digests one document: a file, a URL, or stdin. */
export async function digest(given: string, options: DigestCommandOptions, io: CliIo): Promise<Report> {
  // Wrong options must be reported before a download.
  const summariser = await chooseSummariser(options, io);
  await refuseOptions(given, options, io);
  const progress = options.json === true ? undefined : createProgress(io);
  try {
    const source = await loadDocument(given, options, io, (done, total = 0) =>
      progress?.report({ stage: "fetch", done, total }),
    );
    const result = await run(source, {
      ...engineOptions(source, options),
      ...summariser,
      onProgress: progress?.report,
    });
    return await toReport(result, source, given, options, io);
  } finally {
    progress?.end();
  }
}

async function refuseOptions(given: string, options: DigestCommandOptions, io: CliIo): Promise<void> {
  const { html, payload, json } = options;
  if (payload === true && json === true) {
    throw new CliError("--payload and --json print the digest in two forms: give one of them.", {
      remediation: "With --json the payload is data.digest.",
    });
  }
  if (html === "-") throw new CliError("--html needs a file: give its name.");
  if (html === undefined) return;
  const { refuseOwnSource } = await import("../output/write-output.ts");
  await refuseOwnSource("--html", html, given, io);
}

async function run(source: Source, options: DigestOptions): Promise<Made> {
  const result = await digestDocument(source.bytes, options).catch((error: unknown) => {
    throw explainFault(
      error,
      source.name,
      `digest ${source.name === "stdin" ? "-" : shellWord(source.name)}`,
    );
  });
  const { payload, document, skipped } = result;
  if (payload === undefined || document === undefined) throw refuse(source, skipped);
  return { ...result, payload, document, ...(source.url === undefined ? {} : { url: source.url }) };
}

function engineOptions({ contentType, fileName }: Source, options: DigestCommandOptions): DigestOptions {
  const { query, policy, snippets, summaryChars, keyPoints, compat, maxBytes, maxPages } = options;
  return {
    policy,
    contentType,
    name: fileName,
    query,
    maxSnippets: snippets,
    summaryChars,
    maxKeyPoints: keyPoints,
    compat,
    maxBytes,
    maxPages,
  };
}

const skipAdvice: Readonly<Record<SkipReason, string>> = {
  policy_off: "Leave --policy out.",
  already_digested: "Check it with `waybill verify`, or name the document it was made of.",
  too_short: "Use the document itself, or --policy always.",
  low_quality: "Use --policy always.",
  not_smaller: "Use the document itself.",
};

/** A script that asked for a digest must not mistake an empty output for one. */
function refuse({ name }: Source, skipped: Skip | undefined): CliError {
  const { reason = "not_smaller", message = "" } = skipped ?? {};
  return new CliError(`${printable(name)} has no digest. ${printable(message)}`, {
    exitCode: exitCodes.violated,
    // Another attempt would fail in the same way.
    errorCode: "VALIDATION_ERROR",
    remediation: skipAdvice[reason],
    details: { source: name, reason },
  });
}

async function toReport(
  result: Made,
  source: Source,
  given: string,
  options: DigestCommandOptions,
  io: CliIo,
): Promise<Report> {
  const { payload, document, spans, warnings, url } = result;
  const { query, compat, html } = options;
  const { type, title, pages } = document;
  const about = {
    source: source.name,
    type,
    title: title ?? null,
    pages: pages?.length ?? null,
    url: url ?? null,
  };
  const written = html === undefined ? [] : [await writePage(html, result, { query, name: source.name }, io)];
  const line = serializePayload(payload, { compat });
  const next = nextCommands(given, options);
  const printed = { payload, document, source: source.name, query, next, columns: io.columns };
  return {
    exitCode: exitCodes.fine,
    data: {
      ...about,
      ...(html === undefined ? {} : { html }),
      digest: payload,
      spans: spans ?? null,
    } as unknown as JsonObject,
    warnings,
    // A terminal gets safe text, which is equal JSON; a pipe or a file gets the exact bytes.
    text: (paint) => (options.payload === true ? printable(line) : printDigest(printed, paint)),
    raw: options.payload === true && !io.isTTY.stdout ? Buffer.from(`${line}\n`) : undefined,
    remarks: [...warnings.map(({ message }) => `waybill: ${printable(message)}`), ...written],
  };
}

async function writePage(
  file: string,
  result: Made,
  { query, name }: { readonly query: string | undefined; readonly name: string },
  io: CliIo,
): Promise<string> {
  const [{ digestPage }, { writeOutput }] = await Promise.all([
    import("../../engine/digest/page/digest-page.ts"),
    import("../output/write-output.ts"),
  ]);
  const bytes = Buffer.from(digestPage(result, { name, query }));
  await writeOutput(file, bytes, io);
  return `waybill: wrote ${formatBytes(bytes.length)} to ${printable(file)}`;
}

/** With every option that affects how the document is read. A document from stdin is gone, so its name is left open. */
function nextCommands(given: string, options: DigestCommandOptions): readonly string[] {
  const { query, compat, type, maxBytes, maxPages, allowPrivate = [] } = options;
  const flag = (name: string, value: string | number | undefined): string =>
    value === undefined ? "" : ` ${name} ${shellWord(String(value))}`;
  const places = allowPrivate.map((place) => flag("--allow-private", place)).join("");
  const reading =
    flag("--type", type) + flag("--max-bytes", maxBytes) + flag("--max-pages", maxPages) + places;
  const source = given === "-" ? "<source>" : shellWord(given);
  const asked = flag("--query", query) + flag("--compat", compat);
  return [
    `waybill digest ${source}${asked}${reading} --payload > digest.json`,
    `waybill verify digest.json ${source}${reading}`,
  ];
}
