import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { makePng } from "../../core/readers/made-picture.fixture.ts";
import { readPicture } from "../../core/readers/picture.ts";
import { pictureScaler } from "./scale-picture.ts";
import { readFileSync } from "node:fs";

const MIB = 1024 * 1024;
const warned: string[] = [];
const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: (event: string) => void warned.push(event), error: ignore };

const scale = (base64: string, side: number, bytes = MIB) => pictureScaler(log)(base64, { side, bytes });
const sizeOf = (made: { readonly base64: string } | undefined) => readPicture(made?.base64 ?? "");

describe("a picture that is scaled", () => {
  it("keeps its proportions and, as PNG, its sharp edges; equal pictures give equal bytes", async () => {
    const made = await scale(makePng(3_000, 1_000), 512);
    expect(made?.mimeType).toBe("image/png");
    expect(sizeOf(made)).toEqual({ format: "png", width: 512, height: 171 });
    expect(await scale(makePng(3_000, 1_000), 512)).toEqual(made);
  });

  it("becomes a JPEG where a PNG would have too many bytes, and nothing where a JPEG would too", async () => {
    const noise = makePng(700, 700, true);
    const made = await scale(noise, 512, 200_000);
    expect(made?.mimeType).toBe("image/jpeg");
    expect(sizeOf(made)).toEqual({ format: "jpeg", width: 512, height: 512 });
    expect(Buffer.from(made?.base64 ?? "", "base64").length).toBeLessThanOrEqual(200_000);
    expect(await scale(noise, 512, 1_000)).toBeUndefined();
  });

  it("stays a JPEG if it is one, is turned upright, and has none of its metadata", async () => {
    const photo = await sharp(Buffer.from(makePng(900, 300), "base64"))
      .withExif({ IFD0: { Artist: "Ada" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const made = await scale(photo.toString("base64"), 300);
    expect(sizeOf(made)).toEqual({ format: "jpeg", width: 100, height: 300 });
    const { exif, orientation } = await sharp(Buffer.from(made?.base64 ?? "", "base64")).metadata();
    expect([exif, orientation]).toEqual([undefined, undefined]);
  });

  it.each(["gif", "webp"] as const)(
    "is a still PNG of a %s, and what it lets through stays so",
    async (format) => {
      const clear = sharp(Buffer.from(makePng(60, 60), "base64")).ensureAlpha(0.5);
      const made = await scale((await clear.toFormat(format).toBuffer()).toString("base64"), 30);
      expect(made?.mimeType).toBe("image/png");
      const { hasAlpha, width } = await sharp(Buffer.from(made?.base64 ?? "", "base64")).metadata();
      expect([hasAlpha, width]).toEqual([true, 30]);
    },
  );
});

describe("a picture that cannot be scaled", () => {
  it.each([
    ["is broken", makePng(200, 200, true).slice(0, 4_000)],
    ["is a header alone", makePng(2_000, 2_000).slice(0, 44)],
  ])("gives nothing if it %s, and the log says so", async (_, base64) => {
    warned.length = 0;
    expect(await scale(base64, 100)).toBeUndefined();
    expect(warned).toEqual(["picture-not-scaled"]);
  });

  it.each([
    ["has more pixels than are decoded", makePng(20_000, 5_001)],
    ["is a drawing in words", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64")],
    ["is no base64", "not base64!"],
  ])("is not decoded if it %s", async (_, base64) => {
    warned.length = 0;
    const load = () => Promise.reject(new Error("nobody asks for it"));
    expect(await pictureScaler(log, load)(base64, { side: 100, bytes: MIB })).toBeUndefined();
    expect(warned).toEqual([]);
  });

  it("gives nothing without sharp, and the log is silent", async () => {
    warned.length = 0;
    const without = pictureScaler(log, () => Promise.resolve(undefined));
    expect(await without(makePng(90, 90), { side: 10, bytes: MIB })).toBeUndefined();
    expect(warned).toEqual([]);
  });

  it("gives nothing once the time of its result is over", async () => {
    warned.length = 0;
    const scaler = pictureScaler(log, undefined, 0);
    expect(await scaler(makePng(90, 90), { side: 10, bytes: MIB })).toBeUndefined();
    expect(warned).toEqual(["picture-not-scaled"]);
  });
});

it("sharp is an optional peer in the version that the tests run with, and the pages name it", () => {
  const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
  const manifest = JSON.parse(read("package.json")) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const version = manifest.devDependencies["sharp"] ?? "";
  expect(manifest).toMatchObject({
    peerDependencies: { sharp: `^${version}` },
    peerDependenciesMeta: { sharp: { optional: true } },
  });
  expect(manifest).not.toHaveProperty("dependencies.sharp");
  for (const file of ["deploy/Dockerfile", "docs/install.md", "docs/fit.md"])
    expect(read(file)).toContain(`sharp@${version}`);
});
