import { CliError, type CliIo, type ExitCode, exitCodes } from "../cli-io.ts";
import { MAX_INPUT_BYTES, readInput } from "../input/read-input.ts";
import { maskCredentials, countOf, printable } from "../output/format-values.ts";
import type { OnProgress } from "../../engine/digest/document.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { type ErrorCode, errorRows } from "../../core/contract/error-registry.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import {
  type ReaderKind,
  describeMissing,
  missingKind,
  packagesFor,
} from "../../engine/digest/sources/reader-packages.ts";
import { adviseName } from "../../core/text/did-you-mean.ts";
import { documentMediaTypes, mediaTypeOf } from "../../engine/digest/sources/detect-type.ts";
import { howToInstall } from "../output/how-to-install.ts";

/** How a document is found and read; the same for `digest` and `verify`, since both must see the same text. */
export interface SourceOptions {
  readonly type?: string | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxPages?: number | undefined;
  /** For a URL, in seconds. */
  readonly timeout?: number | undefined;
  readonly allowPrivate?: readonly string[] | undefined;
}

export interface DocumentSource {
  /** The name as given, or `stdin`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
  /** The file's name, whose extension is a hint; stdin has none. */
  readonly fileName?: string | undefined;
  /** The final address after redirects. */
  readonly url?: string | undefined;
}

// At least two letters: C:// is a drive.
const hasScheme = /^[a-z][a-z0-9+.-]+:\/\//i;

/** The bytes of a file, of stdin for `-`, or of a URL; throws a CliError if they cannot be read. */
export async function loadDocument(
  given: string,
  options: SourceOptions,
  io: CliIo,
  onProgress?: (done: number, total?: number) => void,
): Promise<DocumentSource> {
  refuseType(options);
  await checkPermits(options);
  if (hasScheme.test(given)) {
    const fetched = await fetchSource(given, options, onProgress);
    return options.type === undefined ? fetched : { ...fetched, ...asTyped(options.type) };
  }
  const { name, bytes } = await readInput(given, io, options.maxBytes).catch((error: unknown) => {
    throw error instanceof CliError && error.errorCode === "TOO_LARGE" ? tooLarge(error) : error;
  });
  if (options.type !== undefined) return { name, bytes, ...asTyped(options.type) };
  return { name, bytes, fileName: given === "-" ? undefined : given };
}

/** A person who names a type knows it; servers send `text/plain` for Markdown too, so theirs yields to the name. */
function asTyped(contentType: string): Pick<DocumentSource, "contentType" | "fileName"> {
  return { contentType, fileName: undefined };
}

function refuseType({ type }: SourceOptions): void {
  if (type === undefined || documentMediaTypes.includes(mediaTypeOf(type))) return;
  throw new CliError(`--type ${printable(type)} is not a type that can be digested.`, {
    remediation: adviseName(mediaTypeOf(type), documentMediaTypes),
  });
}

/** Before anything is read, and for a file too: a wrong option is wrong for every document. */
async function checkPermits({ allowPrivate = [] }: SourceOptions): Promise<void> {
  if (allowPrivate.length === 0) return;
  const { readPrivatePermits } = await import("../../engine/digest/fetching/address.ts");
  try {
    // The refusal repeats the entry, so passwords are masked; an entry with a password is never valid.
    readPrivatePermits(allowPrivate.map(maskCredentials));
  } catch (error) {
    throw explainFault(error, "");
  }
}

/** The advice of other commands is about tool results. */
function tooLarge({ message, errorCode, details = {} }: CliError): CliError {
  const remediation = "To read it all the same, give a larger --max-bytes.";
  return new CliError(message, { errorCode, details, remediation });
}

async function fetchSource(
  given: string,
  { maxBytes = MAX_INPUT_BYTES, timeout, allowPrivate = [] }: SourceOptions,
  onProgress: ((done: number, total?: number) => void) | undefined,
): Promise<DocumentSource> {
  const { createFetcher } = await import("../../engine/digest/fetching/create-fetcher.ts");
  try {
    const fetch = createFetcher({
      maxBytes,
      allowPrivate,
      ...(timeout === undefined ? {} : { timeoutMs: Math.max(1, Math.round(timeout * 1_000)) }),
    });
    const { url, bytes, contentType } = await fetch(given, onProgress === undefined ? {} : { onProgress });
    const fileName = new URL(url).pathname.split("/").at(-1) ?? "";
    return { name: given, url, bytes, fileName, contentType };
  } catch (error) {
    throw explainFault(error, given);
  }
}

interface Progress {
  readonly report: OnProgress;
  /** Clears the line. */
  readonly end: () => void;
}

/** Shorter work shows no progress. */
const QUIET_MS = 700;
const REDRAW_MS = 100;
const LINE_MS = 5_000;
const CLEAR_LINE = "\r\u001b[K";

const stageWords = {
  fetch: "fetching",
  read: "reading",
  select: "choosing passages",
  summarise: "summarising",
};

