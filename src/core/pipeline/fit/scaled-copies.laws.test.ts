import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { bytesFor, pictureIn } from "../../readers/bytes-for.ts";
import { readPicture } from "../../readers/picture.ts";
import { readerChosen } from "../../readers/readers.ts";
import { partOf } from "../parcel.ts";
import type { FitContext, ScalePicture } from "../pipeline-context.ts";
import { runStages } from "../pipeline.ts";
import { TestArchive, contextWith, tokensOf } from "./fit-bench.fixture.ts";

/** The header of a PNG, which is all that is looked at here; `seed` makes pictures differ. */
function png(width: number, height: number, seed: number): string {
  const bytes = Buffer.alloc(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  bytes.write("IHDR", 12, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(seed, 29);
  return bytes.toString("base64");
}

/** Scales as sharp does, but for every tenth picture, which cannot be decoded. */
const scalePicture: ScalePicture = (base64, { side }) => {
  const { width = 0, height = 0 } = readPicture(base64) ?? {};
  const seed = Buffer.from(base64, "base64").readUInt32BE(29);
  const scaled = (length: number): number =>
    Math.max(1, Math.round((length * side) / Math.max(width, height)));
  const made = { base64: png(scaled(width), scaled(height), seed), mimeType: "image/png" };
  return Promise.resolve(seed % 10 === 0 ? undefined : made);
};

interface Setting {
  readonly tokens: number;
  readonly reader: string;
}

/** The blocks that are sent to a reader, measured as such a reader shows them. */
async function send(
  blocks: readonly JsonObject[],
  { tokens, reader }: Setting,
  scale: ScalePicture | undefined,
) {
  const archive = new TestArchive();
  const bytes = bytesFor(readerChosen(reader));
  const context = contextWith({ tokens, archive, fit: { bytes, scalePicture: scale } });
  const { render } = context.fit;
  const showTo: FitContext["showTo"] = (parcel) => ({ views: [render(parcel).texts], share: 0, times: 1 });
  const result = { content: blocks, structuredContent: { value: 1 } };
  const parcel = await runStages({ kind: "result", result }, { ...context, fit: { ...context.fit, showTo } });
  const sent = parcel.blocks ?? [];
  const pictures = sent.filter(({ type }) => type === "image");
  const weight = tokensOf(parcel, context) + (bytes?.tokens(sent) ?? 0);
  return { parcel, sent, pictures, weight, refused: bytes?.refused(pictures), archive };
}

const side = fc.oneof(fc.integer({ min: 1, max: 2_500 }), fc.integer({ min: 1, max: 12_000 }));
const size = fc.tuple(side, side);
const seed = fc.nat({ max: 1_000_000 });
const picture = fc.tuple(size, seed).map(([[width, height], made]) => pictureOf(png(width, height, made)));
const text = fc.lorem({ maxCount: 200 }).map((words) => ({ type: "text", text: words }));
const setting = fc.record({
  tokens: fc.integer({ min: 400, max: 12_000 }),
  reader: fc.constantFrom("claude-code", "codex", "gemini-cli", "opencode", "cline"),
});

function pictureOf(data: string): JsonObject {
  return { type: "image", mimeType: "image/png", data };
}

describe("pictures that are sent smaller", () => {
  test("never take a result over the budget, are taken by their models, and their originals are kept", async () => {
    let copies = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 4, arbitrary: picture }, text), { maxLength: 60, size: "max" }),
        setting,
        async (blocks: readonly JsonObject[], given) => {
          const { parcel, sent, weight, refused, archive } = await send(blocks, given, scalePicture);
          expect(weight).toBeLessThanOrEqual(given.tokens);
          expect(refused?.size).toBe(0);
          const entries = [...archive.contents.values()];
          const kept = entries.flatMap((one) => [one.toString("base64"), String(one)]).join("\n");
          for (const { type, data } of blocks) {
            const isSent = type !== "image" || sent.some((one) => one["data"] === data);
            expect(isSent || kept.includes(data as string)).toBe(true);
          }
          // Each copy has its original behind it.
          for (const [index, block] of sent.entries()) {
            if (pictureIn(block) === undefined || blocks.includes(block)) continue;
            copies += 1;
            expect(sent[index + 1]).toMatchObject({
              type: "resource_link",
              description: expect.stringMatching(/^Sent scaled from .* pixels; this is the original$/),
            });
            expect(partOf(parcel, "outcome").notes.fidelity?.level).not.toBe("full");
          }
          expect((await send(blocks, given, scalePicture)).sent).toEqual(sent);
        },
      ),
      lawRuns(1_000),
    );
    expect(copies).toBeGreaterThan(0);
  });

  test("are no fewer pictures than are sent without, as long as all can be decoded", async () => {
    let more = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(size, { minLength: 1, maxLength: 40, size: "max" }),
        setting,
        async (sizes, given) => {
          const blocks = sizes.map(([width, height], at) => pictureOf(png(width, height, 10 * at + 1)));
          const scaled = (await send(blocks, given, scalePicture)).pictures.length;
          const unscaled = (await send(blocks, given, undefined)).pictures.length;
          expect(scaled).toBeGreaterThanOrEqual(unscaled);
          if (scaled > unscaled) more += 1;
        },
      ),
      lawRuns(1_000),
    );
    expect(more).toBeGreaterThan(0);
  });
});
