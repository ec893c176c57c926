import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { makePng } from "../../core/readers/made-picture.fixture.ts";
import { until } from "../../engine/transport/until.fixture.ts";
import { type Serve, bridgeTo } from "./bridge/bridge.fixture.ts";

const picture = (data: string, mimeType = "image/png"): JsonObject => ({ type: "image", data, mimeType });
const small = makePng(64, 64);
const photo = makePng(300, 305, true);

const answers: Readonly<Record<string, readonly JsonObject[]>> = {
  wide: [{ type: "text", text: "The plan" }, picture(makePng(9_000, 9_000))],
  medium: [{ type: "text", text: "A photo" }, picture(photo)],
  fifty: Array.from({ length: 50 }, (_, at) => picture(makePng(1_000 + at, 1_000))),
  many: [...Array.from({ length: 20 }, () => picture(small)), picture(makePng(2_001, 20))],
  broken: [{ type: "text", text: "The chart" }, picture("not base64!")],
  cut: [picture(Buffer.from("<html>no such picture</html>").toString("base64"))],
  empty: [picture("")],
  flat: [picture(makePng(0, 0))],
  mistyped: [picture(small, "image/jpg")],
  sound: [{ type: "audio", data: "UklGRiQAAABXQVZF", mimeType: "audio/wav" }],
};

const serve: Serve = ({ id, method, params }) => {
  if (id === undefined) return undefined;
  const tools = Object.keys(answers).map((name) => ({ name, inputSchema: { type: "object" } }));
  if (method === "tools/list") return { jsonrpc: "2.0", id, result: { tools } };
  return {
    jsonrpc: "2.0",
    id,
    result: { content: answers[(params as { readonly name: string }).name] ?? [] },
  };
};

/** What a client gets of an answer, in short: its pictures, and the lines of links and texts about the others. */
async function sentTo(reader: string, name: string): Promise<{ pictures: number; said: readonly string[] }> {
  const { bridge, client } = bridgeTo(serve, { dialect: "auto", profile: "minimal", reader });
  client.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }));
  client.send(
    JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name, arguments: {} } }),
  );
  await until(() => client.heard.some((message) => (message as JsonObject)["id"] === 2));
  const heard = client.heard.find((message) => (message as JsonObject)["id"] === 2) as JsonObject;
  bridge.close();
  const { content } = heard["result"] as { readonly content: readonly JsonObject[] };
  const said = content.flatMap(({ type, text, description }) =>
    type === "text" ? [text as string] : type === "resource_link" ? [description as string] : [],
  );
  return { pictures: content.filter(({ type }) => type === "image").length, said };
}

const asText = "Not sent: this client shows its model the bytes as text";

describe("a picture, for the model behind a known client", () => {
  it.each([
    ["claude-code", 0, "Not sent: 9,000 × 9,000 pixels, more than 8,000 a side"],
    ["opencode", 0, "Not sent: 9,000 × 9,000 pixels, more than 8,000 a side"],
    ["codex", 1, ""],
    ["gemini-cli", 0, "Not sent: about 37152 tokens, for which the budget has no room"],
    ["cline", 0, asText],
    ["zed", 0, "Not sent: this client does not show it to its model"],
    ["program", 1, ""],
  ])("of 9,000 pixels a side: %s gets %i", async (reader, pictures, why) => {
    const sent = await sentTo(reader, "wide");
    expect(sent.pictures).toBe(pictures);
    expect(sent.said.join("\n")).toContain("The plan");
    expect(sent.said.join("\n")).toContain(why);
  });

  it.each([
    ["claude-code", 1],
    ["codex", 1],
    ["gemini-cli", 1],
    ["opencode", 1],
    ["cline", 0],
    ["continue", 0],
  ])("of 92 KB: %s gets %i", async (reader, pictures) => {
    expect(Math.round((photo.length * 3) / 4 / 1_000)).toBe(92);
    const sent = await sentTo(reader, "medium");
    expect(sent.pictures).toBe(pictures);
    expect(sent.said.join("\n").includes(asText)).toBe(pictures === 0);
  });

  it.each([
    // A picture of 1,000 pixels a side has 1,334 tokens for Claude, 765 for OpenAI and 1,032 for Gemini.
    ["claude-code", 2],
    ["codex", 5],
    ["gemini-cli", 3],
    ["opencode", 2],
    ["cline", 0],
  ])("among fifty: %s gets %i within 8,000 tokens, and is told of the others", async (reader, pictures) => {
    const sent = await sentTo(reader, "fifty");
    expect(sent.pictures).toBe(pictures);
    expect(sent.said[0]).toContain(`${50 - pictures} parts omitted`);
  });

  it("of more than 2,000 pixels a side is not sent among more than twenty", async () => {
    const { pictures, said } = await sentTo("claude-code", "many");
    expect(pictures).toBe(20);
    expect(said.join("\n")).toContain(
      "2,001 × 20 pixels, more than 2,000 a side among more than 20 pictures",
    );
  });

  it.each(["broken", "cut", "empty"])("that is %s is named and kept, and nothing else is", async (name) => {
    const { pictures, said } = await sentTo("claude-code", name);
    expect(pictures).toBe(0);
    expect(said.join("\n")).toContain("Not sent: its bytes are no PNG, JPEG, GIF or WebP");
  });

  it("without pixels is named", async () => {
    const { said } = await sentTo("codex", "flat");
    expect(said.join("\n")).toContain("Not sent: it has 0 × 0 pixels");
  });

  it("whose format has another name gets the true one, because models refuse the other", async () => {
    const { pictures, said } = await sentTo("claude-code", "mistyped");
    expect({ pictures, said }).toEqual({ pictures: 1, said: [] });
  });

  it("that is a sound is named where the client has no place for it", async () => {
    expect((await sentTo("gemini-cli", "sound")).said.join("\n")).toContain(
      "Not sent: this client does not show it to its model",
    );
  });
});
