import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { shownBy } from "../../../test/clients/shown-by.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { textOnOneLine } from "../../core/json/one-line.ts";
import { makePng } from "../../core/readers/made-picture.fixture.ts";
import { type Reader, type ReaderLimit, paysTwice } from "../../core/readers/reader.ts";
import { readers, unknownReader } from "../../core/readers/readers.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import { call, here, open, serving } from "./message-session.fixture.ts";
import type { MessageSession } from "./message-session.ts";

const free = { name: "add", inputSchema: { type: "object" } };
const typed = {
  ...free,
  outputSchema: {
    type: "object",
    properties: { items: { type: "array", items: {} }, text: { type: "string" } },
    required: ["items"],
  },
};

interface Sent {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
}

/** What each client counts, and how much it takes: from its runs, not from our rows. */
const clients: Readonly<Record<string, readonly [of: (sent: Sent) => number, most: number]>> = {
  cline: [(sent) => JSON.stringify(sent).length, 8_000],
  // A failure alone has a limit in characters that is lower than the one in tokens.
  "claude-code": [(sent) => (sent.isError === true ? textsOf(sent).join("\n").length : 0), 10_000],
  goose: [(sent) => Math.max(0, ...textsOf(sent).map(({ length }) => length)), 200_000],
  "qwen-code": [qwenLength, 25_000],
  "gemini-cli": [
    (sent) => (sent.isError === true ? 0 : wrapped(textsOf(sent), 41).join("\n").length),
    40_000,
  ],
  codex: [(sent) => Buffer.byteLength(`Wall time: 0.0022 seconds\nOutput:${structureFirst(sent)}`), 40_000],
  "codex-other-model": [
    (sent) => Buffer.byteLength(`Wall time: 0.0022 seconds\nOutput:${structureFirst(sent)}`),
    12_000,
  ],
  "codex-code": [(sent) => Buffer.byteLength(JSON.stringify({ ...sent, _meta: undefined })), 40_000],
  opencode: [(sent) => (sent.isError === true ? 0 : Buffer.byteLength(textsOf(sent).join("\n\n"))), 51_200],
  "opencode lines": [
    (sent) => (sent.isError === true ? 0 : textsOf(sent).join("\n\n").split("\n").length),
    2_000,
  ],
  // With an id of 36 letters, as clients make them that do not count.
  "python-lines": [
    (sent) =>
      Buffer.byteLength(textOnOneLine(JSON.stringify({ jsonrpc: "2.0", id: "-".repeat(36), result: sent }))),
    65_536,
  ],
  "copilot-cli": [(sent) => Buffer.byteLength(`${textsOf(sent).join("\n")}\n${structureOf(sent)}`), 10_000],
};

function textsOf({ content }: Sent): readonly string[] {
  return content.map((block) => (block.type === "text" ? (block.text ?? "") : JSON.stringify(block)));
}

function structureOf({ structuredContent }: Sent): string {
  return structuredContent === undefined ? "" : JSON.stringify(structuredContent);
}

function structureFirst(sent: Sent): string {
  return structureOf(sent) || textsOf(sent).join("\n");
}

function wrapped(texts: readonly string[], around: number): readonly string[] {
  return texts.map((text) => text + " ".repeat(around));
}

function qwenLength(sent: Sent): number {
  const [texts, structure] = [textsOf(sent).join("\n"), structureOf(sent)];
  if (sent.isError === true) {
    const response = { error: sent, content: sent.content };
    return `MCP tool 'add' reported tool error: ${JSON.stringify({ response })}`.length;
  }
  return texts === structure ? texts.length : `${structure}\n${texts}`.length;
}

/** Texts that are light in tokens, heavy in escapes, wide in bytes, or of many short lines. */
const piece = fc.constantFrom(
  "a line of words and 12 numbers\n",
  `word${" ".repeat(95)}\n`,
  "x\n",
  '"\\"',
  "\u0001\u0002",
  "数据行\n",
  "\u2028\u0085",
  "🚚 ",
  '{"id":1,"name":"alder"},',
  "onelongword",
);
/** Words without an end take most of the time, to count their tokens: they are tried where results are few. */
const SHORT_TEXT = 10_000;
const textUpTo = (longest: number): fc.Arbitrary<string> =>
  fc.tuple(piece, piece, fc.integer({ min: 1, max: longest })).map(([first, second, length]) => {
    const half = Math.ceil(length / 2);
    const end = longest < SHORT_TEXT ? " " : "";
    const fill = (from: string): string =>
      `${from}${end}`.repeat(Math.ceil(half / from.length)).slice(0, half);
    return fill(first) + fill(second);
  });
const itemsUpTo = (most: number): fc.Arbitrary<JsonObject[]> =>
  fc
    .tuple(piece, fc.integer({ min: 0, max: most }), fc.integer({ min: 1, max: 8 }))
    .map(([name, count, width]) =>
      Array.from({ length: count }, (_, id) => ({ id, name: name.repeat(width) })),
    );

