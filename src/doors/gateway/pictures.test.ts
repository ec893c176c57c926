import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import type { ScalePicture } from "../../core/pipeline/pipeline-context.ts";
import { pictureIn } from "../../core/readers/bytes-for.ts";
import { makePng } from "../../core/readers/made-picture.fixture.ts";
import { pictureTokens } from "../../core/readers/picture.ts";
import { readerChosen } from "../../core/readers/readers.ts";
import { until } from "../../engine/transport/until.fixture.ts";
import { type Serve, bridgeTo } from "./bridge/bridge.fixture.ts";

const picture = (data: string, mimeType = "image/png"): JsonObject => ({ type: "image", data, mimeType });
const small = makePng(64, 64);
const photo = makePng(300, 305, true);
const largePhoto = makePng(900, 1_200, true);

const answers: Readonly<Record<string, readonly JsonObject[]>> = {
  wide: [{ type: "text", text: "The plan" }, picture(makePng(9_000, 9_000))],
  medium: [{ type: "text", text: "A photo" }, picture(photo)],
  large: [{ type: "text", text: "A photo" }, picture(largePhoto)],
  fifty: Array.from({ length: 50 }, (_, at) => picture(makePng(1_000 + at, 1_000))),
  many: [...Array.from({ length: 20 }, () => picture(small)), picture(makePng(2_001, 20))],
  broken: [{ type: "text", text: "The chart" }, picture("not base64!")],
  cut: [picture(Buffer.from("<html>no such picture</html>").toString("base64"))],
  empty: [picture("")],
  flat: [picture(makePng(0, 0))],
  mistyped: [picture(small, "image/jpg")],
  sound: [{ type: "audio", data: "UklGRiQAAABXQVZF", mimeType: "audio/wav" }],
  speech: [sound(20), sound(60)],
};

/** A sound of which the length is estimated: 8,000 bytes a second. */
function sound(seconds: number): JsonObject {
  const data = Buffer.alloc(seconds * 8_000, 7).toString("base64");
  return { type: "audio", data, mimeType: "audio/ogg" };
}

/** As if sharp were not installed. */
const withoutSharp: ScalePicture = () => Promise.resolve(undefined);

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

async function contentFor(
  reader: string,
  name: string,
  scale?: ScalePicture,
  contract: ContractOptions = {},
): Promise<readonly JsonObject[]> {
  const options = { dialect: "auto", profile: "minimal", reader, ...contract } as const;
  const { bridge, client } = bridgeTo(serve, options, {}, scale);
  client.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }));
  client.send(
    JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name, arguments: {} } }),
  );
  await until(() => client.heard.some((message) => (message as JsonObject)["id"] === 2));
  const heard = client.heard.find((message) => (message as JsonObject)["id"] === 2) as JsonObject;
  bridge.close();
  return (heard["result"] as { readonly content: readonly JsonObject[] }).content;
}

