import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { archived } from "./archive.fixture.ts";

const log = Array.from({ length: 1_000 }, (_, at) => `step ${at + 1} 😀`).join("\n");

describe("limit 0", () => {
  test("describes a text by lines, characters and some of its lines", async () => {
    const { ask, hash } = await archived(log);
    expect((await ask({ limit: 0 })).data).toEqual({
      available: true,
      hash: `sha256:${hash}`,
      bytes: expect.any(Number) as unknown,
      content_type: "application/json",
      lines: 1_000,
      characters: Array.from(log).length,
      outline: [1, 144, 286, 429, 572, 715, 857, 1_000].map((line) => ({ line, text: `step ${line} 😀` })),
      expires_at: expect.any(String) as unknown,
    });
  });

  test("gives the headings of a document, with their lines", async () => {
    const body = "Text of a part.\n".repeat(50);
    const { ask } = await archived({
      url: "a",
      page: `# Harbours\n${body}## Berths\n${body}## Tides\n${body}`,
    });
    expect((await ask({ limit: 0 })).data).toMatchObject({
      pointer: "/page",
      lines: 153,
      outline: [
        { line: 1, text: "# Harbours" },
        { line: 52, text: "## Berths" },
        { line: 103, text: "## Tides" },
      ],
    });
  });

  test("gives the form of a log, a table or code, with the lines of its structure", async () => {
    const log = readFileSync(new URL("../../../test/fixtures/forms/access.log", import.meta.url), "utf8");
    const { data } = await (await archived(log)).ask({ limit: 0 });
    expect(data).toMatchObject({ form: "log", lines: 314 });
    const outline = data["outline"] as unknown as readonly { line: number; text: string }[];
    expect(outline.map(({ line }) => line)).toEqual([1, 161, 162, 163, 223, 224, 225]);
    expect(outline[4]?.text).toMatch(/code 501, message Unsupported method/);
    const code = readFileSync(new URL("describe-archive.ts", import.meta.url), "utf8");
    const described = (await (await archived(code)).ask({ limit: 0 })).data;
    expect(described["form"]).toBe("code");
    expect(JSON.stringify(described["outline"])).toContain("export function describeArchive(");
  });

  test("has of the outline what has room", async () => {
    const long = Array.from(
      { length: 500 },
      (_, at) => `## Part ${at} ${"of a long heading ".repeat(4)}`,
    ).join("\n");
    const { ask, context } = await archived(long, { budgetTokens: 400 });
    const { data } = await ask({ limit: 0 });
    expect(context.count(JSON.stringify(data))).toBeLessThanOrEqual(400);
    expect((data["outline"] as unknown as unknown[]).length).toBeGreaterThan(1);
  });

  test("describes records in a text by their lists", async () => {
    const { ask } = await archived(JSON.stringify({ rows: Array.from({ length: 30 }, (_, id) => ({ id })) }));
    expect((await ask({ limit: 0 })).data).toMatchObject({
      items: 30,
      collections: [{ pointer: "/rows", count: 30 }],
    });
  });
});
