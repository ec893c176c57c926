import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ContractError } from "../../core/contract/contract-error.ts";
import type { Failure } from "../../core/contract/outcome.ts";
import { faults } from "../../core/contract/faults.ts";
import { verifyDigest } from "../../engine/digest/verify-digest.ts";
import { sha256 } from "../../core/text/bytes.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { memoryStore } from "../../engine/archive/memory-store.ts";
import { type RunToolOptions, runTool } from "../testing/run-tool.ts";
import { digestInputSchema } from "./digest-arguments.ts";
import type { DigestAnswer } from "./digest-output.ts";
import { digestTool } from "./digest-tool.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";

const harbours = (towns: number): string =>
  Array.from(
    { length: towns },
    (_, year) => `In ${1500 + year} the council of town ${year} built a harbour.  It has ${year} berths.`,
  ).join("\n\n\n");
const document = harbours(80);

async function run(tool: ReturnType<typeof digestTool>, args: JsonObject, options: RunToolOptions = {}) {
  const { outcome, envelope } = await runTool(tool, args, options);
  const { meta } = envelope as { readonly meta: JsonObject };
  return { outcome, meta, data: (outcome.ok ? outcome.data : {}) as unknown as DigestAnswer };
}

async function failure(tool: ReturnType<typeof digestTool>, args: JsonObject): Promise<Failure["fault"]> {
  const { outcome } = await run(tool, args);
  if (outcome.ok) throw new Error("it did not fail");
  return outcome.fault;
}

describe("digestTool", () => {
  it("digests a text by a query, and says what it was", async () => {
    const { data } = await run(digestTool(), { text: document, query: "town 42" });
    expect(data.digest?.evidence_snippets[0]?.text).toContain("town 42 ");
    expect(data.source).toEqual({ type: "text", chars: data.digest?.original_chars });
    expect(await verifyDigest(data.digest, document)).toMatchObject({ valid: true });
  });

  it("keeps the original and the text that is quoted, and names both", async () => {
    const store = memoryStore();
    const { data, meta } = await run(digestTool(), { text: document }, { contract: { store, name: "shop" } });
    const hashes = meta["content_archive_hashes"] as Readonly<Record<string, string>>;
    expect(Object.keys(hashes).map((key) => key.replace(/-.*/, ""))).toEqual(["original", "text"]);
    const [original, text] = Object.values(hashes);
    expect(original).toBe(`sha256:${await sha256(new TextEncoder().encode(document))}`);
    expect(text).toBe(data.digest?.source_text_hash);
    expect(meta["content_fidelity"]).toBe("full");
  });

  it("keeps a text that is canonical already only once", async () => {
    const { meta } = await run(digestTool(), {
      text: document.replaceAll("  ", " ").replaceAll("\n\n\n", "\n\n"),
    });
    expect(Object.keys(meta["content_archive_hashes"] ?? {})).toHaveLength(1);
  });

  it("gives a short text back as it is, and says why", async () => {
    const { data, meta } = await run(digestTool(), { text: "All is well." });
    expect(data).toMatchObject({
      skipped: { reason: "too_short" },
      text: "All is well.",
      source: { chars: 12 },
    });
    expect(meta["content_archive_hashes"]).toBeUndefined();
  });

  it("never digests a digest", async () => {
    const { data } = await run(digestTool(), { text: document });
    const again = await run(digestTool(), { text: JSON.stringify(data.digest), policy: "always" });
    expect(again.data.skipped?.reason).toBe("already_digested");
    expect(again.data.text).toBe(JSON.stringify(data.digest));
  });

  it("keeps to the sizes that are asked for", async () => {
    const args = { text: document, max_snippets: 1, max_key_points: 0, max_summary_chars: 120 };
    const { data } = await run(digestTool(), args);
    expect(data.digest?.evidence_snippets).toHaveLength(1);
    expect(data.digest?.key_points).toEqual([]);
    expect(data.digest?.summary.length).toBeLessThanOrEqual(120);
  });

  it.each([400, 600, 1_200, 2_400])(
    "is as large as a budget of %i tokens allows, and whole",
    async (tokens) => {
      const { outcome, data } = await run(
        digestTool(),
        { text: document, query: "berths of towns", max_snippets: 10, max_summary_chars: 2_000 },
        { contract: { budget: { tokens } } },
      );
      expect(outcome.notes.fidelity?.level).toBe("full");
      expect(await verifyDigest(data.digest, document)).toMatchObject({ valid: true });
    },
  );

  it("loses whole quotes, never parts of one, where a gateway's budget is smaller still", async () => {
    const long = harbours(240);
    const { data: answer } = await run(digestTool(), { text: long, max_snippets: 10 });
    const { outputSchema } = digestTool().config;
    const config = { description: "Hands it on", ...(outputSchema === undefined ? {} : { outputSchema }) };
    const gateway = defineTool("digest", config, () => answer);
    const { outcome } = await runTool(gateway, {}, { contract: { budget: { tokens: 800 } } });
    const { digest } = (outcome.ok ? outcome.data : {}) as unknown as DigestAnswer;
    const { quotes } = await verifyDigest(digest, long);
    expect(outcome.notes.fidelity?.level).toBe("partial");
    expect(quotes.exact).toBe(quotes.total);
    expect(quotes.total).toBeLessThan(answer.digest?.evidence_snippets.length ?? 0);
  });

  it("answers a second call from its cache, to the same tenant alone", async () => {
    const tool = digestTool();
    const contract = {
      profile: "debug",
      tenant: ({ auth }: { auth?: { subject?: string } }) => auth?.subject,
    };
    const hits: unknown[] = [];
    for (const subject of ["ann", "ann", "bob"]) {
      const { meta } = await run(tool, { text: document }, { contract, auth: { subject } });
      hits.push((meta["telemetry"] as JsonObject)["cache_hit"]);
    }
    expect(hits).toEqual([undefined, true, undefined]);
  });

  it("says how far it is, always further on", async () => {
    const seen: number[] = [];
    const onProgress = ({ progress }: JsonObject): number => seen.push(Number(progress));
    await run(digestTool(), { text: document }, { meta: { progressToken: 1 }, onProgress });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  });

  it.each([
    ["without a summariser", {}, 2],
    [
      "with one",
      { summariser: { name: "fixed", summarise: async () => ({ summary: "All is well.", keyPoints: [] }) } },
      3,
    ],
  ])("counts the stages there are, and ends with the last of them, %s", async (_, options, total) => {
    let last: JsonObject = {};
    const onProgress = (seen: JsonObject): void => void (last = seen);
    await run(digestTool(options), { text: document }, { meta: { progressToken: 1 }, onProgress });
    expect(last).toMatchObject({ progress: total, total });
  });

  it("says that one source is wanted where there is a choice, and of which", () => {
    const read = (): { content: string } => ({ content: document });
    const [one, two] = [digestTool(), digestTool({ read })].map(({ config }) => config);
    expect(two?.description).toMatch(/Give exactly one of text, source_id\.$/);
    expect(JSON.stringify(digestInputSchema(["text", "source_id"]))).toMatch(
      /by its id. Give exactly one of text, source_id\."/,
    );
    expect(one?.description).not.toContain("exactly one");
    expect(digestInputSchema(["text"])).toMatchObject({ required: ["text"] });
  });

  it("stops when the call is cancelled", async () => {
    const { outcome } = await run(digestTool(), { text: document }, { signal: AbortSignal.abort() });
    expect(outcome.ok).toBe(false);
  });

  it("passes on what the digest warns of", async () => {
    const content = Buffer.from(document.replaceAll("harbour", "dép\u00f4t"), "latin1");
    const { outcome } = await run(digestTool({ read: () => ({ content }) }), { source_id: "a" });
    expect(outcome.notes.warnings?.map(({ code }) => code)).toContain("CHARSET_GUESSED");
  });
});

