import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeUtf8 } from "./decode-utf8.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

describe("decodeUtf8", () => {
  it("decodes what TextEncoder encodes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(decodeUtf8(new TextEncoder().encode(text))).toEqual({ ok: true, text });
      }),
      lawRuns(2_000),
    );
  });

  it("reports an offset that splits the bytes into a good start and a bad rest", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const decoded = decodeUtf8(bytes);
        if (decoded.ok) return;
        expect(decodeUtf8(bytes.slice(0, decoded.offset)).ok).toBe(true);
        expect(decodeUtf8(bytes.slice(decoded.offset))).toMatchObject({ ok: false, offset: 0 });
      }),
      lawRuns(5_000),
    );
  });
});
