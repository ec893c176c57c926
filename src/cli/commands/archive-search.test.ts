import { describe, expect, it } from "vitest";
import { storedHere, tasks } from "../archive/stored.fixture.ts";
import { runInProcess } from "../run-in-process.fixture.ts";

async function search(...args: readonly string[]) {
  const { cwd, hashes } = await storedHere({ content: [JSON.stringify({ tasks })] });
  return runInProcess(["archive", "search", hashes[0] ?? "", "--store", "archive", ...args], { cwd });
}

describe("waybill archive search", () => {
  it("prints the best answer first, a line each", async () => {
    const { exitCode, stdout } = await search("signing", "key");
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`/tasks/41  ${JSON.stringify(tasks[41])}\n1 item found\n`);
  });

  it("matches exact values, numbers as numbers", async () => {
    expect((await search("--match", "id=task-7")).stdout).toMatch(/^\/tasks\/7 /);
    expect((await search("--match", "number=41", "--match", "status=pending")).stdout).toMatch(
      /^\/tasks\/41 /,
    );
    const { stdout, stderr } = await search("--match", "id=7");
    expect(stdout).toBe("nothing found\n");
    expect(stderr).toContain(`id was compared with the number 7; for the text write --match 'id="7"'.`);
  });

  it("shows no more than the limit, and has whole items in the envelope", async () => {
    const { stdout } = await search("--match", "status=failed", "--limit", "2");
    expect(stdout).toContain("20 items found, 18 not shown: --limit shows more");
    const { data } = JSON.parse((await search("plant", "--match", "status=failed", "--json")).stdout);
    expect(data).toMatchObject({ verified: true, matched: 20, returned: 20 });
    expect(data.items[0].value).toHaveProperty("title");
  });

  it("cuts a long item where an ellipsis says so", async () => {
    const { cwd, hashes } = await storedHere({ content: [JSON.stringify([{ note: "needle ".repeat(99) }])] });
    const args = ["archive", "search", hashes[0] ?? "", "needle", "--store", "archive"];
    const [line = ""] = (await runInProcess(args, { cwd })).stdout.split("\n");
    expect(line).toMatch(/^\/0 {2}\{"note":.*…$/);
    expect(line.length).toBeLessThanOrEqual(120);
  });

  it.each([
    [[], "There is nothing to look for."],
    [["--match", "plain"], "Give path=value"],
    [["--match", "a=1", "--match", "a=2"], "a is given twice"],
    [["--match", "/~9=1"], "is not a path"],
    [["word", "--limit", "0"], "Give a whole number of 1 or more."],
  ])("%j is wrong usage", async (args, message) => {
    const { exitCode, stderr } = await search(...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it("says that bytes hold no items", async () => {
    const { cwd, hashes } = await storedHere({ content: [Uint8Array.of(1)], contentType: "image/png" });
    const args = ["archive", "search", hashes[0] ?? "", "word", "--store", "archive"];
    const { exitCode, stderr } = await runInProcess(args, { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("The entry is image/png: it holds bytes, no items.");
  });
});
