import type { BlockKind, DocumentBlock } from "../../document.ts";
import { type TextBlock, isFact, joinBlocks } from "./text-writer.ts";

const kinds: Readonly<Record<TextBlock["kind"], BlockKind>> = {
  prose: "prose",
  headline: "heading",
  heading: "heading",
  item: "item",
  definition: "item",
  code: "code",
  cell: "prose",
};

/** A row has more than one cell; old pages use a single cell for layout. */
function kindOf(block: TextBlock): BlockKind {
  return block.kind === "cell" && isFact(block) ? "row" : kinds[block.kind];
}

/** Lines of one piece of code, and broken lines of a paragraph, are one block. */
function isSameBlock(
  kind: BlockKind,
  before: DocumentBlock | undefined,
  { isParagraph }: TextBlock,
): boolean {
  if (before?.kind !== kind) return false;
  return kind === "code" || (kind === "prose" && !isParagraph);
}

/** The text of blocks, and the position of each block in it. */
export function outlineBlocks(blocks: readonly TextBlock[]): {
  readonly text: string;
  readonly blocks: readonly DocumentBlock[];
} {
  const outline: DocumentBlock[] = [];
  let end = 0;
  for (const [index, block] of blocks.entries()) {
    const start = end + (index === 0 ? 0 : block.isParagraph ? 2 : 1);
    end = start + block.text.length;
    const kind = kindOf(block);
    const before = outline.at(-1);
    if (before !== undefined && isSameBlock(kind, before, block)) outline.splice(-1, 1, { ...before, end });
    else outline.push({ start, end, kind });
  }
  return { text: joinBlocks(blocks), blocks: outline };
}
