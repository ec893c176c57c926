import { describe, expect, it } from "vitest";
import { decodeUtf8 } from "./decode-utf8.ts";

describe("decodeUtf8", () => {
  it("decodes every length of sequence", () => {
    const text = "aé€😀\u{10FFFF}\uD7FF\uE000";
    expect(decodeUtf8(new TextEncoder().encode(text))).toEqual({ ok: true, text });
  });

  it("keeps a byte order mark", () => {
    expect(decodeUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toEqual({ ok: true, text: "\uFEFFa" });
  });

  it.each([
    ["a lone continuation byte", [0x61, 0x80], 1],
    ["a byte that never occurs", [0x61, 0x62, 0xff], 2],
    ["an overlong form", [0xc0, 0xaf], 0],
    ["an overlong form of three bytes", [0x61, 0xe0, 0x80, 0xaf], 1],
    ["a surrogate", [0xe2, 0x82, 0xac, 0xed, 0xa0, 0x80], 3],
    ["a value past the last code point", [0xf4, 0x90, 0x80, 0x80], 0],
    ["a sequence that the end cuts off", [0x61, 0xf0, 0x9f, 0x98], 1],
    ["a sequence that another character cuts off", [0xe2, 0x82, 0x61], 0],
  ])("reports the offset of %s", (_, bytes, offset) => {
    const decoded = decodeUtf8(new Uint8Array(bytes));
    expect(decoded).toMatchObject({ ok: false, offset });
  });

  it("says which byte is wrong and what to do", () => {
    expect(decodeUtf8(new Uint8Array([0x61, 0x80]))).toMatchObject({
      message:
        "The bytes are not UTF-8: 0x80 at offset 1 does not start a valid character. Send the text as UTF-8, or binary data as base64.",
    });
  });
});
