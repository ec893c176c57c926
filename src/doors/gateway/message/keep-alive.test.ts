import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KeepAlive } from "./keep-alive.ts";

const every = 15_000;
const call = (token?: unknown): Record<string, never> =>
  ({
    id: 7,
    method: "tools/call",
    params: { name: "t", ...(token === undefined ? {} : { _meta: { progressToken: token } }) },
  }) as unknown as Record<string, never>;

/** A call on a connection, and what its client hears. */
function open(token: unknown = "t", maxSilenceMs?: number) {
  const alive = new KeepAlive(every, maxSilenceMs);
  const told: { progress: number; total?: number; message?: string; progressToken: unknown }[] = [];
  const raw: string[] = [];
  const givenUp: Error[] = [];
  let answer: (value: string) => void = () => undefined;
  let refuse: (error: Error) => void = () => undefined;
  const answering = new Promise<string>((resolve, reject) => {
    answer = resolve;
    refuse = reject;
  });
  const hear = (text: string): void => {
    raw.push(text);
    told.push((JSON.parse(text) as { params: (typeof told)[number] }).params);
  };
  const kept = alive.during(answering, call(token), {
    tell: hear,
    giveUp: (_id, fault) => {
      givenUp.push(fault);
      if (maxSilenceMs !== undefined && maxSilenceMs > every) refuse(fault);
    },
  });
  kept.catch(() => undefined);
  const says = (text: string): void => hear(alive.said(Buffer.from(text)).toString());
  const progress = (value: number | string, more = ""): string =>
    `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":${value}${more}}}`;
  return { alive, told, raw, givenUp, answer, refuse, kept, says, progress };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a call whose server is silent", () => {
  it("is said to run, with values that increase", () => {
    const { told } = open();
    vi.advanceTimersByTime(every - 1);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(2 * every + 1);
    expect(told).toEqual([
      { progressToken: "t", progress: 0.001, message: "still running, 15 s" },
      { progressToken: "t", progress: 0.002, message: "still running, 30 s" },
      { progressToken: "t", progress: 0.003, message: "still running, 45 s" },
    ]);
  });

  it.each([[0], [42], ["0"], [""]])("gets its own token back: %j", (token) => {
    const { told } = open(token);
    vi.advanceTimersByTime(every);
    expect(told[0]?.progressToken).toBe(token);
  });

  it("is silent without a token, and after its answer or its failure", async () => {
    const without = open({});
    const answered = open();
    const failed = open();
    answered.answer("done");
    failed.refuse(new Error("gone"));
    await expect(answered.kept).resolves.toBe("done");
    await expect(failed.kept).rejects.toThrow("gone");
    vi.advanceTimersByTime(4 * every);
    expect([...without.told, ...answered.told, ...failed.told]).toEqual([]);
  });

  it("ends after ten minutes, and it is unknown whether it was run", async () => {
    const { givenUp, told, kept } = open("t", 600_000);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(givenUp).toHaveLength(1);
    await expect(kept).rejects.toMatchObject({ code: "TIMEOUT", details: { executed: "unknown" } });
    const before = told.length;
    await vi.advanceTimersByTimeAsync(every * 4);
    expect(told).toHaveLength(before);
  });

  it("goes on after that if it has a time limit of its own, and so is not ended by this", () => {
    const { told } = open("t", every);
    vi.advanceTimersByTime(3 * every);
    expect(told.map(({ message }) => message)).toEqual([
      "still running, 15 s",
      "still running, 30 s",
      "still running, 45 s",
    ]);
  });
});

describe("a call whose server says how far it is", () => {
  it("passes on what the server says as its bytes, while it says something", () => {
    const { says, progress, raw } = open();
    const said = [progress(3), progress("2.50"), progress(9, ',"total":1E1'), progress('"odd"')];
    for (const text of said) {
      vi.advanceTimersByTime(every - 1);
      says(text);
    }
    expect(raw).toEqual(said);
  });

  it("goes on from the server's value when the server falls silent", () => {
    const { says, progress, told } = open();
    says(progress(3, ',"total":10'));
    vi.advanceTimersByTime(2 * every);
    expect(told.slice(1)).toEqual([
      { progressToken: "t", progress: 3.001, total: 10, message: "still running, 15 s" },
      { progressToken: "t", progress: 3.002, total: 10, message: "still running, 30 s" },
    ]);
  });

  it("names no total that it would be above", () => {
    const { says, progress, told } = open();
    says(progress(10, ',"total":10'));
    vi.advanceTimersByTime(every);
    expect(told[1]).toEqual({ progressToken: "t", progress: 10.001, message: "still running, 15 s" });
  });

  it("lifts a value of the server that is not above ours, and changes nothing else", () => {
    const { says, progress, raw } = open();
    vi.advanceTimersByTime(2 * every);
    says(progress("0", ',"total":12345678901234567890,"message":"é"'));
    says(progress("1", ',"total":12345678901234567890'));
    expect(raw.slice(2)).toEqual([
      progress("0.003", ',"total":12345678901234567890,"message":"é"'),
      progress("1", ',"total":12345678901234567890'),
    ]);
  });

  it("is not ended as long as the server says something", () => {
    const { says, progress, givenUp } = open("t", 40_000);
    for (let value = 1; value < 20; value++) {
      vi.advanceTimersByTime(39_000);
      says(progress(value));
    }
    expect(givenUp).toEqual([]);
  });

  it("is ended ten minutes after the last word of the server, not of its beginning", () => {
    const { says, progress, givenUp } = open("t", 600_000);
    for (let value = 1; value <= 3; value++) {
      vi.advanceTimersByTime(590_000);
      says(progress(value));
    }
    vi.advanceTimersByTime(599_000);
    expect(givenUp).toEqual([]);
    vi.advanceTimersByTime(every);
    expect(givenUp).toHaveLength(1);
  });

  it.each(["{", "[]", '{"method":"notifications/progress","params":{"progressToken":{},"progress":1}}'])(
    "lets pass what it does not understand: %s",
    (text) => {
      const { alive } = open();
      vi.advanceTimersByTime(every);
      const bytes = Buffer.from(text);
      expect(alive.said(bytes)).toBe(bytes);
    },
  );
});
