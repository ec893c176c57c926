import type { ComponentChildren } from "preact";
import type { Totals } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { formatMany, formatMs, formatShare, formatShort } from "../text/figures.ts";
import { SavedTokens } from "./saved-tokens.tsx";

function Figure({
  name,
  value,
  says,
}: {
  readonly name: string;
  readonly value: string;
  readonly says: ComponentChildren;
}) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
        <span class="quiet">{says}</span>
      </dd>
    </div>
  );
}

/** The first numbers a visitor sees. */
export function FirstFigures({ totals }: { readonly totals: Totals }) {
  return (
    <dl class="figures">
      <SavedTokens totals={totals} />
      <Figure
        name="Calls"
        value={formatShort(totals.calls)}
        says={totals.abandoned === 0 ? "all answered" : `${formatShort(totals.abandoned)} abandoned`}
      />
      <Figure
        name="Failed"
        value={formatShare(totals.failed, totals.calls)}
        says={`${formatMany(totals.failed, "call")}, ${formatShort(totals.repaired)} named by Waybill`}
      />
      <Figure
        name="Cut to fit"
        value={formatShort(totals.cut)}
        says={formatMany(totals.retrievals, "retrieval")}
      />
      <Figure
        name="Added by Waybill"
        value={formatMs(totals.addedP50Ms)}
        says={
          <>
            median, <span class="keep">p99 {formatMs(totals.addedP99Ms)}</span>
          </>
        }
      />
      <Figure name="Servers took" value={formatMs(totals.serverP50Ms)} says="median" />
    </dl>
  );
}