interface Made {
  readonly result: JsonObject;
  readonly isTyped: boolean;
}

/** Results of up to about twice what the client takes: larger ones are cut alike. */
const madeFor = (most: number): fc.Arbitrary<Made> =>
  fc
    .record({
      text: textUpTo(Math.min(50_000, most * 2)),
      items: itemsUpTo(Math.min(1_500, Math.ceil(most / 30))),
      form: fc.constantFrom("text", "texts", "structure", "mirror", "pretty", "both", "long field"),
      isTyped: fc.boolean(),
      isError: fc.boolean(),
    })
    .map(({ text, items, form, isTyped, isError }) => {
      const structure = form === "long field" ? { items: [], text } : { items };
      const json = JSON.stringify(structure, null, form === "pretty" ? 2 : undefined);
      const texts = { text: [text], texts: [text, text.slice(0, 5_000), "end"], structure: [], both: [text] }[
        form as string
      ] ?? [json];
      const result = {
        content: texts.map((each) => ({ type: "text", text: each })),
        ...(form === "text" || form === "texts" ? {} : { structuredContent: structure }),
        ...(isError ? { isError: true } : {}),
      };
      return { result, isTyped };
    });

/** Session, cut and measure as ever; only the client takes less, so that a thousand results take seconds. */
function takingLess(id: string, share: number): () => void {
  const row = readers.find((reader) => reader.id === id) as { limits: readonly ReaderLimit[] } | undefined;
  if (row === undefined) throw new Error(`no reader ${id}`);
  const { limits } = row;
  row.limits = limits.map((limit) => ({ ...limit, most: Math.ceil(limit.most / share) }));
  return () => void (row.limits = limits);
}

const budgets = fc.constantFrom<(number | "off")[]>("off", 8_000, 30_000);

/** A cut has words of its own, for which a limit needs room. */
const SHORTEST = 3_000;

describe.each(Object.entries(clients))("a result behind the gateway, for %s", (name, [sizeOf, most]) => {
  const [reader = name] = name.split(" ");

  const sizeFor = async ({ result, isTyped }: Made, tokens: number | "off"): Promise<number> => {
    const { session } = open(serving(result, [isTyped ? typed : free]), {
      dialect: "auto",
      reader,
      budget: { tokens },
    });
    const answer = (await session.request(call(), here)) as JsonObject;
    return sizeOf(answer["result"] as unknown as Sent);
  };

  test("is never longer than what the client takes", async () => {
    await fc.assert(
      fc.asyncProperty(madeFor(most), budgets, async (made, tokens) => {
        expect(await sizeFor(made, tokens)).toBeLessThanOrEqual(most);
      }),
      lawRuns(20, 5),
    );
  });

  test("is never longer than what the client takes, if that were less", async ({ onTestFinished }) => {
    const share = name === "opencode lines" ? 4 : most / SHORTEST;
    const less = Math.ceil(most / share);
    onTestFinished(takingLess(reader, share));
    await fc.assert(
      fc.asyncProperty(madeFor(less), budgets, async (made, tokens) => {
        expect(await sizeFor(made, tokens)).toBeLessThanOrEqual(less);
      }),
      lawRuns(1_000, 10),
    );
  });
});

/** Blocks with bytes, which count only where a client takes so much of a message, whatever it shows. */
const withBytes = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 20 }),
    kind: fc.constantFrom("image", "audio", "resource"),
    text: textUpTo(50_000),
    isError: fc.boolean(),
  })
  .map(({ sizes, kind, text, isError }) => {
    const header = Buffer.from(makePng(300, 300), "base64");
    const blocks = sizes.map((size) => {
      const data = Buffer.concat([header, Buffer.alloc(size, 7)]).toString("base64");
      const mimeType = kind === "audio" ? "audio/wav" : "image/png";
      return kind === "resource"
        ? { type: kind, resource: { uri: "file:///a.png", mimeType, blob: data } }
        : { type: kind, data, mimeType };
    });
    return { content: [{ type: "text", text }, ...blocks], ...(isError ? { isError: true } : {}) };
  });

