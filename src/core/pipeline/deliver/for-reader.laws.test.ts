import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { refusal, shownBy } from "../../../../test/clients/shown-by.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { paysTwice } from "../../readers/reader.ts";
import { readerChosen, readers, unknownReader } from "../../readers/readers.ts";
import { forReader } from "./for-reader.ts";

const word = fc.stringMatching(/^q[a-z]{11}$/);

const textOf = (words: readonly string[]): JsonObject => ({
  type: "text",
  text: `Found ${words.join(" and ")}.`,
});

interface Made {
  readonly result: JsonObject;
  readonly facts: readonly RegExp[];
  readonly fits: boolean | undefined;
}

/** Neither begins nor ends in a longer word. */
const alone = (words: string): RegExp => new RegExp(String.raw`(?<![\w-])${words}(?![\w-])`, "g");

/** A value that says nothing without its key: as JSON, which may be within JSON, or in words. */
const under = (key: string, value: JsonValue): RegExp => {
  const said = JSON.stringify(value).replace(/^\[(.*)\]$/, String.raw`\[\s*$1\s*\]`);
  return alone(String.raw`${key}\W{1,5}${said}`);
};

/** Values that have nothing to do with the keys of the structure. */
const decoyWith = (name: string): string =>
  `It took ${name} 12 ms, no 7 of them.\nA true or false story, null and void [].`;

/** Results of all kinds; every fact is a word that occurs nowhere else, or a short value under such a word. */
const made: fc.Arbitrary<Made> = fc
  .record({
    words: fc.uniqueArray(word, { minLength: 16, maxLength: 16 }),
    texts: fc.integer({ min: 0, max: 3 }),
    decoy: fc.constantFrom("none", "values", "key"),
    structure: fc.constantFrom("none", "own", "mirrored", "pretty", "said", "field"),
    short: fc.constantFrom<JsonValue[]>(true, false, null, 7, -1, [], {}, [7]),
    others: fc.subarray(["resource", "resource_link", "audio", "user"]),
    isError: fc.boolean(),
    size: fc.constantFrom(1, 60, 300),
    fits: fc.constantFrom(undefined, true, false),
  })
  .map(({ words, texts, decoy, structure, short, others, isError, size, fits }) => {
    const key = words[12] ?? "";
    const id = `${words[13]}-7`;
    const filler = "-".repeat(size);
    const content = `${filler} ${words[6]} and ${words[7]} and ${words[8]} ${filler} ${filler}`;
    const items = words.slice(6, 9).map((name) => ({ name, filler }));
    const hasMap = size > 1;
    const structured: JsonObject = {
      ...(structure === "field" ? { content } : { items, total: 3 }),
      ...(hasMap ? { by_id: { [id]: { part: words[14] ?? "" } } } : {}),
      [key]: short,
    };
    const lines = [
      ...items.map(({ name }) => `${name} ${filler}`),
      "total: 3",
      ...(hasMap ? [`by_id: ${id} part ${words[14]}`] : []),
      `${key}: ${JSON.stringify(short)}`,
    ];
    const repeats: Readonly<Record<string, string>> = {
      mirrored: JSON.stringify(structured),
      pretty: JSON.stringify(structured, null, 2),
      said: lines.join("\n"),
      field: content,
    };
    const extra: Readonly<Record<string, JsonObject>> = {
      resource: { type: "resource", resource: { uri: `file:///${words[9]}`, text: `It says ${words[10]}` } },
      resource_link: { type: "resource_link", uri: `file:///${words[11]}`, name: "link" },
      audio: { type: "audio", mimeType: "audio/wav", data: "AAAA" },
      user: { type: "text", text: "Only for people", annotations: { audience: ["user"] } },
    };
    const own = Array.from({ length: texts }, (_, index) => textOf(words.slice(index * 2, index * 2 + 2)));
    const unrelated = decoyWith(words[15] ?? "");
    const decoys = { none: [], values: [unrelated], key: [`About ${key}.\n${unrelated}`] }[decoy] ?? [];
    const blocks = [
      ...own,
      ...[...decoys, ...(repeats[structure] === undefined ? [] : [repeats[structure]])].map((text) => ({
        type: "text",
        text,
      })),
      ...others.flatMap((name) => extra[name] ?? []),
    ];
    const named = [
      ...words.slice(0, texts * 2),
      ...(decoy === "none" ? [] : words.slice(15)),
      ...(structure === "none" ? [] : words.slice(6, 9)),
      ...(structure !== "none" && hasMap ? [id, words[14] ?? ""] : []),
      ...(others.includes("resource") ? words.slice(9, 11) : []),
      ...(others.includes("resource_link") ? words.slice(11, 12) : []),
    ];
    const result = {
      content: blocks,
      ...(structure === "none" ? {} : { structuredContent: structured }),
      ...(isError ? { isError: true } : {}),
    };
    const facts = [...named.map(alone), ...(structure === "none" ? [] : [under(key, short)])];
    return { result, facts, fits };
  });

