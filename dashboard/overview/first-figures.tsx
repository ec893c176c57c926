import type { ComponentChildren } from "preact";
import type { Totals } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { formatCount, formatMany, formatMs, formatShare, formatShort } from "../text/figures.ts";

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

/** What was saved, in words that are true for a loss too. */
function Saved({ totals: { tokensIn, tokensOut, isEstimated } }: { readonly totals: Totals }) {
  const saved = tokensIn - tokensOut;
  const about = isEstimated ? "about " : "";
  return (
    <div class="saved">
      <dt>{saved < 0 ? "Tokens added" : "Tokens saved"}</dt>
      <dd>
        <strong title={formatCount(Math.abs(saved))}>{formatShort(Math.abs(saved))}</strong>
        <span class="share">
          {saved < 0
            ? "Envelopes added more than cuts took away."
            : `${formatShare(saved, tokensIn)} of what servers sent`}
        </span>
        <svg
          class="saved-bar"
          viewBox="0 0 100 6"
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          <rect class="whole" width="100" height="6" />
          <rect
            class="part"
            width={tokensIn > 0 ? Math.min(100, (tokensOut / tokensIn) * 100) : 0}
            height="6"
          />
        </svg>
        <span class="quiet">
          {about}
          {formatShort(tokensIn)} sent, {about}
          {formatShort(tokensOut)} delivered
        </span>
      </dd>
    </div>
  );
}

/** The first numbers a visitor sees. */
export function FirstFigures({ totals }: { readonly totals: Totals }) {
  return (
    <dl class="figures">
      <Saved totals={totals} />
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
