import { readFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCounter } from "./create-counter.ts";
import { findVocabulary, readCounter } from "./read-counter.ts";
import { bytesOfVocabulary } from "./token-counter.ts";

const file = readFileSync(findVocabulary("cl100k_base"));
const text = "Waybill counts the tokens of this sentence. ".repeat(20);
let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    if (url === "/cl100k_base.bin") response.end(file);
    else response.writeHead(404).end("not here");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => void server.close(resolve)));

describe("a vocabulary that is given", () => {
  it("counts the same from bytes, from an ArrayBuffer and from an address as from its file", async () => {
    const expected = readCounter("cl100k_base").count(text);
    const copy = new Uint8Array(file).buffer;
    for (const given of [new Uint8Array(file), copy, new URL(`${base}/cl100k_base.bin`)]) {
      const counter = createCounter("cl100k_base", await bytesOfVocabulary(given));
      expect(counter.count(text)).toBe(expected);
    }
  });

  it("is refused where the address has none, and where bytes are missing", async () => {
    await expect(bytesOfVocabulary(new URL(`${base}/nothing.bin`))).rejects.toThrow("HTTP 404");
    expect(() => createCounter("cl100k_base", new Uint8Array(file.subarray(0, 5_000)))).toThrow("incomplete");
  });
});
