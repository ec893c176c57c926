import type { ViewName } from "./route.ts";

const paths: Readonly<Record<ViewName, string>> = {
  overview: "M2 14h12M4 11V7M8 11V3M12 11V5.5",
  traffic: "M2 4h9M2 8h12M2 12h7M13 2.5 14.5 4 13 5.5",
  tools: "M6 3 2.5 8 6 13M10 3l3.5 5L10 13",
  archive: "M2 3h12v3.5H2zM3 6.5V13h10V6.5M6.5 9.5h3",
  ledger: "M3 2h10v12H3zM6 2v12M8.5 5.5h2.5M8.5 8.5h2.5",
  check: "M2.5 8.5 6 12l7.5-8",
  config: "M2 5h6M12 5h2M2 11h2M8 11h6M10 3.2v3.6M6 9.2v3.6",
};

/** The sign of a view; its name is beside it. */
export function ViewIcon({ view }: { readonly view: ViewName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[view]} />
    </svg>
  );
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" />
      <path d="M7 10l4 13 5-10 5 10 4-13" />
    </svg>
  );
}
