import { describe, expect, it } from "vitest";
import { readableLines } from "./readable-lines.ts";

const show = (value: unknown): string[] =>
  readableLines(typeof value === "string" ? value : JSON.stringify(value)).map(({ text, isHeading }) =>
    isHeading ? `# ${text}` : text,
  );

describe("readableLines", () => {
  it("unfolds the JSON inside a text block, and says the same only once", () => {
    expect(
      show({
        content: [{ type: "text", text: '{"items":[{"id":1}]}' }],
        structuredContent: { items: [{ id: 1 }] },
        isError: false,
      }),
    ).toEqual([
      "# content 1 · text",
      "{",
      '  "items": [',
      "    {",
      '      "id": 1',
      "    }",
      "  ]",
      "}",
      "# structuredContent · the same as content 1",
      "# isError",
      "false",
    ]);
  });

  it("shows a plain text by its lines, and other blocks as JSON", () => {
    expect(
      show({
        content: [
          { type: "text", text: "one\ntwo", annotations: { priority: 1 } },
          { type: "image", mimeType: "image/png" },
        ],
      }),
    ).toEqual([
      "# content 1 · text",
      "one",
      "two",
      "# content 1 · annotations",
      "{",
      '  "priority": 1',
      "}",
      "# content 2 · image",
      "{",
      '  "type": "image",',
      '  "mimeType": "image/png"',
      "}",
    ]);
  });

  it("unfolds a text of several lines, or of JSON, inside JSON", () => {
    expect(show({ data: { content: '[{"id":1}]', note: "one\ntwo" }, name: "{}" })).toEqual([
      "{",
      '  "data": {',
      '    "content": """',
      "      [",
      "        {",
      '          "id": 1',
      "        }",
      "      ]",
      '    """,',
      '    "note": """',
      "      one",
      "      two",
      '    """',
      "  },",
      '  "name": "{}"',
      "}",
    ]);
  });

  it("shows what was kept of a text that breaks off", () => {
    expect(show('{"content":[{"type":"text","text":"[{\\"id\\":1},{\\"id\\":')).toEqual([
      "# content 1 · text",
      "[",
      "  {",
      '    "id": 1',
      "  },",
      "  {}",
      "]",
      "# not kept further",
    ]);
  });

  it("leaves what is no JSON as it is", () => {
    expect(show("Error: no such table\n  at line 3")).toEqual(["Error: no such table", "  at line 3"]);
  });

  it("shows at most 20,000 lines and says how many are left", () => {
    const lines = readableLines("\n".repeat(30_000));
    expect(lines).toHaveLength(20_001);
    expect(lines.at(-1)).toEqual({ text: "10,001 more lines are not shown", isHeading: true });
  });
});
