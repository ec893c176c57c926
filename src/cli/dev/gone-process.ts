// What is said of a server's process that is gone: to the developer, and to a client whose request it had.

import { INTERNAL_ERROR } from "../../core/protocol/names.ts";

export function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `the server ended with exit code ${code}` : `the server was ended by ${signal}`;
}

/** The message about a server that ended by itself. */
export function describeServerEnd(reason: string): string {
  const hint = /exit code 0\b/.test(reason) ? " Does the module call serve()?" : "";
  return `${reason}; it is started again when a file changes.${hint}`;
}

/** Said when a process is up in place of another. */
export const UP_AGAIN = "the server is up again";

/** Why a request has no answer if its process was replaced after an edit. */
export const REPLACED = "The server was started again while this ran.";

/** The same if nothing is known of the process. */
export const CUT_OFF = "The connection to the server broke while this ran.";

/** The same if the process ended by itself. */
export function sentenceOf(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** The error of a request whose process is gone: it may have done its work. */
export function lostError(message: string) {
  return { code: INTERNAL_ERROR, message, data: { error_code: "UNAVAILABLE", executed: "unknown" } } as const;
}
