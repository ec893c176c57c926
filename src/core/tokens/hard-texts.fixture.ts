/** Bits of text where split patterns, classes of characters or merges are easily got wrong. */
export const hardBits: readonly string[] = [
  ...Array.from("aZxQéßſǅʰЖжאاกา中文字カーの한글½٣१Ⅷ😀𝔸𐐷𠮷"),
  ...Array.from(" \t\n\r\v\f/.\"'`{}[]:,;\\_-=+*#@!?<>|~^$%&()0579"),
  ...Array.from("\u0000\u001C\u001F\u007F\u0085\u00A0\u00AD\u0300\u0301\u093F\u180E"),
  ...Array.from("\u200B\u200D\u2028\u202F\u3000\uFE0F\uFEFF\uFFFD\uD800\uDC00"),
  ..."//§/*§*/§->§...§——§，§。§「§'s§'S§'T§'ll§'LL§'Re§'ve§'m§'d§'ſ§'x§''§’s".split("§"),
  ...'12§345§6789§1.5e-9§٣٤٥٦§":"§","§\\u00e9§<|endoftext|>§<|im_start|>§aaaaaaaa'.split("§"),
  ..."the§ the§The§THE§HTTPServer§camelCase§naïve§ﬁ§e\u0301§👩‍👩‍👧§🇩🇪".split("§"),
  ..."我们的§世界人民§東京都§こんにちは§カタカナ§안녕하세요§สวัสดี§नमस्ते§привет§שלום§مرحبا".split("§"),
  ..."  §    §\r\n§\n\n§ \n §\t\t".split("§"),
];

/** A generator of numbers in [0, 1): equal seeds give equal texts, and a failure names the text anyway. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A text of `length` bits in random order. */
export function hardText(random: () => number, length: number): string {
  let text = "";
  for (let bit = 0; bit < length; bit++) text += hardBits[Math.floor(random() * hardBits.length)] ?? "";
  return text;
}
