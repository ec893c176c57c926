import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

/** A server of one tool that reads, and one that writes down that it was called. What changes it is in a file. */
const server = `
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const mood = JSON.parse(readFileSync("mood.json", "utf8"));
const inputSchema = { type: "object", properties: { city: { type: "string", description: "A city's name" } }, required: ["city"], additionalProperties: false };
const tools = [
  { name: "weather", description: "Says what the weather is like in a city now.", inputSchema, annotations: { readOnlyHint: true } },
  { name: "forget", description: "Forgets everything that is known of a city.", inputSchema, annotations: { readOnlyHint: false } },
].filter(({ name }) => name !== mood.without);
const fail = (text) => ({ content: [{ type: "text", text }], isError: true });
function call({ name, arguments: given = {} }) {
  if (name === "forget") appendFileSync("called.txt", "forget\\n");
  if (typeof given.city !== "string" || Object.keys(given).length > 1)
    return fail("VALIDATION_ERROR: city must be a text, and the only argument. Give a city's name.");
  return mood.lies ? { content: [{ type: "text", text: '{"error":"The service is down"}' }] } : { content: [{ type: "text", text: "Sunny." }] };
}
const parse = (line) => { try { return JSON.parse(line); } catch { return {}; } };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = parse(line);
  if (id === undefined) continue;
  const send = (rest) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
  if (method === "initialize") send({ result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "weather", version: "1.0.0" } } });
  else if (method === "ping") send({ result: {} });
  else if (method === "tools/list") send({ result: { tools } });
  else if (method !== "tools/call") send({ error: { code: -32601, message: "There is no such method" } });
  else if (!tools.some(({ name }) => name === params?.name)) send({ error: { code: -32602, message: "There is no such tool" } });
  else send({ result: call(params) });
}
`;

function folderWith(mood: object = {}, files: Readonly<Record<string, string>> = {}): string {
  return tempFiles({ "server.mjs": server, "mood.json": JSON.stringify(mood), ...files });
}

function check(cwd: string, ...args: string[]) {
  return runInProcess(["check", ...args, "--", process.execPath, "server.mjs"], { cwd });
}

const read = (folder: string, file: string): string => readFileSync(join(folder, file), "utf8");

