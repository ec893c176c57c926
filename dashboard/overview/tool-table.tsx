import type { ToolTotals } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { linkTo, linkToTool } from "../app/route.ts";
import { formatCount, formatMs, formatShare, formatShort } from "../text/figures.ts";
import { Panel } from "../ui/panel.tsx";
import { type Column, Table } from "../ui/table.tsx";

/** What is summed up because there are too many tools; no view can show it. */
const OTHERS = "(others)";

const columns: readonly Column<ToolTotals>[] = [
  {
    head: "Tool",
    cell: ({ upstream, tool }) => (
      <span class="tool-name">
        {tool === OTHERS ? tool : <a href={linkToTool(upstream, tool)}>{tool}</a>}
        <span class="quiet">{upstream}</span>
      </span>
    ),
    sortBy: ({ upstream, tool }) => `${tool} ${upstream}`,
  },
  {
    head: "Calls",
    cell: ({ upstream, tool, calls }) =>
      tool === OTHERS ? (
        formatCount(calls)
      ) : (
        <a href={linkTo("traffic", { tool: `${upstream}/${tool}` })}>{formatCount(calls)}</a>
      ),
    isNumber: true,
    sortBy: ({ calls }) => calls,
  },
  {
    head: "Failed",
    cell: ({ failed, calls }) => (
      <span class={failed > 0 ? "has-failed" : "quiet"}>{formatShare(failed, calls)}</span>
    ),
    isNumber: true,
    sortBy: ({ failed, calls }) => failed / Math.max(1, calls),
  },
  {
    head: "Cut",
    cell: ({ cut }) => formatCount(cut),
    isNumber: true,
    sortBy: ({ cut }) => cut,
    isExtra: true,
  },
  {
    head: "Sent",
    cell: ({ tokensIn }) => formatShort(tokensIn),
    isNumber: true,
    sortBy: ({ tokensIn }) => tokensIn,
    isExtra: true,
  },
  {
    head: "Delivered",
    cell: ({ tokensOut }) => formatShort(tokensOut),
    isNumber: true,
    sortBy: ({ tokensOut }) => tokensOut,
    isExtra: true,
  },
  {
    head: "Saved",
    cell: ({ tokensIn, tokensOut }) => formatShare(tokensIn - tokensOut, tokensIn),
    isNumber: true,
    sortBy: ({ tokensIn, tokensOut }) => tokensIn - tokensOut,
  },
  {
    head: "Added p50",
    cell: ({ addedP50Ms }) => formatMs(addedP50Ms),
    isNumber: true,
    sortBy: ({ addedP50Ms }) => addedP50Ms,
    isExtra: true,
  },
  {
    head: "Added p99",
    cell: ({ addedP99Ms }) => formatMs(addedP99Ms),
    isNumber: true,
    sortBy: ({ addedP99Ms }) => addedP99Ms,
    isExtra: true,
  },
  {
    head: "Server p50",
    cell: ({ serverP50Ms }) => formatMs(serverP50Ms),
    isNumber: true,
    sortBy: ({ serverP50Ms }) => serverP50Ms,
    isExtra: true,
  },
];

/** Every tool with its figures. */
export function ToolTable({ tools }: { readonly tools: readonly ToolTotals[] }) {
  return (
    <Panel title="By tool" note="tokens sent by the server and delivered to the client" isFlush>
      <Table
        caption="Calls, failures, tokens and times of each tool"
        columns={columns}
        rows={tools}
        keyOf={({ upstream, tool }) => `${upstream}\n${tool}`}
      />
    </Panel>
  );
}
