// Snapshots, YAML, diffs, traces and pages under `auto`: what a model needs to go on is in the cut.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { loadCounter } from "../../src/core/tokens/token-counter.ts";
import { autoClient, text, textsOf } from "./auto-dialect.fixture.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

async function cutOf(whole: string, tokens: number, args: JsonObject = {}): Promise<string> {
  const client = await autoClient(
    { read: { results: [text(whole)] } },
    { budget: { tokens }, fit: { strategy: "auto" } },
  );
  const texts = textsOf(await client.call("read", args));
  await client.close();
  const kept = texts.join("\n");
  expect((await loadCounter()).count(kept)).toBeLessThanOrEqual(tokens);
  return kept;
}

describe("under auto, of a text that is too long", () => {
  it("a snapshot keeps the element that the call names, in all that contains it", async () => {
    const snapshot = read("../fixtures/forms/page-snapshot.txt");
    expect(await cutOf(snapshot, 600, { element: "Large catalogue radio" })).toContain(
      '"Large catalogue" [ref=e125]',
    );
    const kept = await cutOf(snapshot, 600, { element: "Add cork board to the basket button" });
    const lines = kept.split("\n");
    const button = lines.findIndex((line) => line.includes('button "Add cork board to the basket"'));
    const above = ["- row ", "- rowgroup ", "- table ", "- main ", "- generic "];
    let at = button;
    for (const role of above)
      at = lines.findLastIndex((line, index) => index < at && line.trim().startsWith(role));
    expect(button).toBeGreaterThan(0);
    expect(at).toBeGreaterThan(0);
    // Its fence is opened once and closed once, for its marks are inside.
    expect(kept.match(/^```/gm)).toHaveLength(2);
  });

  it("a snapshot of which nothing is named keeps what can be used, not where links lead", async () => {
    const kept = await cutOf(read("../fixtures/forms/page-snapshot.txt"), 1_200);
    expect(
      kept.match(/- (?:button|link|searchbox|textbox|combobox|checkbox|radio)\b/g)?.length,
    ).toBeGreaterThan(18);
    expect(kept).not.toContain("We have made furniture");
    expect(kept).toContain("- Page Title: Harbour Furniture: desks, shelves and lamps");
  });

  it("YAML keeps a value with the keys that contain it", async () => {
    const kept = await cutOf(read("../../deploy/kubernetes.yaml"), 600, { query: "volumeMounts" });
    for (const line of [
      "kind: Deployment\n",
      "      containers:\n",
      "        - name: gateway\n",
      "volumeMounts:\n",
    ])
      expect(kept).toContain(line);
  });

  it("a diff keeps its files, and a change that matches with the head of its hunk", async () => {
    const kept = await cutOf(read("../fixtures/forms/git-diff.txt"), 1_200, { question: "blockAt" });
    expect(kept.match(/^diff --git /gm)).toHaveLength(14);
    expect(kept).toMatch(/^@@ .*\n(?:.*\n){0,30}[+-].*blockAt/m);
  });

  it("a trace keeps every error, and the program's own frames before those of libraries", async () => {
    const kept = await cutOf(read("../fixtures/forms/node-trace.txt"), 600);
    for (const error of [
      "AggregateError: no schema",
      "ENOENT: no such file",
      "Cannot read properties of undefined",
    ])
      expect(kept).toContain(error);
    expect(kept).toContain("at compileAll (/srv/orders/app.cjs:4:47)");
    expect(kept).toContain("at async loadSchemas");
    expect(kept).not.toContain("node:internal/fs/promises");
  });

  it("a page that a file holds keeps the lines that say something before its scripts", async () => {
    const kept = await cutOf(read("../fixtures/forms/page.html"), 700, { path: "shop/page.html" });
    expect(kept).toContain("<title>Harbour Furniture: desks, shelves and lamps</title>\n");
    expect(kept).toContain("<h2>Order a catalogue</h2>\n");
    expect(kept).not.toContain("window.shop");
  });
});
