import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { printable, printableColors } from "../../core/text/say-name.ts";
import { createRedactor } from "../../core/text/redact/redact-secrets.ts";

/** A line without an end is passed on in pieces of this size. */
const MAX_LINE_CHARACTERS = 16_384;
const LEFT_OUT = "[the rest of this line is left out: it cannot be cut without cutting a secret]";

/** Passes on a server's output line by line, safe to show; also the last line, if it has no end. */
export function relayLines(stream: Readable, tell: (line: string) => void, keepsColors = false): void {
  const clean = lineCleaner(keepsColors);
  let isLeftOut = false;
  const hear = (line: string): void => {
    // Lines that are not shown are cleaned too: the cleaner must see where a private key begins.
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

// A server's stderr is untrusted text on its way to a terminal, a log or a page: nothing in it may take
// effect there, and no secret of the server may remain.

const redactor = createRedactor();

/** Terminal sequences for colours and cursor: CSI, and the titles and links of OSC. */
const sequence =
  // oxlint-disable-next-line no-control-regex -- it looks for control characters
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/g;

const keyStart = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/;
const keyEnd = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/;
/** No key is longer; a line that only looks like the start of a key hides no more lines than this. */
const MAX_KEY_LINES = 200;
const MASKED_KEY = "[REDACTED:PRIVATE_KEY]";

function shown(text: string, keepsColors = false): string {
  return text
    .split("\t")
    .map((part) => (keepsColors ? printableColors(part) : printable(part)))
    .join("\t");
}

/** A colour sequence inside a secret would hide the secret from the redactor. */
function masked(line: string, keepsColors: boolean): string {
  const whole = redactor.text(shown(line, keepsColors));
  if (!line.includes("\u001b") && !line.includes("\u009b")) return whole.text;
  const plain = redactor.text(shown(line.replaceAll(sequence, "")));
  return plain.count > whole.count ? plain.text : whole.text;
}

/**
 * The number of places that are tried: if all of them are inside a secret, the text is hardly anything but
 * secrets. It divides no usual row length, so that in rows of equal length the places differ.
 */
const SEAM_TRIES = 17;

/**
 * Where a piece of a long line can be cut so that masked text stays masked: both parts alone give the same as
 * the whole, with and without colours. It is in the middle half, so that a secret around it is seen whole.
 * Undefined if every place that was tried is inside a secret.
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

/** Never splits a surrogate pair. */
function beforePair(text: string, offset: number): number {
  const isSecondHalf = (text.charCodeAt(offset) & 0xfc00) === 0xdc00;
  return isSecondHalf ? offset - 1 : offset;
}

/** The last white space in a range. */
function spaceIn(text: string, start: number, end: number): number | undefined {
  for (let offset = end; offset > start; offset--) if (/\s/.test(text.charAt(offset))) return offset;
  return undefined;
}

/** Cleans the lines of one stream, in order: a private key spans many lines. */
export function lineCleaner(keepsColors = false): (line: string) => string {
  let keyLines = 0;
  return (line) => {
    if (keyLines > 0) {
      keyLines = keyEnd.test(line) || keyLines >= MAX_KEY_LINES ? 0 : keyLines + 1;
      return MASKED_KEY;
    }
    const start = keyStart.exec(line);
    if (start === null || keyEnd.test(line)) return masked(line, keepsColors);
    keyLines = 1;
    return masked(line.slice(0, start.index), keepsColors) + MASKED_KEY;
  };
}
