// Scales pictures down with sharp, an optional peer. It is a native package, so this file is loaded on Node alone, with the
// first picture that is too large. What is decoded is bounded in pixels and time, and a picture at a time.

import type * as SharpModule from "sharp";
import type { ScalePicture } from "../../core/pipeline/pipeline-context.ts";
import { readPicture } from "../../core/readers/picture.ts";
import type { Log } from "../observe/log-event.ts";
import { withinDeadline } from "../runtime/deadline.ts";

type Sharp = (typeof SharpModule)["default"];

/** A picture of 10,000 pixels a side. */
const MAX_PIXELS = 100_000_000;
/** For all pictures of a result. */
const MAX_MS = 10_000;
/** The qualities of a JPEG, tried in this order until its bytes are few enough. */
const qualities = [85, 60];

type Limits = Parameters<ScalePicture>[1];
type Scaled = Awaited<ReturnType<ScalePicture>>;

let installed: Promise<Sharp | undefined> | undefined;

/** Undefined if it is not installed, or has no binary for this machine. */
function installedSharp(): Promise<Sharp | undefined> {
  installed ??= import("sharp").catch(() => undefined).then((found) => found?.default);
  return installed;
}

/** One picture at a time, over all calls: a hundred million pixels take hundreds of megabytes while they are read. */
let queue: Promise<unknown> = Promise.resolve();

/** Makes the function that scales the pictures of one result, all of them within the time. */
export function pictureScaler(
  log: Log,
  load: typeof installedSharp = installedSharp,
  mostMs: number = MAX_MS,
): ScalePicture {
  let endMs: number | undefined;
  return async (base64, limits) => {
    const picture = readPicture(base64);
    if (picture === undefined || picture.width * picture.height > MAX_PIXELS) return undefined;
    try {
      const sharp = await load();
      if (sharp === undefined) return undefined;
      endMs ??= performance.now() + mostMs;
      const end = endMs;
      const turn = queue.then(() => scaled(sharp, base64, limits, end - performance.now()));
      queue = turn.catch(() => undefined);
      return await withinDeadline(() => turn, {
        timeoutMs: Math.max(0, end - performance.now()),
        onTimeout: () => new Error("Scaling took too long."),
      });
    } catch (error) {
      log.warn("picture-not-scaled", { err: error });
      return undefined;
    }
  };
}

/** Graphics stay sharp as PNG, as far as their bytes are few enough; photos stay JPEG. Without metadata, turned upright. */
async function scaled(
  sharp: Sharp,
  base64: string,
  { side, bytes }: Limits,
  leftMs: number,
): Promise<Scaled> {
  if (leftMs <= 0) throw new Error("No time was left for scaling.");
  const bounds = { limitInputPixels: MAX_PIXELS, sequentialRead: true } as const;
  const { data, info } = await sharp(Buffer.from(base64, "base64"), bounds)
    .timeout({ seconds: Math.ceil(leftMs / 1_000) })
    .autoOrient()
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = { raw: { width: info.width, height: info.height, channels: info.channels } };
  if (readPicture(base64)?.format !== "jpeg") {
    const png = await sharp(data, pixels).png().toBuffer();
    if (png.length <= bytes) return { base64: png.toString("base64"), mimeType: "image/png" };
  }
  for (const quality of qualities) {
    const jpeg = await sharp(data, pixels).flatten({ background: "#fff" }).jpeg({ quality }).toBuffer();
    if (jpeg.length <= bytes) return { base64: jpeg.toString("base64"), mimeType: "image/jpeg" };
  }
  return undefined;
}
