// A text that is cut under `auto` stays a text, and its last line has the call that gives exactly what follows.
import { describe, expect, it } from "vitest";
import { contractClient } from "../../src/doors/client/index.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { loadCounter } from "../../src/core/tokens/token-counter.ts";
import type { AnyClient } from "./attach-clients.fixture.ts";
import { autoClient, text, textsOf } from "./auto-dialect.fixture.ts";

const lines = Array.from({ length: 3_000 }, (_, at) => `const value${at} = "line ${at}";`);
const source = `${lines.join("\n")}\n`;
const schema: JsonObject = {
  type: "object",
  properties: { content: { type: "string" } },
  required: ["content"],
  additionalProperties: false,
};
const budget = { tokens: 1_000 };

interface Proposal {
  readonly last: number;
  readonly tool: string;
  readonly args: JsonObject;
}

/** What the last line of a cut text says, and the call that it proposes. */
function readClosing(closing: string): Proposal {
  const [, last = "", tool = "", args = "{}"] =
    /^\[lines 1-(\d+) of [\d,]+; the rest: (\w+) (\{.*\})\]$/m.exec(closing) ?? [];
  return { last: Number(last), tool, args: JSON.parse(args) as JsonObject };
}

function readerOver(client: AnyClient) {
  return contractClient({
    callTool: ({ name, arguments: args, _meta: meta }: never) =>
      client.call(name, args, meta === undefined ? {} : { meta }),
    readResource: ({ uri }: { uri: string }) => client.readResource(uri),
  });
}

async function following(client: AnyClient, { tool, args }: Proposal): Promise<readonly string[]> {
  const { structuredContent } = await client.call(tool, args);
  const { data } = structuredContent as { data: { lines: readonly { line: number; text: string }[] } };
  return data.lines.map((found) => found.text);
}