describe("waybill check", () => {
  it("says that nothing was tested where no tool may be called, and passes where only definitions are asked for", async () => {
    const cwd = folderWith({ without: "weather" });
    const { exitCode, stdout } = await check(cwd);
    expect(stdout).toMatch(
      /^0 of 1 tool called: nothing was tested\. 1 not called, [^]*--all calls such tools/,
    );
    expect(stdout).toContain("No score: no tool was called");
    expect(stdout).toMatch(/\nFailed: nothing was tested: no tool was called\nNext: waybill check --args /);
    expect(exitCode).toBe(1);
    const json = JSON.parse((await check(cwd, "--report", "json")).stdout);
    expect(Object.keys(json)[0]).toBe("coverage");
    expect(json).toMatchObject({ score: null, coverage: { tools: 1, called: 0 } });
    const definitions = await check(cwd, "--definitions-only");
    expect(definitions.stdout).toMatch(/^0 of 1 tool called: only definitions were asked for\.\n/);
    expect(definitions.exitCode).toBe(0);
    const mixed = await check(cwd, "--definitions-only", "--all");
    expect(mixed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--all speaks of calls") });
    expect(existsSync(join(cwd, "called.txt"))).toBe(false);
  });

  it("passes a server without errors, calls only what reads, and says nothing on stderr", async () => {
    const cwd = folderWith();
    const { exitCode, stdout, stderr } = await check(cwd);
    expect(stdout).toMatch(
      /^1 of 2 tools called: \d+ calls in [\d.]+ s, \d+ succeeded, \d+ failed or were refused\n\d+ findings?: 0 errors, [^]*\n\nweather 1\.0\.0\nstdio, MCP 2025-11-25, 2 tools with \d+ tokens\n/,
    );
    expect(stdout).toMatch(/^Score \d+ of 100 {2}█+░* {2}\d+ of \d+ rules tested$/m);
    expect(stdout).toMatch(
      /\n1 not called, [^]*--all calls[^]*\.\nUntested: \d+ of \d+ rules; --all or --args <file> would/,
    );
    expect(stdout).toMatch(/\nPassed: /);
    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    expect(existsSync(join(cwd, "called.txt"))).toBe(false);
  });

  it.each([
    ["--out", "."],
    ["--policy", "nowhere/gateway.json"],
    ["--policy", "settings.json"],
  ])("refuses %s %s before the server is started, and leaves what is there", async (option, file) => {
    const cwd = folderWith({}, { "settings.json": '{"budget":{"tokens":500}}' });
    const { exitCode, stderr } = await runInProcess(
      ["check", option, file, "--", process.execPath, "-e", "require('fs').writeFileSync('started', '')"],
      { cwd },
    );
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/Cannot write|no policy that a check wrote/);
    expect(existsSync(join(cwd, "started"))).toBe(false);
    expect(read(cwd, "settings.json")).toBe('{"budget":{"tokens":500}}');
  });

  it("says of a legacy server that it is one, where the modern era is asked for", async () => {
    const { exitCode, stderr } = await check(folderWith(), "--era", "modern");
    expect(stderr).toContain("it is of the legacy era; check it with the era legacy or auto");
    expect(exitCode).toBe(3);
  });

  it("fails for an error, and writes every form of the report in one run", async () => {
    const cwd = folderWith({ lies: true });
    const forms = ["json", "junit", "sarif", "html", "pretty"].flatMap((form) => [
      "--report",
      form,
      "--out",
      `r.${form}`,
    ]);
    const { exitCode, stdout, stderr } = await check(cwd, ...forms, "--policy", "gateway.json", "--progress");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/truth\/success-flag\n {4}weather/);
    expect(stdout).toContain("Failed: 1 error");
    expect(stdout).toContain("Next: waybill gateway --config gateway.json");
    expect(stderr).toMatch(/^waybill: connecting, 0 s\nwaybill: listing tools/);
    expect(stderr).toMatch(/waybill: wrote [\d.]+ KiB to r\.html/);
    expect(stderr).toMatch(/waybill: the policy repairs \d+ findings?; \d+ stay, and the file says why/);
    const report = JSON.parse(read(cwd, "r.json"));
    expect(report.findings[0]).toMatchObject({
      rule: "truth/success-flag",
      severity: "error",
      tool: "weather",
    });
    expect(read(cwd, "r.junit")).toContain('<testcase name="truth/success-flag"');
    expect(JSON.parse(read(cwd, "r.sarif")).runs[0].results[0].ruleId).toBe("truth/success-flag");
    expect(read(cwd, "r.html")).toContain("<title>weather – check</title>");
    expect(read(cwd, "r.pretty")).toContain("Failed: 1 error");
    const policy = JSON.parse(read(cwd, "gateway.json"));
    expect(Object.keys(policy)).toEqual(["$comment", "upstreams"]);
    expect(policy.$comment[0]).toMatch(/^A policy of the Waybill gateway for weather 1\.0\.0/);
  });

  it("replaces a policy of its own in either form, with comments only where the name is not of JSON", async () => {
    const cwd = folderWith({ lies: true });
    for (const file of ["gateway.json", "gateway.jsonc"]) {
      const [first, second] = [await check(cwd, "--policy", file), await check(cwd, "--policy", file)];
      expect([first.exitCode, second.exitCode]).toEqual([1, 1]);
    }
    expect(read(cwd, "gateway.jsonc")).toMatch(/^\/\/ A policy of the Waybill gateway/);
    writeFileSync(join(cwd, "own.json"), '{\n  // mine\n  "dialect": "plain"\n}');
    const refused = await check(cwd, "--policy", "own.json");
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(
      /own\.json exists and is no policy that a check wrote\. It is not JSON either: Line 2, column 3: .*Remove comments\./,
    );
  });

  it("gives each --out to the --report before it, and points SARIF at the author's source", async () => {
    const cwd = folderWith({ lies: true });
    const { stdout } = await check(
      cwd,
      "--report",
      "json",
      "--report",
      "sarif",
      "--out",
      "r.sarif",
      "--report",
      "pretty",
      "--out",
      "r.txt",
    );
    expect(JSON.parse(stdout)).toHaveProperty("coverage");
    expect(read(cwd, "r.txt")).toMatch(/^1 of 2 tools called: /);
    const [run] = JSON.parse(read(cwd, "r.sarif")).runs;
    const found = run.results.find(({ ruleId }: { ruleId: string }) => ruleId === "truth/success-flag");
    const line = server.split("\n").findIndex((text) => text.includes('name: "weather"')) + 1;
    expect(found.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: "server.mjs" },
      region: { startLine: line },
    });
  });

  it("lives with known failures, until one is gone", async () => {
    const cwd = folderWith({ lies: true });
    const written = await check(cwd, "--baseline", "known.json", "--update-baseline");
    expect(written).toMatchObject({ exitCode: 0 });
    expect(written.stdout).toMatch(/Passed: .*, \d+ known failures?$/m);
    expect(written.stderr).toContain("to known.json");
    writeFileSync(join(cwd, "mood.json"), "{}");
    const stale = await check(cwd, "--baseline", "known.json", "--strict");
    expect(stale.exitCode).toBe(1);
    expect(stale.stdout).toMatch(/Stale entries of the baseline: take them out\n {2}/);
    expect(stale.stdout).toMatch(/Failed: .*stale entr/);
  });

  it("records a snapshot, and later tells a breaking change from a harmless one", async () => {
    const cwd = folderWith({ without: "nothing" });
    expect((await check(cwd, "--snapshot", "contract.json")).stderr).toMatch(/wrote .* to contract\.json/);
    writeFileSync(join(cwd, "mood.json"), '{"without":"forget"}');
    const changed = await check(cwd, "--snapshot", "contract.json");
    expect(changed.exitCode).toBe(1);
    expect(changed.stdout).toContain("Changes since the snapshot\n  breaking  forget: the tool is gone");
    if (!isFullRun) return;
    const anew = await check(cwd, "--snapshot", "contract.json", "--update-snapshot");
    expect(anew.exitCode).toBe(0);
    writeFileSync(join(cwd, "mood.json"), "{}");
    const back = await check(cwd, "--snapshot", "contract.json");
    expect(back.exitCode).toBe(0);
    expect(back.stdout).toContain("  harmless  forget: the tool is new");
  });

  it.runIf(isFullRun)(
    "calls the tools that it is given arguments for, and all of them with --all and a warning",
    async () => {
      const cwd = folderWith({}, { "args.json": '{"forget":{"city":"Rome"}}' });
      await check(cwd, "--args", "args.json", "--tool", "forget");
      expect(existsSync(join(cwd, "called.txt"))).toBe(true);
      const { stderr, stdout } = await check(cwd, "--all", "--tool", "weather", "--report", "json");
      expect(stderr).toBe(
        "waybill: --all calls every tool, also those that change or delete something; use it where nothing can be lost\n",
      );
      expect(JSON.parse(stdout).tools.map((tool: { calls: number }) => tool.calls > 0)).toEqual([
        true,
        false,
      ]);
    },
  );

  it("exits 3 for a server that cannot be reached, in any form, with what it said", async () => {
    const cwd = tempFiles({ "server.mjs": 'console.error("no key is set"); process.exit(9);' });
    const { exitCode, stderr, stdout } = await check(cwd, "--report", "json");
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/waybill: the server could not be reached: .*\n {2}no key is set\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ isReachable: false, score: null });
    const nowhere = await runInProcess(["check", "http://127.0.0.1:1/mcp", "--json"]);
    expect(nowhere.exitCode).toBe(3);
    expect(JSON.parse(nowhere.stdout)).toMatchObject({
      success: false,
      data: { error_code: "UNAVAILABLE", outcome: "unreachable" },
    });
  });
});

