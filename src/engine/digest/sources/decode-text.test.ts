import { describe, expect, test } from "vitest";
import { decodeText } from "./read-document.ts";
import { encodedTexts } from "./encoded-texts.fixture.ts";

const utf8 = new TextEncoder();

function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function utf16(text: string, { isBigEndian = false, hasMark = false } = {}): Uint8Array {
  const units = `${hasMark ? "\ufeff" : ""}${text}`;
  const view = new DataView(new ArrayBuffer(2 * units.length));
  for (let index = 0; index < units.length; index++)
    view.setUint16(2 * index, units.charCodeAt(index), !isBigEndian);
  return new Uint8Array(view.buffer);
}

describe("decodeText", () => {
  test.each(encodedTexts)("decodes declared %s", async (charset, text, base64) => {
    const decoded = await decodeText(Buffer.from(base64, "base64"), { charset });
    expect(decoded).toEqual({ text, charset, warnings: [] });
  });

  test.each(encodedTexts)("recognises %s and says that it was guessed", async (charset, text, base64) => {
    const decoded = await decodeText(Buffer.from(base64, "base64"));
    expect(decoded).toMatchObject({
      text,
      charset,
      warnings: [{ code: "CHARSET_GUESSED", context: { charset } }],
    });
  });

  test("takes UTF-8 as it is, with and without a mark", async () => {
    const plain = { text: "naïve — 世界 🚀", charset: "utf-8", warnings: [] };
    expect(await decodeText(utf8.encode("naïve — 世界 🚀"))).toEqual(plain);
    expect(await decodeText(utf8.encode("\ufeffnaïve — 世界 🚀"))).toEqual(plain);
    expect((await decodeText(new Uint8Array())).text).toBe("");
  });

  test("takes UTF-16 by its mark without a word", async () => {
    for (const isBigEndian of [false, true]) {
      const { text, warnings } = await decodeText(utf16("Grüße, 世界", { isBigEndian, hasMark: true }));
      expect({ text, warnings }).toEqual({ text: "Grüße, 世界", warnings: [] });
    }
  });

  test.each(["Plain English text.", "Привет, мир! Как дела?", "这是一个句子。 又一个 句子"])(
    "recognises UTF-16 without a mark by its shape: %s",
    async (text) => {
      for (const isBigEndian of [false, true]) {
        const decoded = await decodeText(utf16(text, { isBigEndian }));
        expect(decoded).toMatchObject({
          text,
          charset: isBigEndian ? "utf-16be" : "utf-16le",
          warnings: [{ code: "CHARSET_GUESSED" }],
        });
      }
    },
  );

  test("finds the charset that a document names itself", async () => {
    const page = latin('<html><head><meta charset="iso-8859-2"><body>\xb1\xea\xf3');
    expect(await decodeText(page, { isHtml: true })).toMatchObject({ charset: "iso-8859-2", warnings: [] });
    const old = latin('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">\xf0\xd2\xc9');
    expect((await decodeText(old, { isHtml: true })).text).toContain("При");
    const xml = latin('<?xml version="1.0" encoding="windows-1251"?><a>\xcf\xf0\xe8</a>');
    expect((await decodeText(xml)).text).toContain("При");
  });

  test("lets the charset from outside win over the one inside", async () => {
    const page = latin('<meta charset="koi8-r">\xcf\xf0\xe8');
    expect((await decodeText(page, { charset: "windows-1251", isHtml: true })).text).toContain("При");
  });

  test("does not follow a declaration that the bytes contradict", async () => {
    const decoded = await decodeText(utf8.encode("Grüße aus Köln"), { charset: "iso-8859-1" });
    expect(decoded).toMatchObject({
      text: "Grüße aus Köln",
      charset: "utf-8",
      warnings: [{ code: "CHARSET_GUESSED", context: { declared: "windows-1252", charset: "utf-8" } }],
    });
    expect((await decodeText(utf8.encode("plain words"), { charset: "utf-16" })).text).toBe("plain words");
    const [, text, base64] = encodedTexts[0] ?? ["", "", ""];
    const said = await decodeText(Buffer.from(base64, "base64"), { charset: "utf-8" });
    expect(said).toMatchObject({
      text,
      warnings: [{ context: { declared: "utf-8", charset: "windows-1252" } }],
    });
  });

  test("keeps a two-byte charset whose bytes happen to be UTF-8", async () => {
    expect((await decodeText(latin("\xc1\xaa\xcd\xa8"), { charset: "gbk" })).text).toBe("联通");
  });

  test("says that a label is unknown and looks at the bytes", async () => {
    const decoded = await decodeText(utf8.encode("Grüße"), { charset: "klingon" });
    expect(decoded).toMatchObject({ text: "Grüße", warnings: [{ code: "CHARSET_UNKNOWN" }] });
  });

  test("counts what it could not decode in a text of mixed encodings", async () => {
    const mixed = Uint8Array.from([...utf8.encode("Grüße, schöne Größe, "), 0xfc, 0x20, 0xe4]);
    expect(await decodeText(mixed)).toMatchObject({
      text: "Grüße, schöne Größe, \ufffd \ufffd",
      charset: "utf-8",
      warnings: [{ code: "TEXT_UNDECODABLE", context: { replaced: 2 } }],
    });
  });

  test("guesses by the letters after a long preface in ASCII", async () => {
    const [, text, base64] = encodedTexts.find(([charset]) => charset === "koi8-r") ?? ["", "", ""];
    const bytes = Buffer.concat([Buffer.from("Preface. ".repeat(20_000)), Buffer.from(base64, "base64")]);
    expect((await decodeText(bytes)).text.endsWith(text)).toBe(true);
  });
});
