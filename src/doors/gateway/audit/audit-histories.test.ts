import { mkdirSync, renameSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { type Audit, type AuditOptions, auditHistories, totalOf } from "./audit-histories.ts";
import { LONG, asLines, codexLines } from "./formats/excerpts.fixture.ts";
import { homeWith, homeWithAll, putInto } from "./history-home.fixture.ts";

const NOVEMBER = Date.parse("2026-11-01T00:00:00Z");
const rollout = ".codex/sessions/2026/11/10/rollout-1.jsonl";

function auditOf(home: string, options: Partial<AuditOptions> = {}): Promise<Audit> {
  const machine = { platform: "linux", env: {}, home } as const;
  return auditHistories({ machine, sinceMs: 0, maxBytes: 1e9, ...options });
}

const ofClient = ({ clients }: Audit, name: string) => clients.find(({ client }) => client === name);
const ofServer = ({ servers }: Audit, name: string | null, client: string) =>
  servers.find((cost) => cost.server === name && cost.client === client);

/** A rollout with one call for each result. */
function codexHistory(results: readonly object[], args: object = {}): string {
  return asLines(
    results.map((result, index) => {
      const item = {
        type: "McpToolCall",
        id: `c${index}`,
        server: "shop",
        tool: "list",
        arguments: args,
        result,
      };
      return {
        timestamp: "2026-11-10T08:00:00.000Z",
        type: "event_msg",
        payload: { type: "item_completed", thread_id: "t", turn_id: "u", item },
      } as unknown as JsonObject;
    }),
  );
}

const text = (value: string) => ({ content: [{ type: "text", text: value }] });

describe("an audit", () => {
  it("counts every client's calls by server, and runs whole results through the gateway", async () => {
    const audit = await auditOf(homeWithAll());
    const rows = audit.servers.map(({ server, client, calls, cut, failures, gateway }) => [
      `${client}: ${server}`,
      { calls, cut, failures, compared: gateway.compared, kept: gateway.cut },
    ]);
    expect(Object.fromEntries(rows)).toEqual({
      "Codex: shop": { calls: 3, cut: 1, failures: 1, compared: 3, kept: 1 },
      "Gemini CLI: shop": { calls: 4, cut: 1, failures: 1, compared: 4, kept: 1 },
      "opencode: web shop": { calls: 3, cut: 1, failures: 1, compared: 3, kept: 1 },
      "opencode: null": { calls: 1, cut: 0, failures: 0, compared: 1, kept: 0 },
      "Cline: shop": { calls: 2, cut: 0, failures: 1, compared: 2, kept: 0 },
      // The file that its words name is not in its folder.
      "Claude Code: shop": { calls: 4, cut: 1, failures: 1, compared: 3, kept: 0 },
    });
    const { tokens, gateway } = ofServer(audit, "shop", "Gemini CLI") ?? { tokens: 0, gateway: undefined };
    expect(tokens).toBeGreaterThan(1_000);
    expect(gateway?.tokens_after).toBeGreaterThan(1_000);
    expect(totalOf(audit.servers).calls).toBe(17);
  });

  it("names failures that were sent as successes, and leaves untouched what the gateway would", async () => {
    const doubtful = text("Error: no such hat\nInfo: there are two caps");
    const unmarked = [text('{"error":"no such hat"}'), text("Error: no such hat"), doubtful];
    const results = [...unmarked, text("two hats"), { ...text("gone"), isError: true }];
    const audit = await auditOf(homeWith({ [rollout]: codexHistory(results) }));
    expect(audit.servers).toMatchObject([
      {
        calls: 5,
        failures: 1,
        failures_as_successes: 2,
        possible_failures: 1,
        gateway: { compared: 5, untouched: 1 },
      },
    ]);
  });

  it("counts what a session got again, and not what another did", async () => {
    const history = codexHistory([text("two hats"), text("two hats"), text("a cap")]);
    const files = {
      [rollout]: history,
      ".codex/sessions/rollout-2.jsonl": history.replaceAll('"t"', '"other"'),
    };
    const audit = await auditOf(homeWith(files));
    expect(audit.servers).toMatchObject([{ calls: 6, repeated: 2 }]);
    expect(audit.servers[0]?.repeated_tokens).toBe(4);
  });

  it("counts a call once that a resumed session has copied", async () => {
    const history = asLines(codexLines);
    const audit = await auditOf(homeWith({ [rollout]: history, ".codex/sessions/rollout-2.jsonl": history }));
    expect(ofClient(audit, "Codex")).toMatchObject({ files: 2, calls: 3, copies: 3 });
  });

  it("gives a result that the client cut to the model as the client's row says", async () => {
    const audit = await auditOf(homeWith({ [rollout]: codexHistory([text("word ".repeat(20_000))]) }));
    const [cost] = audit.servers;
    expect(cost).toMatchObject({ cut: 1, gateway: { compared: 1, cut: 1 } });
    // The history does not name the model, so the stricter of the rows for Codex counts.
    expect(cost?.tools).toEqual([{ tool: "list", calls: 1, characters: 12_000 }]);
  });

  it("leaves out what is older, and what has no room, the oldest first", async () => {
    const history = codexHistory([text("a")]);
    const maxBytes = history.length + 2;
    const home = homeWith({ [rollout]: history, ".codex/sessions/rollout-2.jsonl": "{}\n" });
    utimesSync(join(home, ".codex/sessions/rollout-2.jsonl"), 1, 1);
    expect(ofClient(await auditOf(home, { sinceMs: NOVEMBER }), "Codex")).toMatchObject({
      files: 1,
      older_files: 1,
    });
    expect(ofClient(await auditOf(home, { maxBytes }), "Codex")).toMatchObject({
      files: 1,
      files_without_room: 1,
    });
    expect((await auditOf(home, { sinceMs: Date.parse("2026-11-11T00:00:00Z") })).servers).toEqual([]);
    expect((await auditOf(home, { clients: ["cline"] })).clients.map(({ client }) => client)).toEqual([
      "Cline",
    ]);
  });

  it("says the same in every run", async () => {
    const home = homeWithAll();
    expect(await auditOf(home)).toEqual(await auditOf(home));
  });
});

describe("a hostile history", () => {
  it("has half lines, lines of other encodings and no JSON: counted, and the rest is read", async () => {
    const [whole = ""] = codexHistory([text("two hats")]).split("\n");
    const utf16 = Buffer.from(whole, "utf16le");
    const latin = Buffer.from('{"a":"\xe9"}', "latin1");
    const lines = [whole.slice(0, 90), "null", "[1]", "}", utf16, latin, whole, whole.slice(0, 200)];
    const content = Buffer.concat(
      lines.flatMap((line) => [Buffer.from(line), Buffer.from("\n")]).slice(0, -1),
    );
    const audit = await auditOf(homeWith({ [rollout]: content }));
    expect(audit.servers).toMatchObject([{ calls: 1 }]);
    expect(ofClient(audit, "Codex")?.not_understood).toEqual({
      not_json: 6,
      not_utf8: 1,
      too_long: 0,
      odd_calls: 0,
    });
  });

  it("links elsewhere: neither folders, nor files, nor files with the whole of a result are followed", async () => {
    const elsewhere = homeWith({ "rollout-9.jsonl": codexHistory([text("far")]), "c2.txt": LONG });
    const home = homeWithAll();
    symlinkSync(elsewhere, join(home, ".codex/sessions/elsewhere"));
    symlinkSync(join(elsewhere, "rollout-9.jsonl"), join(home, ".codex/sessions/rollout-8.jsonl"));
    symlinkSync(home, join(home, ".gemini/tmp/p/chats/round"));
    const kept = join(home, ".gemini/tmp/p/tool-outputs/session-g1");
    renameSync(kept, join(elsewhere, "kept"));
    symlinkSync(join(elsewhere, "kept"), kept);
    const audit = await auditOf(home);
    expect(ofClient(audit, "Codex")).toMatchObject({ files: 1, calls: 3, not_read: { links: 2 } });
    expect(ofClient(audit, "Gemini CLI")).toMatchObject({ files: 1, not_read: { links: 2 } });
    expect(ofServer(audit, "shop", "Gemini CLI")?.gateway.compared).toBe(3);
  });

  it("names files outside its folder, which are not opened", async () => {
    const home = homeWithAll();
    const session = ".gemini/tmp/p/chats/session-2.jsonl";
    const output = (path: string): string =>
      `Output too large. Showing first 8,000 and last 32,000 characters. For full output see: ${path}\nrest`;
    const call = (id: string, path: string) => ({
      id,
      name: "mcp_shop_list",
      displayName: "list (shop MCP Server)",
      result: [{ functionResponse: { response: { output: output(path) } } }],
    });
    putInto(home, { "secret.txt": LONG });
    const paths = [
      `${home}/secret.txt`,
      `${home}/.gemini/tmp/../../secret.txt`,
      "/dev/zero",
      "/etc/passwd",
      "",
    ];
    const toolCalls = paths.map((path, index) => call(`c${index}`, path));
    putInto(home, { [session]: `${JSON.stringify({ sessionId: "g2", toolCalls })}\n` });
    const audit = await auditOf(home, { clients: ["gemini-cli"] });
    expect(ofServer(audit, "shop", "Gemini CLI")).toMatchObject({
      calls: 9,
      cut: 5,
      gateway: { compared: 5 },
    });
  });

  it("nests without end, and has keys of prototypes: counted, never a crash", async () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const [whole = ""] = codexHistory(
      [{ content: [{ type: "text", text: "x" }], structuredContent: { a: 1 } }],
      {
        q: 1,
      },
    ).split("\n");
    const nested = whole.replace('{"a":1}', `{"a":${deep}}`);
    const inArguments = whole.replace('{"q":1}', `{"q":${deep}}`);
    const proto = whole.replace(
      '{"a":1}',
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    const named = whole.replace('"server":"shop"', '"server":"__proto__"').replace('"c0"', '"c1"');
    const audit = await auditOf(
      homeWith({ [rollout]: [nested, inArguments, proto, named, deep].join("\n") }),
    );
    expect(ofClient(audit, "Codex")?.not_understood).toMatchObject({ odd_calls: 2, not_json: 1 });
    expect(ofServer(audit, "shop", "Codex")?.calls).toBe(1);
    expect(ofServer(audit, "__proto__", "Codex")?.calls).toBe(1);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("has more servers than anybody, which are counted together", async () => {
    const [line = ""] = codexHistory([text("x")]).split("\n");
    const lines = Array.from({ length: 130 }, (_, index) =>
      line.replace('"shop"', `"s${index}"`).replace('"c0"', `"c${index}"`),
    );
    const audit = await auditOf(homeWith({ [rollout]: lines.join("\n") }));
    expect(audit.servers).toHaveLength(101);
    expect(ofServer(audit, "(all others)", "Codex")?.calls).toBe(30);
  });

  it("has a folder where a file belongs, a file where a folder belongs, and folders without end", async () => {
    const home = homeWith({ ".cline/data/sessions": "a file", ".codex/sessions/x/rollout-1.jsonl/y": "" });
    mkdirSync(join(home, ".claude/projects", ...Array.from({ length: 40 }, () => "d")), { recursive: true });
    const audit = await auditOf(home);
    expect(ofClient(audit, "Cline")?.not_read.unreadable).toBe(1);
    expect(ofClient(audit, "Codex")).toMatchObject({ files: 0, not_read: { unreadable: 0 } });
    expect(ofClient(audit, "Claude Code")?.not_read.beyond).toBe(1);
  });

  it("has a file that is no database", async () => {
    const audit = await auditOf(homeWith({ ".local/share/opencode/opencode.db": "no database" }));
    const { databases, not_read: passed } = ofClient(audit, "opencode") ?? {
      databases: 0,
      not_read: undefined,
    };
    expect(databases + (passed?.unreadable ?? 0)).toBe(1);
  });
});
