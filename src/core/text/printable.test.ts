import { describe, expect, it } from "vitest";
import { lineCleaner } from "../../engine/transport/relay-lines.ts";
import { printable } from "./say-name.ts";

describe("a text of a stranger", () => {
  it.each([
    ["the Arabic letter mark", "\u{61c}", "\\u061c"],
    ["a mark of direction", "\u{200f}", "\\u200f"],
    ["a change of direction", "\u{202e}", "\\u202e"],
    ["a joiner without width", "\u{200b}", "\\u200b"],
    ["a byte order mark", "\u{feff}", "\\ufeff"],
    ["an invisible tag", "\u{e0041}", "\\udb40\\udc41"],
    ["a line end", "\u{2028}", "\\u2028"],
    ["a control character", "\u{1b}", "\\u001b"],
  ])("shows %s as an escape", (_name, character, escape) => {
    expect(printable(`a${character}b`)).toBe(`a${escape}b`);
    expect(lineCleaner()(`a${character}b`)).toBe(`a${escape}b`);
  });

  it("is the same JSON afterwards", () => {
    const json = JSON.stringify({ said: "a\u{61c}b\u{e0041}c" });
    expect(JSON.parse(printable(json))).toEqual(JSON.parse(json));
  });

  it("keeps letters, accents and pictures as they are", () => {
    const text = "Straße, e\u0301, 汉字, شكر, 😀";
    expect(printable(text)).toBe(text);
  });
});
