import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CliIo } from "../cli-io.ts";
import { tempFiles } from "../temp-files.fixture.ts";
import { MAX_INPUT_BYTES, readInput } from "./read-input.ts";

function ioOf(cwd: string, ...chunks: (string | Uint8Array)[]): CliIo {
  const sink = { write: () => undefined };
  const stdin = (async function* () {
    yield* chunks;
  })();
  return {
    stdin,
    stdout: sink,
    stderr: sink,
    env: {},
    cwd,
    isTTY: { stdin: false, stdout: false, stderr: false },
  };
}

describe("readInput", () => {
  it("reads a file relative to the working directory, byte by byte", async () => {
    const cwd = tempFiles({ "a.json": Uint8Array.of(0xef, 0xbb, 0xbf, 0x31) });
    const { name, bytes } = await readInput("a.json", ioOf(cwd));
    expect(name).toBe("a.json");
    expect([...bytes]).toEqual([0xef, 0xbb, 0xbf, 0x31]);
  });

  it("joins the chunks of stdin", async () => {
    const { name, bytes } = await readInput("-", ioOf("/", "[1,", Uint8Array.of(0x32, 0x5d)));
    expect(name).toBe("stdin");
    expect(Buffer.from(bytes).toString()).toBe("[1,2]");
  });

  it("allows 64 MiB", () => {
    expect(MAX_INPUT_BYTES).toBe(67_108_864);
  });

  it("takes an input of the limit and refuses one byte more, whichever way it comes", async () => {
    const cwd = tempFiles({ "five.json": "12345" });
    expect((await readInput("five.json", ioOf(cwd), 5)).bytes).toHaveLength(5);
    for (const from of ["five.json", "-"]) {
      const refused = readInput(from, ioOf(cwd, "123", "45"), 4);
      await expect(refused).rejects.toMatchObject({
        exitCode: 2,
        errorCode: "TOO_LARGE",
        message: /is larger than 4 bytes/,
      });
    }
  });

  it("says the limit in few digits", async () => {
    const refused = readInput("-", ioOf("/", "x".repeat(2_000_000)), 1_887_436);
    await expect(refused).rejects.toMatchObject({ message: "stdin is larger than 1.8 MiB." });
  });

  it("stops reading an endless stdin at the limit", async () => {
    let given = 0;
    const stdin = (async function* () {
      for (;;) {
        given++;
        yield "x".repeat(100);
      }
    })();
    await expect(readInput("-", { ...ioOf("/"), stdin }, 1000)).rejects.toMatchObject({
      errorCode: "TOO_LARGE",
    });
    expect(given).toBe(11);
  });

  it.each([
    ["nope.json", "NOT_FOUND", /there is no such file/],
    [".", "INVALID_PATH", /it is a directory/],
    ["a.json/b", "INVALID_PATH", /a part of the path is a file/],
  ])("refuses %s with a reason", async (file, errorCode, message) => {
    const cwd = tempFiles({ "a.json": "1" });
    await expect(readInput(file, ioOf(cwd))).rejects.toMatchObject({ exitCode: 2, errorCode, message });
  });

  it("says any other reason by its code", async () => {
    const long = "x".repeat(300);
    await expect(readInput(long, ioOf("/tmp"))).rejects.toMatchObject({
      exitCode: 2,
      message: /ENAMETOOLONG/,
    });
  });

  // Root reads everything, so there is nothing to see for it.
  it.skipIf(process.getuid?.() === 0)("refuses a file without permission", async () => {
    const cwd = tempFiles({ "a.json": "1" });
    chmodSync(join(cwd, "a.json"), 0o000);
    await expect(readInput("a.json", ioOf(cwd))).rejects.toMatchObject({ errorCode: "FORBIDDEN" });
  });
});
