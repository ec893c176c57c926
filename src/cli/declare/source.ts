import { type Command, InvalidArgumentError } from "commander";
import { parseWhole } from "../archive/parse-number.ts";

const MAX_SECONDS = 3_600;

/** The options that say how a document is found and read. */
export function addSource(command: Command): Command {
  return command
    .option(
      "--type <type>",
      "the media type, such as 'text/html; charset=koi8-r'; else told by server, name and content",
    )
    .option("--max-bytes <n>", "refuse a larger document; 64 MiB if not given", parseWhole)
    .option("--max-pages <n>", "read only so many pages of a PDF; 2000 if not given", parseWhole)
    .option("--timeout <seconds>", "how long a URL may take; 30 if not given", parseSeconds)
    .option(
      "--allow-private <place>",
      "permit a host:port or range that is not public; may be repeated",
      addPlace,
    );
}

function parseSeconds(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= MAX_SECONDS) return value;
  throw new InvalidArgumentError(`Give a number of seconds above 0 and up to ${MAX_SECONDS}.`);
}

function addPlace(place: string, before: readonly string[] = []): readonly string[] {
  return [...before, place];
}
