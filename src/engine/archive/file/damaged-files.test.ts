import { randomBytes } from "node:crypto";
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ArchiveError, type ArchiveStore } from "../archive-store.ts";
import { collect } from "../store-subject.fixture.ts";
import { createTempDirectory, entryPath } from "./file-store.fixture.ts";
import { fileStore } from "./file-store.ts";

const json = JSON.stringify(Array.from({ length: 30_000 }, (_, id) => ({ id, name: `record ${id}` })));
const contents: readonly (readonly [string, Buffer])[] = [
  ["a short text", Buffer.from("short")],
  ["one compressed block", Buffer.from(json.slice(0, 50_000))],
  ["many compressed blocks", Buffer.from(json)],
  ["many plain blocks", randomBytes(600_000)],
];

/** What a read gave: the bytes, nothing, or the code it failed with. */
async function outcome(reading: Promise<{ bytes: Uint8Array } | undefined>): Promise<Uint8Array | string> {
  try {
    return (await reading)?.bytes ?? "MISS";
  } catch (error) {
    if (ArchiveError.isInstance(error)) return error.code;
    throw error;
  }
}

interface Subject {
  readonly store: ArchiveStore;
  readonly hash: string;
  readonly path: string;
}

async function setUp(content: Uint8Array): Promise<Subject> {
  const directory = createTempDirectory();
  const store = fileStore(directory);
  const { hash } = (await store.put("a", [content])).entry;
  return { store, hash, path: entryPath(directory, "a", hash) };
}

/** Reads in every way: what each gave, `RIGHT` for the right bytes. */
async function readEverything({ store, hash }: Subject, content: Buffer): Promise<string[]> {
  const middle = Math.floor(content.byteLength / 2);
  const ranges = [
    [0, 10],
    [middle, middle + 1_000],
    [0, content.byteLength],
  ] as const;
  const answers = [judge(await outcome(store.get("a", hash)), content)];
  for (const [start, end] of ranges) {
    answers.push(judge(await outcome(store.getRange("a", hash, start, end)), content.subarray(start, end)));
  }
  return answers;
}

function judge(found: Uint8Array | string, right: Buffer): string {
  if (typeof found === "string") return found;
  return right.equals(found) ? "RIGHT" : "WRONG";
}

/** Places worth breaking: around every edge of the format, and some between. */
function places(size: number): number[] {
  const edges = [
    0,
    7,
    8,
    9,
    20,
    size - 1,
    size - 4,
    size - 5,
    size - 8,
    size - 9,
    size - 12,
    size - 16,
    size - 17,
  ];
  const more = [size - 24, size - 25, size - 30, size - 60, size - 62, size - 70, size - 80];
  const between = Array.from({ length: 20 }, (_, index) => Math.floor((size * index) / 20));
  return [...new Set([...edges, ...more, ...between])].filter((place) => place >= 0 && place < size);
}

describe.each(contents)("a file of %s", (_, content) => {
  it("that was cut off anywhere is CORRUPT", async () => {
    const subject = await setUp(content);
    const whole = readFileSync(subject.path);
    for (const place of places(whole.byteLength)) {
      writeFileSync(subject.path, whole);
      truncateSync(subject.path, place);
      expect(new Set(await readEverything(subject, content))).toEqual(new Set(["CORRUPT"]));
    }
  });

  it("with a byte changed anywhere never gives wrong bytes, and CORRUPT for the whole unless only its head changed", async () => {
    const subject = await setUp(content);
    const whole = readFileSync(subject.path);
    for (const place of places(whole.byteLength)) {
      for (const bit of [0x01, 0x80]) {
        const changed = Buffer.from(whole);
        changed.writeUInt8(changed.readUInt8(place) ^ bit, place);
        writeFileSync(subject.path, changed);
        const answers = await readEverything(subject, content);
        expect(answers).not.toContain("WRONG");
        expect([place, answers[0]]).toEqual([place, place < 8 ? "RIGHT" : "CORRUPT"]);
      }
    }
  });

  it("with bytes added, repeated or taken out is CORRUPT", async () => {
    const subject = await setUp(content);
    const whole = readFileSync(subject.path);
    const half = Math.floor(whole.byteLength / 2);
    const variants = [
      Buffer.concat([whole, Buffer.from("x")]),
      Buffer.concat([whole, whole]),
      Buffer.concat([Buffer.from("x"), whole]),
      Buffer.concat([whole.subarray(0, half), whole.subarray(half + 1)]),
      Buffer.alloc(whole.byteLength),
      Buffer.alloc(0),
    ];
    for (const variant of variants) {
      writeFileSync(subject.path, variant);
      expect(new Set(await readEverything(subject, content))).toEqual(new Set(["CORRUPT"]));
    }
  });
});

describe("a damaged file", () => {
  it("that holds another entry's whole file is CORRUPT", async () => {
    const directory = createTempDirectory();
    const store = fileStore(directory);
    const mine = (await store.put("a", ["mine"])).entry.hash;
    const other = (await store.put("a", ["other"])).entry.hash;
    writeFileSync(entryPath(directory, "a", mine), readFileSync(entryPath(directory, "a", other)));
    await expect(store.get("a", mine)).rejects.toMatchObject({ code: "CORRUPT" });
  });

  it("that claims to be huge takes no memory for it", async () => {
    const { store, hash, path } = await setUp(Buffer.from("short"));
    const bytes = readFileSync(path);
    bytes.writeUInt32LE(0xffff_ffff, bytes.byteLength - 16);
    writeFileSync(path, bytes);
    await expect(store.get("a", hash)).rejects.toMatchObject({ code: "CORRUPT" });
  });

  it("is passed over by a listing, still counted by a sweep, and named by find", async () => {
    const { store, hash, path } = await setUp(Buffer.from("short"));
    await store.put("a", ["sound"]);
    truncateSync(path, 3);
    expect(statSync(path).size).toBe(3);
    expect(await collect(store.list("a"))).toHaveLength(1);
    expect(await store.sweep()).toMatchObject({ entries: 2 });
    await expect(store.find("a", hash)).rejects.toMatchObject({ code: "CORRUPT" });
  });
});
