/** A PDF written by hand, for what no PDF writer makes: hostile streams, fonts without a file. */
interface RawPdf {
  readonly content: Uint8Array | string;
  /** The `Filter` entry of the content, such as `/FlateDecode`. */
  readonly filter?: string;
  readonly font?: string;
  /** A further object, number 6, for a font to point to. */
  readonly stream?: string;
  /** How often the one page is counted. */
  readonly pages?: number;
}

const helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";

function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function stream(data: Uint8Array, filter: string): Uint8Array {
  const entries = `/Length ${data.length}${filter === "" ? "" : `/Filter ${filter}`}`;
  return concat([latin(`<<${entries}>>\nstream\n`), data, latin("\nendstream")]);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function rawPdf({
  content,
  filter = "",
  font = helvetica,
  stream: extra = "",
  pages = 1,
}: RawPdf): Uint8Array {
  const objects = [
    latin("<</Type/Catalog/Pages 2 0 R>>"),
    latin(`<</Type/Pages/Kids[${"3 0 R ".repeat(pages)}]/Count ${pages}>>`),
    latin("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"),
    stream(typeof content === "string" ? latin(content) : content, filter),
    latin(font),
    stream(latin(extra), ""),
  ];
  const parts = [latin("%PDF-1.4\n")];
  const places: string[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    const part = concat([latin(`${index + 1} 0 obj\n`), object, latin("\nendobj\n")]);
    places.push(`${String(at).padStart(10, "0")} 00000 n \n`);
    parts.push(part);
    at += part.length;
  }
  const size = objects.length + 1;
  const trailer = `trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF`;
  return concat([...parts, latin(`xref\n0 ${size}\n0000000000 65535 f \n${places.join("")}${trailer}`)]);
}

const anyLetter = `<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-H/ToUnicode 6 0 R/DescendantFonts[
<</Type/Font/Subtype/CIDFontType2/BaseFont/Any/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 1000
/FontDescriptor<</Type/FontDescriptor/FontName/Any/Flags 4/FontBBox[0 0 1000 1000]/Ascent 800/Descent -200>>>>]>>`;

const toUnicode = `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange
${Array.from({ length: 256 }, (_, high) => high.toString(16).padStart(2, "0"))
  .map((high) => `1 beginbfrange <${high}00> <${high}ff> <${high}00> endbfrange`)
  .join("\n")}
endcmap`;

function hex(text: string): string {
  return Array.from({ length: text.length }, (_, index) =>
    text.charCodeAt(index).toString(16).padStart(4, "0"),
  ).join("");
}

/** A page of lines in any script, 12 units high and 14 apart. */
export function unicodePdf(lines: readonly string[]): Uint8Array {
  const shown = lines.map((line) => `<${hex(line)}> Tj T*`).join("\n");
  return rawPdf({
    content: `BT /F1 12 Tf 14 TL 50 750 Td ${shown} ET`,
    font: anyLetter,
    stream: toUnicode,
  });
}
