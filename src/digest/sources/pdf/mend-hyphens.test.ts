import { describe, expect, test } from "vitest";
import { LINE_END_HYPHEN, mendHyphens } from "./mend-hyphens.ts";

const divided = (head: string, tail: string): string => `${head}-${LINE_END_HYPHEN}${tail}`;

describe("mendHyphens", () => {
  test("puts a word together that was divided at a line's end", () => {
    expect(mendHyphens([`the ${divided("infor", "mation")} is`])).toEqual(["the information is"]);
  });

  test("keeps the hyphen of a word that the document writes with one", () => {
    const pages = [`a ${divided("well", "known")} fact`, "Well-known facts"];
    expect(mendHyphens(pages)).toEqual(["a well-known fact", "Well-known facts"]);
  });

  test("leaves pages without divided words as they are", () => {
    const pages = ["a well-known fact"];
    expect(mendHyphens(pages)).toBe(pages);
  });

  test("takes its mark away after anything", () => {
    expect(
      mendHyphens([`x1-${LINE_END_HYPHEN}a`, `${"a".repeat(60)}-${LINE_END_HYPHEN}b`]).join(""),
    ).not.toContain(LINE_END_HYPHEN);
  });
});
