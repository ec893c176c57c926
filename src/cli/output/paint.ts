import picocolors from "picocolors";
import type { CliIo } from "../cli-io.ts";

export type Paint = Pick<
  ReturnType<typeof picocolors.createColors>,
  "isColorSupported" | "bold" | "dim" | "red" | "yellow" | "green" | "cyan"
>;

/** Colours for a terminal; plain for anything else, for NO_COLOR (no-color.org), a dumb terminal or --no-color. */
export function createPaint(isTTY: boolean, env: CliIo["env"], allowed = true): Paint {
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return picocolors.createColors(isTTY && allowed && !refused);
}
