import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Source, readSource } from "../../core/contract/response-error.ts";
import { digestSources } from "./digest-sources.ts";
import { deserializePayload } from "./payload/serialize-payload.ts";

const long = (word: string): string =>
  Array.from(
    { length: 60 },
    (_, index) => `The ${word} of year ${index} was measured by hand and noted.`,
  ).join(" ");
const text = (id: string, content: string) => ({ id, content_type: "text/plain", content });

describe("digestSources", () => {
  it("digests each source and keeps their order, ids and titles", async () => {
    const sources = [
      { ...text("a", long("rain")), title: "Rain" },
      text("b", "Short."),
      { id: "c", content_type: "text/html", content: `<title>Snow</title><p>${long("snow")}</p>` },
    ];
    const digested = await digestSources(sources, { query: "year 7" });
    expect(digested.map(({ source: { id, title, content_type } }) => [id, title, content_type])).toEqual([
      ["a", "Rain", "digest/v1"],
      ["b", undefined, "text/plain"],
      ["c", "Snow", "digest/v1"],
    ]);
    expect(digested[1]).toMatchObject({ source: sources[1], skipped: { reason: "too_short" } });
  });

  // shows 001.109
  it("makes what readSource reads", async () => {
    const [one] = await digestSources([text("a", long("rain"))], { query: "year 7" });
    const read = one === undefined ? undefined : await readSource(one.source);
    expect(read).toMatchObject({ kind: "digest", context: expect.stringContaining("rain") as string });
  });

  it("gives the text that the digest names by its hash, markup or not", async () => {
    const markdown = { id: "a", content_type: "text/markdown", content: `# Rain\n\n${long("**rain**")}` };
    const [one] = await digestSources([markdown]);
    const payload = deserializePayload(one?.source.content ?? "");
    const hash = createHash("sha256")
      .update(one?.text ?? "")
      .digest("hex");
    expect(payload.source_text_hash).toBe(`sha256:${hash}`);
  });

  // shows 001.133
  it("never digests a digest, and leaves empty sources alone", async () => {
    const [digest] = await digestSources([text("a", long("rain"))]);
    const sources = digest === undefined ? [] : [digest.source, text("b", "  ")];
    const again = await digestSources(sources, { policy: "always" });
    expect(again.map(({ isDigested, skipped }) => [isDigested, skipped?.reason])).toEqual([
      [false, "already_digested"],
      [false, "empty"],
    ]);
    expect(again[0]?.source).toBe(sources[0]);
  });

  it("takes the most trusted and the longest first when only some are wanted", async () => {
    const sources = ["a", "b", "c"].map((id) => text(id, long(id.repeat(4))));
    const digested = await digestSources(sources, {
      maxSources: 1,
      qualityOf: ({ id }) => (id === "b" ? "high" : "medium"),
    });
    expect(digested.map(({ isDigested }) => isDigested)).toEqual([false, true, false]);
    expect(digested[0]?.skipped?.reason).toBe("over_max_sources");
  });

  it("says which could not be read, and digests the others", async () => {
    const sources = [
      { id: "a", content_type: "application/pdf", content: "%PDF-1.7\n1 0 obj\n\ufffd\ufffd" },
      text("b", long("rain")),
    ];
    const [broken, fine] = await digestSources(sources);
    expect(broken).toMatchObject({ isDigested: false, source: sources[0] });
    expect(broken?.fault?.code).toBe("INVALID_FORMAT");
    expect(fine?.isDigested).toBe(true);
  });

  it("takes no source without a text for one", async () => {
    const [broken, fine] = await digestSources([{ id: "a" } as unknown as Source, text("b", long("rain"))]);
    expect(broken?.fault?.code).toBe("INVALID_FORMAT");
    expect(fine?.isDigested).toBe(true);
  });

  it("works on at most so many at a time", async () => {
    let [running, most] = [0, 0];
    const summariser = {
      name: "slow",
      async summarise() {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        return { summary: "s", keyPoints: [] };
      },
    };
    const sources = Array.from({ length: 7 }, (_, index) => text(String(index), long(`rain${index}`)));
    await digestSources(sources, { summariser, concurrency: 2 });
    expect(most).toBe(2);
  });

  it("gives up one source that takes too long", async () => {
    const summariser = { name: "never", summarise: () => new Promise<never>(() => undefined) };
    const [late] = await digestSources([text("a", long("rain"))], { summariser, timeoutMs: 50 });
    expect(late?.isDigested === true || late?.fault?.code === "TIMEOUT").toBe(true);
  });

  it("stops when the caller gives up", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(digestSources([text("a", long("rain"))], { signal })).rejects.toThrow("enough");
  });
});
