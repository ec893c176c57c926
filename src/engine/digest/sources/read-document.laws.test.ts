import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import { canonicalText } from "../canonical-text.ts";
import { readDocument } from "./read-document.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const beginning = fc.constantFrom(
  "",
  "%PDF-1.4\n1 0 obj\n",
  "<html>",
  "\xef\xbb\xbf",
  "\xff\xfe",
  "# ",
  "PK\x03\x04",
);
const hints = fc.record(
  {
    contentType: fc.constantFrom(
      "text/html",
      "application/pdf",
      "text/markdown",
      "text/plain; charset=gbk",
      ";;",
    ),
    name: fc.constantFrom("a.pdf", "a.md", "a.html", "a", "__proto__"),
  },
  { requiredKeys: [] },
);
const source = fc.oneof(
  fc.tuple(beginning, fc.uint8Array({ maxLength: 300 })).map(([head, rest]) => {
    return Uint8Array.from([...Array.from(head, (letter) => letter.charCodeAt(0)), ...rest]);
  }),
  fc.tuple(beginning, fc.string({ unit: "binary", maxLength: 300 })).map(([head, rest]) => head + rest),
);

describe("laws of readDocument", () => {
  test("anything ends in a canonical document or a fault, never otherwise", async () => {
    await fc.assert(
      fc.asyncProperty(source, hints, async (given, said) => {
        const document = await readDocument(given, said).catch((error: unknown) => error);
        const isFault = ToolFault.isInstance(document);
        const text = (document as { readonly text?: string }).text ?? "";
        expect(isFault || (text !== "" && canonicalText(text) === text)).toBe(true);
      }),
      lawRuns(2_000),
    );
  });
});
