import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runInProcess } from "../run-in-process.fixture.ts";
import { readTranscript } from "../transcript.fixture.ts";

const row = (day: string, server: string, counts: readonly number[]): object => {
  const [calls, tokens_in, tokens_out, cuts, retrievals, errors_repaired] = counts;
  return {
    day,
    server,
    calls,
    tokens_in,
    tokens_out,
    is_estimated: false,
    cuts,
    retrievals,
    errors_repaired,
  };
};

const rows = [
  row("2026-10-02", "files", [7, 700, 700, 0, 0, 0]),
  row("2026-11-18", "files", [40, 12_880, 12_640, 1, 1, 0]),
  row("2026-11-18", "notes", [31, 201_774, 48_120, 11, 3, 1]),
  row("2026-11-19", "notes", [12, 84_210, 19_502, 4, 2, 0]),
];

function homeWith(text: string): string {
  const home = mkdtempSync(join(tmpdir(), "waybill-ledger-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, "waybill", "ledger"), { recursive: true });
  writeFileSync(join(home, "waybill", "ledger", "ledger.json"), text);
  return home;
}

const ledgerOf = (text: string, ...args: readonly string[]) =>
  runInProcess(["ledger", ...args], { env: { XDG_STATE_HOME: homeWith(text) } });

const whole = JSON.stringify({ version: 1, rows });

describe("waybill ledger", () => {
  it("prints what its page shows", async () => {
    const [{ command, output } = { command: "", output: "" }] = readTranscript(
      readFileSync("docs/ledger.md", "utf8"),
    );
    const { stdout, exitCode } = await ledgerOf(whole, ...command.split(" ").slice(2));
    expect([stdout.trimEnd(), exitCode]).toEqual([output.trimEnd(), 0]);
  });

  it("prints one server, and gives the sums of each as data", async () => {
    const { stdout } = await ledgerOf(whole, "--since", "2026-01-01", "--server", "files");
    expect(stdout).toMatch(/^all days +all +47 /m);
    expect(stdout).not.toContain("notes");
    const { data } = JSON.parse((await ledgerOf(whole, "--since", "2026-11-01", "--json")).stdout);
    expect(data.servers).toEqual([
      expect.objectContaining({ server: "notes", calls: 43, tokens_saved: 218_362 }),
      expect.objectContaining({ server: "files", calls: 40, tokens_saved: 240 }),
    ]);
    expect(data.total).toMatchObject({ calls: 83, tokens_in: 298_864, tokens_out: 80_262 });
  });

  it("says that more was sent than came, and what is estimated", async () => {
    const dear = { ...row("2026-11-19", "notes", [1, 100, 130, 0, 0, 0]), is_estimated: true };
    const { stdout } = await ledgerOf(JSON.stringify({ version: 1, rows: [dear] }), "--since", "2026-11-01");
    expect(stdout).toContain("≈ 130");
    expect(stdout).toContain("30 % more");
    expect(stdout).toContain("estimated");
  });

  it("prints no control character of a name", async () => {
    const odd = row("2026-11-19", "no\u001b[2Jtes", [1, 1, 1, 0, 0, 0]);
    const { stdout } = await ledgerOf(JSON.stringify({ version: 1, rows: [odd] }), "--since", "2026-11-01");
    expect(stdout).not.toContain("\u001b[2J");
  });

  it.each([
    ["is damaged", '{"version":1', "puts it aside"],
    ["is of a newer version", '{"version":2,"rows":[]}', "newer version"],
  ])("says what to do about a ledger that %s", async (_what, text, remedy) => {
    const { exitCode, stderr } = await ledgerOf(text);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(remedy);
  });
});
