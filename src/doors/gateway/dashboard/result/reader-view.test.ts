import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../core/json/json-value.ts";
import type { CallDetail, ReaderView } from "../protocol/result.ts";
import { ask, watchedGateway } from "../routes.fixture.ts";
import { Traffic } from "../traffic/traffic.ts";
import { toolCalls, watchedState } from "../traffic/watched-state.fixture.ts";
import { resultRoutes } from "./result-routes.ts";

type Options = Parameters<typeof watchedState>[1];

interface Given {
  readonly does: JsonObject;
  readonly client?: string;
  readonly bodies?: boolean;
  readonly options?: Options;
  readonly meta?: JsonObject;
}

/** The call as the page gets it, from a gateway that knows clients by their rows. */
async function detailOf({ does, client, bodies = true, options, meta }: Given): Promise<CallDetail> {
  const traffic = new Traffic({ bodies });
  await traffic.load();
  const upstream = watchedState("desk", {
    fit: { clientLimits: true },
    budget: { tokens: 4_000 },
    ...options,
  });
  traffic.watch(upstream);
  await toolCalls(upstream)("find", does, meta, {}, client);
  return ask<CallDetail>(resultRoutes(traffic, watchedGateway(upstream)), "/api/calls/1");
}

async function readerOf(given: Given): Promise<ReaderView | undefined> {
  return (await detailOf(given)).reader;
}

const text = (words: string): JsonObject => ({ type: "text", text: words });
const thin = { content: [text("1 overdue")], structuredContent: { items: ["task-41"] } };
const json = JSON.stringify(thin.structuredContent);

describe("the reader of a call", () => {
  it.each([
    ["a row's name", "gemini-cli-mcp-client", undefined, ["gemini-cli", "name"]],
    ["no row's name", "browser-test", undefined, ["unknown", "nothing"]],
    ["the setting", "gemini-cli-mcp-client", { reader: "opencode" }, ["opencode", "setting"]],
    ["no reader, where rows are off", "codex", { fit: { clientLimits: false } }, ["unknown", "off"]],
  ] as const)("is chosen by %s", async (_, client, options, expected) => {
    const reader = await readerOf({ does: thin, client, ...(options && { options }) });
    expect([reader?.id, reader?.chosenBy]).toEqual(expected);
    expect(reader?.client).toBe(client);
  });

  it("is chosen by the model that Codex names, and is a program where a request asks for a form", async () => {
    const codex = await readerOf({
      does: thin,
      client: "codex-mcp-client",
      meta: { "x-codex-turn-metadata": { model: "qwen3" } },
    });
    expect([codex?.id, codex?.chosenBy]).toEqual(["codex-other-model", "model"]);
    const asked = await readerOf({ does: thin, meta: { "waybill/contract": { dialect: "plain" } } });
    expect([asked?.id, asked?.chosenBy]).toEqual(["program", "request"]);
  });
});

describe("what a model was given", () => {
  it("is the texts with the structure, where the client shows blocks alone", async () => {
    const reader = await readerOf({ does: thin, client: "gemini-cli-mcp-client" });
    const [view] = reader?.views ?? [];
    expect(view).toMatchObject({ channel: "blocks", joint: "a line end" });
    expect(view?.texts?.map((body) => body.text)).toEqual([`1 overdue\n${json}`]);
    expect(view?.tokens).toBe(view?.texts?.[0]?.tokens);
    // The client writes 41 characters around each of the two texts.
    const used = `1 overdue\n${json}`.length + 2 * 41;
    expect(view?.limits).toMatchObject([{ unit: "characters", most: 40_000, used, taken: 0 }]);
    expect([reader?.changes, reader?.failings]).toEqual([["the structure was added as text"], []]);
  });

  it("is each channel by itself for a client that is not known", async () => {
    const reader = await readerOf({ does: thin, client: "declined" });
    expect(reader?.views.map(({ channel }) => channel)).toEqual(["blocks", "structure"]);
    for (const { texts = [] } of reader?.views ?? [])
      for (const word of ["overdue", "task-41"])
        expect(texts.map((body) => body.text).join("\n")).toContain(word);
  });

  it("is the whole result where the client writes it as JSON, and a long mirror is left out of it", async () => {
    const structuredContent = { items: Array.from({ length: 90 }, (_, at) => `task-${at}`) };
    const does = { content: [text(JSON.stringify(structuredContent))], structuredContent };
    const reader = await readerOf({ does, client: "Cline" });
    const [view] = reader?.views ?? [];
    expect(view).toMatchObject({ channel: "whole", limits: [{ most: 8_000, keeps: "beginning and end" }] });
    expect(reader?.changes).toEqual(["the structure was left out: the text has all of it"]);
    expect(view?.limits[0]?.used).toBe(view?.texts?.[0]?.chars);
  });

  it("counts a limit in tokens, and names what no row can mend", async () => {
    const link = { type: "resource_link", uri: "file:///a", name: "a" };
    const codex = await readerOf({
      does: { content: [text("see"), link] },
      client: "codex",
      meta: { "x-codex-turn-metadata": { model: "gpt-5.5" } },
    });
    const [view] = codex?.views ?? [];
    expect(view?.limits.map(({ unit }) => unit)).toEqual(["tokens", "bytes"]);
    expect(view?.limits[0]?.used).toBe(view?.tokens);
    // A dialect that was set decides the form.
    const set = { dialect: "plain" } as const;
    const does = { content: [text("see"), link, link] };
    const opencode = await readerOf({ does, client: "opencode", options: set });
    expect(opencode).toMatchObject({
      dropped: "2 × resource_link",
      failings: ["does not show its model 2 × resource_link"],
      changes: [],
    });
    const mended = await readerOf({ does, client: "opencode" });
    expect(mended?.dropped).toBeUndefined();
    expect(mended?.changes).toEqual(["not shown by the client, so sent as text: 2 × resource_link"]);
  });

  it("says without bodies how much it was, and no word of it", async () => {
    for (const does of [thin, { content: [text("It is overdue.")] }]) {
      const detail = await detailOf({ does, client: "gemini-cli-mcp-client", bodies: false });
      const [view] = detail.reader?.views ?? [];
      expect(view?.tokens).toBeGreaterThan(0);
      expect(view?.limits[0]?.used).toBeGreaterThan(0);
      expect(JSON.stringify(detail)).not.toMatch(/overdue|task-41/);
    }
  });

  it("shows no secret, though the client was given it", async () => {
    const does = { content: [text('{"password":"hunter2-and-more"}')] };
    const detail = await detailOf({ does, client: "Cline" });
    expect(JSON.stringify(detail)).not.toContain("hunter2-and-more");
  });
});
