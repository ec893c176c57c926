import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface PanelProps {
  readonly title: string;
  /** A few words beside the title. */
  readonly note?: ComponentChildren;
  /** Buttons and choices at the right. */
  readonly actions?: ComponentChildren;
  /** The content reaches the edges: for tables and code. */
  readonly isFlush?: boolean | undefined;
  readonly children: ComponentChildren;
}

/** A part of a view under a heading. */
export function Panel({ title, note, actions, isFlush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {note === undefined ? null : <span class="panel-note">{note}</span>}
        {actions === undefined ? null : <div class="panel-actions">{actions}</div>}
      </header>
      <div class={isFlush ? "panel-body flush" : "panel-body"}>{children}</div>
    </section>
  );
}

/** The title of a view, and what belongs beside it. */
export function ViewHead({
  title,
  says,
  children,
}: {
  readonly title: ComponentChildren;
  readonly says?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <header class="view-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {says === undefined ? null : <p class="quiet">{says}</p>}
      </div>
      {children === undefined ? null : <div class="view-actions">{children}</div>}
    </header>
  );
}
