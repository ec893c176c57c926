import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isFullRun, someOf } from "../../../test/arbitrary/law-runs.ts";
import { digestDocument } from "./digest-document.ts";

const folder = new URL("../../../../shared/data/xquad/", import.meta.url);
const hasData = existsSync(folder);
const isRequired = process.env["WAYBILL_REQUIRE_DATA"] === "1";
if (!hasData && !isRequired)
  process.stdout.write("Questions of other articles are not asked: there is no ../shared/data/xquad.\n");

interface Article {
  readonly text: string;
  readonly questions: readonly string[];
}

function articles(language: string): readonly Article[] {
  const { data } = JSON.parse(readFileSync(new URL(`xquad.${language}.json`, folder), "utf8")) as {
    data: { paragraphs: { context: string; qas: { question: string }[] }[] }[];
  };
  return data.map(({ paragraphs }) => ({
    text: paragraphs.map(({ context }) => context).join("\n\n"),
    questions: paragraphs.flatMap(({ qas }) => qas.map(({ question }) => question)),
  }));
}

async function isFound(text: string, query: string): Promise<boolean> {
  const { warnings } = await digestDocument(text, { query, contentType: "text/plain" });
  return !warnings.some(({ code }) => code === "QUERY_NOT_FOUND");
}

/** The share of questions that a document does not claim to answer. */
async function shareNotFound(asked: readonly (readonly [text: string, query: string])[]): Promise<number> {
  let count = 0;
  for (const [text, query] of asked) if (!(await isFound(text, query))) count++;
  return count / asked.length;
}

/** Each language, and the most of its own 1,190 questions that an article may be said not to answer. */
const languages = [
  ["en", 12],
  ["de", 12],
  ["zh", 12],
  // Half of the pairs of syllables join two words, so that less tells a question that belongs to an article.
  ["vi", 17],
] as const;

describe.skipIf(!hasData && !isRequired).each(someOf(languages, 1))("questions in %s", (language, most) => {
  it("of other articles are mostly not answered, those of the article almost always are", async () => {
    const all = articles(language);
    const few = isFullRun ? all : all.filter((_, index) => index % 8 === 0);
    const own = few.flatMap(({ text, questions }) => questions.map((one) => [text, one] as const));
    const foreign = few.flatMap(({ text }, index) =>
      [1, 5, 7].flatMap((step) =>
        (few[(index + step) % few.length]?.questions ?? []).slice(0, 8).map((one) => [text, one] as const),
      ),
    );
    expect(await shareNotFound(foreign)).toBeGreaterThanOrEqual(0.9);
    // A quick run asks too few for a share.
    expect(await shareNotFound(own)).toBeLessThanOrEqual(isFullRun ? most / 1_190 : 0.02);
  });
});
