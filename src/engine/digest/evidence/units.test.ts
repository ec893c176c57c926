import { describe, expect, it } from "vitest";
import { Units, splitUnits } from "./units.ts";

function split(text: string, maxChars = 500): string[] {
  const units = new Units(1);
  splitUnits(text, 0, text.length, maxChars, units);
  return Array.from({ length: units.count }, (_, index) => text.slice(units.start(index), units.end(index)));
}

describe("splitUnits", () => {
  it("ends a sentence at a stop that white space follows", () => {
    expect(split("One came. Two went! Did three stay? Yes.")).toEqual([
      "One came.",
      "Two went!",
      "Did three stay?",
      "Yes.",
    ]);
  });

  it("keeps closing quotes and brackets with their sentence", () => {
    expect(split('He said "Stop!" (Nobody did.) Then he left.')).toEqual([
      'He said "Stop!"',
      "(Nobody did.)",
      "Then he left.",
    ]);
  });

  it.each([
    ["a title", "Then Dr. Smith spoke."],
    ["an initial", "Then J. Smith spoke."],
    ["letters with stops", "The U.S. Navy came."],
    ["a decimal", "It cost 3.14 euros."],
    ["an ordinal", "Am 3. Oktober kam er."],
    ["a short form before a number", "See fig. 3 for more."],
    ["a short form before lower case", "Fruit, e.g. apples, was sold."],
    ["a spaced ellipsis", "I submit . . . to the penalty."],
    ["a name with a stop inside", "Use Node.js for this."],
    ["a quoted question", '"Why?" he asked.'],
    ["an ellipsis", "And so… it went on."],
    ["an ellipsis of three stops", "And so... it went on."],
    ["an ellipsis in brackets", "He said [...] The king had left."],
    ["an ellipsis that ends a list", "Call sum(1, 2, ...) It adds them."],
    ["a sign in brackets", "They lost (!) Nobody knew why."],
    ["a factorial", "The value of 5! = 120 is known."],
    ["a condition in code", "Write ready ? A : B to choose one."],
    ["a condition in lower case", "Write ready ? a : b to choose one."],
    ["a negation in code", "Use if ! ready in the shell."],
    ["a name with a sign", "The firm Yahoo! was sold."],
    ["a degree", "A Ph.D. student came."],
    ["a short form of German", "Es kostet 3 Mio. Euro im Jahr."],
    ["a short form of Russian", "Он живёт на ул. Ленина."],
    ["a short form of Vietnamese", "Ông ở TP. Hồ Chí Minh."],
    ["a chapter's number", "See chap. 4 for more."],
  ])("does not end a sentence after %s", (_what, text) => {
    expect(split(text)).toEqual([text]);
  });

  it("ends a sentence after a year and after a word that is also a short form", () => {
    expect(split("It began in 1985. He said no. That was all.")).toEqual([
      "It began in 1985.",
      "He said no.",
      "That was all.",
    ]);
  });

  it.each([
    ["a version", "It needs Node.js 20. The rest is optional.", "It needs Node.js 20."],
    ["a letter that names something", "They chose plan B. It worked.", "They chose plan B."],
    ["three stops", "He waited... Then he left.", "He waited..."],
    ["a question in brackets", "He left (did he?) Then it rained.", "He left (did he?)"],
  ])("ends a sentence after %s, before what begins one", (_what, text, first) => {
    expect(split(text)[0]).toBe(first);
  });

  it("ends sentences in texts without capitals", () => {
    expect(split("nobody answered. what now? we wait.")).toEqual([
      "nobody answered.",
      "what now?",
      "we wait.",
    ]);
  });

  it.each([
    ["Chinese", "他来了。她走了！他们在哪里？", ["他来了。", "她走了！", "他们在哪里？"]],
    ["Japanese", "彼は「行く。」と言った。雨だ。", ["彼は「行く。」", "と言った。", "雨だ。"]],
    ["Hindi", "वह आया। वह गया।", ["वह आया।", "वह गया।"]],
    ["Arabic", "هل جاء؟ نعم. ذهب۔", ["هل جاء؟", "نعم.", "ذهب۔"]],
    ["Amharic", "እሱ መጣ። እሷ ሄደች።", ["እሱ መጣ።", "እሷ ሄደች።"]],
    ["Burmese", "သူလာသည်။ သူသွားသည်။", ["သူလာသည်။", "သူသွားသည်။"]],
    ["Khmer", "គាត់មក។ គាត់ទៅ។", ["គាត់មក។", "គាត់ទៅ។"]],
    ["Armenian", "Նա եկավ։ Նա գնաց։", ["Նա եկավ։", "Նա գնաց։"]],
  ])("ends sentences as %s does", (_language, text, sentences) => {
    expect(split(text)).toEqual(sentences);
  });

  it("ends a long stretch of Thai at a space, and not after a short form", () => {
    const phrase = "ประเทศไทยตั้งอยู่ในเอเชียตะวันออกเฉียงใต้";
    expect(split(`${phrase} ${phrase} ${phrase} พ.ศ. 2482`)).toEqual([
      `${phrase} ${phrase}`,
      `${phrase} พ.ศ. 2482`,
    ]);
  });

  it("ends at a blank line and after a short line, but goes on over a wrapped one", () => {
    const wrapped = "This line is long enough to have been wrapped by\nsomebody, and goes on.";
    const narrow = "A narrow column of print\ngoes on in lower case.";
    expect(split(`A heading\n\n${wrapped}\n\nMilk\nBread\n\n${narrow}`)).toEqual([
      "A heading",
      wrapped,
      "Milk",
      "Bread",
      narrow,
    ]);
  });

  it("ends before the mark of a list item", () => {
    const item = "- an item long enough to be taken for a wrapped line of prose";
    expect(split(`${item}\n${item}`)).toEqual([item, item]);
  });

  it("cuts a sentence that is too long after a clause, else at a space, else between characters", () => {
    expect(split("aaaa bbbb, cccc dddd eeee ffff gggg hhhh.", 30)[0]).toBe("aaaa bbbb,");
    expect(split("aaaa bbbb cccc dddd eeee ffff gggg hhhh.", 30)[0]).toBe("aaaa bbbb cccc");
    expect(split("x".repeat(100), 30).every((unit) => unit.length <= 30)).toBe(true);
    expect(split("x".repeat(100), 30).join("")).toBe("x".repeat(100));
  });

  it("never cuts a surrogate pair, a letter from its marks, or a joined emoji", () => {
    const family = "👩‍👩‍👧";
    for (const text of ["😀".repeat(60), "é̂".normalize("NFD").repeat(60), family.repeat(20)]) {
      const units = split(text, 30);
      expect(units.join("")).toBe(text);
      expect(
        units.filter((unit) => /^[\p{M}\u200d\udc00-\udfff]/u.test(unit) || unit.endsWith("\u200d")),
      ).toEqual([]);
    }
  });

  it("knows whole sentences from pieces and lines", () => {
    const text = `A heading\n\nA sentence. ${"Word ".repeat(30)}`;
    const units = new Units();
    splitUnits(text, 0, text.length, 60, units);
    const whole = Array.from({ length: units.count }, (_, index) => units.isWhole(index));
    expect(whole.slice(0, 3)).toEqual([false, true, false]);
    expect(units.opensParagraph(1)).toBe(true);
    expect(units.opensParagraph(2)).toBe(false);
  });

  it("finds nothing in white space", () => {
    expect(split(" \n\n ")).toEqual([]);
    expect(split("")).toEqual([]);
  });
});
