import { describe, expect, it } from "vitest";
import type { TextSpan } from "../document.ts";
import { type SelectOptions, type PassageSelection, selectPassages } from "./select-passages.ts";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";

const limits = {
  maxSnippets: 5,
  snippetChars: 500,
  maxSummaryChars: 2_000,
  maxKeyPoints: 5,
  keyPointChars: 300,
};

const subjects = ["harbour", "orchard", "railway", "library", "glacier", "theatre", "vineyard", "lighthouse"];

/** One paragraph a subject, each with sentences of its own. */
const town = subjects
  .map((subject, index) =>
    [
      `The ${subject} of the town was opened in ${1850 + index} after a long debate.`,
      `Most visitors reach the ${subject} on foot from the market square.`,
      `A small museum beside it keeps drawings and letters from the builders.`,
      `In winter the ${subject} closes early because the road is often blocked by snow.`,
      `Every second year the council spends ${20 + index},000 crowns on repairs there.`,
    ].join(" "),
  )
  .join("\n\n");

async function select(text: string, options: Partial<SelectOptions> = {}): Promise<PassageSelection> {
  return selectPassages(text, { ...limits, ...options });
}

function quote(text: string, spans: readonly TextSpan[]): string[] {
  return spans.map(({ start, end }) => text.slice(start, end));
}

describe("selectPassages with a query", () => {
  it("puts the passage that answers first", async () => {
    const { evidence, ranking } = await select(town, { query: "When was the glacier opened?" });
    expect(ranking).toBe("query");
    expect(quote(town, evidence)[0]).toContain("The glacier of the town was opened in 1854");
  });

  it.each([
    ["another inflection", "opening lighthouses", "lighthouse"],
    ["other case and accents", "THÉATRE", "theatre"],
    ["a number", "1856", "vineyard"],
  ])("finds %s", async (_what, query, subject) => {
    const { evidence } = await select(town, { query });
    expect(quote(town, evidence)[0]).toContain(subject);
  });

  it("finds passages in Chinese without spaces", async () => {
    const text =
      "长城位于中国北部，全长两万多公里。\n\n故宫位于北京市中心，是明清两代的皇宫。\n\n西湖位于杭州市。";
    const { evidence } = await select(text, { query: "皇宫在哪里？", snippetChars: 40 });
    expect(quote(text, evidence)[0]).toContain("故宫位于北京市中心");
  });

  it("gives no evidence when the document does not say it, but still a summary", async () => {
    const { evidence, ranking, summary } = await select(town, { query: "quantum chromodynamics" });
    expect(evidence).toEqual([]);
    expect(ranking).toBe("query");
    expect(summary.length).toBeGreaterThan(0);
  });

  it("gives fewer snippets than asked when few are relevant", async () => {
    const { evidence } = await select(town, { query: "orchard", snippetChars: 200 });
    expect(evidence.length).toBeGreaterThan(0);
    expect(quote(town, evidence).every((passage) => passage.includes("orchard"))).toBe(true);
  });

  it.each([
    ["words that are everywhere", "of the town"],
    ["short words", "is it"],
    ["emoji", "🎉 👩‍👧"],
    ["signs", "?!"],
    ["nothing", " "],
  ])("ranks by salience when the query is %s", async (_what, query) => {
    const { ranking, evidence } = await select(town, { query });
    expect(ranking).toBe("salience");
    expect(evidence.length).toBeGreaterThan(0);
  });

  it("says how much of the query a passage reaches", async () => {
    const whole = await select(town, { query: "glacier winter snow" });
    const part = await select(town, { query: "glacier winter elephants" });
    expect(whole.evidence[0]?.score).toBeGreaterThan(0.8);
    expect(part.evidence[0]?.score).toBeLessThan(whole.evidence[0]?.score ?? 0);
  });

  it("quotes a repeated passage once, and others after it", async () => {
    const notice = "Copyright notice: the railway company keeps all rights in this timetable.";
    const hotel = "Another railway company owns a timetable printer.";
    const text = [town, ...Array.from({ length: 9 }, () => notice), hotel].join("\n\n");
    const { evidence } = await select(text, { query: "railway company timetable", snippetChars: 80 });
    const quotes = quote(text, evidence);
    expect(quotes.filter((passage) => passage === notice)).toHaveLength(1);
    expect(quotes).toContain(hotel);
  });

  it("leaves out what scores below a minimum", async () => {
    const { evidence } = await select(town, { query: "glacier elephants", minScore: 0.99 });
    expect(evidence).toEqual([]);
  });

  it("leads with the sentence that answers, and repeats none of the summary as a key point", async () => {
    const other = "The mayor likes the orchard, and spoke of it in May. Nobody listened to her that day.";
    const answer = "In June the repairs of the orchard wall cost 900 crowns, which the baker paid.";
    const text = [other, town, `Rain fell for a week. ${answer} Then it was autumn.`].join("\n\n");
    const { summary, keyPoints, isAnswered } = await select(text, {
      query: "What did the repairs of the orchard wall cost?",
      maxSummaryChars: 300,
    });
    expect(isAnswered).toBe(true);
    expect(quote(text, summary)[0]).toBe(answer);
    const rest = summary.slice(1).map(({ start }) => start);
    expect(rest).toEqual(rest.toSorted((a, b) => a - b));
    const said = new Set(quote(text, summary));
    expect(keyPoints.length).toBeGreaterThan(0);
    expect(quote(text, keyPoints).filter((point) => said.has(point))).toEqual([]);
  });

  it("says when the document is about something else, and gives what comes nearest", async () => {
    const { isAnswered } = await select(town, {
      query: "Who was the first president of the Seychelles in 1976?",
    });
    expect(isAnswered).toBe(false);
  });

  it("builds the summary and the key points from what answers, in whole sentences", async () => {
    const { summary, keyPoints } = await select(town, { query: "orchard repairs", maxSummaryChars: 160 });
    const [first = ""] = quote(town, summary);
    expect(first).toMatch(/^[A-Z].*orchard.*\.$/);
    expect(quote(town, keyPoints).every((point) => /^[A-Z].*\.$/.test(point))).toBe(true);
    expect(new Set(quote(town, keyPoints)).size).toBe(keyPoints.length);
  });
});