describe("digestTool, source_id", () => {
  const tool = digestTool({
    read: async (id) => {
      if (id !== "harbours") throw faults.notFound("document", id);
      const content = new TextEncoder().encode(`# Harbours\n\n${document}`);
      return { content, contentType: "text/markdown", title: "On harbours", url: "https://example.com/h" };
    },
  });

  it("digests what the author's reader gives", async () => {
    const { data } = await run(tool, { source_id: "harbours" });
    expect(data.source).toMatchObject({
      type: "markdown",
      title: "On harbours",
      url: "https://example.com/h",
    });
    expect(data.digest).toBeDefined();
  });

  it("hands on the reader's own faults", async () => {
    expect(await failure(tool, { source_id: "x" })).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("digestTool, url", () => {
  it("is off unless it is turned on, and says what to do instead", async () => {
    const fault = await failure(digestTool(), { url: "https://example.com" });
    expect(fault).toMatchObject({
      code: "FEATURE_DISABLED",
      details: { field: "url", reason: "source_off" },
    });
    expect(fault.remediation).toBe("This server takes no url: send the document as text.");
  });

  it("refuses private addresses where it is on", async () => {
    const fault = await failure(digestTool({ urls: true }), { url: "http://127.0.0.1/" });
    expect(fault).toMatchObject({ code: "FORBIDDEN", details: { reason: "private_address" } });
  });

  it("digests what it fetches, and says where it was found", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/old") response.writeHead(302, { location: "/new.txt" }).end();
      else response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(document);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const tool = digestTool({ urls: { allowPrivate: [`127.0.0.1:${port}`], ports: [port] } });
    const { data } = await run(tool, { url: `http://127.0.0.1:${port}/old` });
    expect(data.source.url).toBe(`http://127.0.0.1:${port}/new.txt`);
    expect(await verifyDigest(data.digest, document)).toMatchObject({ valid: true });
  });
});

describe("digestTool, bad input", () => {
  it.each([
    [{}, "MISSING_REQUIRED", "text"],
    [{ text: null }, "MISSING_REQUIRED", "text"],
    [{ text: "a", url: "b" }, "VALIDATION_ERROR", "text"],
    [{ text: 5 }, "VALIDATION_ERROR", "text"],
    [{ text: "a", max_snippets: 11 }, "VALIDATION_ERROR", "max_snippets"],
    [{ text: "a", max_snippets: 1.5 }, "VALIDATION_ERROR", "max_snippets"],
    [{ text: "a", policy: "often" }, "VALIDATION_ERROR", "policy"],
    [{ text: "a", query: "q".repeat(2_001) }, "VALIDATION_ERROR", "query"],
    [{ text: "a", content_type: "html" }, "VALIDATION_ERROR", "content_type"],
  ])("refuses %j with %s", async (args, code, field) => {
    expect(await failure(digestTool(), args as JsonObject)).toMatchObject({ code, details: { field } });
  });

  it("refuses an empty document", async () => {
    const fault = await failure(digestTool(), { text: " \n " });
    expect(fault).toMatchObject({ code: "INVALID_FORMAT", details: { reason: "empty_document" } });
  });

  it("refuses options that make no sense when it is made", () => {
    expect(() => digestTool({ maxBytes: Number.NaN })).toThrow(ContractError);
    expect(() => digestTool({ cacheEntries: 0 })).toThrow(/^digestTool: "cacheEntries" is 0/);
    expect(() => digestTool({ url: true } as never)).toThrow(/"url" is not a known key. Did you mean "urls"/);
    expect(() => digestTool({ maxPages: 0 })).toThrow('"maxPages" is 0');
  });
});
