import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { validateText } from "../../core/pipeline/dialect/validate-response.ts";
import { runInProcess } from "../run-in-process.fixture.ts";
import { bad, failed, good, lax, message } from "../sample-responses.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

const validate = (stdin: string | Uint8Array, ...args: string[]) =>
  runInProcess(["validate", ...args], { stdin });

describe("waybill validate", () => {
  it("passes a valid envelope from stdin with exit code 0", async () => {
    const { exitCode, stdout, stderr } = await validate(good);
    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    expect(stdout).toBe(
      [
        "stdin: valid, response-v2, level envelope",
        "  dialect detected: the root has the keys success, data, error, meta; could also be response-v2-draft (name it with --dialect)",
        "1 response, none failed: 0 MUST, 0 SHOULD, 0 MAY",
        "",
      ].join("\n"),
    );
  });

  it("names the keys that are there, and every broken rule at once", async () => {
    const { stdout } = await validate('{"success":true,"data":[1],"meta":{"version":"response-v3"}}');
    expect(stdout).toContain("dialect detected: the root has the keys success, data, meta; could");
    const rules = ["envelope/root-keys", "envelope/data-type", "meta/version", "meta/request-id-missing"];
    for (const rule of rules) expect(stdout).toContain(`    ${rule} at `);
    expect(stdout).toContain("1 failed: 3 MUST, 1 SHOULD");
  });

  it("names rule, place and remedy of a broken MUST and exits 1", async () => {
    const { exitCode, stdout } = await validate(bad, "--dialect", "response-v2", "-");
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      "stdin: invalid, response-v2, level envelope\n  MUST\n    envelope/success-error at /error\n",
    );
    expect(stdout).not.toContain("dialect detected");
  });

  it.each([
    ['{"hello":1}', "response-v1"],
    ["[1]", "response-v1"],
    ['"fine"', "response-v1"],
    ['{"success":"true","data":{}}', "response-v2 or response-v1"],
  ])("says that %s has no envelope, and exits 1", async (json, others) => {
    const { exitCode, stdout } = await validate(json, "-");
    expect(stdout).toContain(
      `stdin: no envelope, level envelope\n  name the dialect with --dialect if it has one: ${others}\n  MUST\n` +
        "    envelope/missing at the root\n      No envelope was recognised. Send an envelope",
    );
    expect(exitCode).toBe(1);
    expect((await validate(json, "--level", "envelope", "-")).stdout).toContain("no envelope");
    // As a tool result it lacks more than an envelope.
    expect((await validate(json, "--level", "result", "-")).exitCode).toBe(1);
  });

  it("takes a payload without an envelope for the legacy form where that is asked for", async () => {
    for (const json of ['{"hello":1}', '{"error":"No such task"}']) {
      const named = await validate(json, "--dialect", "response-v1", "-");
      expect(named.stdout).toContain("stdin: valid, response-v1, level envelope");
      expect(named.exitCode).toBe(0);
    }
    expect((await validate('{"error":"No such task"}', "-")).exitCode).toBe(0);
    const plain = '{"content":[{"type":"text","text":"{\\"hello\\":1}"}]}';
    for (const args of [["--dialect", "plain"], []])
      expect((await validate(plain, ...args, "-")).exitCode).toBe(0);
  });

  it("judges a misspelt root key by the version in meta", async () => {
    const json = '{"succes":true,"data":{"a":1},"error":null,"meta":{"version":"response-v2"}}';
    const { exitCode, stdout } = await validate(json, "-");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("stdin: invalid, response-v2, level envelope");
    expect(stdout).toContain("envelope/root-keys at /succes");
  });

  it("reports a SHOULD with exit code 0, and fails for it with --strict", async () => {
    const relaxed = await validate(lax);
    expect(relaxed.exitCode).toBe(0);
    expect(relaxed.stdout).toContain("  SHOULD\n    meta/request-id-missing at /meta\n");
    const strict = await validate(lax, "--strict");
    expect(strict.exitCode).toBe(1);
    expect(strict.stdout).toContain("stdin: not strict, response-v2");
  });

  it("gives each file its verdict and exits 1 when any is invalid", async () => {
    const cwd = tempFiles({ "a.json": good, "b.json": bad });
    const { exitCode, stdout } = await runInProcess(["validate", "a.json", "b.json"], { cwd });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^a\.json: valid/m);
    expect(stdout).toMatch(/^b\.json: invalid/m);
    expect(stdout).toMatch(/^2 responses, 1 failed: 1 MUST, 0 SHOULD, 0 MAY$/m);
  });

  it("reads stdin for a dash between files", async () => {
    const cwd = tempFiles({ "a.json": good });
    const { stdout } = await runInProcess(["validate", "a.json", "-"], { cwd, stdin: good });
    expect(stdout).toMatch(/^a\.json: valid[^]*^stdin: valid/m);
  });

  it("refuses a second dash", async () => {
    const { exitCode, stderr } = await validate(good, "-", "-");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("stdin can be read only once");
  });

  it("asks for input when a person sits at the terminal", async () => {
    const { exitCode, stdout, stderr } = await runInProcess(["validate"], { terminal: true });
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toBe(
      'waybill: There is nothing to read.\nName a file, pipe the JSON in, or give "-" to type it and end with Ctrl-D.\n',
    );
  });

  it("takes an empty input for a broken json/syntax", async () => {
    const { exitCode, stdout } = await validate("");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("stdin: invalid, no JSON\n  MUST\n    json/syntax at the root\n");
  });

  it("takes bytes that are not UTF-8 for a broken json/encoding", async () => {
    const { exitCode, stdout } = await validate(Uint8Array.of(0x22, 0xff, 0x22));
    expect(exitCode).toBe(1);
    expect(stdout).toContain("json/encoding");
  });

  it("judges the other files when one is missing or a directory, and exits 2", async () => {
    const cwd = tempFiles({ "a.json": bad });
    mkdirSync(join(cwd, "folder"));
    const { exitCode, stdout, stderr } = await runInProcess(["validate", "nope.json", "folder", "a.json"], {
      cwd,
    });
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/^a\.json: invalid/m);
    expect(stderr).toContain(
      `waybill: Cannot read nope.json: there is no such file. Check the path; relative ones start at ${cwd}.`,
    );
    expect(stderr).toContain("waybill: Cannot read folder: it is a directory.");
  });

  it("says the same as the library for text that parsing would change", async () => {
    const text =
      '{"success":true,"data":{"n":1e400,"a":1,"a":2},"error":null,"meta":{"version":"response-v2"}}';
    const { stdout } = await validate(text, "--json");
    const { data } = JSON.parse(stdout);
    expect(data.results[0].violations).toEqual(validateText(text).violations);
    expect(data.results[0].dialect).toBe("response-v2");
  });

  it("writes control characters of a hostile response as escapes", async () => {
    const text = JSON.stringify({ ...JSON.parse(good), "\u001b]0;owned\u0007": 1 });
    const { stdout } = await validate(text);
    expect(stdout).toContain("\\u001b]0;owned\\u0007");
    expect(stdout).not.toContain("\u001b");
  });

  it("shows fifty violations of a kind and says how many more there are", async () => {
    const content = Array.from({ length: 60 }, () => 1);
    const { stdout } = await validate(JSON.stringify({ content }), "--dialect", "plain");
    expect(stdout).toContain("    and 10 more: --json lists all\n");
  });

  it("refuses an unknown dialect and lists the known ones", async () => {
    const { exitCode, stderr } = await validate(good, "--dialect", "scalpl");
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      "Allowed choices are response-v2, response-v2-draft, response-v1, scalpel, drf, plain.",
    );
  });
});

