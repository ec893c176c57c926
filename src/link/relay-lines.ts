import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A line without an end is handed on in pieces of this size. */
const MAX_LINE_CHARACTERS = 8_192;

/** Hands on what a stream says, line by line; the last one too, if it has no end. */
export function relayLines(stream: Readable, hear: (line: string) => void): void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  stream.on("data", (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line.endsWith("\r") ? line.slice(0, -1) : line);
    while (rest.length > MAX_LINE_CHARACTERS) {
      hear(rest.slice(0, MAX_LINE_CHARACTERS));
      rest = rest.slice(MAX_LINE_CHARACTERS);
    }
  });
  stream.on("error", () => undefined);
  stream.on("end", () => {
    if (rest !== "") hear(rest);
    rest = "";
  });
}
