import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../core/json/json-value.ts";
import { readTold, readTotals, writeTold } from "../replicas/shared-shapes.ts";
import { type SharedCall, Traffic } from "./traffic.ts";
import { toolCalls, watchedState } from "./watched-state.fixture.ts";

const text = (words: string): JsonObject => ({ content: [{ type: "text", text: words }] });
const failed: JsonObject = { ...text("Error: no such file"), isError: true };

/** A replica that tells its calls; they pass as text, as through Redis. */
function telling(name: string) {
  const traffic = new Traffic({ bodies: false, replica: name });
  const told: SharedCall[] = [];
  traffic.share((call) => {
    const read = readTold(writeTold(name, call));
    if (read !== undefined) told.push(read.call);
  });
  const upstream = watchedState("files");
  traffic.watch(upstream);
  return {
    traffic,
    told,
    call: toolCalls(upstream),
    totals: () => readTotals(JSON.stringify(traffic.totals())),
  };
}

const callsOf = (traffic: Traffic, replica?: string): number => traffic.overview({ replica }).totals.calls;

describe("calls of another replica", () => {
  it("are listed and counted once, however often they are told", async () => {
    const [one, two] = [telling("one"), telling("two")];
    await two.call("read", text("hello"));
    await two.call("write", failed);
    await one.call("read", text("own"));
    one.traffic.meet("two", undefined);
    for (const call of [...two.told, ...two.told]) one.traffic.receive("two", call);
    expect([callsOf(one.traffic), callsOf(one.traffic, "two"), callsOf(one.traffic, "one")]).toEqual([
      3, 2, 1,
    ]);
    const { rows } = one.traffic.page(undefined, 10);
    expect(rows.map(({ tool, replica }) => [tool, replica])).toEqual([
      ["write", "two"],
      ["read", "two"],
      ["read", "one"],
    ]);
    const { tools, totals, tiles } = one.traffic.overview();
    expect(tools.map(({ tool, calls }) => [tool, calls])).toEqual([
      ["read", 2],
      ["write", 1],
    ]);
    expect(totals.failed).toBe(1);
    expect(tiles.reduce((sum, tile) => sum + tile.calls, 0)).toBe(3);
  });

  it("that were counted before this one came are in its totals, also where the list has lost them", async () => {
    const [one, two] = [telling("one"), telling("two")];
    for (let at = 0; at < 40; at++) await two.call("read", at % 4 === 0 ? failed : text(`hello ${at}`));
    const before = two.traffic.overview();
    one.traffic.meet("two", two.totals());
    for (const call of two.told.slice(30)) expect(one.traffic.receive("two", call)).toBe(true);
    expect(one.traffic.overview({ replica: "two" }).totals).toEqual(before.totals);
    expect(one.traffic.overview({ replica: "two" }).tools).toEqual(before.tools);
    await two.call("read", text("one more"));
    one.traffic.receive("two", two.told.at(-1) as SharedCall);
    expect(callsOf(one.traffic, "two")).toBe(41);
    expect(one.traffic.page(undefined, 100).rows).toHaveLength(11);
  });

  it("that are missing are noticed, and counted with the next totals, never twice", async () => {
    const [one, two] = [telling("one"), telling("two")];
    one.traffic.meet("two", undefined);
    for (let at = 0; at < 10; at++) await two.call("read", text(`hello ${at}`));
    const early = two.totals();
    await two.call("read", text("later"));
    const take = (at: number): boolean => one.traffic.receive("two", two.told[at] as SharedCall);
    expect([take(0), take(1)]).toEqual([true, true]);
    expect(take(10)).toBe(false);
    expect(callsOf(one.traffic, "two")).toBe(3);
    // Totals that are older than what was seen would take calls away.
    expect(one.traffic.meet("two", early)).toBe(false);
    expect(callsOf(one.traffic, "two")).toBe(3);
    expect(one.traffic.meet("two", two.totals())).toBe(true);
    expect([callsOf(one.traffic, "two"), callsOf(one.traffic)]).toEqual([11, 11]);
  });

  it("leave the figures with their replica, and stay in the list", async () => {
    const [one, two] = [telling("one"), telling("two")];
    await two.call("read", text("hello"));
    one.traffic.meet("two", two.totals());
    one.traffic.receive("two", two.told[0] as SharedCall);
    const before = one.traffic.revision;
    one.traffic.forget("two");
    expect(callsOf(one.traffic)).toBe(0);
    expect(one.traffic.revision).toBeGreaterThan(before);
    expect(one.traffic.page(undefined, 10).rows).toHaveLength(1);
  });

  it.each(["", "{}", '{"replica":"x","call":{"n":0}}', '{"replica":"x","call":{"n":1,"tool":"t","row":{}}}'])(
    "that have another form are passed over: %j",
    (odd) => {
      expect(readTold(odd)).toBeUndefined();
      expect(readTotals(odd)).toBeUndefined();
    },
  );
});
