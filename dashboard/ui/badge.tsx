import type { ComponentChildren } from "preact";

export type Tone = "plain" | "good" | "warn" | "bad" | "quiet";

/** The sign before the words, so that the tone can be told without its colour. */
const signs: Readonly<Record<Tone, string>> = { plain: "", good: "✓", warn: "!", bad: "✕", quiet: "–" };

/** A word with a tone. */
export function Badge({
  tone = "plain",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}) {
  return (
    <span class={`badge ${tone}`}>
      {signs[tone] === "" ? null : <span aria-hidden="true">{signs[tone]}</span>}
      {children}
    </span>
  );
}
