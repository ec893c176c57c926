// How long a sound is, read from its header, and what that costs a model.

import { bytesAt, isBase64, textAt } from "./picture.ts";

/** A WAV may have other data in front of its samples; more than this is not read. */
const MAX_HEADER_BYTES = 64 * 1024;

/** The length of any other sound is estimated: speech, and music in small files, has this many bytes a second. */
const ESTIMATED_BYTES_A_SECOND = 8_000;

/** Undefined if the bytes are no base64. Never throws, and reads a bounded part. */
export function soundSeconds(base64: string): number | undefined {
  if (!isBase64(base64)) return undefined;
  const size = (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0);
  return wavSeconds(viewAt(base64, 0), size) ?? mp3Seconds(base64, size) ?? size / ESTIMATED_BYTES_A_SECOND;
}

function viewAt(base64: string, from: number): DataView {
  const { buffer, byteOffset, byteLength } = bytesAt(base64, from, MAX_HEADER_BYTES);
  return new DataView(buffer, byteOffset, byteLength);
}

/** Bytes of samples divided by bytes a second: each is in a chunk of its own. */
function wavSeconds(view: DataView, size: number): number | undefined {
  if (textAt(view, 0, 4) !== "RIFF" || textAt(view, 8, 4) !== "WAVE") return undefined;
  let bytesASecond = 0;
  for (let at = 12; at + 8 <= view.byteLength;) {
    const [name, length] = [textAt(view, at, 4), view.getUint32(at + 4, true)];
    // A program that writes a WAV as a stream does not know its length, and writes 0 or the maximum.
    const there = Math.max(0, size - at - 8);
    if (name === "data" && bytesASecond > 0) return Math.min(length || there, there) / bytesASecond;
    if (name === "fmt " && at + 20 <= view.byteLength) bytesASecond = view.getUint32(at + 16, true);
    // A chunk of an odd length is followed by a byte that fills it up.
    at += 8 + length + (length % 2);
  }
  return undefined;
}

/** Kilobits a second of layer III, by the number in the header of a frame. */
const bitRates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitRatesOfLowSampling = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const samplingRates = [44_100, 48_000, 32_000];

/** By the number of frames if the first one tells it, as those with a changing bit rate do, else by its bit rate. */
function mp3Seconds(base64: string, size: number): number | undefined {
  const start = viewAt(base64, 0);
  const at = tagLength(start);
  const view = at === 0 ? start : viewAt(base64, at);
  if (view.byteLength < 4 || view.getUint16(0) >> 5 !== 0x7ff) return undefined;
  const [, second = 0, third = 0, fourth = 0] = [0, 1, 2, 3].map((index) => view.getUint8(index));
  const [version, layer, channels] = [(second >> 3) & 3, (second >> 1) & 3, fourth >> 6];
  const isFull = version === 3;
  const bitRate = (isFull ? bitRates : bitRatesOfLowSampling)[(third >> 4) - 1];
  const sampling = samplingRates[(third >> 2) & 3];
  if (version === 1 || layer !== 1 || bitRate === undefined || sampling === undefined) return undefined;
  const isMono = channels === 3;
  const told = 4 + (isFull ? (isMono ? 17 : 32) : isMono ? 9 : 17);
  const hasFrames =
    /^(?:Xing|Info)$/.test(textAt(view, told, 4)) &&
    view.byteLength >= told + 12 &&
    (view.getUint8(told + 7) & 1) === 1;
  if (!hasFrames) return Math.max(0, size - at) / (bitRate * 125);
  const samples = isFull ? 1_152 : 576;
  const samplingRate = sampling / (isFull ? 1 : version === 2 ? 2 : 4);
  return (view.getUint32(told + 8) * samples) / samplingRate;
}

/** The length of the tag in front of a sound, which may hold a picture; seven bits a byte are its number. */
function tagLength(view: DataView): number {
  if (textAt(view, 0, 3) !== "ID3" || view.byteLength < 10) return 0;
  return [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (view.getUint8(at) & 0x7f), 0) + 10;
}

/**
 * Tokens a second, by the documentation of the makers (2026-11): "Gemini represents each second of audio as 32 tokens";
 * OpenAI counts one for each 100 ms that a user sends. Models of Claude take no sounds.
 */
const soundFamilies = { gemini: 32, openai: 10 } as const;

/** `any` is for clients whose user chooses the model: the most of all. */
export type SoundFamily = keyof typeof soundFamilies | "any";

/** The tokens of a sound for a family of models. */
export function soundTokens(seconds: number, family: SoundFamily): number {
  const rate = family === "any" ? Math.max(...Object.values(soundFamilies)) : soundFamilies[family];
  return Math.ceil(seconds * rate);
}
