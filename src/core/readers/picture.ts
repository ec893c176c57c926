// The size of a picture in pixels, read from its header, and what it costs a model.

export interface Picture {
  readonly format: "png" | "jpeg" | "gif" | "webp";
  readonly width: number;
  readonly height: number;
}

/** A JPEG may have a preview of itself, or other data, in front of its size; more than this is not read. */
const MAX_HEADER_BYTES = 256 * 1024;

/** Undefined if the bytes are no base64, or no picture that models take. Never throws, and reads a bounded part. */
export function readPicture(base64: string): Picture | undefined {
  const bytes = isBase64(base64) ? bytesAt(base64, 0, MAX_HEADER_BYTES) : undefined;
  if (bytes === undefined || bytes.length < MIN_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view);
}

/** The shortest header with a size is that of a GIF. */
const MIN_BYTES = 10;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}

/** At least `length` bytes of a base64 text from a place on, if it has as many; the rest is not decoded. */
export function bytesAt(base64: string, from: number, length: number): Uint8Array {
  // Four digits are three bytes.
  const first = Math.floor(from / 3);
  const digits = base64.slice(first * 4, Math.ceil((from + length) / 3) * 4);
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)).subarray(from - first * 3);
}

export function textAt(view: DataView, at: number, length: number): string {
  if (at + length > view.byteLength) return "";
  return String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + index)));
}

function readPng(view: DataView): Picture | undefined {
  if (textAt(view, 0, 8) !== "\u0089PNG\r\n\u001A\n" || textAt(view, 12, 4) !== "IHDR") return undefined;
  if (view.byteLength < 24) return undefined;
  return { format: "png", width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): Picture | undefined {
  if (!/^GIF8[79]a$/.test(textAt(view, 0, 6))) return undefined;
  return { format: "gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Its three forms have their sizes at different places: lossy, lossless, and extended. */
function readWebp(view: DataView): Picture | undefined {
  if (textAt(view, 0, 4) !== "RIFF" || textAt(view, 8, 4) !== "WEBP" || view.byteLength < 30)
    return undefined;
  const form = textAt(view, 12, 4);
  const sizes: Readonly<Record<string, () => readonly [number, number]>> = {
    "VP8 ": () => [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff],
    VP8L: () => {
      const bits = view.getUint32(21, true);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    },
    VP8X: () => [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1],
  };
  const [width, height] = sizes[form]?.() ?? [];
  return width === undefined || height === undefined ? undefined : { format: "webp", width, height };
}

/** Walks from segment to segment until one that has the size. */
function readJpeg(view: DataView): Picture | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // Any number of these bytes may fill the space before a marker.
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return { format: "jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}

/** Start of frame, in all its codings; the three others of its range are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** What a family of models takes, by the documentation of its maker (2026-11). */
interface PictureLimits {
  /** Pixels a side. */
  readonly side?: number;
  /** Pixels a side in a request with more than `many` pictures. */
  readonly sideOfMany?: number;
  readonly many?: number;
  /** Characters of base64. */
  readonly base64?: number;
  /** Pixels a side above which the model sees no more of a picture, or pays for what it seldom needs. */
  readonly enough: number;
  readonly tokens: (picture: Picture) => number;
}

const MIB = 1024 * 1024;

/** `any` is for clients whose user chooses the model: the strictest of all. */
const pictureFamilies = {
  // Scaled to at most 1,568 pixels a side and about 1,600 tokens; a token is 750 pixels.
  claude: {
    side: 8_000,
    sideOfMany: 2_000,
    many: 20,
    base64: 5 * MIB,
    enough: 1_568,
    tokens: ({ width, height }) => {
      const scale = Math.min(1, 1_568 / Math.max(width, height));
      return Math.min(1_600, Math.ceil((width * scale * height * scale) / 750));
    },
  },
  // Scaled into a square of 2,048, then to 768 at the shorter side; 85 tokens, and 170 for each tile of 512.
  openai: {
    base64: 20 * MIB,
    enough: 2_048,
    tokens: ({ width, height }) => {
      const inSquare = Math.min(1, 2_048 / Math.max(width, height));
      const scale = inSquare * Math.min(1, 768 / (Math.min(width, height) * inSquare));
      return 85 + 170 * tiles(width * scale, height * scale, 512);
    },
  },
  // 258 tokens for a small picture, and for each tile of 768; two tiles a side are enough.
  gemini: {
    base64: 20 * MIB,
    enough: 1_536,
    tokens: ({ width, height }) => (Math.max(width, height) <= 384 ? 258 : 258 * tiles(width, height, 768)),
  },
} as const satisfies Readonly<Record<string, PictureLimits>>;

function tiles(width: number, height: number, side: number): number {
  return Math.ceil(width / side) * Math.ceil(height / side);
}

export type PictureFamily = keyof typeof pictureFamilies | "any";

const strictest: PictureLimits = {
  ...pictureFamilies.claude,
  tokens: (picture) => Math.max(...Object.values(pictureFamilies).map(({ tokens }) => tokens(picture))),
};

function limitsOf(family: PictureFamily): PictureLimits {
  return family === "any" ? strictest : pictureFamilies[family];
}

/** The tokens of a picture for a family of models. */
export function pictureTokens(picture: Picture, family: PictureFamily): number {
  return limitsOf(family).tokens(picture);
}

/** Why models of a family refuse a picture, in words; undefined if they take it. `amount`: pictures of the result. */
export function whyRefused(
  picture: Picture | undefined,
  base64Length: number,
  amount: number,
  family: PictureFamily,
): string | undefined {
  const { side = Number.POSITIVE_INFINITY, sideOfMany = side, many = amount, ...limits } = limitsOf(family);
  if (picture === undefined) return "its bytes are no PNG, JPEG, GIF or WebP";
  const { width, height } = picture;
  const size = `${saySize(picture)} pixels`;
  if (width === 0 || height === 0) return `it has ${size}`;
  const longest = Math.max(width, height);
  if (longest > side) return `${size}, more than ${count(side)} a side`;
  if (amount > many && longest > sideOfMany)
    return `${size}, more than ${count(sideOfMany)} a side among more than ${many} pictures`;
  const { base64: most = base64Length } = limits;
  return base64Length > most
    ? `${count(base64Length)} characters of base64, more than ${count(most)}`
    : undefined;
}

/** The sides to which a picture is scaled, below what is enough for a family. A smaller one would show too little. */
const smallerSides = [1_024, 768, 512];

/** A picture scaled down for a family of models. */
export interface SmallerPicture extends Picture {
  /** At most so many pixels a side. */
  readonly side: number;
  /** At most so many bytes. */
  readonly bytes: number;
}

/** What a picture is scaled to, at most `most` pixels a side; undefined if no side is smaller than its own. */
export function smallerPicture(
  { format, width, height }: Picture,
  most: number,
  family: PictureFamily,
): SmallerPicture | undefined {
  const { enough, base64 = Number.POSITIVE_INFINITY } = limitsOf(family);
  const longest = Math.max(width, height);
  const side = [enough, ...smallerSides].find((each) => each <= most && each < longest);
  if (side === undefined || Math.min(width, height) === 0) return undefined;
  const scaled = (length: number): number => Math.max(1, Math.round((length * side) / longest));
  return {
    format,
    width: scaled(width),
    height: scaled(height),
    side,
    bytes: Math.floor(base64 / 4) * 3,
  };
}

/** Such as "9,000 × 9,000". */
export function saySize({ width, height }: Picture): string {
  return `${count(width)} × ${count(height)}`;
}

function count(amount: number): string {
  return amount.toLocaleString("en-US");
}
