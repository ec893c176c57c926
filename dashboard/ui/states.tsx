// What is shown where a view has no content: each says why, and what to do.

import type { ComponentChildren } from "preact";
import type { ApiError } from "../live/api.ts";
import { CodeBlock } from "./code-block.tsx";

/** Nothing is there yet, and how that changes. */
export function EmptyState({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="state">
      <p class="state-title">{title}</p>
      {children}
    </div>
  );
}

/** On its way. Shown after a moment only, so that quick answers do not flicker. */
export function Loading({ what = "Loading" }: { readonly what?: string }) {
  return (
    <div class="state loading" role="status">
      <span class="spinner" aria-hidden="true" />
      <p>{what}…</p>
    </div>
  );
}

/** What the gateway said instead of an answer. */
export function ErrorState({
  problem,
  again,
}: {
  readonly problem: Pick<ApiError, "message" | "remedy"> & { readonly code?: string };
  readonly again?: (() => void) | undefined;
}) {
  return (
    <div class="state problem" role="alert">
      <p class="state-title">{problem.message}</p>
      <p>{problem.remedy}</p>
      {again === undefined ? null : (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

const switches = {
  "--dashboard-actions": "The page may then call tools, run checks and change settings.",
  "--dashboard-bodies": "The page may then show what calls carried: arguments, results and archived content.",
} as const;

/** Something that the gateway was not started with. */
export function SwitchedOff({
  what,
  flag,
}: {
  /** What cannot be done, e.g. `Calling tools`. */
  readonly what: string;
  readonly flag: keyof typeof switches;
}) {
  return (
    <div class="state off">
      <p class="state-title">{what} is switched off.</p>
      <p>
        Start the gateway with <code>{flag}</code>. {switches[flag]}
      </p>
      <CodeBlock label="The command" text={`waybill gateway --dashboard ${flag} …`} />
    </div>
  );
}