describe("a result with pictures, sounds or files behind the gateway, for python-lines", () => {
  test("is a line that the client takes, and names what it has no room for", async () => {
    const [sizeOf = () => 0, most = 0] = clients["python-lines"] ?? [];
    await fc.assert(
      fc.asyncProperty(withBytes, fc.constantFrom("off", 8_000), async (result, tokens) => {
        const { session } = open(serving(result, [free]), {
          dialect: "auto",
          reader: "python-lines",
          budget: { tokens: tokens as number | "off" },
        });
        const answer = (await session.request(call(), here)) as { readonly result: JsonObject };
        expect(sizeOf(answer.result as unknown as Sent)).toBeLessThanOrEqual(most);
        const given = result.content.length - 1;
        const sent = JSON.stringify(answer.result);
        const left = sent.split(/"(?:data|blob)":"/).length - 1;
        expect(left === given || /waybill:|#content|_retrieve/.test(sent)).toBe(true);
      }),
      lawRuns(25, 5),
    );
  });
});

/** Every line and every item is a word of its own. */
const numbered = ([min, max]: readonly number[]): fc.Arbitrary<
  Made & { readonly words: readonly string[] }
> =>
  fc
    .record({
      count: fc.integer({ min: min ?? 0, max: max ?? 0 }),
      form: fc.constantFrom("text", "texts", "field", "mirror", "pretty", "structure"),
      isTyped: fc.boolean(),
    })
    .map(({ count, form, isTyped }) => {
      const words = Array.from({ length: count }, (_, index) => `w${index}q`);
      const text = words.map((word) => `${word} is on this line\n`).join("");
      const structure = form === "field" ? { items: [], text } : { items: words.map((name) => ({ name })) };
      const json = JSON.stringify(structure, null, form === "pretty" ? 2 : undefined);
      const half = text.indexOf("\n", text.length / 2) + 1;
      const texts = {
        text: [text],
        field: [text],
        structure: [],
        texts: [text.slice(0, half), text.slice(half)],
      }[form as string] ?? [json];
      const result = {
        content: texts.map((each) => ({ type: "text", text: each })),
        ...(form === "text" || form === "texts" ? {} : { structuredContent: structure }),
      };
      return { result, isTyped, words };
    });

/** One session for many results, which takes most of the time where they are short. */
function answering(reader: string, tokens: number): (made: Made) => Promise<JsonObject> {
  let given: JsonObject = {};
  const sessionFor = (tool: JsonObject): MessageSession =>
    open((message, session) => serving(given, [tool])(message, session), {
      dialect: "auto",
      reader,
      budget: { tokens },
    }).session;
  const [plain, schemed] = [sessionFor(free), sessionFor(typed)];
  return async ({ result, isTyped }) => {
    given = result;
    const answer = (await (isTyped ? schemed : plain).request(call(), here)) as { result: JsonObject };
    return answer.result;
  };
}

/** A mirror of fewer than 800 characters stays: for a client that shows both channels, a cut keeps more than that. */
const lowFor = (reader: Reader): { lines: [number, number]; tokens: number; atLeast: number } =>
  paysTwice(reader)
    ? { lines: [200, 260], tokens: 1_100, atLeast: 21 }
    : { lines: [100, 150], tokens: 500, atLeast: 6 };

/** What decides how a short text and structure are shown: rows that are alike in it give the same. */
function habitOf({ success, showsBareStructure, showsMirrorOnce, joins, ...row }: Reader): string {
  const { showsMeta, hidesBrokenSuccesses, hidesUris } = row;
  const meta = [showsMeta, hidesBrokenSuccesses, hidesUris];
  return JSON.stringify([success, showsBareStructure, showsMirrorOnce, joins, ...meta]);
}

/** Each habit is tried a thousand times with its first row, and some times with the others. */
const runsFor = (reader: Reader): number => {
  const first = readers.find((row) => habitOf(row) === habitOf(reader)) ?? reader;
  return first.id === reader.id ? 1_000 : 60;
};

const wordsOfLines = /w\d+q/g;

describe.each([...readers, unknownReader].map((reader) => [reader.id, reader] as const))(
  "a long result behind the gateway, for the model behind %s",
  (id, reader) => {
    test.each([
      ["", { lines: [600, 1_200], tokens: 1_500, atLeast: 21, runs: 60 }],
      [", if it is short and its budget is low", { ...lowFor(reader), runs: runsFor(reader) }],
    ] as const)(
      "holds each of its lines or items at most once, and says what is missing%s",
      async (_, { lines, tokens, atLeast, runs }) => {
        const counter = await loadCounter();
        const answer = answering(id, tokens);
        await fc.assert(
          fc.asyncProperty(numbered(lines), async (made) => {
            const sent = await answer(made);
            const shownMeta = reader.showsMeta === "always" ? JSON.stringify(sent["_meta"] ?? {}) : "";
            expect(counter.count(shownMeta)).toBeLessThanOrEqual(60);
            for (const view of shownBy(reader, sent, made.isTyped ? true : undefined)) {
              const found = view.match(wordsOfLines) ?? [];
              expect(new Set(found).size).toBe(found.length);
              expect(found.length).toBeGreaterThanOrEqual(atLeast);
              expect(found.length).toBeLessThan(made.words.length);
              expect(view).toMatch(/_retrieve/);
            }
          }),
          lawRuns(runs, 5),
        );
      },
    );
  },
);
