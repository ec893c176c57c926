import { ToolFault } from "../../contract/tool-fault.ts";
import { ContractError } from "../../contract/contract-error.ts";
import { isJsonObject } from "../../json/json-value.ts";
import { ArchiveError, type ArchiveErrorCode } from "../../stores/archive-store.ts";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { printable } from "../output/printable.ts";

const away: readonly ArchiveErrorCode[] = ["UNREACHABLE", "TIMEOUT"];

/** What a store or the retrieval engine threw, as the command line's own error; anything else stays what it is. */
export function explainStoreError(error: unknown): unknown {
  if (ArchiveError.isInstance(error)) return fromStore(error);
  if (ToolFault.isInstance(error)) {
    return ArchiveError.isInstance(error.cause) ? fromStore(error.cause) : fromFault(error);
  }
  if (ContractError.isInstance(error) && error.code === "INVALID_OPTION") return new CliError(error.message);
  return error;
}

function fromStore(error: ArchiveError): CliError {
  const isAway = away.includes(error.code);
  if (error.code === "CORRUPT") {
    return new CliError(`The stored copy is damaged and was not served. ${printable(error.message)}`, {
      exitCode: exitCodes.violated,
      errorCode: "OPERATION_FAILED",
      remediation: "Call the tool that made the result again: storing the same content heals the entry.",
      details: { reason: "corrupt" },
    });
  }
  return new CliError(printable(error.message), {
    exitCode: isAway ? exitCodes.unreachable : exitCodes.violated,
    errorCode: isAway ? "UNAVAILABLE" : "OPERATION_FAILED",
    remediation: "`waybill doctor` tells what is wrong with the store.",
    details: { reason: error.code.toLowerCase() },
  });
}

function fromFault(fault: ToolFault): CliError {
  const isUsage = fault.type === "validation";
  const candidates = isJsonObject(fault.details) ? fault.details["candidates"] : undefined;
  return new CliError(printable(fault.message), {
    exitCode: isUsage ? exitCodes.usage : exitCodes.violated,
    errorCode: fault.code,
    ...(fault.remediation === undefined ? {} : { remediation: fault.remediation }),
    ...(fault.details === undefined ? {} : { details: fault.details }),
    lines: Array.isArray(candidates) ? candidates.map(String) : [],
  });
}
