import { ToolFault } from "../contract/tool-fault.ts";
import { CallCancelled } from "./guards/call-cancelled.ts";

/** Everything that is asked of a thrown value on its way to the answer and to the log. */
function look(error: object): void {
  if (ToolFault.isInstance(error)) error.toOutcome();
  CallCancelled.isInstance(error);
  if ("code" in error) String(error.code);
  if (error instanceof Error)
    [error.name, error.message, error.stack, error.cause].map((part) => typeof part);
}

/**
 * The thrown value, or an error in its place when a getter, a proxy or a false brand makes looking at it throw: what
 * it throws then would otherwise become the SDK's answer, text and all.
 */
export function readableError(error: unknown): unknown {
  if ((typeof error !== "object" && typeof error !== "function") || error === null) return error;
  try {
    look(error);
    return error;
  } catch {
    return new Error("The tool threw a value that cannot be read");
  }
}
