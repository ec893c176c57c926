import { describe, expect, test } from "vitest";
import { utf16Shape } from "./charset.ts";

function littleEndian(text: string): Uint8Array {
  return new Uint8Array(Uint16Array.from(text, (letter) => letter.charCodeAt(0)).buffer);
}

describe("utf16Shape", () => {
  test.each(["Hello", "Привет, мир", "第一句話。\n第二句話。", "a\nb"])(
    "knows %j in either order",
    (text) => {
      const little = littleEndian(text);
      expect(utf16Shape(little)).toBe("utf-16le");
      const big = little.map((_, index) => little[index ^ 1] ?? 0);
      expect(utf16Shape(big)).toBe("utf-16be");
    },
  );

  test.each(["", "x", "Hello", "Bush hid the facts", "Hello wo\0rld", "Grüße\0 an alle"])(
    "does not see it in %j as UTF-8",
    (text) => {
      expect(utf16Shape(new TextEncoder().encode(text))).toBeUndefined();
    },
  );

  test("does not see it in numbers", () => {
    expect(utf16Shape(Uint8Array.from([1, 0, 2, 0, 3, 0, 4, 0]))).toBeUndefined();
  });
});
