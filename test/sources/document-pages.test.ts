import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fixtures } from "../journeys/clients/seed-examples.ts";
import { type SourceId, documents, sourceHeadings, sourceIds } from "./source-rows.ts";

function pageOf(source: SourceId): string {
  return readFileSync(new URL(`../../docs/${documents[source].page}.md`, import.meta.url), "utf8");
}

/** Headings of a text with their depth, code left out. */
function headingsIn(text: string): string[] {
  return Array.from(
    text.replaceAll(/^```[^]*?^```/gm, "").matchAll(/^(#{2,3} .+?)\s*$/gm),
    ([, heading = ""]) => heading,
  );
}

const ownHeadings = ["## Where it differs"];

describe.each(sourceIds)("the page of document %s", (source) => {
  const headings = sourceHeadings(source).map(({ level, title }) => `${"#".repeat(level)} ${title}`);

  it("has the document's headings in its order, then what differs", () => {
    expect(headingsIn(pageOf(source))).toEqual([...headings, ...ownHeadings]);
  });

  it("shows every example of the document", () => {
    const page = pageOf(source);
    // A request is above its answer, and the file and the parse error are shown in code.
    const shown = fixtures.filter(
      ({ seed, level }) => seed === source && ["envelope", "result", "message", "digest"].includes(level),
    );
    const missing = shown.filter(({ file }) => !page.includes(`<!-- run ${file}:begin -->`));
    expect(missing.map(({ file }) => file)).toEqual(source === "003" ? ["003-L034-jsonrpc-error.json"] : []);
  });

  const seeds = new URL("../../../shared/seeds/", import.meta.url);

  it.runIf(existsSync(seeds))("knows the headings as they are written in the document", () => {
    const file = readdirSync(seeds).find((name) => name.startsWith(source)) ?? "";
    expect(headingsIn(readFileSync(new URL(file, seeds), "utf8"))).toEqual(headings);
  });

  it("is in the README", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    expect(readme).toContain(`(docs/${documents[source].page}.md)`);
  });
});
