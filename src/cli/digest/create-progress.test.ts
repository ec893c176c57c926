import { describe, expect, it } from "vitest";
import { createProgress } from "./load-document.ts";

function watch({ isTerminal, env = {} }: { isTerminal: boolean; env?: Record<string, string> }) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const sink = { write: (text: string | Uint8Array) => written.push(String(text)) };
  const io = {
    stdin: (async function* () {})(),
    stdout: sink,
    stderr: sink,
    env,
    cwd: "/",
    isTTY: { stdin: false, stdout: false, stderr: isTerminal },
  };
  const progress = createProgress(io, () => clock.ms);
  const at = (ms: number, done: number, total = 100): void => {
    clock.ms = ms;
    progress.report({ stage: "read", done, total });
  };
  return { written, at, end: progress.end };
}

describe("createProgress", () => {
  it("says nothing of what is done soon", () => {
    const { written, at, end } = watch({ isTerminal: true });
    at(100, 50);
    at(600, 100);
    end();
    expect(written).toEqual([]);
  });

  it("changes one line on a terminal, not too often, and takes it away", () => {
    const { written, at, end } = watch({ isTerminal: true });
    at(800, 40);
    at(850, 45);
    at(950, 50);
    end();
    expect(written).toEqual([
      "\r\u001b[Kwaybill: reading 40 %",
      "\r\u001b[Kwaybill: reading 50 %",
      "\r\u001b[K",
    ]);
  });

  it.each([
    ["a log", { isTerminal: false }],
    ["a dumb terminal", { isTerminal: true, env: { TERM: "dumb" } }],
  ])("gives %s a line every five seconds", (_, where) => {
    const { written, at, end } = watch(where);
    at(4_000, 10);
    at(6_000, 20);
    at(7_000, 30);
    at(12_000, 40);
    end();
    expect(written).toEqual(["waybill: reading 20 %\n", "waybill: reading 40 %\n"]);
  });

  it("names no share of an unknown whole", () => {
    const { written, at } = watch({ isTerminal: false });
    at(6_000, 20, 0);
    expect(written).toEqual(["waybill: reading\n"]);
  });
});
