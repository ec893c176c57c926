import { ToolFault } from "../../../core/contract/tool-fault.ts";

/** The fault that a call throws or rejects with; what it gives instead is an error of the test. */
export async function faultOf(call: () => unknown): Promise<ToolFault> {
  try {
    await call();
  } catch (error) {
    if (ToolFault.isInstance(error)) return error;
    throw error;
  }
  throw new Error("It gave an answer.");
}