describe("waybill validate --level", () => {
  it("finds a message by its jsonrpc member and judges the result in it", async () => {
    const { exitCode, stdout } = await validate(message(bad));
    expect(exitCode).toBe(1);
    expect(stdout).toContain("stdin: invalid, response-v2, level message");
    expect(stdout).toContain("envelope/success-error at /result/structuredContent/error");
  });

  it("finds a batch of messages", async () => {
    const { stdout } = await validate(`[${message(good)},${message('{"data":1}')}]`);
    expect(stdout).toContain("stdin: valid, level message");
  });

  it("judges a message of a named method", async () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect((await validate(text)).exitCode).toBe(0);
    const listed = await validate(text, "--method", "tools/list");
    expect(listed.exitCode).toBe(1);
    expect(listed.stdout).toContain("tools-list/tools");
  });

  it("reports a repeated key of a message beside its other faults", async () => {
    const { stdout } = await validate('{"jsonrpc":"2.0","jsonrpc":"1.0","id":1,"result":{}}');
    expect(stdout).toContain("json/duplicate-key at /jsonrpc");
    expect(stdout).toContain("jsonrpc/version at /jsonrpc");
  });

  it("takes the level that was named", async () => {
    const { exitCode, stdout } = await validate(good, "--level", "message");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("level message");
    expect((await validate(failed, "--level", "result", "--dialect", "response-v2")).exitCode).toBe(1);
  });

  it("judges a tool result with the error flag left out", async () => {
    const { result } = JSON.parse(message(failed)) as { result: object };
    const { exitCode, stdout } = await validate(JSON.stringify(result));
    expect(exitCode).toBe(0);
    expect(stdout).toContain("result/is-error-missing at /isError");
    expect((await validate(JSON.stringify(result), "--strict")).exitCode).toBe(1);
  });

  const initialize = {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "drf" },
  };
  const list = { tools: [{ name: "customers_list", inputSchema: { type: "array" } }] };
  // shows 003.30
  it.each([
    ["initialize", initialize, "initialize/server-info at /serverInfo/version"],
    ["tools/list", list, "tools-list/input-schema at /tools/0/inputSchema/type"],
  ])("judges a bare result of %s by its own rules", async (method, result, broken) => {
    const text = JSON.stringify(result);
    for (const args of [
      [],
      ["--level", "result"],
      ["--level", "result", "--method", method],
      ["--method", method],
    ]) {
      const { exitCode, stdout } = await validate(text, ...args);
      expect(exitCode).toBe(1);
      expect(stdout).toContain(`stdin: invalid, level result of ${method}\n`);
      expect(stdout).toContain(broken);
    }
    const { results } = JSON.parse((await validate(text, "--json")).stdout).data;
    expect(results).toMatchObject([{ level: "result", dialect: null, method, valid: false }]);
  });

  it("judges what looks like no such result by the method that was named", async () => {
    const { exitCode, stdout } = await validate("{}", "--level", "result", "--method", "initialize");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("initialize/protocol-version at /protocolVersion");
    expect((await validate("{}", "--level", "result", "--method", "prompts/list")).exitCode).toBe(2);
  });

  it("leaves a payload alone that only has a key tools", async () => {
    const { stdout } = await validate('{"tools":["hammer","saw"]}', "--dialect", "response-v1");
    expect(stdout).toContain("stdin: valid, response-v1, level envelope");
  });

  it("refuses --method at a level that has none", async () => {
    const { exitCode, stderr } = await validate(good, "--level", "envelope", "--method", "tools/call");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--method has no effect with --level envelope.");
  });
});

