import { describe, expect, it } from "vitest";
import { until } from "../../../../engine/transport/until.fixture.ts";
import type { RunCheck, TellPages, WatchedGateway } from "../dashboard-parts.ts";
import type { CheckSummary, ChecksReport } from "../protocol/places.ts";
import type { CheckNow } from "../protocol/traffic.ts";
import { ask, problemOf, watchedGateway } from "../routes.fixture.ts";
import { watchedState } from "../traffic/watched-state.fixture.ts";
import { checkRoutes } from "./check-routes.ts";

const key = `ghp_${"0Aa1".repeat(9)}`;

const summary: CheckSummary = {
  score: 93,
  reasons: [{ text: "no titles", points: 7 }],
  counts: { error: 0, warning: 1, info: 0, passed: 40, untested: 3 },
  calls: 5,
  durationMs: 12,
  findings: [{ rule: "W1", severity: "warning", message: `It says ${key}.`, fix: "Say less." }],
};

/** A check that goes on until the test ends it; what it was given is kept. */
function heldCheck() {
  const started: { name: string; tell: Parameters<RunCheck>[1]; signal: AbortSignal }[] = [];
  const ends: { done: (value: CheckSummary) => void; fail: (error: Error) => void }[] = [];
  const run: RunCheck = (name, tell, signal) => {
    started.push({ name, tell, signal });
    return new Promise((done, fail) => ends.push({ done, fail }));
  };
  return { run, started, ends };
}

function open(run: RunCheck | undefined, gateway: WatchedGateway = watchedGateway(watchedState("pages"))) {
  const told: CheckNow[] = [];
  const tell: TellPages = (event, data) => {
    if (event === "check") told.push(data as CheckNow);
  };
  const closing = new AbortController();
  return { told, closing, routes: checkRoutes(gateway, run, tell, closing.signal) };
}

const pages = { upstream: "pages" };
const viewOf = async (routes: ReturnType<typeof open>["routes"]) =>
  (await ask<ChecksReport>(routes, "/api/check")).checks[0];

describe("checks from the page", () => {
  it("run one at a time for each server, tell how they go on, and keep their report", async () => {
    const { run, started, ends } = heldCheck();
    const { routes, told } = open(run);
    expect(await viewOf(routes)).toMatchObject({ upstream: "pages", state: "never" });
    const { checks } = await ask<ChecksReport>(routes, "/api/check", pages);
    expect(checks[0]).toMatchObject({ state: "running" });
    expect((await problemOf(ask(routes, "/api/check", pages))).code).toBe("busy");
    started[0]?.tell("Calling search", 1, 2);
    expect(await viewOf(routes)).toMatchObject({ state: "running", says: "Calling search" });
    ends[0]?.done(summary);
    await until(() => told.at(-1)?.state === "done");
    expect(told).toMatchObject([
      { state: "running", done: 0 },
      { state: "running", says: "Calling search", done: 1, total: 2 },
      { state: "done", says: "It is done: 93 of 100 points." },
    ]);
    const done = await viewOf(routes);
    expect(done).toMatchObject({ state: "done", report: { score: 93, counts: { passed: 40 } } });
    // Masked as in the log.
    expect(JSON.stringify(done)).not.toContain(key);
    await ask(routes, "/api/check", pages);
    expect(started).toHaveLength(2);
    expect(await viewOf(routes)).toMatchObject({ state: "running", report: { score: 93 } });
  });

  it("that have no score say so", async () => {
    const { run, ends } = heldCheck();
    const { routes, told } = open(run);
    await ask(routes, "/api/check", pages);
    ends[0]?.done({ ...summary, coverage: `0 of 2 tools called ${key}`, score: null, reasons: [] });
    await until(() => told.at(-1)?.state === "done");
    expect(told.at(-1)?.says).toBe("It is done: there is no score.");
    const report = (await viewOf(routes))?.report;
    expect(report).toMatchObject({
      score: null,
      coverage: expect.stringMatching(/^0 of 2 tools called (?!ghp_)/),
    });
  });

  it("tell of many steps only now and then", async () => {
    const { run, started } = heldCheck();
    const { routes, told } = open(run);
    await ask(routes, "/api/check", pages);
    for (let step = 0; step < 1_000; step++) started[0]?.tell(`Step ${step}`, step, 1_000);
    expect(told.length).toBeLessThan(50);
    expect(await viewOf(routes)).toMatchObject({ says: "Step 999" });
  });

  it("that fail say why, without secrets", async () => {
    const { run, ends } = heldCheck();
    const { routes, told } = open(run);
    await ask(routes, "/api/check", pages);
    ends[0]?.fail(new Error(`The server could not be reached with ${key}.`));
    await until(() => told.at(-1)?.state === "failed");
    expect((await viewOf(routes))?.says).toMatch(/^The server could not be reached with (?!ghp_)/);
  });

  it("are ended by the page, by the gateway that closes, and with a server that is gone", async () => {
    const { run, started, ends } = heldCheck();
    const upstreams = [watchedState("pages"), watchedState("mail"), watchedState("files")];
    const gateway = { ...watchedGateway(), upstreams: () => upstreams };
    const { routes, closing, told } = open(run, gateway);
    for (const { name } of upstreams) await ask(routes, "/api/check", { upstream: name });
    const isEnded = () => started.map(({ signal }) => signal.aborted);
    await ask(routes, "/api/check/stop", pages);
    expect(isEnded()).toEqual([true, false, false]);
    ends[0]?.done(summary);
    await until(() => told.at(-1)?.says === "It was stopped early: 93 of 100 points.");
    upstreams.splice(1, 1);
    await ask(routes, "/api/check");
    expect(isEnded()).toEqual([true, true, false]);
    closing.abort();
    expect(isEnded()).toEqual([true, true, true]);
    expect((await problemOf(ask(routes, "/api/check", pages))).code).toBe("busy");
  });

  it("need a checker and the name of a server", async () => {
    const without = await problemOf(ask(open(undefined).routes, "/api/check", pages));
    expect(without).toMatchObject({ code: "not-found", message: "This gateway has no checker." });
    const { routes } = open(heldCheck().run);
    expect((await problemOf(ask(routes, "/api/check", { upstream: "page" }))).code).toBe("not-found");
    expect((await problemOf(ask(routes, "/api/check", {}))).message).toMatch(/"upstream" is missing/);
  });
});
