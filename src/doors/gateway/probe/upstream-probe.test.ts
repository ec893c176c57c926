import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../../engine/transport/until.fixture.ts";
import type { UpstreamHealth } from "../upstream/upstream.ts";
import { isRequired, readinessOf } from "./readiness.ts";
import { type ProbeOptions, UpstreamProbe } from "./upstream-probe.ts";

const idle: UpstreamHealth = { state: "idle", restarts: 0 };
const up: UpstreamHealth = { state: "up", restarts: 0 };
const down: UpstreamHealth = { state: "down", reason: "it is gone", restarts: 0 };

function probing(options: Partial<ProbeOptions> & Pick<ProbeOptions, "ask">) {
  const probe = new UpstreamProbe({ every: "10ms", health: () => idle, ...options });
  onTestFinished(() => probe.close());
  probe.start();
  return probe;
}

describe("UpstreamProbe", () => {
  it("says starting until the first answer, and then what it was", async () => {
    let answer: (failure: string | undefined) => void = () => undefined;
    const probe = probing({ every: "1h", ask: () => new Promise((resolve) => (answer = resolve)) });
    expect(probe.health()).toEqual({ state: "starting", restarts: 0 });
    expect(probe.isKnown).toBe(false);
    answer("it is not there");
    await until(() => probe.isKnown);
    expect(probe.health()).toEqual({ state: "down", reason: "it is not there", restarts: 0 });
  });

  it("asks again until the server is back, one question at a time", async () => {
    let [open, most, asked] = [0, 0, 0];
    const probe = probing({
      ask: async () => {
        open += 1;
        asked += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setTimeout(resolve, 25));
        open -= 1;
        return asked < 3 ? "not yet" : undefined;
      },
    });
    await until(() => asked >= 3 && probe.health().state === "idle");
    expect(most).toBe(1);
  });

  it("believes what clients' calls show before its own answer", async () => {
    let health = up;
    const probe = probing({ every: "1h", health: () => health, ask: async () => "it is not there" });
    expect(probe.isKnown).toBe(true);
    await until(() => probe.health().state === "up");
    health = down;
    expect(probe.health()).toBe(down);
    health = idle;
    expect(probe.health()).toMatchObject({ state: "down", reason: "it is not there" });
  });

  it("asks nothing if it is off", () => {
    const probe = probing({
      every: "off",
      ask: async () => {
        throw new Error("Nobody should ask.");
      },
    });
    expect(probe.isKnown).toBe(true);
    expect(probe.health()).toBe(idle);
  });

  it("lets an open question end when it is closed", async () => {
    const probe = new UpstreamProbe({
      every: "1h",
      health: () => idle,
      ask: (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined))),
    });
    probe.start();
    await probe.close();
    expect(probe.isKnown).toBe(true);
  });
});

describe("readiness", () => {
  const part = (health: UpstreamHealth, required = false, isKnown = true) => ({
    health: () => health,
    isRequired: required,
    isKnown: () => isKnown,
  });
  const of = (...parts: readonly ReturnType<typeof part>[]) =>
    readinessOf(new Map(parts.map((each, at) => [`s${at}`, each])));

  it("depends on every required server, and on one of the others", () => {
    expect(of()).toBe("ready");
    expect(of(part(idle, true), part(down))).toBe("ready");
    expect(of(part(up), part(down, true))).toBe("down");
    expect(of(part(up), part(down))).toBe("ready");
    expect(of(part(down), part(down))).toBe("down");
  });

  it("waits until it is known whether a required server can be called", () => {
    const unknown: UpstreamHealth = { state: "starting", restarts: 0 };
    expect(of(part(unknown, true, false))).toBe("starting");
    expect(of(part(unknown, false, false))).toBe("ready");
    // A process that is started for a client says nothing against a server that was started before.
    expect(of(part(unknown, true, true))).toBe("ready");
  });

  it("requires a single server unless it is told otherwise", () => {
    expect([isRequired(undefined, 1), isRequired(undefined, 2)]).toEqual([true, false]);
    expect([isRequired(false, 1), isRequired(true, 2)]).toEqual([false, true]);
  });
});
