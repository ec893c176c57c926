import { useEffect, useRef } from "preact/hooks";
import { connection, hello } from "../live/page-state.ts";
import { OverviewView } from "../overview/overview-view.tsx";
import { TrafficView } from "../traffic/traffic-view.tsx";
import { ViewHead } from "../ui/panel.tsx";
import { EmptyState, Loading } from "../ui/states.tsx";
import { ArchiveView } from "../views/archive-view.tsx";
import { CheckView } from "../views/check-view.tsx";
import { ConfigView } from "../views/config-view.tsx";
import { LedgerView } from "../views/ledger-view.tsx";
import { ResultView } from "../views/result-view.tsx";
import { ToolsView } from "../views/tools-view.tsx";
import { ConnectionNote, SignedOut } from "./connection-note.tsx";
import { route } from "./location.ts";
import { Navigation } from "./navigation.tsx";
import { type Route, linkTo } from "./route.ts";

const titles: Readonly<Record<Route["view"], string>> = {
  overview: "Overview",
  traffic: "Traffic",
  call: "Call",
  tools: "Tools",
  archive: "Archive",
  ledger: "Ledger",
  check: "Check",
  config: "Config",
  unknown: "Not found",
};

function CurrentView() {
  const now = route.value;
  switch (now.view) {
    case "overview":
      return <OverviewView query={now.query} />;
    case "traffic":
      return <TrafficView query={now.query} />;
    case "call":
      return <ResultView key={now.seq} seq={now.seq} />;
    case "tools":
      return <ToolsView upstream={now.upstream} tool={now.tool} />;
    case "archive":
      return <ArchiveView />;
    case "ledger":
      return <LedgerView query={now.query} />;
    case "check":
      return <CheckView />;
    case "config":
      return <ConfigView />;
    case "unknown":
      break;
  }
  return (
    <>
      <ViewHead title="Not found" />
      <EmptyState title="This address leads to no view.">
        <a href={linkTo("overview")}>Go to the overview</a>
      </EmptyState>
    </>
  );
}

/** Before the gateway has said anything, views would have nothing to go by. */
function Content() {
  if (connection.value.state === "signed-out") return <SignedOut />;
  if (hello.value === undefined) return <Loading what="Connecting to the gateway" />;
  return <CurrentView />;
}

/** The whole page. */
export function App() {
  const main = useRef<HTMLElement>(null);
  const { view } = route.value;
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${titles[view]} · Waybill`;
    // A new view is read from its beginning, or from where it was left; the first one is where the browser puts it.
    if (!isFirst.current) {
      const start = main.current?.querySelector<HTMLElement>("[data-start]");
      (start ?? main.current?.querySelector<HTMLElement>("h1"))?.focus({ preventScroll: true });
      main.current?.scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [view]);
  return (
    <div class="page">
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The address holds the view: it must not change to that of the content.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <Navigation />
      <main id="main" ref={main} tabIndex={-1}>
        <ConnectionNote />
        <Content />
      </main>
    </div>
  );
}
