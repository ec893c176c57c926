import { describe, expect, it } from "vitest";
import { parseJsonc } from "../../../engine/settings/parse-jsonc.ts";
import { resolveConfig } from "../../../engine/settings/resolve-config.ts";
import { ContractError } from "../../../core/contract/contract-error.ts";
import { everyRule } from "../../../core/rules/server-rules.ts";
import { type CheckFinding, type CheckReport, coverageOf } from "../report/check-report.ts";
import { createPolicy } from "./create-policy.ts";
import { isPolicy } from "./write-policy.ts";

const command = { command: "node", args: ["server.js", "--root", "/srv"] };

function finding(rule: string, more: Partial<CheckFinding> = {}): CheckFinding {
  return {
    rule,
    severity: "error",
    path: "",
    message: "It is so.",
    fix: "Change it.",
    source: "a document",
    isKnown: false,
    ...more,
  };
}

function reportOf(findings: readonly CheckFinding[], name = "Files: the server!"): CheckReport {
  return {
    coverage: coverageOf([], { isReachable: true, definitionsOnly: false }),
    target: "node server.js",
    transport: "stdio",
    era: "legacy",
    server: { name, version: "1.0.0" },
    isReachable: true,
    startedAt: "2026-11-16T05:00:00.000Z",
    durationMs: 1,
    seed: 7,
    score: null,
    counts: { error: findings.length, warning: 0, info: 0, passed: 0, untested: 0, known: 0 },
    findings,
    rules: [],
    tools: ["search", "list"].map((tool) => ({
      name: tool,
      definitionTokens: 1,
      calls: 0,
      succeeded: 0,
      maxResultTokens: 0,
      maxResultBytes: 0,
      findings: 0,
    })),
    list: { tools: 2, tokens: 1 },
    calls: 0,
    succeeded: 0,
    isComplete: true,
  };
}

/** What the reader of configuration files makes of a policy. */
function read(text: string) {
  return resolveConfig({ waybill: { file: "/policy.json", text, isFound: false }, environment: {} });
}

