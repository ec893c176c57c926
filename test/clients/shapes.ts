// The results that the laboratory's server gives, one shape a tool. Every fact is a word that occurs nowhere else, so
// what a client showed its model is counted, not judged. Words come from a hash: the server, which runs in a process of
// its own, and the one who counts make the same.

import { createHash } from "node:crypto";

/** Where a result holds a fact. A fact that two channels hold is lost only if neither arrives. */
export type Place = "text" | "structure" | "both" | "block" | "link" | "picture" | "sound" | "meta" | "user";

interface Fact {
  readonly word: string;
  readonly place: Place;
}

export interface Shape {
  /** Also the name of its tool. */
  readonly name: string;
  readonly says: string;
  readonly facts: readonly Fact[];
  readonly outputSchema?: object;
  /** The result of `tools/call`, or a JSON-RPC error. */
  readonly answer: { readonly result: object } | { readonly error: object };
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

function wordOf(shape: string, index: number): string {
  const bytes = createHash("sha256").update(`${shape} ${index}`).digest();
  return `q${[...bytes.subarray(0, 11)].map((byte) => LETTERS[byte % LETTERS.length]).join("")}`;
}

function wordsOf(shape: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => wordOf(shape, index));
}

const factsAt = (place: Place, words: readonly string[]): readonly Fact[] =>
  words.map((word) => ({ word, place }));

const text = (value: string): object => ({ type: "text", text: value });

const items = (words: readonly string[]): object => ({
  items: words.map((name, index) => ({ id: index, name })),
});

const itemsSchema = {
  type: "object",
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        properties: { id: { type: "integer" }, name: { type: "string" } },
        required: ["id", "name"],
      },
    },
  },
  required: ["items"],
  additionalProperties: false,
};

const lines = (words: readonly string[], charsPerLine: number): string =>
  words.map((word, index) => `${index} ${word} `.padEnd(charsPerLine - 1, ".")).join("\n");

const oneLine = (words: readonly string[], charsPerWord: number): string =>
  words.map((word, index) => `${index} ${word} `.padEnd(charsPerWord, ".")).join("");

// One pixel. Bytes behind a picture's end are ignored by readers, so the word rides there.
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A file as base64 whose last bytes are a word, and the part of the base64 that only this file has. */
function fileWith(base64: string, word: string): { readonly data: string; readonly mark: string } {
  const body = Buffer.from(base64, "base64");
  // Base64 takes three bytes at a time: behind a whole number of them the word's own letters are always the same.
  const padding = Buffer.alloc((3 - (body.length % 3)) % 3);
  return {
    data: Buffer.concat([body, padding, Buffer.from(word)]).toString("base64"),
    mark: Buffer.from(word).toString("base64"),
  };
}

const SILENCE = Buffer.from(
  "RIFF\u0024\0\0\0WAVEfmt \u0010\0\0\0\u0001\0\u0001\0\u0040\u001f\0\0\u0040\u001f\0\0\u0001\0\u0008\0data\0\0\0\0",
  "latin1",
).toString("base64");

type Draft = Omit<Shape, "name">;
type Make = (name: string) => Draft;

const ok = (content: readonly object[], more: object = {}): Shape["answer"] => ({
  result: { content, ...more },
});
const failed = (content: readonly object[], more: object = {}): Shape["answer"] => ({
  result: { content, isError: true, ...more },
});

/** Texts of `count` words, `chars` characters a word. */
const long =
  (count: number, chars: number, write: typeof lines, says: string, answer: typeof ok = ok): Make =>
  (name) => {
    const words = wordsOf(name, count);
    return { says, facts: factsAt("text", words), answer: answer([text(write(words, chars))]) };
  };

/** A structure and its mirror in the text. */
const mirrored =
  (count: number, indent: number, says: string): Make =>
  (name) => {
    const words = wordsOf(name, count);
    const structuredContent = items(words);
    return {
      says,
      facts: factsAt("both", words),
      outputSchema: itemsSchema,
      answer: ok([text(JSON.stringify(structuredContent, null, indent))], { structuredContent }),
    };
  };

/** Two words in the text, two others in a structure. */
const two =
  (
    says: string,
    build: (texts: readonly string[], structure: object) => Omit<Draft, "says" | "facts">,
  ): Make =>
  (name) => {
    const words = wordsOf(name, 4);
    const [texts, others] = [words.slice(0, 2), words.slice(2)];
    const facts = [...factsAt("text", texts), ...factsAt("structure", others)];
    return { says, facts, ...build(texts, items(others)) };
  };

const blocks =
  (says: string, place: Place, build: (words: readonly string[]) => readonly object[], count = 2): Make =>
  (name) => {
    const words = wordsOf(name, count);
    return { says, facts: factsAt(place, words), answer: ok(build(words)) };
  };

const binary =
  (says: string, place: "picture" | "sound", mimeType: string, base64: string): Make =>
  (name) => {
    const [word = "", caption = ""] = wordsOf(name, 2);
    const { data, mark } = fileWith(base64, word);
    const type = place === "picture" ? "image" : "audio";
    return {
      says,
      facts: [{ word: mark, place }, ...factsAt("text", [caption])],
      answer: ok([text(`Caption: ${caption}`), { type, data, mimeType }]),
    };
  };

