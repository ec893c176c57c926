import type { Hello, Overview, ToolTotals } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { replace } from "../app/location.ts";
import { ReplicaChoice, hasReplicas } from "../app/replica-choice.tsx";
import { linkTo } from "../app/route.ts";
import { useGet } from "../live/api.ts";
import { hello, overview } from "../live/page-state.ts";
import { formatAge } from "../text/figures.ts";
import { ViewHead } from "../ui/panel.tsx";
import { ErrorState, Loading } from "../ui/states.tsx";
import { Charts } from "./charts.tsx";
import { FirstCall } from "./first-call.tsx";
import { FirstFigures } from "./first-figures.tsx";
import { ToolTable } from "./tool-table.tsx";

interface Chosen {
  readonly upstream: string;
  readonly tool: string;
  readonly replica: string;
}

function Choice({
  chosen,
  tools,
  upstreams,
}: {
  readonly chosen: Chosen;
  readonly tools: readonly ToolTotals[];
  readonly upstreams: readonly string[];
}) {
  const names = tools
    .filter(
      ({ upstream, tool }) => tool !== "(others)" && (chosen.upstream === "" || upstream === chosen.upstream),
    )
    .map(({ tool }) => tool);
  const choose = (upstream: string, tool: string, replica = chosen.replica): void =>
    replace(linkTo("overview", { upstream, tool, replica }));
  return (
    <>
      <ReplicaChoice
        chosen={chosen.replica}
        onChoose={(replica) => choose(chosen.upstream, chosen.tool, replica)}
      />
      <select
        aria-label="Server"
        value={chosen.upstream}
        onChange={(event) => choose(event.currentTarget.value, "")}
      >
        <option value="">All servers</option>
        {upstreams.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label="Tool"
        value={chosen.tool}
        onChange={(event) => choose(chosen.upstream, event.currentTarget.value)}
      >
        <option value="">All tools</option>
        {[...new Set([...names, ...(chosen.tool === "" ? [] : [chosen.tool])])].toSorted().map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}

function sinceWords({ sinceMs }: Overview, { startedAtMs }: Hello): string {
  if (hasReplicas()) return `Since the first replica started ${formatAge(Date.now() - sinceMs)} ago`;
  return `Since the gateway started ${formatAge(Date.now() - Math.max(sinceMs, startedAtMs))} ago`;
}

/** What was saved, what failed and what it cost, over time and by tool. */
export function OverviewView({ query }: { readonly query: URLSearchParams }) {
  const chosen: Chosen = {
    upstream: query.get("upstream") ?? "",
    tool: query.get("tool") ?? "",
    replica: query.get("replica") ?? "",
  };
  const isChosen = Object.values(chosen).some((name) => name !== "");
  const live = overview.value;
  // Events carry the whole: a part is asked for whenever the whole has changed.
  const search = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== ""));
  const part = useGet<Overview>(isChosen ? `/api/overview?${search}` : undefined, live?.totals.calls ?? 0);
  const gateway = hello.value;
  const shown = isChosen ? part.value : live;
  if (gateway === undefined || live === undefined) return <Loading what="Loading the overview" />;
  const upstreams = [
    ...new Set([...gateway.upstreams.map(({ name }) => name), ...live.tools.map(({ upstream }) => upstream)]),
  ];
  return (
    <>
      <ViewHead
        title="Overview"
        says={shown === undefined || live.totals.calls === 0 ? undefined : sinceWords(shown, gateway)}
      >
        {live.totals.calls === 0 ? undefined : (
          <Choice chosen={chosen} tools={live.tools} upstreams={upstreams} />
        )}
      </ViewHead>
      {live.totals.calls === 0 ? <FirstCall hello={gateway} /> : null}
      {isChosen && part.problem !== undefined ? (
        <ErrorState problem={part.problem} again={part.again} />
      ) : null}
      {isChosen && shown === undefined && part.problem === undefined ? <Loading /> : null}
      {shown === undefined || live.totals.calls === 0 ? null : (
        <>
          <FirstFigures totals={shown.totals} />
          <Charts overview={shown} />
          <ToolTable tools={shown.tools} />
        </>
      )}
    </>
  );
}
