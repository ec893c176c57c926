import { describe, expect, test } from "vitest";
import { makePng } from "../../core/readers/made-picture.fixture.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { call, here, open, serving } from "./message-session.fixture.ts";

const file = { uri: "file:///plan.pdf", mimeType: "application/pdf", blob: "JVBERi0xLjcK".repeat(400) };
const picture = { type: "image", data: makePng(300, 300), mimeType: "image/png" };
const free = { name: "add", inputSchema: { type: "object" } };
const typed = {
  ...free,
  outputSchema: { type: "object", properties: { rooms: { type: "integer" } }, required: ["rooms"] },
};

async function sentTo(reader: string, result: JsonObject, tool: JsonObject = free): Promise<JsonObject> {
  const { session } = open(serving(result, [tool]), { dialect: "auto", reader });
  const { result: sent } = (await session.request(call(), here)) as { readonly result: JsonObject };
  return sent;
}

test.each(["langchain", "zed"])(
  "a file that %s does not show is kept in the archive, and named with its handle",
  async (reader) => {
    const content = [
      { type: "text", text: "The plan" },
      { type: "resource", resource: file },
    ];
    const sent = JSON.stringify(await sentTo(reader, { content }));
    expect(sent).not.toContain(file.blob);
    expect(sent).toMatch(/waybill:\/\/|#content|_retrieve/);
    expect(sent).toContain("does not show it to its model");
  },
);

describe.each(["codex", "vs-code", "pi"])("a picture beside a structure, for %s", (reader) => {
  const content = [{ type: "text", text: "The plan" }, picture];
  const structuredContent = { rooms: 12 };

  test("is kept in the archive and named with its handle, where the schema asks for the structure", async () => {
    const sent = await sentTo(reader, { content, structuredContent }, typed);
    const shown = JSON.stringify(sent["structuredContent"]);
    expect(shown).toContain('"rooms":12');
    expect(shown).toMatch(/\[link: image-1, waybill:\/\/archive\/[0-9a-f]{64}, Not sent: this client shows/);
    expect(JSON.stringify(sent)).not.toContain(picture.data);
  });

  test("is shown where no schema asks for the structure, which is left out", async () => {
    const sent = await sentTo(reader, { content, structuredContent });
    expect(sent["structuredContent"]).toBeUndefined();
    expect(sent["content"]).toContainEqual(picture);
  });

  test("is shown with a failure", async () => {
    const sent = await sentTo(reader, { content, structuredContent, isError: true }, typed);
    expect(sent["content"]).toContainEqual(picture);
  });
});

test.each([
  ["a client that shows both", "chatgpt"],
  ["a client of which it is only reported that it shows the structure alone", "claude-code"],
])("a picture beside a structure stays for %s", async (_client, reader) => {
  const content = [{ type: "text", text: "The plan" }, picture];
  const sent = await sentTo(reader, { content, structuredContent: { rooms: 12 } }, typed);
  expect(sent["content"]).toContainEqual(picture);
});
