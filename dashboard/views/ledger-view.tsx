import type { LedgerDay, LedgerReport } from "../../src/doors/gateway/dashboard/protocol/places.ts";
import { replace } from "../app/location.ts";
import { linkTo } from "../app/route.ts";
import { useGet } from "../live/api.ts";
import { overview } from "../live/page-state.ts";
import { SavedTokens } from "../overview/saved-tokens.tsx";
import { formatCount, formatDay, formatShare, formatShort } from "../text/figures.ts";
import { Panel, ViewHead } from "../ui/panel.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { DayBars } from "./ledger/day-bars.tsx";
import { type LedgerSum, type ServerSum, byDay, byServer, dayAfter, sumOf } from "./ledger/ledger-sums.ts";

const SHOWN_DAYS = 30;

const amount = (count: number, isEstimated: boolean): string =>
  `${isEstimated ? "≈ " : ""}${formatShort(count)}`;

function amountColumns<Row extends LedgerSum>(isOfDay = false): readonly Column<Row>[] {
  const column = (
    head: string,
    sortBy: (row: Row) => number,
    cell: (row: Row) => string,
    isExtra = false,
  ): Column<Row> => ({ head, cell, isNumber: true, sortBy, isExtra });
  const saved = ({ tokensIn, tokensOut }: Row): number => tokensIn - tokensOut;
  return [
    column(
      "Calls",
      ({ calls }) => calls,
      ({ calls }) => formatCount(calls),
      isOfDay,
    ),
    column(
      "Sent",
      ({ tokensIn }) => tokensIn,
      (row) => amount(row.tokensIn, row.isEstimated),
      true,
    ),
    column(
      "Delivered",
      ({ tokensOut }) => tokensOut,
      (row) => amount(row.tokensOut, row.isEstimated),
    ),
    column("Saved", saved, (row) => formatShare(saved(row), row.tokensIn)),
    column(
      "Cut",
      ({ cuts }) => cuts,
      ({ cuts }) => formatCount(cuts),
      true,
    ),
    column(
      "Retrievals",
      ({ retrievals }) => retrievals,
      ({ retrievals }) => formatCount(retrievals),
      true,
    ),
    column(
      "Named",
      ({ errorsRepaired }) => errorsRepaired,
      ({ errorsRepaired }) => formatCount(errorsRepaired),
      true,
    ),
  ];
}

const serverColumns: readonly Column<ServerSum>[] = [
  { head: "Server", cell: ({ server }) => <bdi>{server}</bdi>, sortBy: ({ server }) => server },
  ...amountColumns<ServerSum>(),
];

const dayColumns: readonly Column<LedgerDay>[] = [
  { head: "Day", cell: ({ day }) => <span class="keep">{day}</span>, sortBy: ({ day }) => day },
  { head: "Server", cell: ({ server }) => <bdi>{server}</bdi>, sortBy: ({ server }) => server },
  ...amountColumns<LedgerDay>(true),
];

function Rows({ rows, today }: { readonly rows: readonly LedgerDay[]; readonly today: string }) {
  const total = sumOf(rows);
  return (
    <>
      <dl class="figures alone">
        <SavedTokens totals={total} />
        <div class="figure">
          <dt>Calls</dt>
          <dd>
            <strong>{formatShort(total.calls)}</strong>
            <span class="quiet">{`${formatShort(total.cuts)} cut, ${formatShort(total.retrievals)} fetched again`}</span>
          </dd>
        </div>
      </dl>
      <Panel title="By day" note="tokens that servers sent: delivered and saved">
        <DayBars days={byDay(rows, today, SHOWN_DAYS)} />
      </Panel>
      <Panel title="By server" note="those that cost most first" isFlush>
        <Table
          caption="What each server cost and saved"
          columns={serverColumns}
          rows={byServer(rows)}
          keyOf={({ server }) => server}
        />
      </Panel>
      <Panel title="Each day and server" isFlush>
        <Table
          caption="What each server cost and saved on each day"
          columns={dayColumns}
          rows={rows.toReversed()}
          keyOf={({ day, server }) => `${day}\n${server}`}
        />
      </Panel>
    </>
  );
}

function ServerChoice({ chosen, names }: { readonly chosen: string; readonly names: readonly string[] }) {
  return (
    <select
      aria-label="Server"
      value={chosen}
      onChange={(event) => replace(linkTo("ledger", { server: event.currentTarget.value }))}
    >
      <option value="">All servers</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** What each server cost and saved behind all stdio gateways of this user. */
export function LedgerView({ query }: { readonly query: URLSearchParams }) {
  const { value, problem, again } = useGet<LedgerReport>("/api/ledger", overview.value?.totals.calls ?? 0);
  const chosen = query.get("server") ?? "";
  const today = formatDay(Date.now());
  const first = dayAfter(today, 1 - SHOWN_DAYS);
  const shown = (value?.rows ?? []).filter(({ day }) => day >= first);
  const names = [...new Set([...shown.map(({ server }) => server), ...(chosen === "" ? [] : [chosen])])];
  const rows = shown.filter(({ server }) => chosen === "" || server === chosen);
  return (
    <>
      <ViewHead
        title="Ledger"
        says={`What each server cost and saved behind all your gateways on stdio, in ${SHOWN_DAYS} days`}
      >
        {names.length === 0 ? undefined : <ServerChoice chosen={chosen} names={names.toSorted()} />}
      </ViewHead>
      {problem === undefined ? null : <ErrorState problem={problem} again={again} />}
      {value === undefined && problem === undefined ? <Loading what="Reading the ledger" /> : null}
      {value?.isOn === false ? (
        <EmptyState title="This gateway does not count in the ledger.">
          <p>
            Gateways on stdio do, unless they have <code>--ledger off</code>. In a terminal:{" "}
            <code>waybill ledger</code>.
          </p>
        </EmptyState>
      ) : null}
      {value?.isOn === true && rows.length === 0 ? (
        <EmptyState title="The ledger has no call of these days.">
          <p>It is written a few seconds after a call.</p>
        </EmptyState>
      ) : null}
      {rows.length === 0 ? null : <Rows rows={rows} today={today} />}
    </>
  );
}