/** Without the line ends of texts within JSON, whose letter would look like one of a word. */
const plain = (view: string): string => view.replaceAll(/\\+n/g, " ");

const timesIn = (fact: RegExp, view: string): number => view.match(fact)?.length ?? 0;

/** How often a model gets a fact at most. */
const mostOf = (fact: RegExp, views: readonly string[]): number =>
  Math.max(...views.map((view) => timesIn(fact, view)));

describe.each([...readers, unknownReader].map((reader) => [reader.id, reader] as const))(
  "what the model behind %s gets",
  (_id, reader) => {
    test("holds every fact of the result, or names what is missing", () => {
      fc.assert(
        fc.property(made, ({ result, facts, fits }) => {
          const adapted = forReader(result, reader, {
            isTyped: fits !== undefined,
            fits: () => fits === true,
          });
          const views = shownBy(reader, adapted, fits).map(plain);
          expect(views.flatMap((view) => facts.filter((fact) => timesIn(fact, view) === 0))).toEqual([]);
          const named = JSON.stringify(result).includes("audio/wav") ? "audio" : "";
          for (const view of views) expect(view).toContain(named);
        }),
        lawRuns(1_000),
      );
    });

    // Readers of both channels pay a short mirror twice: it is left as the server sent it.
    test.skipIf(paysTwice(reader))("holds no fact twice that was in the result once", () => {
      fc.assert(
        fc.property(made, ({ result, facts, fits }) => {
          const form = { isTyped: fits !== undefined, fits: () => fits === true };
          const before = shownBy(reader, result, fits).map(plain);
          const adapted = shownBy(reader, forReader(result, reader, form), fits).map(plain);
          const dearer = facts.filter((fact) => mostOf(fact, adapted) > Math.max(1, mostOf(fact, before)));
          expect(dearer).toEqual([]);
        }),
        lawRuns(1_000),
      );
    });

    test.skipIf(reader.joins === "")("is the server's own object if the model got everything before", () => {
      fc.assert(
        fc.property(made, ({ result, facts, fits }) => {
          const before = shownBy(reader, result, fits).map(plain);
          const isWhole = before.every((view) => facts.every((fact) => timesIn(fact, view) === 1));
          const hasSound =
            JSON.stringify(result).includes("audio/wav") || JSON.stringify(result).includes("audience");
          fc.pre(
            isWhole &&
              !before.includes(refusal) &&
              !hasSound &&
              !(fits === true && result["isError"] === true),
          );
          const form = { isTyped: fits !== undefined, fits: () => fits === true };
          expect(forReader(result, reader, form)).toBe(result);
        }),
        lawRuns(300),
      );
    });
  },
);

test.each(["opencode", "codex", "unknown"])(
  "a structure of very many values reaches the model of %s",
  (id) => {
    const structuredContent = { items: Array.from({ length: 150_000 }, (_, index) => index) };
    const result = { content: [textOf(["thin"])], structuredContent };
    const reader = readerChosen(id) ?? unknownReader;
    const adapted = forReader(result, reader, { isTyped: false, fits: () => true });
    for (const view of shownBy(reader, adapted, undefined)) expect(view.includes("149999")).toBe(true);
  },
);
