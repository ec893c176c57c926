import type { ArchiveLink } from "../../../src/doors/gateway/dashboard/protocol/result.ts";
import type { CallRow } from "../../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { formatCount, formatMs, formatShare } from "../../text/figures.ts";
import { Badge } from "../../ui/badge.tsx";

const endings = {
  ok: ["good", "ended well"],
  failed: ["bad", "failed"],
  abandoned: ["warn", "abandoned: it got no answer"],
} as const;

function Saved({ row }: { readonly row: CallRow }) {
  const saved = row.tokensIn - row.tokensOut;
  if (saved === 0) return <span class="quiet">as many as before</span>;
  // There is no share of nothing.
  if (row.tokensIn === 0) return <span class="quiet">the server sent none</span>;
  return (
    <span class="quiet">
      {formatShare(Math.abs(saved), row.tokensIn)} {saved > 0 ? "fewer" : "more"}
    </span>
  );
}

function Archived({ archives }: { readonly archives: readonly ArchiveLink[] }) {
  // What the call named may be forgotten, and with it whether it is still there.
  if (archives.length === 0) return <Badge tone="quiet">the whole was archived</Badge>;
  if (archives.every(({ gone }) => gone === undefined))
    return <Badge tone="good">the whole is archived</Badge>;
  return <Badge tone="warn">the whole is not kept any more</Badge>;
}

/** What can be said of a call in a few words and figures. */
export function CallFacts({
  row,
  archives,
}: {
  readonly row: CallRow;
  readonly archives: readonly ArchiveLink[];
}) {
  const [tone, word] = endings[row.ending];
  const about = row.isCounted ? "" : "≈ ";
  return (
    <div class="facts-frame">
      <p class="badges">
        <Badge tone={tone}>{word}</Badge>
        {row.errorCode === undefined ? null : <Badge>{row.errorCode}</Badge>}
        {row.errorType === undefined ? null : <Badge>{row.errorType}</Badge>}
        {row.ending === "ok" ? (
          <Badge tone={row.fidelity === "full" ? "quiet" : "warn"}>fidelity {row.fidelity}</Badge>
        ) : null}
        {row.isUntouched ? <Badge tone="quiet">left untouched</Badge> : null}
        {row.isRepaired ? <Badge tone="warn">named by Waybill</Badge> : null}
        {row.isArchived ? <Archived archives={archives} /> : null}
        {row.isOwn ? <Badge>called from the dashboard</Badge> : null}
      </p>
      <dl class="facts">
        <div>
          <dt>Tokens from the server</dt>
          <dd>
            {row.ending === "abandoned" && row.tokensIn === 0 ? "–" : about + formatCount(row.tokensIn)}
          </dd>
        </div>
        <div>
          <dt>Tokens delivered</dt>
          <dd>
            {row.ending === "abandoned" ? (
              <span class="quiet">nothing was delivered</span>
            ) : (
              <>
                {about}
                {formatCount(row.tokensOut)} <Saved row={row} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>The server took</dt>
          <dd>{formatMs(row.serverMs)}</dd>
        </div>
        <div>
          <dt>Waybill added</dt>
          <dd>{formatMs(row.addedMs)}</dd>
        </div>
        {row.caller === undefined ? null : (
          <div>
            <dt>Caller</dt>
            <dd>{row.caller}</dd>
          </div>
        )}
        {row.replica === undefined ? null : (
          <div>
            <dt>Replica</dt>
            <dd>{row.replica}</dd>
          </div>
        )}
        <div>
          <dt>Dialect</dt>
          <dd>{row.dialect}</dd>
        </div>
      </dl>
    </div>
  );
}