/** What a client gets of an answer, in short: its pictures, and the lines of links and texts about the others. */
async function sentTo(
  reader: string,
  name: string,
  hasSharp = false,
): Promise<{ pictures: number; sides: readonly number[]; said: readonly string[] }> {
  const content = await contentFor(reader, name, hasSharp ? undefined : withoutSharp);
  const said = content.flatMap(({ type, text, description }) =>
    type === "text" ? [text as string] : type === "resource_link" ? [description as string] : [],
  );
  const sides = content.flatMap((block) => {
    const found = pictureIn(block);
    return found === undefined ? [] : [Math.max(found.width, found.height)];
  });
  return { pictures: content.filter(({ type }) => type === "image").length, sides, said };
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

describe("a picture where sharp is installed", () => {
  const original = "this is the original";

  it.each([
    ["claude-code", 1_568],
    ["gemini-cli", 1_536],
    ["opencode", 1_024],
    ["unknown", 1_568],
  ])("of 9,000 pixels a side: %s gets it with %i, and a link to the original", async (reader, side) => {
    const { sides, said } = await sentTo(reader, "wide", true);
    expect(sides).toEqual([side]);
    const size = side.toLocaleString("en-US");
    expect(said.join("\n")).toContain(
      `Sent scaled from 9,000 × 9,000 to ${size} × ${size} pixels; ${original}`,
    );
  });

  it.each(["codex", "cline", "zed", "program", "auto"])(
    "of 9,000 pixels a side: %s gets the same",
    async (reader) => {
      expect(await contentFor(reader, "wide")).toEqual(await contentFor(reader, "wide", withoutSharp));
    },
  );

  it("of more bytes than are sent, which another thread delivers, becomes a smaller JPEG", async () => {
    expect(Buffer.from(largePhoto, "base64").length).toBeGreaterThan(1024 * 1024);
    const content = await contentFor("claude-code", "large", undefined, { validate: "never" });
    const [sent] = content.filter(({ type }) => type === "image");
    expect(sent).toMatchObject({ mimeType: "image/jpeg" });
    expect(pictureIn(sent ?? {})).toEqual({ format: "jpeg", width: 768, height: 1_024 });
    expect(await contentFor("claude-code", "large")).toEqual(content);
  });

  it.each([
    ["claude-code", 7],
    ["codex", 8],
    ["gemini-cli", 8],
  ])("among fifty: %s gets the first %i, smaller, and is told of the others", async (reader, pictures) => {
    const { sides, said } = await sentTo(reader, "fifty", true);
    expect(sides).toHaveLength(pictures);
    expect(Math.max(...sides)).toBeLessThan(1_000);
    expect(said.filter((line) => line.endsWith(original))).toHaveLength(pictures);
    expect(said[0]).toContain("50 parts omitted");
  });

  it("of more than 2,000 pixels a side is the only one that is scaled among more than twenty", async () => {
    const { sides, said } = await sentTo("claude-code", "many", true);
    expect(sides).toEqual([...Array.from({ length: 20 }, () => 64), 1_568]);
    expect(said.join("\n")).toContain("Sent scaled from 2,001 × 20 to 1,568 × 16 pixels");
  });

  it.each(["broken", "cut", "empty", "flat"])("that is %s is a link, as without it", async (name) => {
    expect(await contentFor("claude-code", name)).toEqual(
      await contentFor("claude-code", name, withoutSharp),
    );
  });

  it("that cannot be decoded is a link, and the others are sent", async () => {
    const scale: ScalePicture = () => Promise.resolve({ base64: "not base64!", mimeType: "image/png" });
    expect(await contentFor("claude-code", "wide", scale)).toEqual(
      await contentFor("claude-code", "wide", withoutSharp),
    );
  });
});

describe("a sound", () => {
  it("counts towards the budget of a client that gives it to its model, and of no other", async () => {
    const sentIn = (reader: string) => contentFor(reader, "speech", undefined, { budget: { tokens: 2_000 } });
    const amount = (content: readonly JsonObject[]): number =>
      content.filter(({ type }) => type === "audio").length;
    const sent = await sentIn("langchain");
    expect(amount(sent)).toBe(1);
    expect(JSON.stringify(sent)).toContain("about 1920 tokens, for which the budget has no room");
    expect(amount(await sentIn("vs-code"))).toBe(2);
    expect(amount(await sentIn("auto"))).toBe(2);
  });
});

const tableReaders = [
  ["Claude Code", "claude-code"],
  ["Codex", "codex"],
  ["Gemini CLI", "gemini-cli"],
  ["opencode", "opencode"],
  ["Cline", "cline"],
  ["any other client", "unknown"],
  ["a program", "program"],
] as const;
const tableAnswers = [
  ["one of 9,000 × 9,000 pixels", "wide"],
  ["one of 92 KB", "medium"],
  ["one of 1.1 MB, 900 × 1,200", "large"],
  ["fifty of 1,000 × 1,000", "fifty"],
] as const;

async function tableCell(reader: string, name: string, scale: ScalePicture | undefined): Promise<string> {
  const content = await contentFor(reader, name, scale);
  const given = new Set(answers[name]?.map(({ data }) => data));
  const pictures = content.filter(({ type }) => type === "image");
  const [first] = pictures;
  if (first === undefined) return "0";
  const family = readerChosen(reader)?.pictures ?? "any";
  const [found] = pictures.map(pictureIn);
  const tokens = pictures.reduce((sum, block) => {
    const one = pictureIn(block);
    return one === undefined ? sum : sum + pictureTokens(one, family);
  }, 0);
  const side = Math.max(found?.width ?? 0, found?.height ?? 0).toLocaleString("en-US");
  const size = given.has(first["data"]) ? "" : ` of ${side} px`;
  return `${pictures.length}${size}: ${tokens.toLocaleString("en-US")}`;
}

const isPrinting = process.env["PRINT_TABLE"] === "1";

it.runIf(isFullRun || isPrinting)(
  "the table of docs/fit.md says what each reader gets, and how many tokens that are",
  async () => {
    const rows = [["pictures sent of", "sharp", ...tableReaders.map(([title]) => title)]];
    rows.push(rows[0]?.map(() => "---") ?? []);
    for (const [title, name] of tableAnswers)
      for (const [installed, scale] of [
        ["no", withoutSharp],
        ["yes", undefined],
      ] as const) {
        const cells: string[] = [];
        for (const [, reader] of tableReaders) cells.push(await tableCell(reader, name, scale));
        rows.push([title, installed, ...cells]);
      }
    const table = rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    if (isPrinting) process.stdout.write(`${table}\n`);
    const [, shown] =
      /<!-- pictures:begin -->\n(.*?)\n<!-- pictures:end -->/s.exec(readFileSync("docs/fit.md", "utf8")) ??
      [];
    expect(shown).toBe(table);
  },
);
