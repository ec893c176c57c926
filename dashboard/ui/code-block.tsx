import type { ComponentChildren } from "preact";
import { CopyButton } from "./copy-button.tsx";

interface CodeBlockProps {
  /** What it is, above it and for those who do not see it. */
  readonly label: string;
  readonly text: string;
  /** What is shown instead of the plain text, e.g. with marks in it. The text is what is copied. */
  readonly children?: ComponentChildren;
  readonly note?: ComponentChildren;
  /** Long lines are broken instead of scrolled. */
  readonly isWrapped?: boolean | undefined;
}

/** Text in the font of code, with a button that copies it. Long text scrolls in itself. */
export function CodeBlock({ label, text, children, note, isWrapped = false }: CodeBlockProps) {
  return (
    <figure class="code">
      <figcaption>
        <span>{label}</span>
        {note === undefined ? null : <span class="quiet">{note}</span>}
        <CopyButton text={text} />
      </figcaption>
      <pre class={isWrapped ? "wrapped" : undefined} tabIndex={0} role="group" aria-label={label}>
        <code>{children ?? text}</code>
      </pre>
    </figure>
  );
}
