import { describe, expect, it } from "vitest";
import { digestDocument } from "../digest-document.ts";

const parts = ["Mill", "River", "Bridge", "Market"];
const opening: Readonly<Record<string, string>> = {
  Mill: "The mill of the county grinds wheat and barley for nine villages in the hills.",
  River: "The river of the county brings cold water from two glaciers down to the northern sea.",
  Bridge: "The bridge of the county was built of granite by the council after a flood in 1871.",
  Market: "The market of the county sells apples, wool and honey on every second Friday.",
};
const facts = (name: string): string =>
  [
    opening[name],
    "It stands near the road to the county.",
    `However, the ${name.toLowerCase()} of the county was once forgotten by the council, the villages and the road.`,
    `Visitors of the ${name.toLowerCase()} pay ${name.length * 7} coins to the keeper.`,
  ].join(" ");

async function outlineOf(text: string, contentType: string, query?: string) {
  const { outline, payload } = await digestDocument(text, {
    contentType,
    query,
    policy: "always",
    isolate: false,
  });
  return { outline, points: payload?.key_points ?? [], summary: payload?.summary ?? "", payload };
}

const markdown = `# The county\n\nA county in the north has four sights.\n\n${parts
  .map((name) => `## ${name}\n\n${facts(name)}\n\n### Visits to the ${name}\n\nThe gate opens at nine.`)
  .join("\n\n")}`;

describe("the outline of a document", () => {
  it("has its sections in order, each with a sentence of its own", async () => {
    const { outline = [], summary } = await outlineOf(markdown, "text/markdown");
    expect(outline.map(({ heading }) => heading)).toEqual(["The county", ...parts]);
    const points = outline.flatMap(({ point }) => (point === undefined ? [] : [point]));
    expect(points.length).toBeGreaterThanOrEqual(3);
    expect(new Set(points).size).toBe(points.length);
    for (const point of points) {
      expect(markdown).toContain(point);
      expect(summary).not.toContain(point);
      expect(point).not.toMatch(/^(?:It|However)/);
    }
  });

  it("gives the key points", async () => {
    const { outline = [], points } = await outlineOf(markdown, "text/markdown");
    const told = outline.flatMap(({ point }) => (point === undefined ? [] : [point]));
    expect(points.length).toBeGreaterThan(0);
    expect(points.every((point) => told.includes(point))).toBe(true);
  });

  it("quotes headings and sentences at their locators", async () => {
    const document = await digestDocument(markdown, { contentType: "text/markdown", isolate: false });
    const text = Array.from(document.document?.text ?? "");
    const at = (locator = ""): string => {
      const [, start = "", end = ""] = /^char:(\d+)-(\d+)$/.exec(locator) ?? [];
      return text.slice(Number(start), Number(end)).join("");
    };
    for (const { heading, locator, point, point_locator } of document.outline ?? []) {
      expect(at(locator)).toBe(heading);
      expect(point === undefined ? undefined : at(point_locator)).toBe(point);
    }
  });

  it("has the chapters of a book, not their sections", async () => {
    const book = parts
      .map((name, index) => `Chapter ${index + 1}: ${name}\n\n1. Beginnings\n\n${facts(name)}`)
      .join("\n\n");
    const { outline = [] } = await outlineOf(book, "text/plain");
    expect(outline.map(({ heading }) => heading)).toEqual(
      parts.map((name, index) => `Chapter ${index + 1}: ${name}`),
    );
  });

  it("has the numbered sections of a plain text, and the chapters of a Chinese one", async () => {
    const numbered = parts.map((name, index) => `${index + 1}. The ${name}\n\n${facts(name)}`).join("\n\n");
    expect((await outlineOf(numbered, "text/plain")).outline).toHaveLength(4);
    const chinese = ["第一章 河流", "第二章 桥", "第三章 市场"]
      .map((name) => `${name}\n\n${`${name.slice(4)}由县政府于1871年建成，每年有许多人前来参观。`.repeat(6)}`)
      .join("\n\n");
    expect((await outlineOf(chinese, "text/plain")).outline?.map(({ heading }) => heading)).toEqual([
      "第一章 河流",
      "第二章 桥",
      "第三章 市场",
    ]);
  });

  it("is absent for a document without headings, and for one that answers a query", async () => {
    expect((await outlineOf(parts.map(facts).join("\n\n"), "text/plain")).outline).toBeUndefined();
    expect((await outlineOf(markdown, "text/markdown", "Who built the mill?")).outline).toBeUndefined();
  });
});
