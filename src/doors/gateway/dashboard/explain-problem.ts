import { ToolFault } from "../../../core/contract/tool-fault.ts";
import { ArchiveError } from "../../../engine/archive/archive-store.ts";
import { ApiProblem } from "./dashboard-parts.ts";

function fromStore({ code, message }: ArchiveError): ApiProblem {
  if (code === "CORRUPT")
    return new ApiProblem(
      "failed",
      "The stored copy is damaged and is not shown.",
      "Call the tool that made the result again: storing the same content repairs the entry.",
    );
  return new ApiProblem("failed", message, "`waybill doctor` tells what is wrong with the store.");
}

function fromFault({ message, remediation, code, type, cause }: ToolFault): ApiProblem {
  if (ArchiveError.isInstance(cause)) return fromStore(cause);
  const advice = remediation ?? "Ask in another way.";
  if (code === "NOT_FOUND") return new ApiProblem("not-found", message, advice);
  return new ApiProblem(type === "validation" ? "invalid" : "failed", message, advice);
}

/** Errors of stores, questions and retrieval, in words for the page; any other error is returned unchanged. */
function explainProblem(error: unknown): unknown {
  if (ArchiveError.isInstance(error)) return fromStore(error);
  return ToolFault.isInstance(error) ? fromFault(error) : error;
}

/** Runs code that reads an archive; its errors are explained in words for the page. */
export async function explained<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw explainProblem(error);
  }
}
