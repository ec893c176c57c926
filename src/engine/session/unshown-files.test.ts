import { expect, test } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { call, here, open, serving } from "./message-session.fixture.ts";

const file = { uri: "file:///plan.pdf", mimeType: "application/pdf", blob: "JVBERi0xLjcK".repeat(400) };

test.each(["langchain", "zed"])(
  "a file that %s does not show is kept in the archive, and named with its handle",
  async (reader) => {
    const result: JsonObject = {
      content: [
        { type: "text", text: "The plan" },
        { type: "resource", resource: file },
      ],
    };
    const tool = { name: "add", inputSchema: { type: "object" } };
    const { session } = open(serving(result, [tool]), { dialect: "auto", reader });
    const { result: sent } = (await session.request(call(), here)) as { readonly result: JsonObject };
    expect(JSON.stringify(sent)).not.toContain(file.blob);
    expect(JSON.stringify(sent)).toMatch(/waybill:\/\/|#content|_retrieve/);
    expect(JSON.stringify(sent)).toContain("does not show it to its model");
  },
);
