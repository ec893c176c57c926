import { ContractError } from "../../core/contract/contract-error.ts";
import { type ErrorCode, errorRows } from "../../core/contract/error-rows.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import {
  type ReaderKind,
  describeMissing,
  missingKind,
  packagesFor,
} from "../../engine/digest/sources/reader-packages.ts";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { count, maskCredentials, printable } from "../output/format-values.ts";
import { howToInstall } from "../output/how-to-install.ts";

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
      ? `Try again in ${count(Math.ceil(waitSeconds), "second")}.`
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
