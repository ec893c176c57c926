import { describe, expect, it } from "vitest";
import { standsAlone } from "./stands-alone.ts";

const stands = (text: string): boolean => standsAlone(text, 0, text.length);

describe("standsAlone", () => {
  it.each([
    ["a clause", "Axios 1.x introduced several breaking changes to improve its security."],
    ["a clause after a condition", "If you find errors or have suggestions, please open an issue for them."],
    [
      "a clause after a condition without a comma",
      "When the cache is full then the oldest entry is dropped.",
    ],
    ["a command", "Use backslashes in front of the characters that have to be escaped."],
    ["a command for a purpose", "To turn on logging, set the environment variable DEBUG of the process."],
    [
      "a plural with its verb",
      "Most CSS engines written in JavaScript execute selectors from left to right.",
    ],
    ["a verb of no list", "The river of the county brings cold water down to the northern sea."],
    ["a verb of no list before a number", "Visitors of the mill pay 28 coins to the keeper."],
    ["the past", "The mill of the county burned down twice in the winter of 1871."],
    ["a sentence on two lines", "The council of the county\nhas the right to close the mill."],
    ["German, without a list of its verbs", "Die Mühle am oberen See brannte im Winter 1871 zweimal ab."],
    ["French", "La rivière traverse le comté du nord au sud en trois jours."],
    ["Chinese", "磨坊建于1871年，由县政府出资。"],
    ["Arabic, in few words", "وزارة الصحة أعلنت النتائج أمس."],
    ["Russian, in few words", "Мельница была построена в 1871 году."],
  ])("is true of %s", (_what, sentence) => {
    expect(stands(sentence)).toBe(true);
  });

  it.each([
    ["a sentence that leans", "It was built in 1871 by the county and burned down twice."],
    ["a question", "How do I turn the cache of the server off again?"],
    ["what introduces a list", "The server of the county has the following three kinds of caches:"],
    ["a sentence that is cut off", "When the option is true, the comment of the file looks like ..."],
    ["a few words", "Set -1 for unlimited width."],
    ["a condition alone", "If the cache of the county should be used for all requests."],
    ["a thing without a verb", "Datasets with flat, fully tabular data where CSV is the better format."],
    ["a thing with its qualities in brackets", "The address of the server (it can be IPv4 or IPv6)."],
    ["a person without a verb", "Ada Miller and the other people who work on the excellent parser."],
    ["what somebody works at", "Working in all of the environments, not just in Node or the browser."],
  ])("is false of %s", (_what, sentence) => {
    expect(stands(sentence)).toBe(false);
  });
});
