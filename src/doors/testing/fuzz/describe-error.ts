import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const MAX_WORDS = 300;

function cut(words: string): string {
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words;
}

/** A line of a stack that names a file; lines of Node itself do not. */
const frame = /^[ \t]*at [^\n]*?(?<=[( ])((?:file:\/\/|\/|[A-Za-z]:\\)[^\n()]*:\d+:\d+)\)?$/gm;

function readStack(error: Error): string {
  try {
    return typeof error.stack === "string" ? error.stack : "";
  } catch {
    return "";
  }
}

function frameOf(error: Error): string | undefined {
  const places = [...readStack(error).matchAll(frame)].map(([, place = ""]) => place);
  // A crash inside a library is described by the line that called the library.
  return places.find((place) => !place.includes("node_modules")) ?? places[0];
}

function shortPlace(place: string): string {
  try {
    const path = place.startsWith("file:") ? fileURLToPath(place) : place;
    const near = relative(process.cwd(), path);
    return near.startsWith("..") ? path : near;
  } catch {
    return place;
  }
}

/** What was thrown and where, for the developer. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return cut(`${typeof error} ${JSON.stringify(error) ?? String(error)}`);
  const place = frameOf(error);
  const at = place === undefined ? "" : ` (${shortPlace(place)})`;
  return `${cut(`${error.name}: ${error.message}`)}${at}`;
}

/** Equal for errors from the same place in the code. */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return `${error.name} ${frameOf(error) ?? error.message}`;
}
