// A web page under `auto`: a model reads what it says, the proposed call goes on in that text, and the source is kept.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contractClient } from "../../src/doors/client/index.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { readPageText } from "../../src/engine/digest/sources/html/read-page-text.ts";
import { loadCounter } from "../../src/core/tokens/token-counter.ts";
import type { AnyClient } from "./attach-clients.fixture.ts";
import { autoClient, text, textsOf } from "./auto-dialect.fixture.ts";

const page = readFileSync(new URL("../fixtures/forms/page.html", import.meta.url), "utf8");
const minified = page.replaceAll(/\s*\n\s*/g, "");
const answer: JsonObject = { status: 200, url: "https://example.org/", body: minified };

const connect = (tokens: number): Promise<AnyClient> =>
  autoClient(
    { fetch: { results: [text(minified), text(JSON.stringify(answer))] } },
    { budget: { tokens }, fit: { strategy: "auto" } },
  );

/** The lines of a retrieval, by their numbers. */
async function linesOf(client: AnyClient, args: JsonObject): Promise<ReadonlyMap<number, string>> {
  const { structuredContent } = await client.call("waybill_retrieve", args);
  const { data } = structuredContent as { data: { lines: readonly { line: number; text: string }[] } };
  return new Map(data.lines.map((found) => [found.line, found.text]));
}

interface Cutting {
  readonly context: { readonly retrieve: { readonly arguments: JsonObject } };
}

describe("under auto, a web page of one line", () => {
  it("is lines of its text, and the proposed call gives those that are missing first", async () => {
    const client = await connect(420);
    const sent = textsOf(await client.call("fetch", { url: "https://example.org/" })).join("\n");
    expect((await loadCounter()).count(sent)).toBeLessThanOrEqual(420);
    const [, proposed = "{}"] =
      /^\[the page's text: .+; the rest: waybill_retrieve (\{.*\})\]$/m.exec(sent) ?? [];
    const marks = [...sent.matchAll(/^\[… lines? ([\d-]+)\]$/gm)].map(([, lines]) => lines);
    expect(marks.length).toBeGreaterThan(1);
    const args = JSON.parse(proposed) as JsonObject;
    // Two gaps, and from the third on to the end.
    expect(args["lines"]).toMatch(new RegExp(`^${marks.slice(0, 2).join(",")},\\d+-$`));
    const all = (await readPageText(minified))?.text.split("\n") ?? [];
    const missing = await linesOf(client, args);
    expect([...missing.keys()][0]).toBe(Number.parseInt(marks[0] ?? ""));
    for (const [line, text] of missing) expect(text).toBe(all[line - 1]);
    expect(missing.size).toBeGreaterThan(2);
    // What was sent and what the call gives make the text, as far as the budget goes.
    const kept = sent.split("\n").filter((line) => all.includes(line));
    expect(kept.length).toBeGreaterThan(10);
    const texts = new Set([...kept, ...missing.values()]);
    const last = Math.max(...missing.keys());
    expect(all.slice(0, last).filter((line) => !texts.has(line))).toEqual([]);
    await client.close();
  });

  it("is all of its text where that has room, and its source comes back", async () => {
    const client = await connect(800);
    const sent = textsOf(await client.call("fetch")).join("\n");
    expect(sent).toContain("\nReading lamp\t3 left\t€ 49\tAdd\n");
    expect(sent).toMatch(
      /\n\[all of the page's text, without its markup; the rest: waybill_retrieve \{"archive":"\w+"\}\]$/,
    );
    const reader = contractClient({
      callTool: ({ name, arguments: args, _meta: meta }: never) =>
        client.call(name, args, meta === undefined ? {} : { meta }),
      readResource: ({ uri }: { uri: string }) => client.readResource(uri),
    });
    const all = await reader.complete(await reader.call("fetch", {}));
    expect(all).toMatchObject({ data: minified, fidelity: "full", warnings: [] });
    await client.close();
  });

  it("beside other values is its text too, and its source is asked for by its place", async () => {
    const client = await connect(700);
    const [sent = ""] = textsOf(await client.call("fetch", { at: 1 }));
    const { data, meta } = JSON.parse(sent) as {
      readonly data: { readonly body: string };
      readonly meta: { readonly warning_details: readonly [Cutting] };
    };
    expect(data).toMatchObject({ status: 200, url: "https://example.org/" });
    expect(data.body).toMatch(/^\[… [\d,]+ of [\d,]+ characters are markup/);
    const [{ context }] = meta.warning_details;
    const { retrieve } = context;
    const [whole = ""] = textsOf(await client.call("waybill_retrieve", retrieve.arguments));
    expect(whole).toContain("<title>Harbour Furniture");
    await client.close();
  });

  it("that a file holds stays its source", async () => {
    const client = await connect(420);
    const sent = textsOf(await client.call("fetch", { path: "site/index.html" })).join("\n");
    expect(sent.startsWith("<!doctype html><html")).toBe(true);
    await client.close();
  });
});