/** The progress of a long document, on stderr: a changing line for a person, a new line now and then for a log. */
export function createProgress(io: CliIo, now: () => number = () => performance.now()): Progress {
  const isLive = io.isTTY.stderr && io.env["TERM"] !== "dumb";
  let nextMs = now() + (isLive ? QUIET_MS : LINE_MS);
  let isShown = false;
  return {
    report({ stage, done, total }) {
      if (now() < nextMs) return;
      nextMs = now() + (isLive ? REDRAW_MS : LINE_MS);
      isShown = true;
      const share = total > 0 ? ` ${Math.floor((Math.min(done, total) / total) * 100)} %` : "";
      const line = `waybill: ${stageWords[stage]}${share}`;
      io.stderr.write(isLive ? CLEAR_LINE + line : `${line}\n`);
    },
    end() {
      if (isLive && isShown) io.stderr.write(CLEAR_LINE);
    },
  };
}

/** The server is unavailable, slow or asks for a pause. */
const away: readonly string[] = ["UNAVAILABLE", "TIMEOUT", "RATE_LIMIT_EXCEEDED"];
/** The document cannot be read under its name, like a missing file. */
const notHad: readonly string[] = ["FORBIDDEN", "UNAUTHORIZED", "NOT_FOUND", "TOO_LARGE"];
/** The same, recognised by the reason: their codes are also used for a broken document. */
const notHadReasons: readonly string[] = ["url", "status"];

/** A fault tells a model to ask the operator; on the command line the user is the operator. */
const ownAdvice: Readonly<Record<string, string>> = {
  private_address:
    "If the host is your own, permit it: --allow-private <host:port>, or a range such as 10.0.0.0/8.",
  local_name: "If the host is your own, permit it: --allow-private <host:port>.",
  port: "If the host is your own, permit it with its port: --allow-private <host:port>.",
  bytes: "To read it all the same, give a larger --max-bytes.",
  document_too_large: "To read it all the same, give a larger --max-bytes.",
  total: "Try again later, or give a longer --timeout.",
};

/** The target of a redirect was not requested, and may be a trap: the advice never suggests to permit it. */
const redirectAdvice: Readonly<Record<string, string>> = {
  private_address:
    "The site redirected to an address that is not public. Give the URL of the document itself.",
  local_name: "The site redirected to a name that is not public. Give the URL of the document itself.",
  port: "The site redirected to a port that is not public. Give the URL of the document itself.",
};

/** The library's names of options, and their names here. */
const optionNames: Readonly<Record<string, string>> = {
  allowPrivate: "--allow-private",
  apiKey: "WAYBILL_SUMMARISER_KEY",
  baseUrl: "--summariser-url",
  maxBytes: "--max-bytes",
  model: "--summariser-model",
};

/**
 * Turns what stopped a digest into a command-line error; other errors are returned unchanged. `command` is what was
 * typed after `waybill`: the advice repeats it.
 */
export function explainFault(error: unknown, source: string, command = "digest <source>"): unknown {
  const kind = missingKind(error);
  if (kind !== undefined) return withoutReader(kind, source, command);
  if (ToolFault.isInstance(error)) return fromFault(error, source);
  if (!ContractError.isInstance(error) || error.code !== "INVALID_OPTION") return error;
  const { option } = error.details;
  const name = typeof option === "string" ? optionNames[option] : undefined;
  if (typeof option !== "string" || name === undefined) return error;
  // The library function that owns the option means nothing to the user of the command.
  const says = error.message.replace(/^\w+: (?=")/, "").replace(`"${option}"`, name);
  return new CliError(printable(says.replace(option, name)));
}

function withoutReader(kind: ReaderKind, given: string, command: string): CliError {
  const source = maskCredentials(given);
  return new CliError(`${printable(source)}: ${describeMissing(kind)}.`, {
    exitCode: exitCodes.usage,
    errorCode: "NOT_IMPLEMENTED",
    remediation: howToInstall(packagesFor(kind), command),
    details: { reason: "reader_missing", document_type: kind, packages: [...packagesFor(kind)], source },
  });
}

function fromFault(fault: ToolFault, given: string): CliError {
  const source = maskCredentials(given);
  const { retry_after_seconds: waitSeconds } = fault.fault.data ?? {};
  const remediation =
    typeof waitSeconds === "number"
      ? `Try again in ${countOf(Math.ceil(waitSeconds), "second")}.`
      : adviceOn(fault);
  const message = fault.message.replace(/\.$/, "");
  return new CliError(`${printable(source)}: ${printable(message)}.`, {
    exitCode: exitCodeOf(fault),
    errorCode: isRegistered(fault.code) ? fault.code : "OPERATION_FAILED",
    remediation: remediation && printable(remediation),
    details: {
      ...fault.details,
      ...(waitSeconds === undefined ? {} : { retry_after_seconds: waitSeconds }),
      source,
    },
  });
}

function adviceOn({ details, remediation }: ToolFault): string | undefined {
  const { reason, redirect } = details ?? {};
  const advice = redirect === undefined ? ownAdvice : { ...ownAdvice, ...redirectAdvice };
  return (typeof reason === "string" ? advice[reason] : undefined) ?? remediation;
}

function exitCodeOf({ code, details }: ToolFault): ExitCode {
  if (away.includes(code)) return exitCodes.unreachable;
  const isNotHad = notHad.includes(code) || notHadReasons.some((reason) => details?.["reason"] === reason);
  return isNotHad ? exitCodes.usage : exitCodes.violated;
}

function isRegistered(code: string): code is ErrorCode {
  return errorRows.some((row) => row.code === code);
}
