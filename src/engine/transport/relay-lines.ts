import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { findSeam, lineCleaner } from "./cleaned-lines.ts";

/** A line without an end is handed on in pieces once so much of it is here. */
const MAX_LINE_CHARACTERS = 16_384;
const LEFT_OUT = "[the rest of this line is left out: it cannot be cut without cutting a secret]";

/** Hands on what a server says on a stream, line by line, safe to show; the last one too, if it has no end. */
export function relayLines(stream: Readable, tell: (line: string) => void): void {
  const clean = lineCleaner();
  let isLeftOut = false;
  const hear = (line: string): void => {
    // Also of what is not shown it has to know where a private key begins.
    const said = clean(line);
    if (!isLeftOut) tell(said);
  };
  const decoder = new StringDecoder("utf8");
  let rest = "";
  stream.on("data", (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      hear(line.endsWith("\r") ? line.slice(0, -1) : line);
      isLeftOut = false;
    }
    while (rest.length > MAX_LINE_CHARACTERS) {
      const seam = findSeam(rest.slice(0, MAX_LINE_CHARACTERS));
      if (seam === undefined && !isLeftOut) {
        tell(LEFT_OUT);
        isLeftOut = true;
      }
      const end = seam ?? MAX_LINE_CHARACTERS / 2;
      hear(rest.slice(0, end));
      rest = rest.slice(end);
    }
  });
  stream.on("error", () => undefined);
  stream.on("end", () => {
    if (rest !== "") hear(rest);
    rest = "";
  });
}
