import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { printable } from "../../core/text/printable.ts";
import { createRedactor } from "../../core/text/redact-secrets.ts";

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

// What a server writes to stderr is a stranger's text on its way to a terminal, a log or a page: nothing in it may act
// there, and no secret of the server may stay in it.

const redactor = createRedactor();

/** What colours and moves in a terminal: CSI, and the titles and links of OSC. */
const sequence =
  // oxlint-disable-next-line no-control-regex -- it looks for control characters
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/g;

const keyStart = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/;
const keyEnd = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/;
/** No key is longer; a line that only looks like the start of one hides no more than these. */
const MAX_KEY_LINES = 200;
const MASKED_KEY = "[REDACTED:PRIVATE_KEY]";

function shown(text: string): string {
  return text.split("\t").map(printable).join("\t");
}

/** A colour in the middle of a secret would hide it from whoever looks for it. */
function masked(line: string): string {
  const whole = redactor.text(shown(line));
  if (!line.includes("\u001b") && !line.includes("\u009b")) return whole.text;
  const plain = redactor.text(shown(line.replaceAll(sequence, "")));
  return plain.count > whole.count ? plain.text : whole.text;
}

/**
 * So many places are tried: a text in which all of them are in a secret is hardly anything but secrets. It divides no
 * length that programs like, so that in rows of equal length the places differ.
 */
const SEAM_TRIES = 17;

/**
 * Where a piece of a long line can be cut so that what is masked stays masked: both sides by themselves give what the
 * whole gives, in colour and without. It lies in the middle half, so that a secret around it is seen whole. Undefined
 * where a secret goes over every place that was tried.
 */
function findSeam(text: string): number | undefined {
  const quarter = Math.floor(text.length / 4);
  const step = Math.floor((2 * quarter) / SEAM_TRIES);
  const wholes = readings(text);
  for (let latest = 3 * quarter; latest > quarter; latest -= step) {
    const seam = spaceIn(text, latest - step, latest) ?? beforePair(text, latest);
    const heads = readings(text.slice(0, seam));
    const tails = readings(text.slice(seam));
    if (wholes.every((whole, index) => whole === `${heads[index]}${tails[index]}`)) return seam;
  }
  return undefined;
}

function readings(text: string): readonly string[] {
  const whole = redactor.text(shown(text)).text;
  const plain = text.replaceAll(sequence, "");
  return plain === text ? [whole, whole] : [whole, redactor.text(shown(plain)).text];
}

/** A character of two units stays whole. */
function beforePair(text: string, offset: number): number {
  const isSecondHalf = (text.charCodeAt(offset) & 0xfc00) === 0xdc00;
  return isSecondHalf ? offset - 1 : offset;
}

/** The last white space of a stretch. */
function spaceIn(text: string, start: number, end: number): number | undefined {
  for (let offset = end; offset > start; offset--) if (/\s/.test(text.charAt(offset))) return offset;
  return undefined;
}

/** For the lines of one stream, in their order: a private key goes over many of them. */
export function lineCleaner(): (line: string) => string {
  let keyLines = 0;
  return (line) => {
    if (keyLines > 0) {
      keyLines = keyEnd.test(line) || keyLines >= MAX_KEY_LINES ? 0 : keyLines + 1;
      return MASKED_KEY;
    }
    const start = keyStart.exec(line);
    if (start === null || keyEnd.test(line)) return masked(line);
    keyLines = 1;
    return masked(line.slice(0, start.index)) + MASKED_KEY;
  };
}
