import { existsSync, readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { generator, recordsOfSize } from "./records.ts";

const flag = process.argv.indexOf("--data");
const given = flag === -1 ? undefined : process.argv[flag + 1];
const data =
  given === undefined ? new URL("../../../shared/data/", import.meta.url) : pathToFileURL(`${given}/`);

interface QuestionSet {
  readonly data: readonly { readonly paragraphs: readonly { readonly context: string }[] }[];
}

function readParagraphs(language: string): string[] {
  const file = new URL(`xquad/xquad.${language}.json`, data);
  if (!existsSync(file)) return [];
  const { data: articles } = JSON.parse(readFileSync(file, "utf8")) as QuestionSet;
  return articles.flatMap(({ paragraphs }) => paragraphs.map(({ context }) => context));
}

/** The pages of our own documentation are the prose where the data is absent. */
function readDocs(): string[] {
  const docs = new URL("../../docs/", import.meta.url);
  return readdirSync(docs)
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) => readFileSync(new URL(file, docs), "utf8").split("\n\n"));
}

/** Sentences in another order for each seed, until the text is about `bytes` long. */
function shuffled(sentences: readonly string[], bytes: number, seed: number): string {
  const random = generator(seed + 1);
  const chosen: string[] = [];
  for (let size = 0; size < bytes;) {
    const sentence = sentences[Math.floor(random() * sentences.length)] ?? " ";
    chosen.push(sentence);
    size += Buffer.byteLength(sentence);
  }
  return chosen.join("");
}

export type MakeText = (seed: number) => string;

/** Makers of texts of about `bytes`, a new one for each seed: catalogue records as JSON, and prose in three languages. */
export function freshTexts(bytes: number): ReadonlyMap<string, MakeText> {
  const makers = new Map<string, MakeText>([
    ["json", (seed) => JSON.stringify(recordsOfSize(bytes, seed + 1))],
  ]);
  const english = readParagraphs("en");
  if (english.length === 0) console.log(`No question sets in ${data.pathname}: prose is our own docs.\n`);
  const languages = {
    "prose, en": english.length > 0 ? english : readDocs(),
    "prose, de": readParagraphs("de"),
    "prose, zh": readParagraphs("zh"),
  };
  for (const [name, paragraphs] of Object.entries(languages)) {
    const sentences = paragraphs.flatMap((paragraph) => paragraph.match(/[^.。]*[.。]\s*|[^.。]+$/g) ?? []);
    if (sentences.length > 0) makers.set(name, (seed) => shuffled(sentences, bytes, seed));
  }
  return makers;
}
