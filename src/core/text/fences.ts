// The code blocks of a Markdown text, by their fences.

export interface CodeBlock {
  /** Where the line of its opening fence begins. */
  readonly start: number;
  /** Where the line of its closing fence ends; undefined if it is never closed. */
  readonly end: number | undefined;
  /** Such as three backticks. */
  readonly fence: string;
  /** What the opening line says after the fence, such as a language. */
  readonly info: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm;

export function codeBlocksIn(text: string): readonly CodeBlock[] {
  if (!text.includes("```") && !text.includes("~~~")) return [];
  const blocks: CodeBlock[] = [];
  let open: Omit<CodeBlock, "end"> | undefined;
  for (const { index, 0: line, 1: fence = "", 2: rest = "" } of text.matchAll(FENCE)) {
    const info = rest.trim();
    if (open === undefined) {
      if (!(fence.startsWith("`") && info.includes("`"))) open = { start: index, fence, info };
    } else if (fence[0] === open.fence[0] && fence.length >= open.fence.length && info === "") {
      blocks.push({ ...open, end: index + line.length });
      open = undefined;
    }
  }
  return open === undefined ? blocks : [...blocks, { ...open, end: undefined }];
}

/** The block that is open at a place of the text. */
export function blockAt(blocks: readonly CodeBlock[], place: number): CodeBlock | undefined {
  return blocks.find(({ start, end }) => start < place && (end === undefined || end > place));
}
