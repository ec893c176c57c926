// A text whose form is known is cut by it: what is kept can be read, and all of it comes back.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contractClient } from "../../src/doors/client/index.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { loadCounter } from "../../src/core/tokens/token-counter.ts";
import type { AnyClient } from "./attach-clients.fixture.ts";
import { autoClient, text, textsOf } from "./auto-dialect.fixture.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

function readerOver(client: AnyClient) {
  return contractClient({
    callTool: ({ name, arguments: given, _meta: meta }: never) =>
      client.call(name, given, meta === undefined ? {} : { meta }),
    readResource: ({ uri }: { uri: string }) => client.readResource(uri),
  });
}

/** What is sent of a text, after it was put together again from the cut and the archive. */
async function cutOf(whole: string, tokens: number, args: JsonObject = {}): Promise<string> {
  const client = await autoClient(
    { read: { results: [text(whole)] } },
    { budget: { tokens }, fit: { strategy: "auto" } },
  );
  const [kept = ""] = textsOf(await client.call("read", args));
  const reader = readerOver(client);
  const answer = await reader.call("read", args);
  expect(answer.data).toBe(kept);
  expect(await reader.complete(answer)).toMatchObject({ data: whole, fidelity: "full" });
  expect((await loadCounter()).count(kept)).toBeLessThanOrEqual(tokens);
  await client.close();
  return kept;
}

describe("under auto, of a text that is too long", () => {
  it("a log keeps every error while there is room, also those that say the same but for numbers", async () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => {
      const time = new Date(Date.UTC(2026, 10, 19) + at * 1_000).toISOString();
      const failed = [311, 1_349, 2_403].includes(at);
      return failed
        ? `${time} ERROR db: order ${at} was not saved`
        : `${time} INFO http: GET /orders/${at} 200`;
    });
    const kept = await cutOf(lines.join("\n"), 800);
    expect(kept.split("\n").filter((line) => line.includes(" ERROR "))).toEqual(
      lines.filter((line) => line.includes(" ERROR ")),
    );
  });

  it("a log keeps every kind of line once, with counts, and what failed, and its end", async () => {
    const log = read("../fixtures/forms/access.log");
    const kept = await cutOf(log, 700);
    expect(kept.split("\n").slice(0, 2)).toEqual([
      '127.0.0.1 - - [19/Nov/2026 04:23:42] "GET /a.txt?page=1 HTTP/1.1" 200 -',
      "[… lines 2-160: all like line 1]",
    ]);
    expect(kept).toContain('"GET /missing/report-2026.pdf HTTP/1.1" 404 -\n');
    expect(kept).toContain("code 501, message Unsupported method ('DELETE')\n");
    expect(kept).toContain("[… lines 164-222: all like line 163]\n");
    expect(kept.endsWith(log.split("\n").slice(-3).join("\n"))).toBe(true);
  });

  it("a table keeps its header, the rows that match, and how many others there are", async () => {
    const kept = await cutOf(read("../fixtures/forms/files.csv"), 600, { query: "vocabulary" });
    expect(kept.startsWith("path,bytes,blob\n")).toBe(true);
    expect(kept).toContain("src/core/tokens/vocabulary.ts,");
    expect(kept).toMatch(/\[… lines \d+-\d+: \d+ rows\]/);
  });

  it("source code keeps its declarations, and the bodies that match", async () => {
    const kept = await cutOf(read("../../src/core/pipeline/fit/candidate.ts"), 900, { question: "costlier" });
    expect(kept).toContain("export interface Proposal {\n");
    expect(kept).toContain("export class CandidateMaker {\n");
    expect(kept).toContain("  make(proposal: Proposal): CutCandidate {\n");
    expect(kept).toContain("this.#costlier.get(key)");
    expect(kept).toContain("export function trimNotes(");
    expect(kept).not.toContain("import ");
  });

  it("a log among other values is cut the same way, and its parts are named", async () => {
    const stdout = read("../fixtures/forms/access.log");
    const client = await autoClient(
      { run: { results: [text(JSON.stringify({ exitCode: 1, stdout, command: "serve" }))] } },
      { budget: { tokens: 800 }, fit: { strategy: "auto" } },
    );
    const reader = readerOver(client);
    const answer = await reader.call("run", {});
    const { exitCode, stdout: kept, command } = answer.data as JsonObject;
    expect([exitCode, command]).toEqual([1, "serve"]);
    expect(kept).toContain("[… lines 2-160: all like line 1]\n");
    expect(kept).toContain("code 501, message Unsupported method");
    expect(await reader.complete(answer)).toMatchObject({ data: { exitCode: 1, stdout, command: "serve" } });
    await client.close();
  });

  it("a plain text among other values keeps its beginning, what matches the call and its end, and says what is missing", async () => {
    const stdout = Array.from({ length: 600 }, (_, at) =>
      at === 311 ? "The valve of tank 7 leaks." : `Checked part ${at} of the plant: nothing to report.`,
    ).join("\n");
    const whole = { exit_code: 0, stdout };
    const client = await autoClient(
      { run: { results: [text(JSON.stringify(whole))] } },
      { budget: { tokens: 700 }, fit: { strategy: "auto" } },
    );
    const reader = readerOver(client);
    const answer = await reader.call("run", { topic: "valve" });
    const { stdout: kept } = answer.data as { readonly stdout: string };
    expect(kept.startsWith(stdout.slice(0, 200))).toBe(true);
    expect(kept).toContain("The valve of tank 7 leaks.\n");
    expect(kept.endsWith(stdout.slice(-200))).toBe(true);
    const marks = [...kept.matchAll(/\[… lines (\d+)-(\d+)\]/g)].map(([, from, to]) => [
      Number(from),
      Number(to),
    ]);
    expect(marks).toHaveLength(2);
    const lines = stdout.split("\n").map((line) => `${line}\n`);
    const at = (line: number): number => lines.slice(0, line).join("").length;
    expect(answer.dropped).toEqual(
      marks.map(([from = 0, to = 0]) => `/stdout#char=${at(from - 1)}-${at(to)}`),
    );
    expect(await reader.complete(answer)).toMatchObject({ data: whole, fidelity: "full" });
    await client.close();
  });
});
