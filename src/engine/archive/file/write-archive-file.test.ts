import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { BLOCK_BYTES } from "../blocks.ts";
import { type FileLayer, type OpenFile, nodeFileLayer } from "./file-layer.ts";
import { createTempDirectory } from "./file-store.fixture.ts";
import { fileStore } from "./file-store.ts";

interface Traffic {
  writtenBytes: number;
  readBytes: number;
}

/** The machine's files, counting what goes in and out. */
function countingFiles(traffic: Traffic): FileLayer {
  const counted = (file: OpenFile): OpenFile => ({
    stat: () => file.stat(),
    setTimes: (times) => file.setTimes(times),
    sync: () => file.sync(),
    close: () => file.close(),
    write: async (bytes) => {
      await file.write(bytes);
      traffic.writtenBytes += bytes.byteLength;
    },
    read: async (position, bytes) => {
      const read = await file.read(position, bytes);
      traffic.readBytes += read.byteLength;
      return read;
    },
  });
  return {
    ...nodeFileLayer,
    create: async (path) => counted(await nodeFileLayer.create(path)),
    open: async (path) => counted(await nodeFileLayer.open(path)),
  };
}

describe("a content of 100 MB", () => {
  it("is never more than a few blocks ahead of the disk, and a range of it is read without the rest", async () => {
    const traffic: Traffic = { writtenBytes: 0, readBytes: 0 };
    const store = fileStore(createTempDirectory(), { files: countingFiles(traffic) });
    let givenBytes = 0;
    let aheadBytes = 0;
    const content = function* (): Generator<Uint8Array> {
      for (let index = 0; index < 1_000; index++) {
        // Noise, so that what is written is as long as what was given.
        const piece = randomBytes(100_000);
        givenBytes += piece.byteLength;
        aheadBytes = Math.max(aheadBytes, givenBytes - traffic.writtenBytes);
        yield piece;
      }
    };
    const { entry } = await store.put("a", content());
    expect(entry.bytes).toBe(100_000_000);
    expect(aheadBytes).toBeLessThan(6 * BLOCK_BYTES);

    const read = await store.getRange("a", entry.hash, 50_000_000, 50_000_010);
    expect(read?.bytes.byteLength).toBe(10);
    expect(traffic.readBytes).toBeLessThan(2 * BLOCK_BYTES);
  });
});
