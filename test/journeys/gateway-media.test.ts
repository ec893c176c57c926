// A published server whose structure repeats the picture: the picture comes, and nothing is said to be missing.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { contractClient } from "../../src/doors/client/contract-client.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { pictureIn } from "../../src/core/readers/bytes-for.ts";
import { makePng as plainPng } from "../../src/core/readers/made-picture.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { gatewayArgs, makeFolder, published } from "./published-servers.fixture.ts";

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A real picture of so many grey dots a side, none of which follows from its neighbour: it hardly compresses. */
function makePng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const dots = Buffer.alloc(side * (side + 1));
  for (let at = 0, seed = 1; at < dots.length; at++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    dots[at] = at % (side + 1) === 0 ? 0 : seed >>> 24;
  }
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    start,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(dots)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** server-filesystem behind the gateway, and a file of it with these bytes. */
async function connectWith(png: Buffer, words: readonly string[]): Promise<{ client: Client; path: string }> {
  const folder = makeFolder();
  const path = join(folder, "noise.png");
  writeFileSync(path, png);
  const server = published.find((each) => each.server === "server-filesystem");
  const client = new Client({ name: "reader", version: "1.0.0" });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...gatewayArgs(words, [process.execPath, ...(server?.nodeArgs(folder) ?? [])])],
      stderr: "ignore",
    }),
  );
  // The client checks the structure against the listed schema.
  await client.listTools();
  return { client, path };
}

describe.runIf(isFullRun)("read_media_file of server-filesystem behind the gateway", () => {
  // The third is over 1 MiB as a message, so that another thread delivers it.
  it.each([
    ["auto", 300],
    ["response-v2", 300],
    ["auto", 900],
  ])("gives the picture and no omission, in %s, %i dots a side", async (dialect, side) => {
    const png = makePng(side);
    const { client, path } = await connectWith(png, ["--store", "memory", "--dialect", dialect]);
    const image = { type: "image", mimeType: "image/png", data: png.toString("base64") };
    const result = await client.callTool({ name: "read_media_file", arguments: { path } });
    expect(result.content).toContainEqual(image);
    const said = JSON.stringify(result.structuredContent);
    expect(said).toContain(
      `[image 1 of this result: image/png, ${png.length.toLocaleString("en-US")} bytes]`,
    );
    expect(JSON.stringify(result)).not.toMatch(/omitted|CONTENT_TRUNCATED|content_fidelity/);
    const answer = await contractClient(client).call("read_media_file", { path });
    expect(answer).toMatchObject({ fidelity: "full", warnings: [], archives: {}, blocks: [image] });
    expect(answer.data).toEqual({ content: [image] });
  });

  // Of the first only the pixels are too many, of the second the bytes; its message is delivered in another thread.
  it.each([
    ["claude-code", Buffer.from(plainPng(9_000, 9_000), "base64"), 1_568],
    ["gemini-cli", Buffer.from(plainPng(9_000, 9_000), "base64"), 1_536],
    ["claude-code", makePng(1_200), 1_024],
  ])(
    "gives %s a picture that is too large scaled down, and its original by its link",
    async (reader, png, side) => {
      const { client, path } = await connectWith(png, ["--store", "memory", "--reader", reader]);
      const { content, structuredContent } = await client.callTool({
        name: "read_media_file",
        arguments: { path },
      });
      const blocks = content as readonly JsonObject[];
      const pictures = blocks.filter(({ type }) => type === "image").map(pictureIn);
      expect(pictures.map((one) => [one?.width, one?.height])).toEqual([[side, side]]);
      const link = blocks.find(({ type }) => type === "resource_link") as {
        uri: string;
        description: string;
      };
      expect(link.description).toMatch(/^Sent scaled from .* pixels; this is the original$/);
      expect(JSON.stringify(structuredContent ?? null)).not.toContain(png.toString("base64").slice(0, 100));
      const { contents } = await client.readResource({ uri: link.uri });
      expect(contents).toMatchObject([{ mimeType: "image/png", blob: png.toString("base64") }]);
    },
  );
});
