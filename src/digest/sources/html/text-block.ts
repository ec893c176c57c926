/** Text between two breaks. */
export interface TextBlock {
  readonly text: string;
  readonly kind: "prose" | "heading" | "item" | "code" | "cell";
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

export function charactersOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}