const makers: Readonly<Record<string, Make>> = {
  plain_text: blocks("one text", "text", ([a, b]) => [text(`The parcel ${a} is at ${b}.`)]),
  several_texts: blocks("three texts", "text", (words) => words.map((word) => text(word)), 3),
  pretty_mirror: mirrored(3, 2, "structure, and its JSON with line breaks as text"),
  exact_mirror: mirrored(3, 0, "structure, and its compact JSON as text"),
  thin_text: (name) => {
    const words = wordsOf(name, 3);
    return {
      says: "full structure, and a text that gives its count",
      facts: factsAt("structure", words),
      outputSchema: itemsSchema,
      answer: ok([text("3 items")], { structuredContent: items(words) }),
    };
  },
  thin_structure: (name) => {
    const words = wordsOf(name, 3);
    return {
      says: "full text, and a structure that gives a time",
      facts: factsAt("text", words),
      answer: ok([text(`Parcels: ${words.join(", ")}`)], { structuredContent: { duration_ms: 3 } }),
    };
  },
  disjoint: two("text and structure hold different facts", (texts, structuredContent) => ({
    outputSchema: itemsSchema,
    answer: ok([text(texts.join(" "))], { structuredContent }),
  })),
  structure_alone: (name) => {
    const words = wordsOf(name, 3);
    return {
      says: "structure without content",
      facts: factsAt("structure", words),
      outputSchema: itemsSchema,
      answer: ok([], { structuredContent: items(words) }),
    };
  },
  structure_and_picture: (name) => {
    const [word = "", fact = ""] = wordsOf(name, 2);
    const { data, mark } = fileWith(PIXEL, word);
    return {
      says: "structure, and a picture as the only block",
      facts: [{ word: mark, place: "picture" }, ...factsAt("structure", [fact])],
      answer: ok([{ type: "image", data, mimeType: "image/png" }], { structuredContent: items([fact]) }),
    };
  },
  empty: () => ({ says: "no content", facts: [], answer: ok([]) }),
  failure_text: (name) => {
    const words = wordsOf(name, 2);
    const content = [text(`No parcel ${words[0]}. Ask for ${words[1]}.`)];
    return { says: "failure as text", facts: factsAt("text", words), answer: failed(content) };
  },
  failure_both: two("failure, text and structure, no schema", (texts, structuredContent) => ({
    answer: failed([text(texts.join(" "))], { structuredContent }),
  })),
  failure_outside_schema: (name) => {
    const [message = "", code = ""] = wordsOf(name, 2);
    return {
      says: "failure whose structure breaks the tool's schema",
      facts: [...factsAt("text", [message]), ...factsAt("structure", [code])],
      outputSchema: itemsSchema,
      answer: failed([text(`Failed: ${message}`)], { structuredContent: { error: { code } } }),
    };
  },
  failure_long: long(600, 100, lines, "failure of 60,000 characters", failed),
  protocol_error: (name) => {
    const [message = "", detail = ""] = wordsOf(name, 2);
    return {
      says: "JSON-RPC error of the server (-32603)",
      facts: [...factsAt("text", [message]), ...factsAt("structure", [detail])],
      answer: { error: { code: -32_603, message: `Wrong: ${message}`, data: { detail } } },
    };
  },
  success_outside_schema: two("structure breaks the tool's schema", (texts, structure) => ({
    outputSchema: itemsSchema,
    answer: ok([text(texts.join(" "))], { structuredContent: { parcels: structure } }),
  })),
  schema_without_structure: (name) => {
    const words = wordsOf(name, 2);
    return {
      says: "tool with a schema, result without structure",
      facts: factsAt("text", words),
      outputSchema: itemsSchema,
      answer: ok([text(words.join(" "))]),
    };
  },
  embedded_text: blocks("embedded resource with text", "block", ([a, b]) => [
    text("The note:"),
    { type: "resource", resource: { uri: `note://${a}`, mimeType: "text/plain", text: `Note ${b}` } },
  ]),
  resource_link: blocks("link to a resource", "link", ([a, b]) => [
    text("The report:"),
    { type: "resource_link", uri: `report://${a}`, name: "report", title: b, mimeType: "text/plain" },
  ]),
  picture: binary("text and picture", "picture", "image/png", PIXEL),
  sound: binary("text and sound", "sound", "audio/wav", SILENCE),
  for_the_user: (name) => {
    const [open = "", hidden = ""] = wordsOf(name, 2);
    return {
      says: "a text for all, and one whose audience is the user",
      facts: [...factsAt("text", [open]), ...factsAt("user", [hidden])],
      answer: ok([text(open), { ...text(hidden), annotations: { audience: ["user"] } }]),
    };
  },
  with_meta: (name) => {
    const [open = "", hidden = ""] = wordsOf(name, 2);
    return {
      says: "text and _meta",
      facts: [...factsAt("text", [open]), ...factsAt("meta", [hidden])],
      answer: ok([text(open)], { _meta: { "lab.test/note": hidden } }),
    };
  },
  text_12k: long(120, 100, lines, "12,000 characters in 120 lines"),
  text_30k: long(300, 100, lines, "30,000 characters in 300 lines"),
  text_60k: long(600, 100, lines, "60,000 characters in 600 lines"),
  line_60k: long(600, 100, oneLine, "60,000 characters in one line"),
  mirror_60k: mirrored(1_600, 0, "structure of 60,000 characters, and its compact JSON as text"),
};

export const shapes: readonly Shape[] = Object.entries(makers).map(([name, make]) => ({
  name,
  ...make(name),
}));
