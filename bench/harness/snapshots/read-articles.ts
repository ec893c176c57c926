// The source of the same pages, with the text of their articles as people marked it.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export interface ArticlePage {
  readonly html: string;
  readonly article: string;
}

export function readArticles(data: string): readonly ArticlePage[] {
  const folder = join(data, "articles/html");
  const truths = JSON.parse(readFileSync(join(data, "articles/ground-truth.json"), "utf8")) as Readonly<
    Record<string, { readonly articleBody: string }>
  >;
  return readdirSync(folder).flatMap((name) => {
    const truth = truths[name.replace(/\.html\.gz$/, "")];
    if (truth === undefined) return [];
    const html = gunzipSync(readFileSync(join(folder, name))).toString("utf8");
    return [{ html, article: truth.articleBody }];
  });
}
