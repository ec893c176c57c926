import { useEffect } from "preact/hooks";
import type { ToolsReport } from "../../src/doors/gateway/dashboard/protocol/places.ts";
import { linkTo } from "../app/route.ts";
import { useGet } from "../live/api.ts";
import { formatMany } from "../text/figures.ts";
import { ViewHead } from "../ui/panel.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { ToolDetail } from "./tools/tool-detail.tsx";
import { ToolList } from "./tools/tool-list.tsx";

/** How soon to ask again while a list is on its way. */
const ASK_AGAIN_MS = 1_000;

interface ToolsViewProps {
  /** Both are given where the address names one tool. */
  readonly upstream: string | undefined;
  readonly tool: string | undefined;
}

function headline({ upstreams }: ToolsReport): string {
  const count = upstreams.reduce((sum, { tools }) => sum + tools.length, 0);
  const tokens = upstreams.reduce((sum, one) => sum + one.tokens, 0);
  return `${formatMany(count, "tool")}. A client that lists them all spends ${formatMany(tokens, "token")} before its first call.`;
}

/** All tools, or one. */
export function ToolsView({ upstream, tool }: ToolsViewProps) {
  const { value, problem, isLoading, again } = useGet<ToolsReport>("/api/tools");
  const isAsking = value?.upstreams.some(({ state }) => state === "asking") ?? false;
  useEffect(() => {
    if (!isAsking || isLoading) return undefined;
    const timer = setTimeout(again, ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isAsking, isLoading]);

  const of = value?.upstreams.find((one) => one.upstream === upstream);
  const found = of?.tools.find(({ name }) => name === tool);
  if (of !== undefined && found !== undefined)
    return <ToolDetail key={`${of.upstream}/${found.name}`} of={of} tool={found} onCalled={again} />;
  const isOne = tool !== undefined;
  return (
    <>
      <ViewHead title={tool ?? "Tools"} says={value === undefined || isOne ? undefined : headline(value)} />
      {problem === undefined ? null : <ErrorState problem={problem} again={again} />}
      {value === undefined && problem === undefined ? <Loading what="Asking for the tools" /> : null}
      {isOne && value !== undefined && of?.state === "asking" ? (
        <Loading what="Asking the server for its tools" />
      ) : null}
      {isOne && value !== undefined && of?.state !== "asking" ? (
        <EmptyState title={`No server here has the tool ${tool}.`}>
          {of?.problem === undefined ? null : <p>{of.problem}</p>}
          <a href={linkTo("tools")}>See all tools</a>
        </EmptyState>
      ) : null}
      {isOne ? null : value?.upstreams.map((one) => <ToolList key={one.upstream} of={one} again={again} />)}
      {!isOne && value?.upstreams.length === 0 ? (
        <EmptyState title="This gateway has no server.">
          <p>
            Start it with a command behind <code>--</code>, or name servers in its configuration file.
          </p>
        </EmptyState>
      ) : null}
    </>
  );
}
