import { describe, expect, it } from "vitest";
import { leansOnOthers } from "./leaning-words.ts";

const leans = (text: string): boolean => leansOnOthers(text, 0, text.length);

describe("leansOnOthers", () => {
  it.each([
    ["English, a pronoun", "It was built in 1871 by the county."],
    ["English, a demonstrative", "This option turns the cache off."],
    ["English, a connective", "However, the mill burned down twice."],
    ["English, a connective of two words", "For example, the mill burned down twice."],
    ["English, a pronoun after a conjunction", "When it fails, the server is called again."],
    ["English, a pronoun after a preposition", "In this case the server is called again."],
    ["English, what is above", "The example above prints two lines."],
    ["English, in quotes", "“They never came back,” said the miller."],
    ["German", "Sie wurde 1871 gebaut."],
    ["German, a connective", "Außerdem wurde die Mühle verkauft."],
    ["German, a demonstrative", "Diese Mühle brannte zweimal ab."],
    ["French", "Elle fut construite en 1871."],
    ["French, that is also an article of Italian", "Il fut construit avec les pierres du comté."],
    ["Spanish", "Además, el molino se quemó dos veces."],
    ["Italian", "Tuttavia il mulino bruciò due volte."],
    ["Portuguese", "Ela foi construída em 1871."],
    ["Vietnamese", "Tuy nhiên, nhà máy đã cháy hai lần."],
    ["Russian, a pronoun", "Она была построена в 1871 году."],
    ["Russian, a connective", "Однако мельница сгорела дважды."],
    ["Russian, a preposition", "В этом случае сервер вызывается снова."],
    ["Ukrainian", "Вона була побудована у 1871 році."],
    ["Arabic, a pronoun", "هي مدينة كبيرة في الشمال."],
    ["Arabic, a connective", "ومع ذلك احترقت الطاحونة مرتين."],
    ["Arabic, with vowel points", "هٰذا الكتاب قديم جدا."],
    ["Arabic, a connective written with its verb", "وكانت الطاحونة قديمة."],
    ["Hindi, a pronoun", "वह 1871 में बनाई गई थी।"],
    ["Hindi, a connective", "लेकिन चक्की दो बार जल गई।"],
    ["Chinese, a pronoun", "它建于1871年，由县政府出资。"],
    ["Chinese, a connective", "但是磨坊被烧毁了两次。"],
    ["Japanese", "しかし水車小屋は二度焼けた。"],
    ["Korean", "그러나 방앗간은 두 번 불탔다."],
  ])("takes %s for a sentence that needs another", (_what, sentence) => {
    expect(leans(sentence)).toBe(true);
  });

  it.each([
    ["English", "The county built the mill in 1871."],
    ["English, about its own document", "This package reads the pages of a PDF."],
    ["English, a name", "Italy built the mill in 1871."],
    ["English, a condition", "If the cache is full, the oldest entry is dropped."],
    ["German, an article", "Die Mühle wurde 1871 gebaut."],
    ["German, about its own document", "Dieses Paket liest die Seiten einer Datei."],
    ["Italian, an article", "Il mulino bruciò due volte nel 1871."],
    ["Portuguese, an article", "O comitê reuniu-se duas vezes em 1998."],
    ["French", "La rivière traverse le comté du nord au sud."],
    ["Vietnamese", "Nhà máy được xây dựng vào năm 1871."],
    ["Russian", "Мельница была построена в 1871 году."],
    ["Arabic", "وزارة الصحة أعلنت النتائج أمس."],
    ["Hindi", "चक्की 1871 में बनाई गई थी।"],
    ["Chinese", "磨坊建于1871年，由县政府出资。"],
    ["Chinese, a name", "也门位于阿拉伯半岛南部。"],
    ["Japanese", "水車小屋は1871年に建てられた。"],
    ["a number", "42 mills burned down in 1871."],
  ])("leaves %s", (_what, sentence) => {
    expect(leans(sentence)).toBe(false);
  });
});
