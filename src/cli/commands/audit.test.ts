import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { validateText } from "../../core/pipeline/dialect/validate-response.ts";
import { homeWith, homeWithAll, putInto } from "../../doors/gateway/audit/history-home.fixture.ts";
import { runInProcess } from "../run-in-process.fixture.ts";
import { readTranscript } from "../transcript.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

const SINCE = ["--since", "2026-11-01"];
const auditAt = (home: string, ...args: readonly string[]) =>
  runInProcess(["audit", ...SINCE, ...args], { env: { HOME: home } });

interface Printed {
  readonly data: {
    readonly servers: readonly { readonly server: string | null; readonly client: string }[];
    readonly total: { readonly calls: number };
    readonly notes: readonly string[];
  };
}

describe("waybill audit", () => {
  it("prints a line a server and what was read of each client", async () => {
    const { exitCode, stdout } = await auditAt(homeWithAll());
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^server +client +calls +tokens +cut +repeated +failed +as success +behind the gateway\n/,
    );
    expect(stdout).toMatch(/^shop +Codex +3 +[\d,]+ +1 +0 +1 +0 +[\d,]+ -> [\d,]+ tokens, 1 cut with a way/m);
    expect(stdout).toMatch(/^shop +Claude Code +4 .* tokens of 3 calls$/m);
    expect(stdout).toMatch(/^\(not named\) +opencode +1 /m);
    expect(stdout).toMatch(/^all +17 /m);
    expect(stdout).toMatch(
      /^Claude Code: 1 file, [\d.]+ KiB, 4 calls \(format not tried with the real client\)$/m,
    );
    expect(stdout).toMatch(/^Gemini CLI: 1 file, [\d.]+ KiB, 4 calls \(format tried with 0\.61\.0\)$/m);
  });

  it("prints what its page shows", async () => {
    const [{ command, output } = { command: "", output: "" }] = readTranscript(
      readFileSync("docs/audit.md", "utf8"),
    );
    const { stdout } = await runInProcess(command.split(" ").slice(1), { env: { HOME: homeWithAll() } });
    // The length of a history depends on where this home is.
    const sized = (text: string): string => text.trimEnd().replaceAll(/[\d.]+ KiB/g, "1 KiB");
    expect(sized(output)).toBe(sized(stdout));
  });

  it("prints one envelope with --json, and nothing on stderr", async () => {
    const { exitCode, stdout, stderr } = await auditAt(homeWithAll(), "--json");
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(validateText(stdout).violations).toEqual([]);
    const { data } = JSON.parse(stdout) as Printed;
    expect(data.servers.map(({ server, client }) => `${server} ${client}`)).toContain("web shop opencode");
    expect(data.total.calls).toBe(17);
    expect(data.notes).toEqual([expect.stringContaining("A server is not named where")]);
  });

  it("writes a page that loads and runs nothing", async () => {
    const page = join(tempFiles({}), "audit.html");
    const { exitCode, stderr } = await auditAt(homeWithAll(), "--html", page);
    const html = readFileSync(page, "utf8");
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^waybill: wrote \d+(\.\d)? KiB to /)]);
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|\son\w+=|https?:/);
    expect(html).toContain("The format of Claude Code was not tried with the real client.");
    expect((await auditAt(homeWithAll(), "--html", "-")).exitCode).toBe(2);
  });

  it("shows nothing of arguments and results, whatever is in them", async () => {
    const secret = "sk-planted-4f9a1c77b2";
    const home = homeWithAll();
    for (const path of [
      ".claude/projects/-home-me/s1.jsonl",
      ".codex/sessions/2026/11/10/rollout-2026-11-10T08-00-00-t1.jsonl",
      ".gemini/tmp/p/chats/session-2026-11-10T08-00-g1.jsonl",
      ".cline/data/sessions/k1/k1.messages.json",
      ".local/share/opencode/storage/part/m1/p0.json",
    ]) {
      const planted = readFileSync(join(home, path), "utf8")
        .replaceAll("two hats", `two hats ${secret}`)
        .replaceAll("no such hat", secret)
        .replaceAll(/"q":"\w+"/g, `"q":"${secret}"`);
      expect(planted).toContain(secret);
      // A line that is not understood is counted, and not shown either.
      writeFileSync(join(home, path), path.endsWith(".jsonl") ? `${planted}{"half":"${secret}\n` : planted);
    }
    const page = join(home, "audit.html");
    const [text, json] = [await auditAt(home, "--html", page), await auditAt(home, "--json")];
    const outputs = [text.stdout, text.stderr, json.stdout, json.stderr, readFileSync(page, "utf8")];
    expect(outputs.filter((output) => output.includes("planted"))).toEqual([]);
    expect(text.stdout).toMatch(/^all +17 /m);
    expect(text.stdout).toContain("Codex: 1 line or document is no JSON.");
  });

  it("shows names of servers and tools as text, for terminals and in the page", async () => {
    const name = "evil\u001b[31m\n<script>alert(1)</script>";
    const item = { type: "McpToolCall", id: "c", server: name, tool: name, result: { content: [] } };
    const line = { type: "event_msg", payload: { type: "item_completed", item } };
    const home = homeWith({ ".codex/sessions/rollout-1.jsonl": JSON.stringify(line) });
    const page = join(home, "audit.html");
    const { stdout } = await auditAt(home, "--html", page);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toMatch(/^evil\\u001b\[31m\\u000a<script>/m);
    expect(readFileSync(page, "utf8")).not.toContain("<script");
  });

  it("finds no histories in an empty home", async () => {
    const { exitCode, stdout } = await auditAt(homeWith({}));
    expect(exitCode).toBe(0);
    expect(stdout.split("\n")[0]).toBe("No call of an MCP server is in the histories since 2026-11-01.");
    expect(stdout).toContain("Cline: no history (format tried with 3.0.65)");
  });

  it("looks where CODEX_HOME, CLAUDE_CONFIG_DIR and XDG_DATA_HOME say", async () => {
    const home = homeWithAll();
    const env = {
      HOME: "/nonexistent",
      CODEX_HOME: join(home, ".codex"),
      CLAUDE_CONFIG_DIR: join(home, ".claude"),
      XDG_DATA_HOME: join(home, ".local/share"),
    };
    const { stdout } = await runInProcess(["audit", ...SINCE], { env });
    expect(stdout).toMatch(/^Claude Code: 1 file/m);
    expect(stdout).toMatch(/^Codex: 1 file/m);
    expect(stdout).toMatch(/^opencode: 6 files/m);
    expect(stdout).toMatch(/^Cline: no history/m);
  });

  it.each([
    ["--since soon", "Give days such as 30d"],
    ["--client zed", "Give one of claude-code, codex, opencode, gemini-cli, cline."],
    ["--max-bytes 0", "Give a whole number of 1 or more."],
  ])("refuses %s", async (words, says) => {
    const { exitCode, stderr } = await runInProcess(["audit", ...words.split(" ")]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(says);
  });
});

