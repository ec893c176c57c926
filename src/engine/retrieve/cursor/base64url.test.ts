import { describe, expect, test } from "vitest";
import { fromBase64url, toBase64url } from "./base64url.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("base64url", () => {
  test.each([
    ["", ""],
    ["f", "Zg"],
    ["fo", "Zm8"],
    ["foo", "Zm9v"],
    ["foob", "Zm9vYg"],
    ["fooba", "Zm9vYmE"],
    ["foobar", "Zm9vYmFy"],
  ])("writes the RFC 4648 vector %j as %j without padding, and reads it back", (plain, encoded) => {
    expect(toBase64url(bytes(plain))).toBe(encoded);
    expect(fromBase64url(encoded)).toEqual(bytes(plain));
  });

  test("uses the URL-safe alphabet for the last two sextets", () => {
    expect(toBase64url(Uint8Array.of(0xfb, 0xff))).toBe("-_8");
  });

  test.each(["Z", "Zh", "Zm9", "Zg==", "Zm+v", "Zm/v", "Zm 9", "Zm9é", "Zm9v\n"])("refuses %j", (text) => {
    expect(fromBase64url(text)).toBeUndefined();
  });
});
