import { adviseKey } from "../text/did-you-mean.ts";
import { ContractError } from "./contract-error.ts";
import type { NoteOptions } from "./note-options.ts";

/** The names of all options of an interface; a name added to the interface does not compile until it is listed here. */
type Names<Options> = Readonly<Record<keyof Options, true>>;

export const noteOptionNames: Names<NoteOptions> = {
  warnings: true,
  warningDetails: true,
  pagination: true,
  rateLimit: true,
  telemetry: true,
  contentFidelity: true,
  droppedContentIds: true,
  contentArchiveHashes: true,
  upgradeHints: true,
  requestId: true,
  meta: true,
  emitEmpty: true,
};

/** How many option names the error lists if the options are not an object. */
const SOME_NAMES = 3;

/** Refuses an argument of another kind: a program without types would get the words of the engine for it. */
export function refuseOtherKind(kind: "object" | "string" | "list", wanted: string, given: unknown): void {
  const got = given === null ? "null" : Array.isArray(given) ? "list" : typeof given;
  if (got === kind) return;
  throw new ContractError("INVALID_OPTION", `${wanted}, and got ${got}.`);
}

/**
 * Refuses unknown options: a misspelt option would be ignored silently, and the source documents spell some
 * differently. Only names are checked, without a schema, because pages that build envelopes load this.
 */
export function refuseUnknownOptions(
  owner: string,
  options: object,
  names: Readonly<Record<string, true>>,
): void {
  const known = Object.keys(names).slice(0, SOME_NAMES).join(", ");
  refuseOtherKind("object", `${owner}: its options must be an object such as { ${known} }`, options);
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (value === undefined || Object.hasOwn(names, name)) continue;
    const advice = adviseKey(name, Object.keys(names));
    throw new ContractError("INVALID_OPTION", `${owner}: "${name}" is not a known option. ${advice}`, {
      option: name,
    });
  }
}
