// What is known of the terminal behind stderr: whether somebody reads there, and whether colours are wanted.

import { edgeRuntime, environment } from "../runtime/edge-runtime.ts";

/** The forms of a log: lines for people, and JSON for programs. */
export const logForms = ["plain", "json"] as const;
export type LogForm = (typeof logForms)[number];

type Environment = Readonly<Record<string, string | undefined>>;

interface Terminal {
  readonly isTTY: boolean;
  readonly variables: Environment;
}

function ownTerminal(): Terminal {
  const { stderr } = (globalThis.process ?? {}) as { readonly stderr?: { readonly isTTY?: boolean } };
  return { isTTY: edgeRuntime() === undefined && stderr?.isTTY === true, variables: environment() };
}

/** Colours: on a terminal, or with FORCE_COLOR; never with NO_COLOR, and not on a terminal that has none. */
export function wantsColors({ isTTY, variables }: Terminal = ownTerminal()): boolean {
  const { NO_COLOR = "", FORCE_COLOR = "", TERM = "" } = variables;
  return NO_COLOR === "" && (FORCE_COLOR !== "" || (isTTY && TERM !== "dumb"));
}

/** The form that WAYBILL_LOG names; undefined if it is not set, or names none. */
export function logFormIn(variables: Environment): LogForm | undefined {
  const said = variables["WAYBILL_LOG"]?.trim().toLowerCase();
  return logForms.find((form) => form === said);
}

/** The form of a log: what the code chose, else WAYBILL_LOG, else plain on a terminal and JSON anywhere else. */
export function chooseLogForm(
  chosen: LogForm | "auto" = "auto",
  { isTTY, variables }: Terminal = ownTerminal(),
): LogForm {
  if (chosen !== "auto") return chosen;
  return logFormIn(variables) ?? (isTTY ? "plain" : "json");
}
