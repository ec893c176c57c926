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
  /** Files that are called from more than one other file: a reader of the walk comes back to them. */
  readonly returnedTo: number;
}

const width = 118;
const indent = "      ";

export function totalsOf({ files }: Walk): Totals {
  const functions = files.flatMap((file) => file.functions);
  return {
    files: files.length,
    functions: functions.length,
    calls: functions.reduce((sum, { calls }) => sum + calls, 0),
    returnedTo: files.filter(({ from }) => from.length > 1).length,
  };
}

/** One line: how long a walk is, and what it is. */
export function showTotals(walk: Walk): string {
  const { files, functions, returnedTo } = totalsOf(walk);
  const figures = [`${files}`.padStart(4), `${functions}`.padStart(5), `${returnedTo}`.padStart(4)];
  return `${figures[0]} files ${figures[1]} functions ${figures[2]} entered more than once   ${titleOf(walk)}`;
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
  const { files, functions, calls, returnedTo } = totalsOf(walk);
  const lines = walk.files.flatMap(({ file, functions: own }, index) => {
    const head = `${String(index + 1).padStart(4)}  ${file}`;
    return filesOnly ? [head] : [head, ...showFunctions(own)];
  });
  const totals = `${files} files, ${functions} functions, ${calls} calls`;
  const returns = `entered more than once: ${returnedTo}`;
  return [titleOf(walk), "", ...lines, "", totals, "", returns, ...showReturns(walk)].join("\n");
}

/** Those files, each with the number of files that enter it. */
function showReturns({ files }: Walk): string[] {
  return files
    .filter(({ from }) => from.length > 1)
    .toSorted((a, b) => b.from.length - a.from.length)
    .map(({ file, from }) => `${String(from.length).padStart(4)}  ${file}`);
}
