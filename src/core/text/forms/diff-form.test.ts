import { describe, expect, test } from "vitest";
import { readDiff } from "./diff-form.ts";
import { isSure, readForm, readSample } from "./forms.fixture.ts";
import { DECORATION, FIRST, ORDINARY, STRUCTURE } from "./text-form.ts";

const text = readSample("test/fixtures/forms/git-diff.txt");

describe("readDiff", () => {
  const form = readForm(readDiff, text);

  test("puts every change under the head of its hunk, and that under its file", () => {
    expect(form.kind).toBe("diff");
    const [file, hunk] = form.above('+"waybill": patch');
    expect(file).toMatch(/^diff --git a\/\.changeset\/marks/);
    expect(hunk).toBe("@@ -0,0 +1,5 @@");
  });

  test("ranks files before hunks, hunks before changes, changes before what is around them", () => {
    expect(form.ranked(FIRST)).toEqual(form.lines.filter((line) => line.startsWith("diff --git ")));
    const hunks = form.lines.filter((line) => line.startsWith("@@ "));
    expect(form.ranked(STRUCTURE)).toEqual(expect.arrayContaining(hunks));
    expect(form.ranked(STRUCTURE)).toContain("new file mode 100644");
    expect(form.ranked(ORDINARY).every((line) => /^[+-]/.test(line))).toBe(true);
    expect(form.ranked(DECORATION)).toContain("--- /dev/null");
  });

  test("takes a changed line of dashes or pluses for a change", () => {
    const dashes = readForm(
      readDiff,
      [
        "--- a/x.md",
        "+++ b/x.md",
        "@@ -1,3 +1,3 @@",
        " a",
        "--- old",
        "+++ new",
        " b",
        "--- a/y.md",
        "+++ b/y.md",
        "@@ -1 +1 @@",
        "-c",
        "+d",
      ].join("\n"),
    );
    expect(dashes.above("--- old")).toEqual(["--- a/x.md", "@@ -1,3 +1,3 @@"]);
    expect(dashes.above("+++ new")).toEqual(["--- a/x.md", "@@ -1,3 +1,3 @@"]);
    expect(dashes.above("+d")).toEqual(["--- a/y.md", "@@ -1 +1 @@"]);
    expect(dashes.ranked(FIRST)).toEqual(["--- a/x.md", "+++ b/x.md", "--- a/y.md", "+++ b/y.md"]);
  });

  test("puts files under their commit", () => {
    const patch = text.split("\n").slice(0, 12).join("\n");
    const log = readForm(readDiff, `commit ${"a1".repeat(20)}\nAuthor: A\n\n    Say it\n\n${patch}\n`);
    expect(log.above("diff --git")).toEqual([`commit ${"a1".repeat(20)}`]);
    expect(log.above("Say it")).toEqual([`commit ${"a1".repeat(20)}`]);
  });

  test("knows the diff of a merge", () => {
    const merge = [
      "diff --cc a.ts",
      "index 1,2..3",
      "--- a/a.ts",
      "+++ b/a.ts",
      "@@@ -1,3 -1,3 +1,4 @@@",
      "  const a = 1;",
      "- const b = 2;",
      " -const b = 3;",
      "++const b = 5;",
      "diff --cc b.ts",
      "--- a/b.ts",
    ].join("\n");
    const merged = readForm(readDiff, merge);
    expect(merged.above("++const b = 5;")).toEqual(["diff --cc a.ts", "@@@ -1,3 -1,3 +1,4 @@@"]);
    expect(merged.ranked(ORDINARY)).toEqual(["- const b = 2;", "-const b = 3;", "++const b = 5;"]);
  });

  test("knows half a diff", () => {
    expect(isSure(readDiff, text.slice(0, text.length / 2))).toBe(true);
  });

  test.each([
    "README.md",
    "src/core/text/forms/diff-form.ts",
    "deploy/kubernetes.yaml",
    "test/fixtures/forms/page.html",
  ])("is not sure of %s", (path) => {
    expect(isSure(readDiff, readSample(path))).toBe(false);
  });

  test("is not sure of a text with a small diff in it", () => {
    const prose = "What follows is explained here, in a line of its own.\n".repeat(40);
    expect(isSure(readDiff, `${prose}${text.split("\n").slice(0, 11).join("\n")}`)).toBe(false);
  });
});
