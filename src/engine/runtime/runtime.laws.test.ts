import { createHash } from "node:crypto";
import { isIP } from "node:net";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { isAddress } from "../../core/text/network-address.ts";
import { byteLength, portableBase64, portableByteLength } from "./byte-length.ts";
import { portableSha256, sha256Hex, sha256OfMany, utf16Bytes } from "./sha256-hex.ts";

const nodeSha256 = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex");
const anyText = fc.string({ unit: "binary", maxLength: 300 });

describe("what replaces Node's own on other runtimes", () => {
  it("hashes as Node does, at every length around a block", async () => {
    for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1_000, 70_000]) {
      const bytes = new Uint8Array(length).map((_, index) => (index * 31) % 251);
      expect(portableSha256(bytes)).toBe(nodeSha256(bytes));
      expect(await sha256OfMany(bytes)).toBe(nodeSha256(bytes));
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(portableSha256(bytes)).toBe(nodeSha256(bytes));
        expect(sha256Hex(bytes)).toBe(nodeSha256(bytes));
      }),
      lawRuns(1_000),
    );
  });

  it("counts the bytes of any text as Node does, lone surrogates too", () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 50 });
    fc.assert(
      fc.property(units, anyText, (codes, text) => {
        const broken = String.fromCharCode(...codes);
        expect(portableByteLength(broken)).toBe(Buffer.byteLength(broken));
        expect(portableByteLength(text)).toBe(byteLength(text));
        expect(Buffer.from(utf16Bytes(broken))).toEqual(Buffer.from(broken, "utf16le"));
      }),
      lawRuns(1_000),
    );
  });

  it("reads base64 as Node does, whatever else is in it", () => {
    const noise = fc.string({ unit: fc.constantFrom(...Array.from("ABCxyz019+/-_=\n !é")), maxLength: 40 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), noise, (bytes, text) => {
        const written = Buffer.from(bytes).toString("base64");
        expect([...portableBase64(written)]).toEqual([...bytes]);
        expect([...portableBase64(text)]).toEqual([...Buffer.from(text, "base64")]);
      }),
      lawRuns(1_000),
    );
  });

  it("knows an address from another text as Node does", () => {
    const nearly = fc.string({
      unit: fc.constantFrom(...Array.from("0123456789abf:.:%g[] ")),
      maxLength: 24,
    });
    const address = fc.oneof(fc.ipV4(), fc.ipV6(), nearly);
    fc.assert(
      fc.property(address, (text) => {
        expect(isAddress(text)).toBe(isIP(text) !== 0);
      }),
      lawRuns(2_000),
    );
  });
});
