import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stages } from "../../src/core/pipeline/pipeline.ts";

/** Stage names and what they do, as a page's picture lists them. */
function pictureOf(file: string): string[] {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const picture = /<!-- stages:begin -->([\s\S]*?)<!-- stages:end -->/.exec(text)?.[1] ?? "";
  const rows = [...picture.matchAll(/^ {2}(\w+) +((?:\S+ )*\S+) {2,}\S/gm)];
  return rows.map(([, name = "", does = ""]) => `${name}: ${does}`);
}

describe("the order of the stages", () => {
  const order = [
    "outcome: say what happened",
    "shape: keep what was asked for",
    "fit: keep what can be afforded",
    "archive: lose nothing",
    "dialect: say it in the agreed words",
    "deliver: hand it over",
  ];

  it("is pinned in the source", () => {
    expect(stages.map(({ name, does }) => `${name}: ${does}`)).toEqual(order);
  });

  it.each(["docs/lifecycle.md", "README.md"])("is drawn the same in %s", (file) => {
    expect(pictureOf(file)).toEqual(order);
  });
});
