import { describe, expect, it } from "vitest";
import { translate } from "../../core/pipeline/dialect/translate.ts";
import { dialectIds } from "../../core/contract/dialect-id.ts";
import { runInProcess } from "../run-in-process.fixture.ts";
import { bad, failed, good } from "../sample-responses.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

const run = (stdin: string | Uint8Array, ...args: string[]) =>
  runInProcess(["translate", ...args], { stdin });

describe("waybill translate", () => {
  it.each(dialectIds)("prints what the library says in %s, compact", async (to) => {
    const { exitCode, stdout } = await run(failed, "--from", "response-v2", "--to", to);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`${JSON.stringify(translate(JSON.parse(failed), { to }))}\n`);
  });

  it("indents with --pretty", async () => {
    const { stdout } = await run(good, "--to", "scalpel", "--pretty");
    expect(stdout).toContain('\n  "data": {\n    "tasks": [');
  });

  it("names each loss in a line on stderr", async () => {
    const { stdout, stderr } = await run(failed, "--to", "drf");
    expect(stdout).toBe(
      '{"content":[{"type":"text","text":"Error executing tool: Spec not found: login"}],"isError":true}\n',
    );
    expect(stderr.trim().split("\n")).toEqual([
      'waybill: drf cannot carry /fault/code: it becomes "INTERNAL_ERROR", because a failure is a text alone.',
      'waybill: drf cannot carry /fault/type: it becomes "internal", because a failure is a text alone.',
      expect.stringContaining("/fault/remediation: it is dropped"),
      expect.stringContaining("/fault/details: it is dropped"),
    ]);
  });

  it("says on stderr that the dialect is a guess, unless it is named", async () => {
    const guessed = await run(good, "--to", "scalpel");
    expect(guessed.stderr).toContain("waybill: read as response-v2 (");
    expect(guessed.stderr).toContain("could also be response-v2-draft: name it with --from.");
    const named = await run(good, "--from", "response-v2", "--to", "scalpel");
    expect(named.stderr).toBe("");
  });

  it("writes the draft's metadata where it is asked to", async () => {
    const { stdout } = await run(good, "--to", "response-v2-draft", "--metadata", "data");
    expect(JSON.parse(stdout).data._meta).toMatchObject({ request_id: "req_1" });
  });

  it("fills scalpel's keys with null when asked to", async () => {
    const { stdout } = await run(good, "--to", "scalpel", "--fill", "null");
    expect(JSON.parse(stdout)).toHaveProperty("error", null);
  });

  it("writes less in the minimal profile", async () => {
    const notes = { version: "response-v2", warning_details: [{ message: "old", severity: "info" }] };
    const text = JSON.stringify({ ...JSON.parse(good), meta: notes });
    const all = await run(text, "--to", "response-v2");
    const minimal = await run(text, "--to", "response-v2", "--profile", "minimal");
    expect(all.stdout).toContain("old");
    expect(minimal.stdout).not.toContain("old");
  });

  it.each([
    ["--metadata data", "scalpel", "response-v2-draft"],
    ["--fill null", "response-v2", "scalpel"],
  ])("refuses %s for %s, which would ignore it", async (option, to, known) => {
    const { exitCode, stdout, stderr } = await run(good, "--to", to, ...option.split(" "));
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(`translate with --to ${known}`);
  });

  it("refuses numbers and keys that reading would change, with their places", async () => {
    const { exitCode, stdout, stderr } = await run(
      '{"data":{"n":12345678901234567890,"big":1e400,"a":1,"a":2}}',
      "--to",
      "plain",
    );
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("waybill: stdin would lose 3 values by being read.");
    expect(stderr).toMatch(
      /at \/data\/n would become[^]*at \/data\/big is too large[^]*at \/data\/a appears more than once/,
    );
  });

  it("keeps half a surrogate pair", async () => {
    const { exitCode, stdout } = await run(
      String.raw`{"data":"\ud800"}`,
      "--from",
      "scalpel",
      "--to",
      "response-v1",
    );
    expect(exitCode).toBe(0);
    expect(stdout).toBe(String.raw`"\ud800"` + "\n");
  });

  it("refuses text that is not JSON, and bytes that are not UTF-8", async () => {
    const cut = await run('{"data":', "--to", "plain");
    expect(cut.exitCode).toBe(1);
    expect(cut.stderr).toContain("  Line 1, column 9: Expected a value, found the end of the text.");
    const latin = await run(Uint8Array.of(0x22, 0xe9, 0x22), "--to", "plain");
    expect(latin.exitCode).toBe(1);
    expect(latin.stderr).toContain("waybill: stdin is not UTF-8.");
  });

  it("refuses a response that breaks its contract", async () => {
    const { exitCode, stdout, stderr } = await run(bad, "--to", "scalpel");
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("waybill: This is not a valid response-v2 response: /error:");
  });

  it("never turns a success into a failure", async () => {
    const { exitCode, stdout } = await run(
      '{"data":{"error":"none"}}',
      "--from",
      "scalpel",
      "--to",
      "response-v1",
    );
    expect(exitCode).toBe(0);
    expect(stdout).toBe('{"result":{"error":"none"}}\n');
  });

  it("refuses a JSON-RPC message and says what to give instead", async () => {
    const { exitCode, stderr } = await run('{"jsonrpc":"2.0","id":1,"result":{}}', "--to", "plain");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Give its result, as from `jq .result`");
  });

  it("needs a target", async () => {
    const { exitCode, stderr } = await run(good);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      "waybill: required option '--to <dialect>' not specified\nSee `waybill help translate`.",
    );
  });

  it("takes one file", async () => {
    const cwd = tempFiles({ "a.json": good });
    expect((await runInProcess(["translate", "--to", "plain", "a.json"], { cwd })).exitCode).toBe(0);
    const two = await runInProcess(["translate", "--to", "plain", "a.json", "b.json"], { cwd });
    expect(two.exitCode).toBe(2);
    expect(two.stderr).toContain("too many arguments for 'translate'");
  });

  it("carries response and losses in one envelope with --json", async () => {
    const { exitCode, stdout, stderr } = await run(failed, "--to", "scalpel", "--json");
    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    const { data, meta } = JSON.parse(stdout);
    expect(data).toMatchObject({ from: "response-v2", to: "scalpel" });
    expect(data.response).toEqual(translate(JSON.parse(failed), { to: "scalpel" }));
    expect(data.losses).toEqual([
      { path: "/fault/remediation", becomes: "dropped", why: "the error model has no place for it" },
    ]);
    expect(meta.warning_details[0]).toMatchObject({ code: "CONTENT_DROPPED" });
  });

  it("lists what was found in the details of a refusal with --json", async () => {
    const { exitCode, stdout } = await run('{"a":1,"a":2}', "--to", "plain", "--json");
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).data).toMatchObject({
      error_code: "INVALID_FORMAT",
      details: { source: "stdin", findings: [{ kind: "duplicate-key", pointer: "/a", line: 1, column: 8 }] },
    });
  });
});
