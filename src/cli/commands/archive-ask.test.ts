import { truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeTables } from "../../core/json/table/encode-tables.ts";
import { entryPath } from "../../engine/archive/file/file-store.fixture.ts";
import { storedHere, tasks } from "../archive/stored.fixture.ts";
import { runInProcess } from "../run-in-process.fixture.ts";

interface Kept {
  readonly content?: string | Uint8Array;
  readonly contentType?: string;
}

async function ask(expression: string, { content, contentType }: Kept = {}, ...args: readonly string[]) {
  const kept = { content: [content ?? JSON.stringify({ tasks })], ...(contentType && { contentType }) };
  const { cwd, hashes } = await storedHere(kept);
  const [hash = ""] = hashes;
  const line = ["archive", "ask", hash, expression, "--store", "archive", ...args];
  return { hash, cwd, line, ...(await runInProcess(line, { cwd })) };
}

describe("waybill archive ask", () => {
  it("prints the answer as JSON, and beside it what it was computed from", async () => {
    const { exitCode, stdout, stderr, hash } = await ask("count_by(tasks, &status)");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ failed: 20, pending: 40 });
    expect(stderr).toBe(`waybill: computed from 60 records; the content matches sha256:${hash}\n`);
  });

  it("carries the answer in the envelope", async () => {
    const { stdout, hash } = await ask("tasks[?number > `57`].id", {}, "--json");
    expect(JSON.parse(stdout).data).toEqual({
      archive: `sha256:${hash}`,
      verified: true,
      selected: ["task-58", "task-59"],
      records: 60,
    });
  });

  it.each([
    ["a list that was wrapped to be sent", JSON.stringify({ result: tasks }), "application/json"],
    [
      "a list that was written as a table",
      JSON.stringify(encodeTables({ result: tasks })),
      "application/json;encoding=table",
    ],
  ])("is put to the tool's own value: %s", async (_, content, contentType) => {
    const { stdout } = await ask("[?starts_with(title, 'Rotate')].number", { content, contentType });
    expect(JSON.parse(stdout)).toEqual([41]);
  });

  it("says beside an empty answer that a key of the question is nowhere", async () => {
    const { stdout, stderr } = await ask("tasks[?state=='failed'].id");
    expect(stdout).toBe("[]\n");
    expect(stderr).toContain('waybill: In the expression at character 8: there is no key "state"');
    const { stdout: json } = await ask(`tasks[?status != "failed"].id | length(@)`, {}, "--json");
    expect(JSON.parse(json).data).toMatchObject({ selected: 60, note: expect.stringContaining("failed") });
  });

  it("takes a text for a text", async () => {
    const { stdout } = await ask("length(@)", { content: "seven…", contentType: "text/plain" });
    expect(stdout).toBe("6\n");
  });

  it("says where a question is wrong, and what there is", async () => {
    const { exitCode, stdout, stderr } = await ask("count_by(tasks, &status");
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^waybill: /);
    const typed = await ask("sum_by(tasks, &status)", {}, "--json");
    expect(typed.exitCode).toBe(2);
    expect(JSON.parse(typed.stdout)).toMatchObject({
      success: false,
      data: { error_code: "INVALID_FORMAT" },
    });
  });

  it("is refused where there is nothing to put it to", async () => {
    const bytes = await ask("@", { content: Uint8Array.of(1), contentType: "image/png" });
    expect(bytes.exitCode).toBe(2);
    expect(bytes.stderr).toContain("The entry is image/png: it holds bytes, no items.");
    const { cwd, hash, line } = await ask("@");
    truncateSync(entryPath(join(cwd, "archive"), "local:waybill", hash), 100);
    const damaged = await runInProcess(line, { cwd });
    expect(damaged.exitCode).toBe(1);
    expect(damaged.stderr).toContain("The stored copy is damaged and was not served.");
    const missed = await runInProcess(["archive", "ask", "3f2a9c01b7de", "@", "--store", "archive"], { cwd });
    expect(missed.exitCode).toBe(1);
  });
});
