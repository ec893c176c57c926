import { describe, expect, it } from "vitest";
import { diffLines } from "./show-diff.ts";

const show = (before: string, after: string): string =>
  diffLines(before, after)
    .map((line) => (line === undefined ? "…" : `${{ same: " ", old: "-", new: "+" }[line.kind]}${line.text}`))
    .join("|");

describe("the difference of two texts", () => {
  it("shows what went and what came, with two lines around it", () => {
    expect(show("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nD\nD2\ne\nf\n")).toBe(" b| c|-d|+D|+D2| e| f");
  });

  it("goes on after a line that tells something, but not after a bracket", () => {
    expect(show("a\n[first table]\nb", "A\n[first table]\nB")).toBe("-a|+A| [first table]|-b|+B");
    expect(show("a\n}\nb", "A\n}\nB")).toBe("-a|-}|-b|+A|+}|+B");
  });

  it("leaves out what lies between two changes", () => {
    const lines = Array.from({ length: 20 }, (_, at) => `l${at}`);
    const changed = lines.map((line) => (line === "l3" || line === "l15" ? line.toUpperCase() : line));
    expect(show(lines.join("\n"), changed.join("\n"))).toBe(
      " l1| l2|-l3|+L3| l4| l5|…| l13| l14|-l15|+L15| l16| l17",
    );
  });

  it("is empty for equal texts, and whole for texts that have nothing in common", () => {
    expect(show("a\nb", "a\nb")).toBe("");
    expect(show("a\nb", "c")).toBe("-a|-b|+c");
  });
});
