// The gaps of a cut text and their marks, found again from the places that are named as missing.

import { countLines } from "../../text/code-points.ts";
import type { KeptLines } from "./mark-gaps.ts";

/** One part of the text that is missing, by its places in code points. */
export interface Gap {
  readonly rest: string;
  /** Undefined if it begins or ends within a line. */
  readonly lines: readonly [number, number] | undefined;
  readonly mark: string;
}

interface OpenFence {
  /** The fence, and its language after a space. */
  readonly said: string;
  /** The line that opens it. */
  readonly at: number;
}

/** The code block that is open behind a text. */
function fenceOpenAfter(before: string): OpenFence | undefined {
  let open: OpenFence | undefined;
  for (const [at, line] of before.split("\n").entries()) {
    const [, fence = "", info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
    if (fence === "") continue;
    const first = open?.said.split(" ")[0] ?? "";
    const opens = open === undefined && !(fence.startsWith("`") && info.includes("`"));
    const closes =
      open !== undefined && first[0] === fence[0] && fence.length >= first.length && info.trim() === "";
    if (opens) open = { said: `${fence} ${info.trim().slice(0, 20)}`, at };
    else if (closes) open = undefined;
  }
  return open;
}

export function gapsIn(whole: string, { runs }: KeptLines, marksInBlocks = false): readonly Gap[] {
  const points = Array.from(whole);
  return runs.map(([from, to]) => {
    const [before, rest] = [points.slice(0, from).join(""), points.slice(from, to).join("")];
    const isEnd = to === points.length;
    const isOfLines = (before === "" || before.endsWith("\n")) && (isEnd || rest.endsWith("\n"));
    const [first, last] = [countLines(before) + 1, countLines(before + rest)];
    const lines = first === last ? `line ${first}` : `lines ${first}-${last}`;
    const said = isOfLines ? `[… ${lines}]\n` : `[… characters ${from + 1}-${to}]\n`;
    const [open, again] = [fenceOpenAfter(before), fenceOpenAfter(before + rest)];
    const end = open === undefined ? "" : `${open.said.split(" ")[0]}\n`;
    const begin = again === undefined ? "" : `${again.said.replace(" ", "")}\n`;
    const isWithin = marksInBlocks && open !== undefined && open.at === again?.at;
    const mark = `${isOfLines ? "" : "\n"}${isWithin ? said : `${end}${said}${begin}`}`;
    return { rest, lines: isOfLines ? [first, last] : undefined, mark: isEnd ? "" : mark };
  });
}
