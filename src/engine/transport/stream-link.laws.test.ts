import { PassThrough } from "node:stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { linesOf, looseGaps, looseValue, writeLoosely } from "../../../test/arbitrary/loose-json.ts";
import { StreamLink } from "./stream-link.ts";

/** What a link writes for these messages. */
function writtenFor(messages: readonly (Uint8Array | string)[]): Buffer {
  const output = new PassThrough();
  const link = new StreamLink({ input: new PassThrough(), output });
  for (const message of messages) link.send(message);
  link.close();
  return (output.read() as Buffer | null) ?? Buffer.alloc(0);
}

/** A message as a text, as bytes of its own, and as bytes out of a line that was read. */
const forms: readonly ((text: string) => Uint8Array | string)[] = [
  (text) => text,
  (text) => Buffer.from(text),
  (text) => new Uint8Array(Buffer.from(text)),
  (text) => Buffer.from(`${text}\n${"x".repeat(Buffer.poolSize)}`).subarray(0, Buffer.byteLength(text)),
];

describe("StreamLink", () => {
  it("writes one line for a message, whatever white space it holds, equal as JSON", () => {
    const sent = fc.array(fc.tuple(looseValue, looseGaps, fc.nat(forms.length - 1)), { maxLength: 4 });
    fc.assert(
      fc.property(sent, (messages) => {
        const written = writtenFor(
          messages.map(([value, gaps, form]) => forms[form]?.(writeLoosely({ value }, gaps)) ?? ""),
        ).toString();
        expect(linesOf(written).map((line) => (JSON.parse(line) as { value: unknown }).value)).toEqual(
          messages.map(([value]) => value),
        );
        expect(written.split("\n")).toHaveLength(messages.length + 1);
      }),
      lawRuns(1_000),
    );
  });

  it("writes what is on one line as the bytes that it is, JSON or not", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const line = Buffer.from(bytes.filter((byte) => ![0x0a, 0x0d, 0xc2, 0xe2].includes(byte)));
        expect(writtenFor([line])).toEqual(Buffer.concat([line, Buffer.from("\n")]));
      }),
      lawRuns(1_000),
    );
  });

  it("breaks nothing on bytes that are no JSON: they become one line", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const written = writtenFor([bytes]);
        expect(written.indexOf("\n")).toBe(written.length - 1);
        expect(written.includes("\r")).toBe(false);
      }),
      lawRuns(1_000),
    );
  });
});
