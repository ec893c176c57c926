import { describe, expect, it } from "vitest";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

const json = async (args: readonly string[], options = {}) => {
  const { stdout, exitCode } = await runInProcess(["tokens", "--json", ...args], options);
  return { exitCode, ...JSON.parse(stdout) };
};

describe("waybill tokens", () => {
  it("counts tokens, bytes and characters of stdin", async () => {
    const { data } = await json([], { stdin: "Grüße 😀" });
    expect(data.encoding).toBe("o200k_base");
    expect(data.results).toEqual([
      { source: "stdin", tokens: 4, bytes: 12, characters: 7, bytes_per_token: 3, compact: null },
    ]);
  });

  it("counts in the encoding that is asked for", async () => {
    const stdin = "今天天气很好";
    const [o200k, cl100k] = [await json([], { stdin }), await json(["--encoding", "cl100k_base"], { stdin })];
    expect(o200k.data.total.tokens).toBeLessThan(cl100k.data.total.tokens);
    expect(cl100k.data.encoding).toBe("cl100k_base");
  });

  it("says what JSON would save without its spaces", async () => {
    const value = { items: Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}` })) };
    const { data } = await json([], { stdin: JSON.stringify(value, null, 2) });
    const [{ tokens, compact }] = data.results;
    expect(compact.bytes).toBe(JSON.stringify(value).length);
    expect(compact.saved_tokens).toBe(tokens - compact.tokens);
    expect(compact.saved_percent).toBeGreaterThan(20);
  });

  it.each([
    ["a number that a double cannot hold", '{ "id": 12345678901234567890 }'],
    ["a key that appears twice", '{ "a": 1, "a": 2 }'],
    ["keys that would change places", '{ "b": 1, "1": 2 }'],
    ["broken JSON", '{ "a": 1'],
  ])("gives no compact size to %s", async (_, stdin) => {
    expect((await json([], { stdin })).data.results[0].compact).toBeNull();
  });

  it("adds up several files", async () => {
    const cwd = tempFiles({ "a.txt": "one two", "b.txt": "three" });
    const { data } = await json(["a.txt", "b.txt"], { cwd });
    expect(data.total).toEqual({ tokens: 3, bytes: 12, characters: 12, bytes_per_token: 4 });
    const { stdout } = await runInProcess(["tokens", "a.txt", "b.txt"], { cwd });
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^3 +12 +12 +4\.00 +all$/);
  });

  it("has no quotient for an empty text", async () => {
    const { data } = await json([], { stdin: "" });
    expect(data.results[0]).toMatchObject({ tokens: 0, bytes: 0, bytes_per_token: null });
    expect((await runInProcess(["tokens"], { stdin: "" })).stdout).toContain("-");
  });

  it("counts what can be read and names what cannot", async () => {
    const cwd = tempFiles({ "a.txt": "one", "binary.dat": Uint8Array.of(0x61, 0xff) });
    const missing = await runInProcess(["tokens", "a.txt", "nope.txt"], { cwd });
    expect(missing.exitCode).toBe(2);
    expect(missing.stdout).toContain("a.txt");
    expect(missing.stderr).toContain("Cannot read nope.txt: there is no such file.");
    const binary = await runInProcess(["tokens", "binary.dat"], { cwd });
    expect(binary.exitCode).toBe(1);
    expect(binary.stdout).toBe("");
    expect(binary.stderr).toContain("binary.dat is not UTF-8");
  });

  it("reads special tokens as ordinary text", async () => {
    expect((await json([], { stdin: "<|endoftext|>" })).data.total.tokens).toBeGreaterThan(1);
  });
});