describe("waybill validate --tiers", () => {
  const scan = '{"tier":"gold","data":{}}';

  it("reports a tier that was not named, as a SHOULD", async () => {
    const { exitCode, stdout } = await validate(scan);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('scalpel/tier-known at /tier\n      The tier "gold" is not known.');
    expect((await validate('{"tier":"pro","data":{}}')).stdout).not.toContain("scalpel/tier-known");
    expect((await validate('{"tier":null,"data":{}}')).stdout).not.toContain("scalpel/tier-known");
  });

  it("takes the order that is given, else that of the configuration", async () => {
    expect((await validate(scan, "--tiers", "free,gold")).stdout).not.toContain("scalpel/tier-known");
    const config = JSON.stringify({ tiers: { order: ["free", "gold"] } });
    const cwd = tempFiles({ "waybill.config.json": config, "scan.json": scan });
    const { stdout } = await runInProcess(["validate", "scan.json"], { cwd });
    expect(stdout).toContain("scan.json: valid, scalpel");
    expect(stdout).not.toContain("scalpel/tier-known");
  });
});

describe("waybill validate --json", () => {
  it("lists the verdicts of valid responses in a success", async () => {
    const { exitCode, stdout } = await validate(good, "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).data.results).toEqual([
      {
        source: "stdin",
        valid: true,
        dialect: "response-v2",
        level: "envelope",
        detected_because: "the root has the keys success, data, error, meta",
        alternatives: ["response-v2-draft"],
        violations: [],
      },
    ]);
  });

  it("says why the dialect was chosen at the level that was asked for", async () => {
    const result = '{"content":[{"type":"text","text":"fine"}]}';
    const verdictAt = async (level: string): Promise<unknown> => {
      const { stdout } = await validate(result, "--json", "--level", level);
      return JSON.parse(stdout).data.results[0];
    };
    expect(await verdictAt("result")).toMatchObject({
      dialect: "plain",
      detected_because: "an MCP result without an envelope",
    });
    expect(await verdictAt("envelope")).toMatchObject({
      dialect: null,
      valid: false,
      detected_because: "a bare payload",
      violations: [{ rule: "envelope/missing" }],
    });
  });

  it("keeps the verdicts in a failure", async () => {
    const cwd = tempFiles({ "a.json": good, "b.json": bad });
    const { exitCode, stdout, stderr } = await runInProcess(["validate", "--json", "a.json", "b.json"], {
      cwd,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toBe("");
    const envelope = JSON.parse(stdout);
    expect(envelope.error).toBe("1 of 2 responses violates the contract");
    expect(envelope.data).toMatchObject({ error_code: "VALIDATION_ERROR", error_type: "validation" });
    expect(envelope.data.results.map(({ valid }: { valid: boolean }) => valid)).toEqual([true, false]);
  });

  it("names the inputs that cannot be read", async () => {
    const { exitCode, stdout } = await runInProcess(["validate", "--json", "/nope.json"]);
    expect(exitCode).toBe(2);
    const { error, data } = JSON.parse(stdout);
    expect(error).toBe("Cannot read /nope.json: there is no such file.");
    expect(data).toMatchObject({ error_code: "NOT_FOUND", error_type: "not_found", results: [] });
  });
});
