import type { ArchiveItem, Verified } from "../../../src/doors/gateway/dashboard/protocol/places.ts";
import { linkToCall } from "../../app/route.ts";
import { ShortHash } from "../../archived/verdict.tsx";
import { post } from "../../live/api.ts";
import { useAction } from "../../live/use-action.ts";
import { formatAge, formatBytes, formatMany } from "../../text/figures.ts";
import { Badge } from "../../ui/badge.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { linkToEntry } from "./archive-entry.tsx";

/** The most calls that are linked; what many calls have alike is stored once. */
const CALLS_SHOWN = 3;

function VerifyButton({ item }: { readonly item: ArchiveItem }) {
  const action = useAction<Verified>();
  const verify = (): void =>
    action.start((signal) =>
      post<Verified>("/api/archive/verify", { tenantKey: item.tenantKey, hash: item.hash }, signal),
    );
  const verdict = action.value;
  return (
    <span class="badges" role="status">
      {verdict === undefined && action.problem === undefined ? (
        <button type="button" class="small" disabled={action.isBusy} onClick={verify}>
          {action.isBusy ? "Reading…" : "Verify"}
          <span class="unseen"> {item.hash.slice(0, 12)}</span>
        </button>
      ) : null}
      {verdict?.isVerified === true ? <Badge tone="good">verified</Badge> : null}
      {verdict?.isVerified === false ? (
        <>
          <Badge tone="bad">damaged</Badge>
          <span>{verdict.problem}</span>
        </>
      ) : null}
      {action.problem === undefined ? null : <span class="field-problem">{action.problem.message}</span>}
    </span>
  );
}

function Calls({ seqs }: { readonly seqs: readonly number[] }) {
  if (seqs.length === 0) return <span class="quiet">–</span>;
  return (
    <span class="badges">
      {seqs.slice(0, CALLS_SHOWN).map((seq) => (
        <a key={seq} href={linkToCall(seq)}>
          call {seq}
        </a>
      ))}
      {seqs.length > CALLS_SHOWN ? (
        <span class="quiet">and {formatMany(seqs.length - CALLS_SHOWN, "more", "more")}</span>
      ) : null}
    </span>
  );
}

const endings = { session: "with its session", gateway: "with the gateway" } as const;

/** When it ends: by its time, unless something ends it before. */
function Ends({ item, nowMs }: { readonly item: ArchiveItem; readonly nowMs: number }) {
  const byTime = `in ${formatAge(item.expiresAtMs - nowMs)}`;
  if (item.endsWith === undefined) return <>{byTime}</>;
  return <span title={`At the latest ${byTime}`}>{endings[item.endsWith]}</span>;
}

function columnsAt(nowMs: number): readonly Column<ArchiveItem>[] {
  return [
    {
      head: "Entry",
      cell: (item) => (
        <a href={linkToEntry(item)}>
          <ShortHash hash={item.hash} />
        </a>
      ),
    },
    { head: "Size", isNumber: true, sortBy: ({ bytes }) => bytes, cell: ({ bytes }) => formatBytes(bytes) },
    {
      head: "Stored",
      isNumber: true,
      isExtra: true,
      sortBy: ({ storedBytes }) => storedBytes,
      cell: ({ storedBytes }) => formatBytes(storedBytes),
    },
    {
      head: "Age",
      isNumber: true,
      sortBy: ({ storedAtMs }) => nowMs - storedAtMs,
      cell: ({ storedAtMs }) => formatAge(nowMs - storedAtMs),
    },
    {
      head: "Last used",
      isNumber: true,
      isExtra: true,
      sortBy: ({ lastUsedAtMs }) => nowMs - lastUsedAtMs,
      cell: ({ lastUsedAtMs }) => `${formatAge(nowMs - lastUsedAtMs)} ago`,
    },
    {
      head: "Ends",
      isExtra: true,
      sortBy: ({ expiresAtMs }) => expiresAtMs,
      cell: (item) => <Ends item={item} nowMs={nowMs} />,
    },
    {
      head: "Type",
      isExtra: true,
      sortBy: ({ contentType }) => contentType,
      cell: ({ contentType }) => contentType,
    },
    { head: "Named by", isExtra: true, cell: ({ seqs }) => <Calls seqs={seqs} /> },
    { head: "Verify", cell: (item) => <VerifyButton item={item} /> },
  ];
}

/** What is kept, newest first. */
export function ArchiveItems({
  items,
  nowMs,
}: {
  readonly items: readonly ArchiveItem[];
  readonly nowMs: number;
}) {
  return (
    <Table
      caption="Archived entries"
      columns={columnsAt(nowMs)}
      rows={items}
      keyOf={({ tenantKey, hash }) => `${tenantKey}/${hash}`}
      empty="This tenant has nothing here."
    />
  );
}
