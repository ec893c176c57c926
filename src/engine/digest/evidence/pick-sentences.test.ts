import { describe, expect, it } from "vitest";
import { isProseRange } from "./pick-sentences.ts";

function check(text: string): boolean {
  return isProseRange(text, 0, text.length);
}

describe("isProse", () => {
  it.each([
    "The committee met twice in the spring of 1998.",
    "“Nobody knew,” she said, “what it would cost.”",
    "委员会在春天开了两次会议，讨论预算。",
    "คณะกรรมการประชุมสองครั้งในฤดูใบไม้ผลิ",
    "समिति की बैठक वसंत में दो बार हुई।",
  ])("takes %s", (text) => {
    expect(check(text)).toBe(true);
  });

  it.each([
    ["a table row", "| name | count | share |"],
    ["a heading", "## What it does not do"],
    ["numbers", "12.4 13.9 18.2 44.0 1,203 17 % total"],
    ["code", "const total = items.map((item) => item.size);"],
    ["a link", "https://example.org/a/long/path/to/a/page"],
    ["a menu", "Home About Contact"],
  ])("leaves out %s", (_what, text) => {
    expect(check(text)).toBe(false);
  });
});
