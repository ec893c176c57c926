// Pictures of pages have few colours that matter: with a palette a PNG is a third as large. Chromium writes 8 bits for
// each of 3 or 4 channels and no interlacing, so this reads that and nothing else.

import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLORS = 256;
/** Colours that differ in the last bits only are one colour of the palette. */
const KEPT_BITS = 5;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel. */
  readonly rgb: Uint8Array;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  return filter === 4 ? paeth(left, up, corner) : 0;
}

/** The pixels of a PNG as Chromium writes it. */
function readPng(png: Buffer): Pixels {
  const parts: Buffer[] = [];
  let [width, height, channels] = [0, 0, 3];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") {
      width = data.readUInt32BE(0);
      height = data.readUInt32BE(4);
      channels = data[9] === 6 ? 4 : 3;
    }
    if (type === "IDAT") parts.push(data);
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const rowBytes = width * channels;
  const rows = new Uint8Array(rowBytes * height);
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x += 1) {
      const here = y * rowBytes + x;
      const left = x < channels ? 0 : (rows[here - channels] ?? 0);
      const up = y === 0 ? 0 : (rows[here - rowBytes] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (rows[here - rowBytes - channels] ?? 0);
      rows[here] = (raw[y * (rowBytes + 1) + 1 + x] ?? 0) + predicted(filter, left, up, corner);
      const channel = x % channels;
      if (channel < 3) rgb[(y * width + (x - channel) / channels) * 3 + channel] = rows[here] ?? 0;
    }
  }
  return { width, height, rgb };
}

/** The colours that are most used, and for each colour that is used its place among them. */
function paletteOf(rgb: Uint8Array): { palette: readonly number[]; placeOf: Map<number, number> } {
  const counts = new Map<number, number>();
  for (let at = 0; at < rgb.length; at += 3) {
    const color = ((rgb[at] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at + 2] ?? 0);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const byUse = [...counts].sort(([, a], [, b]) => b - a).map(([color]) => color);
  const coarse = (color: number): number => {
    const shift = 8 - KEPT_BITS;
    return ((color >> (16 + shift)) << 16) | (((color >> (8 + shift)) & 31) << 8) | ((color & 255) >> shift);
  };
  // Surfaces first, exactly as they are; then one colour for each group of like ones, the most used first.
  const exact = byUse.slice(0, 48);
  const groups = new Set(exact.map(coarse));
  const others = byUse.slice(48).filter((color) => !groups.has(coarse(color)) && groups.add(coarse(color)));
  const palette = [...exact, ...others].slice(0, MAX_COLORS);
  const far = (a: number, b: number): number =>
    ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;
  const nearest = (color: number): number =>
    palette.reduce((best, one, at) => (far(one, color) < far(palette[best] ?? 0, color) ? at : best), 0);
  return { palette, placeOf: new Map(byUse.map((color) => [color, nearest(color)])) };
}

/** The same picture with at most 256 colours. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, rgb } = readPng(png);
  const { palette, placeOf } = paletteOf(rgb);
  const rows = new Uint8Array((width + 1) * height);
  for (let at = 0; at < width * height; at += 1) {
    const color = ((rgb[at * 3] ?? 0) << 16) | ((rgb[at * 3 + 1] ?? 0) << 8) | (rgb[at * 3 + 2] ?? 0);
    // Each row starts with the number of its filter: none, which is best for palettes.
    rows[at + Math.floor(at / width) + 1] = placeOf.get(color) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colors = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", colors),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
