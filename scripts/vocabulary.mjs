// The vocabularies of the token counter, made from the rank lists in gpt-tokenizer.
// `node scripts/vocabulary.mjs` writes those that vocabulary/ lacks or has in an older format. They lie in the package's root, where the counter
// finds them from the source, from dist and from a bundled server.
// A token of more than one byte is two tokens of lower rank, one after the other, and their ranks take less room than its
// bytes. Format, numbers in little endian: the number of tokens and of their bytes (32 bits each); the 256 tokens of one
// byte; of the others in rank order the low 16 bits of the first halves' ranks, those of the second halves', and the high
// bits of both: for each token 2 and 2, beginning with the low half of a byte, the second half's lowest.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const encodings = ["o200k_base", "cl100k_base"];
const folder = fileURLToPath(new URL("../vocabulary", import.meta.url));
const licence = "LICENSE-gpt-tokenizer.txt";
const rankFile = /^(\S+) (\d+)$/;

const HEAD_BYTES = 8;
const SINGLES = 256;

/** The tokens in rank order, each as a text with a character for a byte. */
function readTokens(path) {
  const tokens = [];
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [, base64, rank] = rankFile.exec(line) ?? [];
    if (base64 !== undefined) tokens[Number(rank)] = Buffer.from(base64, "base64").toString("latin1");
  }
  for (let rank = 0; rank < tokens.length; rank++) {
    const length = tokens[rank]?.length ?? 0;
    if (length < 1 || length > 255 || (length === 1) !== rank < SINGLES)
      throw new Error(`${path}: rank ${rank} has a token of ${length} bytes`);
  }
  return tokens;
}

/** The ranks of two earlier tokens that are this one; the first as long as possible. */
function halvesOf(token, rank, ranks) {
  for (let cut = token.length - 1; cut > 0; cut--) {
    const first = ranks.get(token.slice(0, cut));
    const second = ranks.get(token.slice(cut));
    if (first < rank && second < rank) return [first, second];
  }
  throw new Error(`rank ${rank} is no two tokens of lower rank`);
}

function pack(tokens) {
  const ranks = new Map(tokens.map((token, rank) => [token, rank]));
  const merged = tokens.length - SINGLES;
  const file = Buffer.alloc(sizeOf(tokens.length));
  file.writeUInt32LE(tokens.length);
  file.writeUInt32LE(tokens.join("").length, 4);
  file.write(tokens.slice(0, SINGLES).join(""), HEAD_BYTES, "latin1");
  const firsts = HEAD_BYTES + SINGLES;
  for (let at = 0; at < merged; at++) {
    const [first, second] = halvesOf(tokens[at + SINGLES], at + SINGLES, ranks);
    file.writeUInt16LE(first & 0xffff, firsts + 2 * at);
    file.writeUInt16LE(second & 0xffff, firsts + 2 * (merged + at));
    file[firsts + 4 * merged + (at >> 1)] |= (((first >> 16) << 2) | (second >> 16)) << (4 * (at & 1));
  }
  return file;
}

function sizeOf(count) {
  const merged = count - SINGLES;
  return HEAD_BYTES + SINGLES + 4 * merged + Math.ceil(merged / 2);
}

/** Whether a file is there and has this format: an older one has another length. */
function isCurrent(path) {
  return existsSync(path) && statSync(path).size === sizeOf(readFileSync(path).readUInt32LE());
}

/** Processes that start together may write the same file: each renames a whole one into place. */
function writeWhole(path, bytes) {
  const unfinished = `${path}.${process.pid}.tmp`;
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, path);
}

/** Makes what is missing; Vitest calls it before the tests. */
export function setup() {
  const source = dirname(createRequire(import.meta.url).resolve("gpt-tokenizer/package.json"));
  mkdirSync(folder, { recursive: true });
  for (const encoding of encodings) {
    const path = join(folder, `${encoding}.bin`);
    if (isCurrent(path)) continue;
    writeWhole(path, pack(readTokens(join(source, "data", `${encoding}.tiktoken`))));
  }
  // The MIT licence asks that its notice goes wherever the data goes.
  if (!existsSync(join(folder, licence)))
    writeWhole(join(folder, licence), readFileSync(join(source, "LICENSE")));
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) setup();
