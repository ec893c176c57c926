import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createState } from "../../../engine/call/contract-state.ts";
import type { Log } from "../../../engine/observe/log-event.ts";
import { loadCounter } from "../../../core/tokens/token-counter.ts";
import { toolCalls, watchedState } from "../dashboard/traffic/watched-state.fixture.ts";
import {
  type LedgerRow,
  MAX_DAYS,
  MAX_ROWS,
  MAX_SERVERS,
  OTHER_SERVERS,
  UnreadableLedger,
  addToLedger,
  readLedger,
  withinLimits,
} from "./ledger-file.ts";
import { Ledger, dayOf } from "./ledger.ts";

function ledgerIn(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "waybill", "ledger", "ledger.json");
}

function rowOf(day: string, server: string, calls = 1): LedgerRow {
  return {
    day,
    server,
    calls,
    tokens_in: 10 * calls,
    tokens_out: 4 * calls,
    is_estimated: false,
    cuts: 0,
    retrievals: 0,
    errors_repaired: 0,
  };
}

interface Said {
  readonly event: string;
  readonly fields: object;
}

function noting(): { readonly log: Log; readonly said: Said[] } {
  const said: Said[] = [];
  const note = (event: string, fields: object = {}): void => void said.push({ event, fields });
  return { log: { debug: note, info: note, warn: note, error: note }, said };
}

const text = (content: string) => ({ content: [{ type: "text", text: content }] });

describe("the ledger of a gateway", () => {
  it("has the calls and tokens of each server by the day on which they ended", async () => {
    const path = ledgerIn();
    const { log, said } = noting();
    let now = new Date(2026, 10, 18, 23, 59);
    const ledger = new Ledger(path, log, () => now);
    const files = watchedState("files");
    const notes = watchedState("notes");
    ledger.follow("files", files.state);
    ledger.follow("notes", notes.state);
    await toolCalls(files)("read", text("one small result"));
    now = new Date(2026, 10, 19, 0, 1);
    await toolCalls(files)("read", text("another small result of today"));
    await toolCalls(notes)("list", text(`[${'"a note that repeats", '.repeat(500)}"end"]`));
    await ledger.close();
    const rows = await readLedger(path);
    expect(rows.map(({ day, server, calls }) => [day, server, calls])).toEqual([
      ["2026-11-18", "files", 1],
      ["2026-11-19", "files", 1],
      ["2026-11-19", "notes", 1],
    ]);
    const counter = await loadCounter();
    expect(rows[0]).toMatchObject({ tokens_in: counter.count("one small result"), cuts: 0 });
    expect(rows[2]?.cuts).toBe(1);
    expect(rows[2]?.tokens_out).toBeLessThan(rows[2]?.tokens_in ?? 0);
    expect(said.map(({ event }) => event)).toEqual(["ledger-started"]);
    expect(said[0]?.fields).toMatchObject({ file: path });
  });

  it("keeps no tool, argument or result, in a file for its owner only", async () => {
    const path = ledgerIn();
    const { log } = noting();
    const ledger = new Ledger(path, log);
    const files = watchedState("files");
    ledger.follow("files", files.state);
    await toolCalls(files)(
      "read_diary",
      text("the secret of the result"),
      {},
      { page: "the secret argument" },
    );
    await ledger.close();
    const kept = readFileSync(path, "utf8");
    expect(kept).not.toMatch(/secret|diary/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(path))).toEqual(["ledger.json"]);
  });

  it("says that it begins once, and adds what comes later", async () => {
    const path = ledgerIn();
    const { log, said } = noting();
    for (let at = 0; at < 3; at++) {
      const ledger = new Ledger(path, log);
      const files = watchedState("files");
      ledger.follow("files", files.state);
      await toolCalls(files)("read", text("a result"));
      await ledger.close();
    }
    expect((await readLedger(path)).map(({ calls }) => calls)).toEqual([3]);
    expect(said).toHaveLength(1);
  });

  it("writes nothing without a call, and does not count a request for input", async () => {
    const path = ledgerIn();
    const ledger = new Ledger(path, noting().log);
    ledger.follow("files", createState({ logLevel: "silent" }));
    await ledger.close();
    expect(existsSync(path)).toBe(false);
  });

  it("keeps its counts for the next write where the file cannot be written, and says so once", async () => {
    const path = ledgerIn();
    const folder = dirname(dirname(path));
    writeFileSync(folder, "in the way");
    const { log, said } = noting();
    const ledger = new Ledger(path, log);
    const files = watchedState("files");
    ledger.follow("files", files.state);
    const call = toolCalls(files);
    await call("read", text("one"));
    await ledger.write();
    await call("read", text("two"));
    await ledger.write();
    expect(said.map(({ event }) => event)).toEqual(["ledger-not-written"]);
    rmSync(folder);
    await ledger.close();
    expect(await readLedger(path)).toMatchObject([{ server: "files", calls: 2 }]);
  });
});

describe("the file of the ledger", () => {
  it("loses no count of writers at once, and leaves nothing beside it", async () => {
    const path = ledgerIn();
    const rows = Array.from({ length: 12 }, (_, at) => rowOf("2026-11-19", at % 2 === 0 ? "files" : "notes"));
    const added = await Promise.all(rows.map((row) => addToLedger(path, [row], 30_000)));
    expect(added.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect((await readLedger(path)).map(({ calls }) => calls)).toEqual([6, 6]);
    expect(readdirSync(dirname(path))).toEqual(["ledger.json"]);
  });

  it("puts a damaged ledger aside and begins a new one", async () => {
    const path = ledgerIn();
    await addToLedger(path, [rowOf("2026-11-19", "files")], 1_000);
    writeFileSync(path, '{"version":1,"rows":[{"day":"20');
    await expect(readLedger(path)).rejects.toBeInstanceOf(UnreadableLedger);
    const added = await addToLedger(path, [rowOf("2026-11-19", "notes")], 1_000);
    expect(added).toEqual({ isNew: false, movedTo: `${path}.damaged` });
    expect((await readLedger(path)).map(({ server }) => server)).toEqual(["notes"]);
  });

  it("does not touch a ledger of a newer version", async () => {
    const path = ledgerIn();
    await addToLedger(path, [rowOf("2026-11-19", "files")], 1_000);
    writeFileSync(path, '{"version":2,"rows":{}}');
    await expect(addToLedger(path, [rowOf("2026-11-19", "files")], 1_000)).rejects.toMatchObject({
      isNewer: true,
    });
    expect(readFileSync(path, "utf8")).toBe('{"version":2,"rows":{}}');
  });

  it("is bounded in days, servers and rows, the oldest days go first", () => {
    const day = (at: number): string => dayOf(new Date(2024, 0, 1 + at));
    const long = Array.from({ length: MAX_DAYS + 5 }, (_, at) => rowOf(day(at), "files"));
    const kept = withinLimits(long);
    expect(kept).toHaveLength(MAX_DAYS);
    expect(kept[0]?.day).toBe(day(5));
    const wide = Array.from({ length: MAX_SERVERS + 20 }, (_, at) => rowOf(day(0), `s${at}`));
    const ofDay = withinLimits(wide);
    expect(ofDay).toHaveLength(MAX_SERVERS);
    expect(ofDay.at(-1)).toMatchObject({ server: OTHER_SERVERS, calls: 21 });
    const both = Array.from({ length: 100 }, (_, at) => wide.map((row) => ({ ...row, day: day(at) }))).flat();
    const within = withinLimits(both);
    expect(within.length).toBeLessThanOrEqual(MAX_ROWS);
    expect(within.at(-1)?.day).toBe(day(99));
  });
});
