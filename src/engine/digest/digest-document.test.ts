import { describe, expect, it } from "vitest";
import { canonicalText } from "./canonical-text.ts";
import { type DigestCache, memoryDigestCache } from "./digest-result.ts";
import { digestDocument } from "./digest-document.ts";
import type { DigestOptions, DigestSource } from "./digest-options.ts";
import { serializePayload } from "./payload/serialize-payload.ts";
import { verifyDigest } from "./verify-digest.ts";
import type { Summariser } from "./summariser/summariser.ts";

const topics = ["harbour", "glacier", "orchard", "lighthouse", "railway", "museum", "volcano", "library"];
/** Forty paragraphs, each about a topic of its own. */
const report = Array.from({ length: 40 }, (_, index) => {
  const topic = `${topics[index % topics.length]} number ${index}`;
  return (
    `The ${topic} was visited in spring by a group of engineers who wrote down what they saw. ` +
    `Its keeper said that the ${topic} costs ${index + 3} thousand coins a year to maintain. ` +
    `Nobody had counted the visitors before, so the group stayed for two weeks and did it by hand.`
  );
}).join("\n\n");
const query = "How much does glacier number 17 cost a year?";

function counting(
  answer: () => Promise<{ summary: string; keyPoints: string[] }>,
): Summariser & { calls: number } {
  const summariser = {
    name: "counting",
    calls: 0,
    summarise: () => {
      summariser.calls++;
      return answer();
    },
  };
  return summariser;
}

