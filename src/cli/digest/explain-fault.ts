import { ContractError } from "../../core/contract/contract-error.ts";
import { type ErrorCode, errorRows } from "../../core/contract/error-rows.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { count, maskCredentials, printable } from "../output/format-values.ts";

/** The server is away, slow or wants a pause. */
const away: readonly string[] = ["UNAVAILABLE", "TIMEOUT", "RATE_LIMIT_EXCEEDED"];
/** The document cannot be read as it was named, like a missing file. */
const notHad: readonly string[] = ["FORBIDDEN", "UNAUTHORIZED", "NOT_FOUND", "TOO_LARGE"];
/** The same, told by the reason: their codes are those of a broken document as well. */
const notHadReasons: readonly string[] = ["url", "status"];

/** A fault tells a model to ask the operator; whoever types a command is the operator. */
const ownAdvice: Readonly<Record<string, string>> = {
  private_address:
    "If the host is your own, permit it: --allow-private <host:port>, or a range such as 10.0.0.0/8.",
  local_name: "If the host is your own, permit it: --allow-private <host:port>.",
  port: "If the host is your own, permit it with its port: --allow-private <host:port>.",
  bytes: "To read it all the same, give a larger --max-bytes.",
  document_too_large: "To read it all the same, give a larger --max-bytes.",
  total: "Try again later, or give a longer --timeout.",
};

/** Where a redirect led is not what was asked for, and may be a trap: nobody is told to permit it. */
const redirectAdvice: Readonly<Record<string, string>> = {
  private_address:
    "The site redirected to an address that is not public. Give the URL of the document itself.",
  local_name: "The site redirected to a name that is not public. Give the URL of the document itself.",
  port: "The site redirected to a port that is not public. Give the URL of the document itself.",
};

/** What the library calls an option, and what it is called here. */
const optionNames: Readonly<Record<string, string>> = {
  allowPrivate: "--allow-private",
  apiKey: "WAYBILL_SUMMARISER_KEY",
  baseUrl: "--summariser-url",
  maxBytes: "--max-bytes",
  model: "--summariser-model",
};

/** What stopped a digest, as the command line's own error; anything else stays what it is. */
export function explainFault(error: unknown, source: string): unknown {
  if (ToolFault.isInstance(error)) return fromFault(error, source);
  if (!ContractError.isInstance(error) || error.code !== "INVALID_OPTION") return error;
  const { option } = error.details;
  const name = typeof option === "string" ? optionNames[option] : undefined;
  if (typeof option !== "string" || name === undefined) return error;
  // Whose option it is in the library says nothing to whoever typed it.
  const says = error.message.replace(/^\w+: (?=")/, "").replace(`"${option}"`, name);
  return new CliError(printable(says.replace(option, name)));
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
