import { describe, expect, it } from "vitest";
import type { OversizedMessage } from "./link.ts";
import { MessageLines } from "./stream-link.ts";

function read(chunks: readonly (string | Buffer)[], maxBytes = 1_000) {
  const messages: string[] = [];
  const oversized: OversizedMessage[] = [];
  const lines = new MessageLines(maxBytes, {
    message: (bytes) => messages.push(bytes.toString()),
    oversized: (message) => oversized.push(message),
  });
  for (const chunk of chunks) lines.push(Buffer.from(chunk as string));
  return { messages, oversized, unfinishedBytes: lines.unfinishedBytes };
}

describe("lines", () => {
  it("become messages, however their bytes are cut into chunks", () => {
    const text = '{"a":"ä€𝄞"}\n{"b":2}\r\n\n\r\n{"c":3}\n{"half';
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length; size += 1) {
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      const { messages, oversized, unfinishedBytes } = read(chunks);
      expect(messages).toEqual(['{"a":"ä€𝄞"}', '{"b":2}', '{"c":3}']);
      expect(oversized).toEqual([]);
      expect(unfinishedBytes).toBe(6);
    }
  });

  it("inside one chunk are handed over without a copy", () => {
    const chunk = Buffer.from('{"a":1}\n');
    const heard: Buffer[] = [];
    new MessageLines(100, { message: (bytes) => heard.push(bytes), oversized: () => undefined }).push(chunk);
    expect(heard[0]?.buffer).toBe(chunk.buffer);
  });
});

describe("a line over the limit", () => {
  const filler = "x".repeat(20_000);

  it.each([
    ["with its id at the end", `{"result":{"t":"${filler}"},"jsonrpc":"2.0","id":7}`, "7", true],
    ["with its id in front", `{"jsonrpc":"2.0","id":"a-1","result":{"t":"${filler}"}}`, '"a-1"', true],
    ["with its version last", `{"error":{"message":"${filler}"},"id":7,"jsonrpc":"2.0"}`, "7", true],
    ["that asks something", `{"method":"x","params":{"t":"${filler}"},"jsonrpc":"2.0","id":7}`, "7", false],
    ["that tells something", `{"method":"notifications/x","params":{"t":"${filler}"}}`, undefined, false],
    ["in an order of its own", `{"x":"${filler}","result":{},"id":7,"y":"z"}`, undefined, true],
    ["that is no message", filler, undefined, false],
  ])("%s is dropped but for what its ends say", (_, line, rawId, isResponse) => {
    for (const size of [100, 4_096, 5_000, 100_000]) {
      const bytes = Buffer.from(`${line}\n{"next":1}\n`);
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      const { messages, oversized } = read(chunks);
      expect(oversized).toEqual([{ bytes: line.length, rawId, isResponse }]);
      expect(messages).toEqual(['{"next":1}']);
    }
  });

  it("keeps no more than its ends while it comes in", () => {
    let told: OversizedMessage | undefined;
    const lines = new MessageLines(1_000, { message: () => undefined, oversized: (each) => (told = each) });
    const chunk = Buffer.alloc(65_536, "x");
    for (let count = 0; count < 1_000; count += 1) lines.push(chunk);
    expect(lines.unfinishedBytes).toBe(65_536_000);
    lines.push(Buffer.from("\n"));
    expect(told).toEqual({ bytes: 65_536_000, rawId: undefined, isResponse: false });
  });
});