interface Database {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: readonly string[]): void };
  close(): void;
}

/** The types of Node 20 do not have it. */
const sqlite = process.getBuiltinModule("node:sqlite") as
  | { readonly DatabaseSync: new (path: string) => Database }
  | undefined;

describe("a history in a database", () => {
  it.skipIf(sqlite !== undefined)("is not read by this Node, which says what to type", async () => {
    const home = homeWith({});
    putInto(home, { ".local/share/opencode/opencode.db": "SQLite format 3\0" });
    const { exitCode, stdout } = await auditAt(home);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      "opencode: its history is a database, which Node reads from 22.5 on: run `npx -p waybill -p node@22 waybill audit`.",
    );
  });

  it.skipIf(sqlite === undefined)("is read with what was written last, and left as it was", async () => {
    if (sqlite === undefined) throw new Error("It is not there.");
    const { DatabaseSync } = sqlite;
    const home = homeWith({ ".local/share/opencode/opencode.db": "" });
    const file = join(home, ".local/share/opencode/opencode.db");
    const database = new DatabaseSync(file);
    database.exec("pragma journal_mode = wal");
    database.exec("create table session (id text primary key, directory text)");
    database.exec("create table part (id text primary key, session_id text, data text)");
    database.prepare("insert into session values (?, ?)").run("s", join(home, "work"));
    putInto(home, {
      "work/opencode.json": JSON.stringify({ mcp: { shop: { type: "local", command: ["x"] } } }),
    });
    const state = { status: "completed", input: {}, output: "two hats", metadata: { truncated: false } };
    const insert = database.prepare("insert into part values (?, 's', ?)");
    insert.run("p1", JSON.stringify({ type: "tool", tool: "shop_find", state }));
    insert.run("p2", '{"type":"tool",');
    const before = readFileSync(file);
    const { stdout } = await auditAt(home);
    expect(stdout).toMatch(/^shop +opencode +1 +2 /m);
    expect(stdout).toContain("opencode: 1 call has an unknown form.");
    expect(readFileSync(file).equals(before)).toBe(true);
    database.close();
  });
});
