import type { Totals } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { formatCount, formatShare, formatShort } from "../text/figures.ts";

/** What was saved, in words that are true for a loss too. */
export function SavedTokens({
  totals: { tokensIn, tokensOut, isEstimated },
}: {
  readonly totals: Pick<Totals, "tokensIn" | "tokensOut" | "isEstimated">;
}) {
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
