import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { refusal, shownBy } from "../../../../test/clients/shown-by.ts";
import type { JsonObject } from "../../json/json-value.ts";
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
  readonly facts: readonly string[];
  readonly fits: boolean | undefined;
}

/** Results of all kinds; every fact is a word that occurs nowhere else. */
const made: fc.Arbitrary<Made> = fc
  .record({
    words: fc.uniqueArray(word, { minLength: 12, maxLength: 12 }),
    texts: fc.integer({ min: 0, max: 3 }),
    structure: fc.constantFrom("none", "own", "mirrored", "pretty"),
    others: fc.subarray(["resource", "resource_link", "audio", "user"]),
    isError: fc.boolean(),
    size: fc.constantFrom(1, 60),
    fits: fc.constantFrom(undefined, true, false),
  })
  .map(({ words, texts, structure, others, isError, size, fits }) => {
    const structured = {
      items: words.slice(6, 9).map((name) => ({ name, filler: "-".repeat(size) })),
      total: 3,
    };
    const mirror = structure === "pretty" ? JSON.stringify(structured, null, 2) : JSON.stringify(structured);
    const isMirrored = structure === "mirrored" || structure === "pretty";
    const extra: Readonly<Record<string, JsonObject>> = {
      resource: { type: "resource", resource: { uri: `file:///${words[9]}`, text: `It says ${words[10]}` } },
      resource_link: { type: "resource_link", uri: `file:///${words[11]}`, name: "link" },
      audio: { type: "audio", mimeType: "audio/wav", data: "AAAA" },
      user: { type: "text", text: "Only for people", annotations: { audience: ["user"] } },
    };
    const own = Array.from({ length: texts }, (_, index) => textOf(words.slice(index * 2, index * 2 + 2)));
    const content = [
      ...own,
      ...(isMirrored ? [{ type: "text", text: mirror }] : []),
      ...others.flatMap((name) => extra[name] ?? []),
    ];
    const facts = [
      ...words.slice(0, texts * 2),
      ...(structure === "none" ? [] : words.slice(6, 9)),
      ...(others.includes("resource") ? words.slice(9, 11) : []),
      ...(others.includes("resource_link") ? words.slice(11, 12) : []),
    ];
    const result = {
      content,
      ...(structure === "none" ? {} : { structuredContent: structured }),
      ...(isError ? { isError: true } : {}),
    };
    return { result, facts, fits };
  });

/** How often a model gets a fact at most. */
const mostOf = (fact: string, views: readonly string[]): number =>
  Math.max(...views.map((view) => view.split(fact).length - 1));

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
          for (const view of shownBy(reader, adapted, fits))
            for (const fact of facts) expect(view).toContain(fact);
          const named = JSON.stringify(result).includes("audio/wav") ? "audio" : "";
          for (const view of shownBy(reader, adapted, fits)) expect(view).toContain(named);
        }),
        lawRuns(1_000),
      );
    });

    // Readers of both channels pay a short mirror twice: it is left as the server sent it.
    test.skipIf(paysTwice(reader))("holds no fact twice that was in the result once", () => {
      fc.assert(
        fc.property(made, ({ result, facts, fits }) => {
          const form = { isTyped: fits !== undefined, fits: () => fits === true };
          const before = shownBy(reader, result, fits);
          const adapted = shownBy(reader, forReader(result, reader, form), fits);
          for (const fact of facts)
            expect(mostOf(fact, adapted)).toBeLessThanOrEqual(Math.max(1, mostOf(fact, before)));
        }),
        lawRuns(1_000),
      );
    });

    test.skipIf(reader.joins === "")("is the server's own object if the model got everything before", () => {
      fc.assert(
        fc.property(made, ({ result, facts, fits }) => {
          const before = shownBy(reader, result, fits);
          const isWhole = before.every((view) => facts.every((fact) => view.split(fact).length === 2));
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