describe("a policy", () => {
  const findings = [
    finding("truth/success-flag", { tool: "search" }),
    finding("truth/success-flag", { tool: "list" }),
    finding("error/next-step", { tool: "search", severity: "warning" }),
    finding("definition/hidden-characters", { tool: "delete\u200b_all" }),
    finding("paging/cursor-advances", { tool: "list" }),
  ];
  const report = reportOf(findings);

  it("has each setting once, with the rules it repairs, and what stays with the reason", () => {
    const { settings, gaps, name } = createPolicy(report, command);
    expect(name).toBe("Files-the-server");
    expect(settings.map(({ path, value, repairs }) => ({ path, value, repairs }))).toEqual([
      {
        path: ["dialect"],
        value: "auto",
        repairs: [
          { rule: "truth/success-flag", findings: 2 },
          { rule: "error/next-step", findings: 1 },
        ],
      },
      {
        path: ["hide"],
        value: ["delete\u200b_all"],
        repairs: [{ rule: "definition/hidden-characters", findings: 1 }],
      },
    ]);
    expect(gaps).toEqual([
      {
        rule: "paging/cursor-advances",
        findings: 1,
        tools: ["list"],
        why: expect.stringContaining("cursors"),
      },
    ]);
  });

  it("is for a client, if one is named", () => {
    const blocks = finding("reader/blocks", { tool: "search", severity: "info" });
    const plain = createPolicy(reportOf([blocks]), command);
    expect(plain.repaired).toBe(0);
    expect(plain.gaps).toEqual([expect.objectContaining({ why: expect.stringContaining("--reader") })]);
    const named = createPolicy(reportOf([blocks]), command, { reader: "opencode" });
    expect(named.settings).toEqual([expect.objectContaining({ path: ["reader"], value: "opencode" })]);
    expect(read(named.text)).toMatchObject({});
    const idle = createPolicy(report, command, { reader: "cline" });
    expect(Object.values(idle.config["upstreams"] as object)).toEqual([
      expect.objectContaining({ reader: "cline" }),
    ]);
  });

  it("is a file with comments that the reader of configurations takes, and says the same as the object", () => {
    const { text, config, name } = createPolicy(report, command);
    expect(text)
      .toBe(`// A policy of the Waybill gateway for Files: the server! 1.0.0, made by waybill check (seed 7).
// Serve it with: waybill gateway --config <this file>
{
  "upstreams": {
    "Files-the-server": {
      "command": "node",
      "args": ["server.js", "--root", "/srv"],
      "inherit_env": true,
      // A failure is marked as one, and has a code, a type and a remedy; what only may be one gets a warning.
      //   Other results stay as they are.
      // Repairs truth/success-flag (2), error/next-step.
      "dialect": "auto",
      // Neither listed nor callable. Take a name off this list if you need the tool as it is.
      // Repairs definition/hidden-characters.
      "hide": ["delete\\u200b_all"]
    }
  }
}
// What no setting repairs, with the number of findings:
// - paging/cursor-advances, list: Pages and their cursors are the server's own.
`);
    expect(parseJsonc(text, "/policy.json").value).toEqual(config);
    const { gateway } = read(text);
    expect(gateway?.upstreams[name]).toMatchObject({ ...command, hide: ["delete\u200b_all"] });
    expect(gateway?.settings[name]?.dialect).toBe("auto");
  });

  it("is strict JSON too, with what the comments say under a key that the reader takes", () => {
    const { strictText, config, name } = createPolicy(report, command);
    const { $comment: said, ...rest } = JSON.parse(strictText) as { $comment: string[] };
    expect(rest).toEqual(config);
    expect(said).toEqual([
      "A policy of the Waybill gateway for Files: the server! 1.0.0, made by waybill check (seed 7).",
      "Serve it with: waybill gateway --config <this file>",
      expect.stringMatching(
        /^dialect: A failure is marked .* Repairs truth\/success-flag \(2\), error\/next-step\.$/,
      ),
      expect.stringMatching(/^hide: Neither listed nor callable\./),
      "What no setting repairs, with the number of findings:",
      "- paging/cursor-advances, list: Pages and their cursors are the server's own.",
    ]);
    expect(read(strictText).gateway?.upstreams[name]).toMatchObject({
      ...command,
      hide: ["delete\u200b_all"],
    });
    const { text } = createPolicy(report, command);
    expect([text, strictText, JSON.stringify(config), '{"$comment":["Mine."]}', "{"].map(isPolicy)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("is the same for the same report, and nothing a server says can end a comment", () => {
    const hostile = reportOf(
      [finding("paging/doubles", { tool: 'x\n}, "http": { "host": "0.0.0.0" } //\u2028*/' })],
      'evil\r\n"http": {}',
    );
    const { text, config } = createPolicy(hostile, command);
    expect(createPolicy(hostile, command).text).toBe(text);
    expect(parseJsonc(text, "/policy.json").value).toEqual(config);
    const { strictText } = createPolicy(hostile, command);
    for (const either of [text, strictText]) expect(read(either).gateway?.http).toBeUndefined();
  });

  it("sets nothing for a tool that it hides", () => {
    const both = [
      finding("result/output-schema", { tool: "a" }),
      finding("definition/order-to-model", { tool: "a" }),
    ];
    const { config } = createPolicy(reportOf(both, "s"), command);
    expect(config).toEqual({ upstreams: { s: { ...command, inherit_env: true, hide: ["a"] } } });
  });

  it("writes the dialect that a check asked for, and of a made-up tool says nothing", () => {
    const missing = [
      finding("result/envelope-missing", { tool: "list" }),
      finding("tool/unknown", { tool: "no" }),
    ];
    const { config, gaps } = createPolicy(reportOf(missing, "s"), command, { dialect: "response-v2" });
    expect(config).toEqual({
      upstreams: { s: { ...command, inherit_env: true, dialect: "response-v2", profile: "standard" } },
    });
    expect(gaps).toMatchObject([{ rule: "tool/unknown", tools: [] }]);
  });

  it("cuts answers that are too long, and lets calls of their tools ask for less", () => {
    const long = [
      finding("size/client-limit", { tool: "list" }),
      finding("size/message", { tool: "list" }),
      finding("result/output-schema", { tool: "list" }),
    ];
    const { config, text } = createPolicy(reportOf(long, "s"), command);
    expect(config).toEqual({
      upstreams: {
        s: {
          ...command,
          inherit_env: true,
          budget: { tokens: 8_000 },
          profile: "standard",
          tools: {
            list: { dialect: "response-v2", delivery: "text", profile: "standard", select: true },
          },
        },
      },
    });
    expect(read(text).gateway?.settings["s"]?.tools["list"]?.select).toBe(true);
  });

  it("leaves an output schema out where it is wrong, and keeps the tool", () => {
    const wrong = [finding("definition/schema-ref", { tool: "list", path: "/outputSchema/properties/a" })];
    expect(createPolicy(reportOf(wrong, "s"), command).settings).toMatchObject([
      { path: ["tools", "list"], value: { delivery: "text" } },
    ]);
  });

  it("without findings serves the server as it is", () => {
    const { settings, text } = createPolicy(reportOf([], "s"), command);
    expect(settings).toEqual([]);
    expect(text).toContain("No finding of the check can be repaired by a setting.");
    expect(read(text).gateway?.upstreams).toEqual({ s: { ...command, inherit_env: true } });
  });

  it("holds no secret of an environment or a header, but the name of a variable", () => {
    const env = { API_TOKEN: "ghp_abcdefghijklmnopqrstuvwxyz0123456789", MODE: "fast" };
    const started = createPolicy(reportOf([], "s"), { command: "server", env, cwd: "/srv" });
    expect(started.config).toEqual({
      upstreams: {
        s: {
          command: "server",
          inherit_env: true,
          env: { API_TOKEN: "${API_TOKEN}", MODE: "fast" },
          cwd: "/srv",
        },
      },
    });
    expect(started.text).toContain("Set these variables where the gateway starts: API_TOKEN.");
    const headers = { Authorization: "Bearer abcdef0123456789abcdef", "x-key": "Bearer ${KEY}", accept: "a" };
    const called = createPolicy(reportOf([], "s"), { url: "https://mcp.example.com/mcp", headers });
    expect(called.config).toEqual({
      upstreams: {
        s: {
          url: "https://mcp.example.com/mcp",
          headers: { Authorization: "${UPSTREAM_AUTHORIZATION}", "x-key": "Bearer ${KEY}", accept: "a" },
        },
      },
    });
    const secret = ["--token", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"];
    expect(createPolicy(reportOf([]), { command: "server", args: secret }).text).toContain(
      "keep this file to yourself",
    );
  });

  it("refuses a server in memory, which no gateway could reach", () => {
    const link = () => {
      throw new Error("never opened");
    };
    expect(() => createPolicy(reportOf([]), { link })).toThrow(ContractError);
  });

  it("names servers by what an address can hold", () => {
    const nameOf = (name: string): string => createPolicy(reportOf([], name), command).name;
    expect(["@scope/server", "…", "a".repeat(80), "x-"].map(nameOf)).toEqual([
      "scope-server",
      "server",
      "a".repeat(64),
      "x",
    ]);
  });

  it("decides about every rule there is: a setting, or a reason of its own", () => {
    const undecided = everyRule
      .map(({ id }) => createPolicy(reportOf([finding(id, { tool: "t" })]), command))
      .flatMap(({ gaps }) => gaps)
      .filter(({ why }) => why.startsWith("No setting of the gateway is known"))
      .map(({ rule }) => rule);
    expect(undecided).toEqual([]);
  });
});
