import { hello, isFromBefore } from "../live/page-state.ts";
import { Badge } from "../ui/badge.tsx";
import { Segments } from "../ui/segments.tsx";
import { ViewIcon, Mark } from "./icons.tsx";
import { route } from "./location.ts";
import { type Route, type ViewName, linkTo } from "./route.ts";
import { scheme, schemes } from "./scheme.ts";

const entries: readonly (readonly [ViewName, string])[] = [
  ["overview", "Overview"],
  ["traffic", "Traffic"],
  ["tools", "Tools"],
  ["archive", "Archive"],
  ["ledger", "Ledger"],
  ["check", "Check"],
  ["config", "Config"],
];

/** Only gateways on stdio have a ledger. */
function isThere([view]: (typeof entries)[number]): boolean {
  return view !== "ledger" || hello.value?.hasLedger === true || route.value.view === view;
}

/** The entry that a view stands under: one call belongs to the traffic. */
function entryOf(view: Route["view"]): string {
  return view === "call" ? "traffic" : view;
}

const states = {
  up: ["good", "up"],
  idle: ["quiet", "idle"],
  starting: ["quiet", "starting"],
  down: ["bad", "down"],
  unknown: ["quiet", "unknown"],
} as const;

function Upstreams() {
  const upstreams = hello.value?.upstreams ?? [];
  if (upstreams.length === 0) return null;
  return (
    <section class="upstreams" aria-label="Servers">
      <h2>Servers</h2>
      <ul>
        {upstreams.map(({ name, state, reason, reach }) => {
          const [tone, word] = states[isFromBefore.value ? "unknown" : state];
          return (
            <li key={name} title={reason ?? reach}>
              <bdi class="cut">{name}</bdi>
              <Badge tone={tone}>{word}</Badge>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The gateways whose calls are shown, where they share a Redis. */
function Replicas() {
  const { replicas = [], replica: own, isAlone } = hello.value ?? {};
  if (replicas.length < 2 && isAlone !== true) return null;
  return (
    <section class="upstreams replicas" aria-label="Replicas">
      <h2>Replicas</h2>
      <ul>
        {replicas.map(({ name, isAlive }) => {
          const isThere = isAlive && (isAlone !== true || name === own);
          const [tone, word] = isFromBefore.value
            ? states.unknown
            : isThere
              ? (["good", name === own ? "this one" : "there"] as const)
              : (["quiet", isAlone === true ? "unknown" : "gone"] as const);
          return (
            <li key={name} title={name}>
              <bdi class="cut">{name}</bdi>
              <Badge tone={tone}>{word}</Badge>
            </li>
          );
        })}
        {isAlone === true ? (
          <li>
            <span class="cut">Redis</span>
            <Badge tone="bad">not reached</Badge>
          </li>
        ) : null}
      </ul>
    </section>
  );
}

/** The bar at the left, or at the top where the page is narrow. */
export function Navigation() {
  const now = entryOf(route.value.view);
  return (
    <header class="bar">
      <a class="brand" href={linkTo("overview")}>
        <Mark />
        <span>Waybill</span>
        <span class="version">{hello.value?.version}</span>
      </a>
      <nav aria-label="Views">
        {entries.filter(isThere).map(([view, name]) => (
          <a key={view} href={linkTo(view)} aria-current={view === now ? "page" : undefined}>
            <ViewIcon view={view} />
            {name}
          </a>
        ))}
      </nav>
      <Upstreams />
      <Replicas />
      <div class="bar-foot">
        <Segments
          label="Colours"
          values={schemes}
          value={scheme.value}
          nameOf={(one) => ({ system: "Auto", light: "Light", dark: "Dark" })[one]}
          onChoose={(one) => {
            scheme.value = one;
          }}
        />
      </div>
    </header>
  );
}
