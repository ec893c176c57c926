// JSON that a server wrote with spaces and line ends may have room without them: then nothing of it is left out. But its
// form is gone, which whoever edits by exact text needs: the server's own text is kept, and one line says where.

import type { Notes, Success } from "../../contract/outcome.ts";
import { type WarningDetail, orderWarnings } from "../../contract/warning.ts";
import { archiveListing, handleOf } from "../../contract/wire-names.ts";
import { jsonChunks } from "../../json/json-chunks.ts";
import {
  type Cut,
  type FitContext,
  type KeptPart,
  type Parcel,
  type PipelineContext,
  stamp,
} from "../parcel.ts";
import { withoutKept } from "./candidate.ts";
import { possibleEndings } from "./endings.ts";
import type { SuccessParcel } from "./result-cut.ts";
import type { ParcelWeigher } from "./weigh-parcel.ts";

/** What the archive's key begins with. */
const NAME = "own-text";
const SAYS = "Written without spaces to fit";

function warningOf(
  kept: KeptPart | undefined,
  tool: string | undefined,
  namesFullHash: boolean,
): WarningDetail {
  const told = { code: "WHITESPACE_DROPPED", severity: "info" } as const;
  if (tool === undefined) return { ...told, message: SAYS };
  if (kept === undefined) return { ...told, message: `${SAYS}; the server's own text could not be kept` };
  const call = { archive: namesFullHash ? kept.hash : handleOf(kept.hash), pointer: "" };
  return { ...told, message: `${SAYS}; the server's own text: ${tool} ${JSON.stringify(call)}` };
}

/** Nothing is missing, so the level stays what it is although something is archived. */
function withOwnText(notes: Notes, warning: WarningDetail, kept: KeptPart | undefined): Notes {
  const warnings = orderWarnings([...(notes.warnings ?? []), warning]);
  if (kept === undefined) return { ...notes, warnings };
  const { fidelity = { level: "full", dropped: [], archives: {} } } = notes;
  const archives = { ...fidelity.archives, ...Object.fromEntries([archiveListing(NAME, kept.hash)]) };
  return { ...notes, warnings, fidelity: { ...fidelity, archives } };
}

/** The parcel without spaces between the parts of its JSON; undefined where there is no room for that either. */
export function fitDensely(
  parcel: SuccessParcel,
  context: PipelineContext,
  fitting: FitContext,
  scale: ParcelWeigher,
): Parcel | undefined {
  const dense = { ...parcel, isDense: true } as const;
  const { outcome, blocks = [] } = parcel;
  const written = parcel.source?.written;
  // Where a note has no place nothing can be told, and the data is all there.
  if (!fitting.canCut || written === undefined || written.value !== outcome.data)
    return scale.weigh(dense) <= scale.budget ? stamp(dense, "fit", "full: written densely") : undefined;
  const hasStore = context.keep !== undefined && fitting.retrieveTool !== undefined;
  const tool = hasStore ? fitting.retrieveTool : undefined;
  const namesFullHash = fitting.namesFullHash === true;
  const outcomeWith = (kept: KeptPart | undefined): Success => ({
    ...outcome,
    notes: withOwnText(outcome.notes, warningOf(kept, tool, namesFullHash), kept),
  });
  const content = { [Symbol.iterator]: () => jsonChunks(written.value, undefined, written) };
  const cut: Cut = {
    parts: hasStore ? [{ name: NAME, content, contentType: "application/json" }] : [],
    ending: ([kept]) => ({ outcome: outcomeWith(kept), blocks }),
  };
  const endings = possibleEndings(hasStore ? [NAME] : [], hasStore, namesFullHash);
  const weights = endings.map(({ kept, digitBytes }) =>
    scale.weigh({ ...dense, ...cut.ending(kept.map((part) => part.kept)) }, digitBytes),
  );
  if (Math.max(...weights) > scale.budget) return undefined;
  return stamp(dense, "fit", "full: written without spaces", { ...withoutKept(cut), cut });
}
