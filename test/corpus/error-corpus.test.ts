import { describe, expect, it } from "vitest";
import { errorRegistry } from "../../src/core/contract/error-registry.ts";
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

  it("are noted where the server does not mark them, and failures where they say nothing else", () => {
    const texts = tuning.flatMap(({ unmarked = [] }) => unmarked);
    const told = texts.map((text) => notesOn(text)[0]);
    expect(told.filter((each) => each === undefined)).toEqual([]);
    expect(told.filter((each) => each === "FAILURE").length / texts.length).toBeGreaterThan(0.7);
  });

  it("are mostly found without their mark too", () => {
    const texts = tuning.flatMap(({ rows }) => rows.flatMap(({ text }) => text ?? []));
    const found = texts.filter((text) => notesOn(text)[0] === "FAILURE");
    expect(texts.length).toBeGreaterThan(200);
    expect(found.length / texts.length).toBeGreaterThan(0.75);
  });
});

describe("error texts of servers that no rule was written for", () => {
  const judged = judgeAll(readCorpus("held-out"));

  it("get the right code in at least four of five cases", () => {
    expect(judged.length).toBeGreaterThanOrEqual(75);
    const right = judged.filter(({ isRight }) => isRight);
    expect(right.length / judged.length).toBeGreaterThanOrEqual(0.8);
  });

  it("never invite a retry that cannot help", () => {
    expect(judged.filter(({ isFalseInvitation }) => isFalseInvitation)).toEqual([]);
  });
});

describe("the corpus", () => {
  it("keeps each server on one side", () => {
    const sides = (["tuning", "first-held-out", "held-out"] as const).map((name) =>
      readCorpus(name).map(({ server }) => server),
    );
    const all = sides.flat();
    expect(new Set(all).size).toBe(all.length);
  });

  it("names a source for every text and a code of the registry for every row", () => {
    const sources = [...tuning, ...readCorpus("held-out")];
    expect(sources.every(({ source }) => /[\w-]+\/[\w.-]+/.test(source))).toBe(true);
    const codes = sources.flatMap(({ rows }) => rows.map(({ code }) => code));
    expect(codes.filter((code) => errorRegistry.get(code) === undefined)).toEqual([]);
  });
});
