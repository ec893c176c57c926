import type { ToolView, UpstreamTools } from "../../../src/doors/gateway/dashboard/protocol/places.ts";
import { linkToTool } from "../../app/route.ts";
import { formatCount, formatMany, formatMs } from "../../text/figures.ts";
import { Panel } from "../../ui/panel.tsx";
import { ErrorState, Loading } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";

function columnsOf(upstream: string, most: number): readonly Column<ToolView>[] {
  return [
    {
      head: "Tool",
      sortBy: ({ name }) => name,
      cell: ({ name, title, description }) => (
        <>
          <a href={linkToTool(upstream, name)}>{name}</a>
          <p class="quiet one-line">{title ?? description}</p>
        </>
      ),
    },
    {
      head: "Definition, tokens",
      isNumber: true,
      sortBy: ({ tokens }) => tokens,
      cell: ({ tokens }) => (
        <>
          {formatCount(tokens)}
          <meter min={0} max={most} value={tokens} aria-hidden="true" />
        </>
      ),
    },
    {
      head: "Typical result, tokens",
      isNumber: true,
      sortBy: ({ typical }) => typical?.tokensIn ?? 0,
      cell: ({ typical }) =>
        typical === undefined
          ? "–"
          : `${typical.isEstimated ? "≈ " : ""}${formatCount(typical.tokensIn)} → ${formatCount(typical.tokensOut)}`,
    },
    {
      head: "Calls",
      isNumber: true,
      sortBy: ({ typical }) => typical?.calls ?? 0,
      cell: ({ typical }) => formatCount(typical?.calls ?? 0),
    },
    {
      head: "Failed",
      isNumber: true,
      isExtra: true,
      sortBy: ({ typical }) => typical?.failed ?? 0,
      cell: ({ typical }) => formatCount(typical?.failed ?? 0),
    },
    {
      head: "Server takes",
      isNumber: true,
      isExtra: true,
      sortBy: ({ typical }) => typical?.serverMs ?? 0,
      cell: ({ typical }) => (typical === undefined ? "–" : formatMs(typical.serverMs)),
    },
  ];
}

/** The tools of one server. */
export function ToolList({ of, again }: { readonly of: UpstreamTools; readonly again: () => void }) {
  const most = Math.max(1, ...of.tools.map(({ tokens }) => tokens));
  const note =
    of.state === "listed"
      ? `${formatMany(of.tools.length, "tool")}, ${formatMany(of.tokens, "token")} before the first call`
      : undefined;
  return (
    <Panel title={of.upstream} note={note} isFlush>
      {of.state === "asking" && of.tools.length === 0 ? (
        <Loading what="Asking the server for its tools" />
      ) : null}
      {of.state === "failed" ? (
        <ErrorState
          problem={{
            message: of.problem ?? "The server did not say which tools it has.",
            remedy: "Look at what the server writes to its log, then ask again.",
          }}
          again={again}
        />
      ) : null}
      {of.state === "listed" || of.tools.length > 0 ? (
        <Table
          isCards
          caption={`Tools of ${of.upstream}`}
          columns={columnsOf(of.upstream, most)}
          rows={of.tools}
          keyOf={({ name }) => name}
          empty="This server has no tools."
        />
      ) : null}
    </Panel>
  );
}