describe("a cut text of a tool", () => {
  it.each([
    ["without an output schema", undefined, text(source)],
    ["with an output schema", schema, text(source, { structuredContent: { content: source } })],
    [
      "with several fields",
      { ...schema, properties: { content: { type: "string" }, path: { type: "string" } } },
      text(source, { structuredContent: { path: "a\nb", content: source } }),
    ],
  ] as const)(
    "%s has its first lines, and a line that proposes the following ones",
    async (_, outputSchema, result) => {
      const tool = outputSchema === undefined ? { results: [result] } : { outputSchema, results: [result] };
      const client = await autoClient({ read: tool }, { budget });
      const sent = await client.call("read");
      const [head = "", closing = "", ...more] = textsOf(sent);
      expect(more).toEqual([]);
      expect(source.startsWith(head)).toBe(true);
      expect((await loadCounter()).count(closing)).toBeLessThanOrEqual(60);
      const proposal = readClosing(closing);
      expect(head).toBe(`${lines.slice(0, proposal.last).join("\n")}\n`);
      const next = await following(client, proposal);
      expect(next.length).toBeGreaterThan(10);
      expect(next).toEqual(lines.slice(proposal.last, proposal.last + next.length));
      const { structuredContent: structure } = sent;
      expect(structure === undefined).toBe(outputSchema === undefined);
      const { data = { content: head } } = (structure ?? {}) as {
        readonly data?: { readonly content: string };
      };
      expect(data.content).toBe(head);
      await client.close();
    },
  );

  it("with the strategy of the gateway has its first and last lines, those that match the call, and marks", async () => {
    const client = await autoClient(
      { read: { results: [text(source)] } },
      { budget, fit: { strategy: "auto" } },
    );
    const sent = await client.call("read", { pattern: "value1500", path: "value2000.ts" });
    const [kept = "", closing = ""] = textsOf(sent);
    const marks = [...kept.matchAll(/^\[… lines (\d+)-(\d+)\]$/gm)].map(([, a, b]) => [Number(a), Number(b)]);
    expect(marks).toHaveLength(2);
    expect(kept).toContain('const value1500 = "line 1500";');
    expect(kept).not.toContain("value2000");
    expect(kept.endsWith(`${lines.at(-1)}\n`)).toBe(true);
    const whole = marks.reduce(
      (shown, [a = 0, b = 0]) => shown.replace(`[… lines ${a}-${b}]`, lines.slice(a - 1, b).join("\n")),
      kept,
    );
    expect(whole).toBe(source);
    expect((await loadCounter()).count(closing)).toBeLessThanOrEqual(60);
    const [, said = "", tool = "", args = "{}"] = /^\[(.+); the rest: (\w+) (\{.*\})\]$/.exec(closing) ?? [];
    expect(said).toMatch(/^lines 1-\d+, \d+-\d+ and \d+-3000 of 3,000$/);
    const asked = JSON.parse(args) as JsonObject;
    expect(asked["lines"]).toBe(marks.map((each) => each.join("-")).join(","));
    const next = await following(client, { last: 0, tool, args: asked });
    const [[first = 0, last = 0] = []] = marks;
    expect(next.length).toBeGreaterThan(10);
    expect(next.length).toBeLessThanOrEqual(last - first + 1);
    expect(next).toEqual(lines.slice(first - 1, first - 1 + next.length));
    const answer = await readerOver(client).call("read", { pattern: "value1500" });
    expect(answer.data).toBe(kept);
    expect(await readerOver(client).complete(answer)).toMatchObject({ data: source, fidelity: "full" });
    await client.close();
  });

  it("is read by contractClient without its last line, and all of it comes back", async () => {
    const structured = { content: source };
    const client = await autoClient(
      {
        free: { results: [text(source)] },
        typed: { outputSchema: schema, results: [text(source, { structuredContent: structured })] },
      },
      { budget },
    );
    const reader = readerOver(client);
    for (const [name, whole] of [
      ["free", source],
      ["typed", structured],
    ] as const) {
      const answer = await reader.call(name, {});
      const { data, blocks, warnings, fidelity } = answer;
      expect({ blocks, fidelity }).toEqual({ blocks: [], fidelity: "partial" });
      expect(JSON.stringify(data)).not.toContain("the rest");
      expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
        expect.stringMatching(/^CONTENT_TRUNCATED lines 1-\d+ of 3,000$/),
      ]);
      const all = await reader.complete(answer);
      expect(all).toMatchObject({ data: whole, fidelity: "full", warnings: [] });
    }
    await client.close();
  });

  it("counts characters where it ends within a line", async () => {
    const long = "word ".repeat(20_000);
    const client = await autoClient({ read: { results: [text(long)] } }, { budget });
    const [head = "", closing = ""] = textsOf(await client.call("read"));
    expect(long.startsWith(head)).toBe(true);
    const [, args = "{}"] =
      /^\n\[[\d,]+ of 100,000 characters; the rest: waybill_retrieve (\{.*\})\]$/.exec(closing) ?? [];
    expect(JSON.parse(args)).toEqual({ archive: expect.any(String), ids: [`#char=${head.length}-100000`] });
    await client.close();
  });

  it("says that nothing was kept, where nothing was", async () => {
    const client = await autoClient(
      { read: { results: [text(source)] } },
      {
        budget,
        store: false,
      },
    );
    const [, closing = ""] = textsOf(await client.call("read"));
    expect(closing).toMatch(/^\[The omitted content is not kept: [^\n]+\]\n\[lines 1-\d+ of 3,000\]$/);
    await client.close();
  });

  it("keeps the form of a dialect that was set", async () => {
    const client = await autoClient({ read: { results: [text(source)] } }, { budget, dialect: "drf" });
    const [, notes = ""] = textsOf(await client.call("read"));
    expect(JSON.parse(notes)).toHaveProperty("meta.content_fidelity", "partial");
    await client.close();
  });

  it("stays several texts if there were several, and a line says which are missing", async () => {
    const parts = Array.from({ length: 60 }, (_, at) => `Result ${at}: ${`word${at} `.repeat(40)}`);
    const several = { content: parts.map((part) => ({ type: "text", text: part })) };
    const client = await autoClient({ find: { results: [several] } }, { budget });
    const sent = await client.call("find");
    const texts = textsOf(sent);
    const [kept, closing = ""] = [texts.slice(0, -1), texts.at(-1)];
    expect(sent.structuredContent).toBeUndefined();
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.every((each, at) => (parts[at] ?? "").startsWith(each))).toBe(true);
    expect(closing).toMatch(/omitted.*; the rest: waybill_retrieve \{.*\}\]$/);
    expect((await loadCounter()).count(closing)).toBeLessThanOrEqual(80);
    const reader = readerOver(client);
    const answer = await reader.call("find", {});
    expect(answer.data).toEqual(kept);
    expect(await reader.complete(answer)).toMatchObject({ data: parts, fidelity: "full" });
    await client.close();
  });
});
