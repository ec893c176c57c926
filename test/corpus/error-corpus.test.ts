import { describe, expect, it } from "vitest";
import { judgeAll, notesOn, readCorpus } from "./error-corpus.ts";

const tuning = [...readCorpus("tuning"), ...readCorpus("first-held-out")];

/** No rule fits these without being wrong elsewhere. */
const knownMistakes = ["Slack", "Tableau", "Obsidian"];

describe("error texts that rules were written for", () => {
  const judged = judgeAll(tuning);

  it("get the code that a careful reader expects", () => {
    const wrong = judged.filter(({ isRight }) => !isRight);
    expect(wrong.map(({ server }) => server)).toEqual(knownMistakes);
  });

  it("never invite a retry that cannot help", () => {
    expect(judged.filter(({ isFalseInvitation }) => isFalseInvitation)).toEqual([]);
  });

  it("are at most noted where the server does not mark them as failures", () => {
    const texts = tuning.flatMap(({ unmarked = [] }) => unmarked);
    expect(texts.map((text) => notesOn(text))).toEqual(texts.map(() => ["POSSIBLE_FAILURE"]));
  });
});
