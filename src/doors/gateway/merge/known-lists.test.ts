import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KnownLists } from "./known-lists.ts";
import { temporaryFolder } from "./merge.fixture.ts";

const upstream = { command: "node", args: ["server.js"] };

function open(folder: string | undefined) {
  const failures: unknown[] = [];
  return { failures, known: new KnownLists(upstream, { folder, failed: (error) => failures.push(error) }) };
}

describe("the last lists of a server", () => {
  it("are there after a restart, in a file that only its owner can read", async () => {
    const folder = temporaryFolder();
    const { known } = open(folder);
    known.listed("tools", ["read", "write"]);
    known.listed("prompts", ["sum"]);
    known.greeted({ tools: {} });
    await known.settled();
    expect(open(folder).known.current).toEqual({
      tools: ["read", "write"],
      prompts: ["sum"],
      capabilities: { tools: {} },
    });
    const [file = ""] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, file), "utf8")).not.toContain("server.js");
  });

  it("forget no name before the next start, so that another caller's list changes no name", async () => {
    const folder = temporaryFolder();
    const { known } = open(folder);
    const changes: string[] = [];
    known.onChange((kind) => changes.push(kind));
    known.listed("tools", ["read", "write"]);
    known.listed("tools", ["read"]);
    expect(known.current.tools).toEqual(["read", "write"]);
    expect(changes).toEqual(["tools"]);
    await known.settled();
    expect(open(folder).known.current.tools).toEqual(["read"]);
  });

  it("are empty where the file is damaged, and are written again", async () => {
    const folder = temporaryFolder();
    const first = open(folder).known;
    first.listed("tools", ["read"]);
    await first.settled();
    const [file = ""] = readdirSync(folder);
    for (const damage of ["", "[]", '{"tools":3}', '{"tools":["a', "x".repeat(5_000_000)]) {
      writeFileSync(join(folder, file), damage);
      expect(open(folder).known.current.tools).toEqual([]);
    }
    const { known } = open(folder);
    known.listed("tools", ["read"]);
    await known.settled();
    expect(open(folder).known.current.tools).toEqual(["read"]);
  });

  it("stay in memory where no file can be written, which is told once", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    const { known, failures } = open(join(folder, "file", "below"));
    known.listed("tools", ["read"]);
    await known.settled();
    known.listed("tools", ["read", "write"]);
    await known.settled();
    expect(known.current.tools).toEqual(["read", "write"]);
    expect(failures).toHaveLength(1);
    expect(open(undefined).known.current.tools).toEqual([]);
  });
});
