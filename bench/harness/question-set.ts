import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const flag = process.argv.indexOf("--data");
const given = flag === -1 ? undefined : process.argv[flag + 1];
const data =
  given === undefined ? new URL("../../../shared/data/", import.meta.url) : pathToFileURL(`${given}/`);

export interface Question {
  readonly text: string;
  /** Where its answer is in the joined document, in code points. */
  readonly start: number;
  readonly end: number;
  /** Settings were tuned on the questions of even-numbered articles only. */
  readonly isTuned: boolean;
}

export interface QuestionSet {
  readonly language: string;
  /** All articles as one document, canonical, paragraphs separated by a blank line. */
  readonly text: string;
  readonly questions: readonly Question[];
}

interface Article {
  readonly paragraphs: readonly {
    readonly context: string;
    readonly qas: readonly {
      readonly question: string;
      readonly answers: readonly { readonly text: string; readonly answer_start: number }[];
    }[];
  }[];
}

const LENGTH_OF_JOINT = 2;
/** A letter that no canonical form touches, to keep white space before an answer from being trimmed. */
const GUARD = "x";

function codePoints(text: string): number {
  return Array.from(text).length;
}

/** The questions of one language; undefined when the data is not there. */
export function readQuestions(
  language: string,
  canonicalText: (text: string) => string,
): QuestionSet | undefined {
  const file = new URL(`xquad/xquad.${language}.json`, data);
  if (!existsSync(file)) return undefined;
  const { data: articles } = JSON.parse(readFileSync(file, "utf8")) as { readonly data: readonly Article[] };
  const parts: string[] = [];
  const questions: Question[] = [];
  let offset = 0;
  for (const [index, article] of articles.entries()) {
    for (const { context, qas } of article.paragraphs) {
      const part = canonicalText(context);
      for (const { question, answers } of qas) {
        const [answer] = answers;
        if (answer === undefined) continue;
        const before = Array.from(context).slice(0, answer.answer_start).join("");
        const start = offset + codePoints(canonicalText(`${before}${GUARD}`)) - 1;
        const end = start + codePoints(canonicalText(answer.text));
        questions.push({ text: question, start, end, isTuned: index % 2 === 0 });
      }
      parts.push(part);
      offset += codePoints(part) + LENGTH_OF_JOINT;
    }
  }
  return { language, text: parts.join("\n\n"), questions };
}
