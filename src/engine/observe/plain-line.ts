// A log event as lines for people: the time, the level, what happened, and for an error its stack as far as it leads
// through the author's own files. Frames of packages and of Node are folded into one line.

import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { printable } from "../../core/text/say-name.ts";

/** A value in a line for people; for an error, its message. */
function showValue(value: JsonValue): string {
  const said = isJsonObject(value) && typeof value["message"] === "string" ? value["message"] : value;
  if (typeof said === "string" && /^[^\s"=]+$/.test(said)) return printable(said);
  return printable(JSON.stringify(said));
}

function pairsOf(fields: object): string {
  const entries = Object.entries(fields as Record<string, JsonValue>);
  return entries.map(([key, value]) => `${printable(key)}=${showValue(value)}`).join(" ");
}

/** `event: key=value …`; the fields are already JSON, without secrets. */
export function plainEvent(event: string, fields: object): string {
  const said = pairsOf(fields);
  return said === "" ? event : `${event}: ${said}`;
}

export interface PlainLook {
  readonly hasColors: boolean;
  /** Paths of files below it are shown relative to it. */
  readonly folder: string;
  /** Every frame of a stack, as it is. */
  readonly showsWholeStacks: boolean;
}

type Paint = (text: string) => string;

// Not picocolors, which looks for a process when it is loaded: this file is loaded wherever a contract is.
const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], yellow: [33, 39] } as const;

function painter(name: keyof typeof codes, { hasColors }: PlainLook): Paint {
  const [on, off] = codes[name];
  return hasColors ? (text) => `\u001B[${on}m${text}\u001B[${off}m` : (text) => text;
}

/** An event with its level and time, as one line and the lines of its error, including the last line end. */
export function plainLine(
  level: "debug" | "info" | "warn" | "error",
  event: string,
  fields: object,
  look: PlainLook,
): string {
  const { err, tool, defined_at: place, ...rest } = fields as Readonly<Record<string, JsonValue>>;
  const [bold, dim] = [painter("bold", look), painter("dim", look)];
  const paint = level === "error" ? painter("red", look) : level === "warn" ? painter("yellow", look) : dim;
  const error = isJsonObject(err) ? err : undefined;
  const others = pairsOf(error === undefined && err !== undefined ? { ...rest, err } : rest);
  const head = [dim(clock(new Date())), paint(`${level} ${event}`)];
  if (typeof tool === "string") head.push(bold(printable(tool)));
  if (others !== "") head.push(dim(others));
  const lines = error === undefined ? [] : [...linesOfError(error, look)];
  // A mistake in a tool's answer has no frame in the author's files.
  if (typeof place === "string") lines.push(`  the tool: ${printable(shortPlace(place, look.folder))}`);
  return `${[head.join(" "), ...lines.map((line) => `  ${line}`)].join("\n")}\n`;
}

/** The person at the terminal has the same clock. */
function clock(now: Date): string {
  return [now.getHours(), now.getMinutes(), now.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

function linesOfError(error: Readonly<Record<string, JsonValue>>, look: PlainLook): readonly string[] {
  const { type, message, stack, ...more } = error;
  // Objects would be as long as JSON, which this form is not.
  const short = Object.entries(more).filter(([, value]) => typeof value !== "object");
  const extras = pairsOf(Object.fromEntries(short));
  const said = `${typeof type === "string" ? type : "Error"}: ${typeof message === "string" ? message : "?"}`;
  const told = typeof stack === "string" && stack !== "" ? stack : said;
  const lines = look.showsWholeStacks ? told.split("\n").map(printable) : foldedStack(told, look);
  return extras === "" ? lines : [...lines, extras];
}

const frame = /^\s*at (.*)$/;
const foreign = /(?:^|\()node:|[\\/]node_modules[\\/]|^(?:native|<anonymous>)$|\((?:native|<anonymous>)\)$/;
const packageIn = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;

/** The frames of the author's own files; those between them are counted, with the packages that they belong to. */
function foldedStack(stack: string, look: PlainLook): readonly string[] {
  const dim = painter("dim", look);
  const lines: string[] = [];
  let folded: string[] = [];
  const unfold = (): void => {
    if (folded.length > 0) lines.push(dim(sayFolded(folded)));
    folded = [];
  };
  for (const line of stack.split("\n")) {
    const place = frame.exec(line)?.[1];
    if (place !== undefined && foreign.test(place)) {
      folded.push(place);
      continue;
    }
    unfold();
    lines.push(place === undefined ? printable(line) : `  at ${printable(shortPlace(place, look.folder))}`);
  }
  unfold();
  return lines;
}

function sayFolded(places: readonly string[]): string {
  const owners = new Set(places.map((place) => packageIn.exec(place)?.[1]?.replace("\\", "/") ?? "Node"));
  const [last = "", ...others] = [...owners].reverse();
  const names = others.length === 0 ? last : `${others.reverse().join(", ")} and ${last}`;
  return `  … ${places.length} in ${printable(names)}`;
}

/** `file:///home/ada/tasks/src/get.ts:14:7` in /home/ada/tasks is `src/get.ts:14:7`, which a terminal can open. */
function shortPlace(place: string, folder: string): string {
  const path = place.replace(/file:\/\/(?=\/)/, "");
  return folder === "" ? path : path.replace(folder.endsWith("/") ? folder : `${folder}/`, "");
}
