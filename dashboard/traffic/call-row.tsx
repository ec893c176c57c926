import type { CallRow } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { hasReplicas } from "../app/replica-choice.tsx";
import { linkToCall } from "../app/route.ts";
import { formatClock, formatMs, formatShare, formatShort } from "../text/figures.ts";
import { Badge, type Tone } from "../ui/badge.tsx";

/** The columns; that of the replica only where there are several. */
export function callColumns(): readonly string[] {
  const replica = hasReplicas() ? ["Replica"] : [];
  return [
    "Time",
    "Outcome",
    "Tool",
    "Fidelity",
    "Tokens",
    "Server",
    "Added",
    "Caller",
    ...replica,
    "Request",
  ];
}

function outcomeOf({ ending, errorCode }: CallRow): { readonly tone: Tone; readonly says: string } {
  if (ending === "failed") return { tone: "bad", says: errorCode ?? "failed" };
  return ending === "abandoned" ? { tone: "quiet", says: "abandoned" } : { tone: "good", says: "ok" };
}

/** The tokens before and after, and how many of a hundred were saved where it is worth a word. */
function Tokens({ row }: { readonly row: CallRow }) {
  const { tokensIn, tokensOut, isUntouched, isCounted } = row;
  const about = isCounted ? "" : "≈ ";
  // Nothing was delivered.
  if (row.ending === "abandoned")
    return (
      <>
        <span class="quiet">–</span>
        <span class="saved-share" />
      </>
    );
  if (isUntouched)
    return (
      <>
        {about}
        {formatShort(tokensOut)}
        <span class="saved-share" />
      </>
    );
  const saved = tokensIn - tokensOut;
  return (
    <>
      <span class="quiet">
        {about}
        {formatShort(tokensIn)} →{" "}
      </span>
      {formatShort(tokensOut)}
      <span class="saved-share">{saved > tokensIn * 0.05 ? formatShare(-saved, tokensIn) : ""}</span>
    </>
  );
}

/** How much of the result was delivered; an abandoned call delivered none. */
function fidelityOf({ ending, fidelity }: CallRow) {
  if (ending === "abandoned") return "–";
  return fidelity === "full" ? "full" : <Badge tone="warn">{fidelity}</Badge>;
}

/** One call in the list; opened by a click, or by Enter on the list. */
export function CallRowView({
  row,
  index,
  top,
  isActive,
  open,
}: {
  readonly row: CallRow;
  readonly index: number;
  readonly top: number;
  readonly isActive: boolean;
  readonly open: (seq: number) => void;
}) {
  const { tone, says } = outcomeOf(row);
  return (
    <div
      id={`call-${row.seq}`}
      class={`call ${row.ending}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isActive}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => {
        // A link with a modifier opens where the browser was told to.
        if (!(event.ctrlKey || event.metaKey || event.shiftKey)) open(row.seq);
      }}
    >
      <span role="gridcell" class="at">
        {formatClock(row.at)}
      </span>
      <span role="gridcell" class="outcome">
        <Badge tone={tone}>{says}</Badge>
        {row.isRepaired ? <Badge tone="warn">named by Waybill</Badge> : null}
        {row.warnings > 0 ? (
          <Badge tone="warn">{`${row.warnings} warning${row.warnings === 1 ? "" : "s"}`}</Badge>
        ) : null}
      </span>
      <span role="gridcell" class="tool cut">
        <a href={linkToCall(row.seq)} tabIndex={-1}>
          {row.tool}
        </a>{" "}
        <span class="quiet">{row.upstream}</span>
        {row.isOwn ? <span class="quiet"> · dashboard</span> : null}
      </span>
      <span role="gridcell" class={row.fidelity === "full" ? "fidelity quiet" : "fidelity"}>
        {fidelityOf(row)}
      </span>
      <span role="gridcell" class="tokens number">
        <Tokens row={row} />
      </span>
      <span role="gridcell" class="server number">
        {formatMs(row.serverMs)}
      </span>
      <span role="gridcell" class="added number quiet">
        {formatMs(row.addedMs)}
      </span>
      <span role="gridcell" class="caller cut">
        {row.caller}
      </span>
      {hasReplicas() ? (
        <span role="gridcell" class="replica cut">
          {row.replica}
        </span>
      ) : null}
      <span role="gridcell" class="request mono quiet cut">
        {row.requestId}
      </span>
    </div>
  );
}