describe("selectPassages without a query", () => {
  it("prefers what the document keeps coming back to", async () => {
    const aside = "Completely unrelated gossip mentions purple zebras juggling.";
    const body = Array.from(
      { length: 12 },
      (_, index) => `The river flood of ${1900 + index} destroyed mills and bridges along the river valley.`,
    ).join(" ");
    const { evidence, summary, ranking } = await select(`${aside}\n\n${body}`, { maxSummaryChars: 80 });
    expect(ranking).toBe("salience");
    expect(quote(`${aside}\n\n${body}`, evidence)[0]).toContain("river");
    expect(quote(`${aside}\n\n${body}`, summary).join(" ")).not.toContain("zebras");
  });

  it("takes prose rather than headings, tables and code for the summary", async () => {
    const text = [
      "# River floods",
      "| year | river | flood |\n| 1901 | river | flood |",
      "const flood = river.flood(river, flood);",
      "The river flood of 1901 was the worst that the valley had seen.",
    ].join("\n\n");
    const { summary } = await select(text);
    expect(quote(text, summary)).toEqual(["The river flood of 1901 was the worst that the valley had seen."]);
  });

  it("falls back on position where there are no words", async () => {
    const text = "*** !!! ***\n\n??? --- ???";
    const { ranking, evidence } = await select(text);
    expect(ranking).toBe("position");
    expect(evidence[0]?.start).toBe(0);
  });

  it("finds nothing in an empty text", async () => {
    expect(await select("")).toEqual({
      evidence: [],
      summary: [],
      keyPoints: [],
      outline: [],
      ranking: "position",
      isAnswered: false,
    });
  });
});

describe("selectPassages on pages", () => {
  it("never quotes across two pages", async () => {
    const first = "The harbour was built by the guild";
    const second = "of merchants in the harbour quarter.";
    const text = `${first}\n\n${second}`;
    const pages = [
      { number: 1, start: 0, end: first.length },
      { number: 2, start: first.length + 2, end: text.length },
    ];
    const { evidence } = await select(text, { query: "harbour", pages });
    expect(quote(text, evidence).sort()).toEqual([first, second]);
  });

  it("skips a page without text", async () => {
    const pages = [
      { number: 1, start: 0, end: 0 },
      { number: 2, start: 0, end: town.length },
    ];
    const { evidence } = await select(town, { query: "glacier", pages });
    expect(quote(town, evidence)[0]).toContain("glacier");
  });
});

describe("selectPassages while it runs", () => {
  const long = `${town}\n\n`.repeat(2_000);

  it("stops when it is cancelled", async () => {
    const controller = new AbortController();
    const cancelled = select(long, {
      query: "glacier",
      signal: controller.signal,
      onProgress: () => controller.abort(new Error("enough")),
    });
    await expect(cancelled).rejects.toThrow("enough");
  });

  it.runIf(isFullRun)("reports how far it is, never backwards, up to the end", async () => {
    const seen: (readonly [number, number])[] = [];
    await select(long, { onProgress: (done, total) => seen.push([done, total]) });
    const shares = seen.map(([done, total]) => done / total);
    expect(shares.length).toBeGreaterThan(2);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it("refuses passages too short to say anything", async () => {
    await expect(select(town, { snippetChars: 5 })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });
});
