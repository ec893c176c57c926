// SHA-256 for synchronous callers: WebCrypto is asynchronous only. Uses Node's own if available.

import { builtIn } from "./built-in.ts";

const native = builtIn("node:crypto");

/** The hash in 64 lower-case hex digits; a text counts as its UTF-8. */
export function sha256Hex(content: string | Uint8Array): string {
  if (native?.hash !== undefined) return native.hash("sha256", content, "hex");
  return portableSha256(typeof content === "string" ? new TextEncoder().encode(content) : content);
}

/** The hash of content that may be long: by WebCrypto if only WebCrypto is fast. */
export function sha256OfMany(content: Uint8Array<ArrayBuffer>): string | Promise<string> {
  return native?.hash === undefined ? webSha256(content) : sha256Hex(content);
}

async function webSha256(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", content)));
}

/** Two lower-case hex digits for each byte. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Each UTF-16 unit as two bytes, low byte first. Unlike UTF-8, this keeps lone surrogates distinct. */
export function utf16Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes[2 * index] = unit & 0xff;
    bytes[2 * index + 1] = unit >> 8;
  }
  return bytes;
}

// SHA-256 of FIPS 180-4 in plain JavaScript, for runtimes without Node's: keys of caches, tenants and quotas
// are computed synchronously. WebCrypto hashes long contents.

const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;
const ROUNDS = 64;

/** The first 32 bits of the fractional part of a root of each of the first primes. */
function rootsOfPrimes(count: number, root: (prime: number) => number): Int32Array {
  const words = new Int32Array(count);
  let found = 0;
  for (let candidate = 2; found < count; candidate++) {
    let divisor = 2;
    while (divisor * divisor <= candidate && candidate % divisor !== 0) divisor++;
    if (divisor * divisor <= candidate) continue;
    const value = root(candidate);
    words[found++] = Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
  }
  return words;
}

let constants: { readonly rounds: Int32Array; readonly start: Int32Array } | undefined;

function constantsOf(): { readonly rounds: Int32Array; readonly start: Int32Array } {
  constants ??= { rounds: rootsOfPrimes(ROUNDS, Math.cbrt), start: rootsOfPrimes(8, Math.sqrt) };
  return constants;
}

function padded(content: Uint8Array): DataView {
  const blocks = Math.ceil((content.length + 1 + LENGTH_BYTES) / BLOCK_BYTES);
  const bytes = new Uint8Array(blocks * BLOCK_BYTES);
  bytes.set(content);
  bytes[content.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(bytes.length - LENGTH_BYTES, BigInt(content.length) * 8n);
  return view;
}

const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

function fillSchedule(schedule: Int32Array, view: DataView, offset: number): void {
  for (let index = 0; index < 16; index++) schedule[index] = view.getInt32(offset + index * 4);
  for (let index = 16; index < ROUNDS; index++) {
    const early = schedule[index - 15] ?? 0;
    const late = schedule[index - 2] ?? 0;
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    schedule[index] = ((schedule[index - 16] ?? 0) + first + (schedule[index - 7] ?? 0) + second) | 0;
  }
}

function mix(state: Int32Array, schedule: Int32Array, rounds: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < ROUNDS; index++) {
    const sumOfE = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sumOfE + choice + (rounds[index] ?? 0) + (schedule[index] ?? 0)) | 0;
    const sumOfA = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e] = [g, f, e, (d + first) | 0];
    [d, c, b, a] = [c, b, a, (first + sumOfA + majority) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries())
    state[index] = ((state[index] ?? 0) + word) | 0;
}

/** The hash in 64 lower-case hex digits. */
export function portableSha256(content: Uint8Array): string {
  const { rounds, start } = constantsOf();
  const view = padded(content);
  const state = Int32Array.from(start);
  const schedule = new Int32Array(ROUNDS);
  for (let offset = 0; offset < view.byteLength; offset += BLOCK_BYTES) {
    fillSchedule(schedule, view, offset);
    mix(state, schedule, rounds);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