describe("digestDocument", () => {
  it("answers a query with the passage that says it, first and by far", async () => {
    const { payload, document } = await digestDocument(report, { query });
    const [first, second] = payload?.evidence_snippets ?? [];
    expect(first?.text).toContain("glacier number 17 costs 20 thousand coins");
    expect(first?.relevance_score).toBeGreaterThan(1.5 * (second?.relevance_score ?? 0));
    expect(await verifyDigest(payload, document ?? "")).toMatchObject({ valid: true });
  });

  it("says what a document is about when nothing is asked", async () => {
    const { payload, warnings } = await digestDocument(report);
    expect(payload?.query_hash).toBe("e3b0c442");
    expect(payload?.evidence_snippets.length).toBeGreaterThan(0);
    expect(payload?.summary).not.toBe("");
    expect(payload?.key_points.length).toBeGreaterThan(0);
    expect(payload?.key_points.filter((point) => payload.summary.includes(point))).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it.each([
    [
      "text/html",
      "<h2>What does the river flood cost the valley?</h2>",
      "<table><tr><td>The river flood costs</td><td>the valley 900 crowns a year.</td></tr></table>",
      "<p>",
      "</p>",
    ],
    [
      "text/markdown",
      "## What does the river flood cost the valley?\n",
      "| The river flood | costs the valley 900 crowns a year. |\n| --- | --- |\n| The river flood | costs the valley 800 crowns a year. |\n",
      "\n",
      "\n",
    ],
  ])(
    "takes no heading and no row of a table of %s for a sentence",
    async (contentType, heading, table, open, close) => {
      const prose = Array.from(
        { length: 12 },
        (_, year) =>
          `${open}In ${1900 + year} the mill number ${year} stood under water for ${year + 3} weeks after the river flood, and the valley paid.${close}`,
      ).join("");
      const { payload } = await digestDocument(heading + table + prose, {
        contentType,
        query: "What does the river flood cost the valley?",
        maxKeyPoints: 10,
        summaryChars: 600,
        policy: "always",
      });
      const said = [payload?.summary, ...(payload?.key_points ?? [])].join(" ");
      expect(said).toContain("stood under water");
      expect(said).not.toMatch(/crowns|What does/);
    },
  );

  it("says so when nothing in the document answers", async () => {
    const { warnings } = await digestDocument(report, { query: "quantum chromodynamics" });
    expect(warnings.map(({ code }) => code)).toEqual(["QUERY_NOT_FOUND"]);
  });

  it("is much smaller than a long document", async () => {
    const { payload } = await digestDocument(report, { query });
    expect(payload?.compression_ratio).toBeLessThan(0.5);
    expect(payload?.original_chars).toBe(report.length);
  });

  it("reads the quick form of a page of HTML and keeps its title", async () => {
    const paragraphs = report.split("\n\n").map((one) => `<p>${one}</p>`);
    const html = `<!doctype html><title>Visits &amp; costs</title><body><article>${paragraphs.join("")}</article>`;
    const { payload, document } = await digestDocument(html, { query });
    expect(document).toMatchObject({ type: "html", title: "Visits & costs" });
    expect(payload?.evidence_snippets[0]?.text).toContain("20 thousand coins");
  });
});

describe("the policy", () => {
  const skipOf = async (source: DigestSource, options: DigestOptions): Promise<string | undefined> =>
    (await digestDocument(source, options)).skipped?.reason;

  it.each([
    ["off reads nothing", report, { policy: "off" }, "policy_off"],
    ["auto leaves a short text", "Short.", {}, "too_short"],
    ["auto leaves a text under the asked length", report, { minChars: 1_000_000 }, "too_short"],
    ["auto leaves a poor source", report, { quality: "low" }, "low_quality"],
    ["auto takes an unjudged source", report, {}, undefined],
    ["auto takes one as good as asked", report, { quality: "low", minQuality: "low" }, undefined],
    ["always takes a poor source", report, { policy: "always", quality: "low" }, undefined],
    ["always leaves what would not get smaller", "A short text.", { policy: "always" }, "not_smaller"],
    ["a digest is not digested again", report, { contentType: "digest/v1" }, "already_digested"],
  ] as const)("%s", async (_, source, options, reason) => {
    expect(await skipOf(source, options)).toBe(reason);
  });

  it("knows a digest by its content too", async () => {
    const { payload } = await digestDocument(report);
    const text = payload === undefined ? "" : serializePayload(payload);
    expect(await skipOf(text, { policy: "always" })).toBe("already_digested");
    expect(await skipOf(new TextEncoder().encode(text), {})).toBe("already_digested");
  });
});

describe("the cache", () => {
  it("gives the same digest again without making it", async () => {
    const cache = memoryDigestCache();
    const first = await digestDocument(report, { cache, query });
    const second = await digestDocument(report, { cache, query });
    expect([first.cacheHit, second.cacheHit]).toEqual([false, true]);
    expect(second.payload).toEqual(first.payload);
    expect(second.spans).toEqual(first.spans);
  });

  it.each<[string, DigestOptions]>([
    ["another query", { query: "library" }],
    ["another number of snippets", { maxSnippets: 2 }],
    ["another length of snippets", { snippetChars: 100 }],
    ["another length of the summary", { summaryChars: 300 }],
    ["another number of key points", { maxKeyPoints: 2 }],
    ["another least score", { minScore: 0.9 }],
    ["the form of the seed's system", { compat: "foundry" }],
    ["a summariser", { summariser: counting(() => Promise.resolve({ summary: "s", keyPoints: [] })) }],
  ])("misses for %s", async (_, change) => {
    const cache = memoryDigestCache();
    await digestDocument(report, { cache, query });
    expect((await digestDocument(report, { cache, query, ...change })).cacheHit).toBe(false);
  });

  it("misses for another text, and hits for the same text under another policy", async () => {
    const cache = memoryDigestCache();
    await digestDocument(report, { cache });
    expect((await digestDocument(`${report} More.`, { cache })).cacheHit).toBe(false);
    expect((await digestDocument(report, { cache, policy: "always" })).cacheHit).toBe(true);
  });

  it("forgets the one that was not used for longest", async () => {
    const cache = memoryDigestCache({ maxEntries: 2 });
    await digestDocument(report, { cache, query: "museum" });
    await digestDocument(report, { cache, query: "railway" });
    await digestDocument(report, { cache, query: "museum" });
    await digestDocument(report, { cache, query: "volcano" });
    expect((await digestDocument(report, { cache, query: "museum" })).cacheHit).toBe(true);
    expect((await digestDocument(report, { cache, query: "railway" })).cacheHit).toBe(false);
  });

  it("hands out what no caller can change for others", async () => {
    const cache = memoryDigestCache();
    await digestDocument(report, { cache });
    const { payload } = await digestDocument(report, { cache });
    expect(() => Object.assign(payload ?? {}, { summary: "" })).toThrow(TypeError);
  });
});

describe("a summariser", () => {
  it("writes summary and key points in its own words, which then have no spans", async () => {
    const summariser = counting(() =>
      Promise.resolve({ summary: "All about visits.", keyPoints: ["They cost."] }),
    );
    const { payload, spans, warnings } = await digestDocument(report, { summariser, query });
    expect(payload).toMatchObject({ summary: "All about visits.", key_points: ["They cost."] });
    expect(payload?.evidence_snippets.length).toBeGreaterThan(0);
    expect(spans).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it("that fails leaves the document's own sentences, a warning, and nothing in the cache", async () => {
    const summariser = counting(() => Promise.reject(new Error("secret host 10.0.0.1 refused")));
    const cache = memoryDigestCache();
    const first = await digestDocument(report, { summariser, cache });
    expect(first.warnings.map(({ code }) => code)).toEqual(["FALLBACK_USED"]);
    expect(JSON.stringify(first.warnings)).not.toContain("10.0.0.1");
    expect(first.spans?.summary.length).toBeGreaterThan(0);
    expect((await digestDocument(report, { summariser, cache })).cacheHit).toBe(false);
  });
});

describe("sizes", () => {
  const short = report.slice(0, 1_500);

  it("are limits: of a short document there is less than was asked for, not nothing", async () => {
    const options = { maxSnippets: 10, snippetChars: 500, summaryChars: 2_000, maxKeyPoints: 10 };
    const { payload, skipped } = await digestDocument(short, { ...options, query: "glacier" });
    expect(skipped).toBeUndefined();
    expect(payload?.digest_chars).toBeLessThan(short.length);
    expect(payload?.evidence_snippets.length).toBeGreaterThan(0);
  });

  it("give a short document more than one quote", async () => {
    const { payload } = await digestDocument(report.slice(0, 3_000), { query: "engineers" });
    expect(payload?.evidence_snippets.length).toBeGreaterThan(1);
  });
});

describe("a cache that is away", () => {
  it("costs no digest", async () => {
    const away = () => Promise.reject(new Error("away"));
    const { payload, cacheHit } = await digestDocument(report, { cache: { get: away, set: away } });
    expect(payload).toBeDefined();
    expect(cacheHit).toBe(false);
  });
});

describe("a source", () => {
  it("may be an ArrayBuffer or a Buffer", async () => {
    const bytes = Buffer.from(report);
    const buffer = new Uint8Array(bytes).buffer;
    const [one, two] = [await digestDocument(buffer, { query }), await digestDocument(bytes, { query })];
    expect(one.payload).toEqual(two.payload);
  });

  it.each([
    [{}, "an object without a url"],
    [5, "number"],
    [null, "null"],
    [undefined, "undefined"],
  ])("that is %j is named", async (source, says) => {
    const given = digestDocument(source as string);
    await expect(given).rejects.toThrow(`The source is ${says}: give a text, bytes, or { url }.`);
  });
});

describe("wrong options", () => {
  it.each<[DigestOptions, string]>([
    [{ maxSnippets: 11 }, 'digest: "maxSnippets" is 11. Write a whole number from 0 to 10.'],
    [{ snippetChars: 501 }, '"snippetChars" is 501. Write a whole number from 40 to 500.'],
    [{ summaryChars: 1.5 }, '"summaryChars" is 1.5. Write a whole number from 0 to 2000.'],
    [{ minScore: Number.NaN }, '"minScore" is NaN. Write a number from 0 to 1.'],
    [{ maxSnippet: 1 } as DigestOptions, '"maxSnippet" is not a known key. Did you mean "maxSnippets"?'],
    [{ fetch: 3 as unknown as undefined }, '"fetch" is not a function: give one'],
    [{ contentType: 5 as unknown as string }, '"contentType" is 5. Write a string.'],
    [{ summariser: {} as Summariser }, '"summariser" has no method summarise: give'],
    [{ cache: {} as DigestCache }, '"cache" has no method get: give'],
    [{ policy: "sometimes" as "auto" }, '"policy" is "sometimes". Choose one of off, auto, always.'],
  ])("%j are named before anything is read", async (options, says) => {
    await expect(digestDocument(report, options)).rejects.toThrow(says);
  });
});

describe("cancelling", () => {
  it("stops a digest", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(digestDocument(report.repeat(50), { signal })).rejects.toThrow("enough");
  });
});

describe("the form of the seed's system", () => {
  it("is digested from HTML as that system saw it, with its hash", async () => {
    const html = `<h1>Title</h1>\n${report
      .split("\n\n")
      .map((one) => `<p>${one} a &lt; b</p>`)
      .join("\n")}`;
    const { payload, document } = await digestDocument(html, { query, compat: "foundry" });
    expect(document?.text).toBe(canonicalText(html, { compat: "foundry" }));
    expect(await verifyDigest(payload, html)).toMatchObject({ valid: true, form: "foundry" });
  });
});

describe("what a person would have picked", () => {
  it("is found right after a short heading, however long the sentence", async () => {
    const long = `The zebrafish clause says ${"that whoever keeps the pond keeps the fish, ".repeat(10)}and no more.`;
    const { payload } = await digestDocument(`${report}\n\nFindings\n\n${long}`, {
      query: "zebrafish clause",
    });
    expect(payload?.evidence_snippets[0]?.text).toContain("The zebrafish clause says");
  });

  it("is found for a word the whole document is about", async () => {
    const { payload, warnings } = await digestDocument(report, { query: "engineers" });
    expect(payload?.evidence_snippets[0]?.text).toContain("engineers");
    expect(warnings).toEqual([]);
  });

  it("is in the summary too, where it names code", async () => {
    const answer =
      "When the store fails, the cut goes out without `content_archive_hashes`, and nothing is lost.";
    const { payload } = await digestDocument(`${report}\n\n${answer}\n\n${report}`, {
      query: "What happens when the store fails?",
    });
    expect(payload?.summary).toContain(answer);
  });
});
