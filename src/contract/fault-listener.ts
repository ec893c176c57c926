import type { ToolFault } from "./tool-fault.ts";

let listener: ((fault: ToolFault) => void) | undefined;

/**
 * Hears of every fault as it is made. MCP SDKs keep only the message of what a handler throws, so the server door
 * remembers the whole fault of the running call here. Returns the listener it replaced.
 */
export function setFaultListener(next: typeof listener): typeof listener {
  const previous = listener;
  listener = next;
  return previous;
}

export function announceFault(fault: ToolFault): void {
  listener?.(fault);
}
