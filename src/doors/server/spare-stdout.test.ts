import { afterEach, describe, expect, it, vi } from "vitest";
import { createLog } from "../../engine/observe/log-event.ts";
import { spareStdout } from "./serve-stdio.ts";

type Printer = Record<"log" | "info" | "debug" | "dir" | "error", (...words: unknown[]) => void>;

const printer = globalThis.console as Printer;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function spared() {
  const errors = vi.spyOn(printer, "error").mockImplementation(() => undefined);
  const lines: string[] = [];
  const restore = spareStdout(createLog({ sink: (line) => lines.push(line) }));
  return { printed: () => errors.mock.calls, lines, restore };
}

describe("spareStdout", () => {
  it("sends what the console prints to standard error, says so once, and puts everything back", () => {
    const before = [printer.log, printer.info, printer.debug, printer.dir];
    const { printed, lines, restore } = spared();
    printer.log("a", 1);
    printer.info("b");
    printer.debug("c");
    printer.dir({ d: 1 });
    restore();
    expect(printed()).toEqual([["a", 1], ["b"], ["c"], ["%s", "{ d: 1 }"]]);
    expect(lines).toEqual([expect.stringMatching(/"console-on-stdout".*"method":"log".*console\.error/)]);
    expect([printer.log, printer.info, printer.debug, printer.dir]).toEqual(before);
  });

  it("leaves what somebody else has put in its place, and says nothing in production", () => {
    vi.stubEnv("NODE_ENV", "production");
    const original = printer.log;
    const { lines, restore } = spared();
    printer.log("a");
    const theirs = (): void => undefined;
    printer.log = theirs;
    restore();
    const left = printer.log;
    printer.log = original;
    expect([left, lines]).toEqual([theirs, []]);
  });
});
