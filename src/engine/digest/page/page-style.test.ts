import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { pageStyle, pageStyleHash } from "./digest-page.ts";

/** The colours of a scheme by name. */
function coloursOf(block: string): ReadonlyMap<string, string> {
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const [light = "", dark = ""] = [...pageStyle.matchAll(/:root \{([^}]*)\}/g)].map(([, block]) => block);

describe("the style of the page", () => {
  it("has the hash that the page's policy lets in", () => {
    expect(pageStyleHash).toBe(`sha256-${createHash("sha256").update(pageStyle).digest("base64")}`);
  });

  it.each([
    ["light", light],
    ["dark", dark],
  ])("can be read in the %s scheme: contrast of 4.5 and more", (_, block) => {
    const colours = coloursOf(block);
    const pairs = [
      ["ink", "paper"],
      ["ink", "panel"],
      ["ink", "tint"],
      ["ink", "tint-strong"],
      ["quiet", "paper"],
      ["accent", "paper"],
      ["paper", "accent"],
    ] as const;
    const weak = pairs.filter(
      ([one, other]) => contrast(colours.get(one) ?? "#000000", colours.get(other) ?? "#000000") < 4.5,
    );
    expect(weak).toEqual([]);
  });

  it("asks for nothing from elsewhere", () => {
    expect(pageStyle).not.toMatch(/url\(|@import|@font-face/);
  });
});
