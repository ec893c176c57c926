import { describe, expect, it } from "vitest";
import { validateText } from "../core/pipeline/dialect/validate-response.ts";
import { longText } from "./digest/long-text.fixture.ts";
import { type RunOptions, runInProcess } from "./run-in-process.fixture.ts";
import { bad, failed, good, lax, message } from "./sample-responses.fixture.ts";

const lines: readonly (readonly [line: string, code: number, options: RunOptions])[] = [
  ["validate", 0, { stdin: good }],
  ["validate", 1, { stdin: bad }],
  ["validate --strict", 1, { stdin: lax }],
  ["validate", 1, { stdin: "" }],
  ["validate", 1, { stdin: "nonsense" }],
  ["validate", 1, { stdin: message(bad) }],
  ["validate", 2, { terminal: true }],
  ["validate /nope /", 2, {}],
  ["validate --level result --method x -", 2, { stdin: good }],
  ["translate --to scalpel", 0, { stdin: failed }],
  ["translate --to plain", 1, { stdin: '{"a":1e999}' }],
  ["translate --to plain", 1, { stdin: "{" }],
  ["translate --to drf", 1, { stdin: bad }],
  ["translate", 2, { stdin: good }],
  ["tokens", 0, { stdin: good }],
  ["tokens --encoding cl100k_base -", 0, { stdin: "no JSON" }],
  ["tokens", 1, { stdin: Uint8Array.of(0xff) }],
  ["tokens /nope -", 2, { stdin: good }],
  ["tokens --encoding p50k_base", 2, { stdin: good }],
  ["digest -", 0, { stdin: longText }],
  ["digest - --payload", 2, { stdin: longText }],
  ["digest -", 1, { stdin: "short" }],
  ["digest -", 1, { stdin: "" }],
  ["digest /nope", 2, {}],
  ["digest", 2, {}],
  ["digest - --snippets many", 2, { stdin: longText }],
  ["digest file:///etc/passwd", 2, {}],
  ["digest http://127.0.0.1:1/ --allow-private 127.0.0.1:1", 3, {}],
  ["verify - /nope", 1, { stdin: "{}" }],
  ["verify - -", 2, {}],
  ["verify -", 2, {}],
  ["archive ls --store docs", 0, {}],
  ["archive ls --store /nonexistent/archive", 2, {}],
  ["archive ls", 0, {}],
  ["archive tenants", 0, {}],
  ["archive ls --store memory", 2, {}],
  ["archive ls --limit none", 2, {}],
  ["archive get 3f2a9c01b7de --store docs", 1, {}],
  ["archive get nonsense --store docs", 2, {}],
  ["archive search 3f2a9c01b7de words --store docs", 1, {}],
  ["archive search 3f2a9c01b7de --store docs", 2, {}],
  ["archive ls --store redis://127.0.0.1:1", 3, {}],
  ["archive", 2, {}],
  ["audit", 0, {}],
  ["audit --since soon", 2, {}],
  ["ledger", 0, {}],
  ["ledger --since soon", 2, {}],
  ["doctor --client codex", 0, {}],
  ["doctor --store redis://127.0.0.1:1", 1, {}],
  ["doctor --config /nope.json", 1, {}],
  ["config", 0, {}],
  ["config --config /nope.json", 2, {}],
  ["config", 2, { env: { WAYBILL_DIALECT: "klingon" } }],
  ["demo", 0, {}],
  ["demo --fail --dialect drf", 0, {}],
  ["completion zsh", 0, {}],
  ["completion tcsh", 2, {}],
  ["help", 0, {}],
  ["help validate", 0, {}],
  ["help nope", 2, {}],
  ["--version", 0, {}],
  ["validate --help", 0, {}],
  ["", 2, {}],
  ["nope", 2, {}],
  ["validate --nope", 2, {}],
];

describe("--json", () => {
  // shows 000.27
  it.each(lines)(
    "prints one valid response-v2 envelope: waybill %s, exit code %i",
    async (line, code, options) => {
      const args = line.split(" ").filter(Boolean);
      const { exitCode, stdout, stderr } = await runInProcess(["--json", ...args], options);
      expect(exitCode).toBe(code);
      expect(stderr).toBe("");
      expect(stdout.indexOf("\n")).toBe(stdout.length - 1);
      expect(validateText(stdout, { dialect: "response-v2" }).violations).toEqual([]);
      const { success, meta } = JSON.parse(stdout);
      expect(success).toBe(code === 0);
      expect(meta.request_id).toMatch(/^cli_[0-9a-f]{12}$/);
    },
  );

  it("wraps version and manual too", async () => {
    expect(JSON.parse((await runInProcess(["--version", "--json"])).stdout).data).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(JSON.parse((await runInProcess(["help", "demo", "--json"])).stdout).data.help).toContain(
      "Usage: waybill demo",
    );
  });
});
