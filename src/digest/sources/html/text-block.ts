/** Text between two breaks. */
export interface TextBlock {
  readonly text: string;
  readonly kind: "prose" | "headline" | "heading" | "item" | "definition" | "code" | "cell";
  /** True when a blank line parts it from the block before. */
  readonly isParagraph: boolean;
  /** How many of its characters are in links. */
  readonly linked: number;
}

export function joinBlocks(blocks: readonly TextBlock[]): string {
  const parts: string[] = [];
  for (const { text, isParagraph } of blocks) {
    if (parts.length > 0) parts.push(isParagraph ? "\n\n" : "\n");
    parts.push(text);
  }
  return parts.join("");
}

/** True for what is more than a link to something else. */
export function isText({ text, linked }: TextBlock): boolean {
  return 2 * linked < text.length;
}

/** A row of more than one cell, or a term and its definition: what a page says of its subject in short. */
export function isFact({ kind, text }: TextBlock): boolean {
  return kind === "definition" || (kind === "cell" && text.includes("\t"));
}

export function charactersOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}
