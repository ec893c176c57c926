import { adviseKey } from "../text/did-you-mean.ts";
import { ContractError } from "./contract-error.ts";
import type { NoteOptions } from "./note-options.ts";

/** The names of all options of an interface; a name that is added there does not compile until it stands here. */
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

/**
 * Refuses options that nobody reads: a misspelt one would be ignored silently, and the source documents spell some
 * differently. Only names are checked here, without a schema: pages that build envelopes load this.
 */
export function refuseUnknownOptions(
  owner: string,
  options: object,
  names: Readonly<Record<string, true>>,
): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (value === undefined || Object.hasOwn(names, name)) continue;
    const advice = adviseKey(name, Object.keys(names));
    throw new ContractError("INVALID_OPTION", `${owner}: "${name}" is not a known option. ${advice}`, {
      option: name,
    });
  }
}
