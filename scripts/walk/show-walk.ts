import type { PassedFile, PassedFunction } from "./trace.ts";

export const journeyNames = [
  "call",
  "cut",
  "complete",
  "digest",
  "validate",
  "gateway",
  "gateway-http",
  "gateway-cut",
] as const;
export type JourneyName = (typeof journeyNames)[number];

/** What a walk came to: the same words and numbers for a reader, for JSON and for the page that shows it. */
export interface Walk {
  readonly journey: JourneyName;
  readonly says: string;
  readonly files: readonly PassedFile[];
}

export interface Totals {
  readonly files: number;
  readonly functions: number;
  readonly calls: number;
}

const width = 118;
const indent = "      ";

export function totalsOf({ files }: Walk): Totals {
  const functions = files.flatMap((file) => file.functions);
  return {
    files: files.length,
    functions: functions.length,
    calls: functions.reduce((sum, { calls }) => sum + calls, 0),
  };
}

/** One line: how long a walk is, and what it is. */
export function showTotals(walk: Walk): string {
  const { files, functions } = totalsOf(walk);
  return `${String(files).padStart(4)} files ${String(functions).padStart(5)} functions   ${titleOf(walk)}`;
}

function titleOf(walk: Walk): string {
  return `${walk.journey}: ${walk.says}`;
}

function showFunction({ name, calls }: PassedFunction): string {
  return calls === 1 ? name : `${name} ×${calls}`;
}

/** Functions on indented lines that are no longer than a page is wide. */
function showFunctions(functions: readonly PassedFunction[]): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of functions.map(showFunction)) {
    const longer = line === "" ? word : `${line}, ${word}`;
    if (line !== "" && indent.length + longer.length >= width) {
      lines.push(`${indent}${line},`);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, `${indent}${line}`];
}

/** Files in order of first entry, each with its functions in order of first entry, then the totals. */
export function showWalk(walk: Walk, { filesOnly = false } = {}): string {
  const { files, functions, calls } = totalsOf(walk);
  const lines = walk.files.flatMap(({ file, functions: own }, index) => {
    const head = `${String(index + 1).padStart(4)}  ${file}`;
    return filesOnly ? [head] : [head, ...showFunctions(own)];
  });
  return [titleOf(walk), "", ...lines, "", `${files} files, ${functions} functions, ${calls} calls`].join(
    "\n",
  );
}
