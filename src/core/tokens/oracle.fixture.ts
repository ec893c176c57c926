import { existsSync, readFileSync, readdirSync } from "node:fs";
import { get_encoding } from "tiktoken";
import type { Encoding } from "./token-counter.ts";

/** The reference implementation's count, with special tokens read as ordinary text. */
export function oracleFor(encoding: Encoding): (text: string) => number {
  const tiktoken = get_encoding(encoding);
  return (text) => tiktoken.encode_ordinary(text).length;
}

const data = new URL("../../../../shared/data/", import.meta.url);

export const hasData = existsSync(data);

/** Real texts by name: every payload as it came, and every paragraph of the question sets. */
export function readSamples(): readonly (readonly [name: string, text: string])[] {
  const read = (folder: string): [string, string][] =>
    readdirSync(new URL(folder, data)).map((file) => [
      file,
      readFileSync(new URL(`${folder}${file}`, data), "utf8"),
    ]);
  return [
    ...read("payloads/"),
    ...read("xquad/").flatMap(([file, text]) =>
      paragraphsOf(text).map((paragraph, index) => [`${file} ${index}`, paragraph] as const),
    ),
  ];
}

interface QuestionSet {
  readonly data: readonly { readonly paragraphs: readonly { readonly context: string }[] }[];
}

function paragraphsOf(json: string): string[] {
  const { data: articles } = JSON.parse(json) as QuestionSet;
  return articles.flatMap(({ paragraphs }) => paragraphs.map(({ context }) => context));
}
