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

/** What stores, questions and retrieval throw, as the page is told of it; anything else stays what it is. */
function explainProblem(error: unknown): unknown {
  if (ArchiveError.isInstance(error)) return fromStore(error);
  return ToolFault.isInstance(error) ? fromFault(error) : error;
}

/** Runs what reads an archive; what it throws is said in the page's words. */
export async function explained<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw explainProblem(error);
  }
}