describe("a line of waybill check that is wrong", () => {
  it.each([
    [["check", "https://a.example/mcp", "more"], "More than a URL is named."],
    [["check", "--header", "A: b", "--", "node"], "--header goes with a URL"],
    [["check", "--transport", "sse", "--", "node"], "--transport goes with a URL"],
    [["check", "--header", "A: ${NOT_SET_AT_ALL}", "https://a.example"], "NOT_SET_AT_ALL, which is not set"],
    [["check", "--update-baseline", "--", "node"], "--update-baseline needs --baseline."],
    [["check", "--update-snapshot", "--", "node"], "--update-snapshot needs --snapshot."],
    [["check", "--baseline", "none.json", "--", "node"], "There is no baseline none.json."],
    [["check", "--baseline", "bad.json", "--", "node"], "bad.json cannot be used."],
    [["check", "--args", "bad.json", "--", "node"], "bad.json has no arguments by tool."],
    [["check", "--report", "json", "--report", "html", "--", "node"], "Two reports would go to stdout."],
    [["check", "--out", "a", "--out", "b", "--", "node"], "One report has two files: a and b."],
    [["check", "--out", "a", "--report", "html", "--", "node"], "--out a stands before every --report."],
    [
      ["check", "--report", "json", "--report", "html", "--out", "a", "--out", "b", "--", "node"],
      "two files: a and b",
    ],
    [["check", "--report", "xml", "--", "node"], "Allowed choices are pretty, json, junit, sarif, html."],
    [["check", "--report", "json", "--json", "--", "node"], "in two forms"],
    [["check", "--seed", "x", "--", "node"], "Give a whole number from 0"],
    [["check", "--timeout", "0", "--", "node"], "Give a number of seconds above 0"],
  ])("exits 2: %j", async (args, says) => {
    const cwd = tempFiles({ "bad.json": '{"a":1}' });
    const { exitCode, stderr, stdout } = await runInProcess(args, { cwd });
    expect(exitCode).toBe(2);
    expect(stderr + stdout).toContain(says);
  });

  it("names the tool that was meant, by an option or in its file", async () => {
    const cwd = folderWith({}, { "args.json": '{"weather":{"city":"Ulm"},"wether":{"city":"Ulm"}}' });
    const { exitCode, stderr } = await check(cwd, "--tool", "wether");
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/The server has no tool wether\.\n.*Did you mean "?weather/);
    const file = await check(cwd, "--args", "args.json");
    expect(file.exitCode).toBe(2);
    expect(file.stderr).toMatch(
      /The server has no tool wether, for which args\.json has arguments\.\n.*Did you mean "?weather/,
    );
  });
});
