import { createHash } from "node:crypto";

/** Content that follows from its name alone: a few bytes, some kilobytes, or several blocks, half of it compressible. */
export function* storyOf(name: string): Generator<string | Uint8Array> {
  const digest = createHash("sha256").update(name).digest();
  const pieces = [1, 40, 400, 3_000][digest.readUInt8(0) % 4] ?? 1;
  yield `{"story":"${name}","pieces":[`;
  for (let piece = 0; piece < pieces; piece++) {
    yield `${JSON.stringify({ piece, text: "once upon a time" })},`;
    if (piece % 2 === 0) yield createHash("sha512").update(`${name}/${piece}`).digest();
  }
  yield "null]}";
}
