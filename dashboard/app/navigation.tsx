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
  ["check", "Check"],
  ["config", "Config"],
];

/** The entry that a view belongs to: one call belongs to the traffic. */
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
        {entries.map(([view, name]) => (
          <a key={view} href={linkTo(view)} aria-current={view === now ? "page" : undefined}>
            <ViewIcon view={view} />
            {name}
          </a>
        ))}
      </nav>
      <Upstreams />
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
