import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../core/json/json-value.ts";
import { createTempDirectory, entryPath } from "../../../../engine/archive/file/file-store.fixture.ts";
import { fileStore } from "../../../../engine/archive/file/file-store.ts";
import { memoryStore } from "../../../../engine/archive/memory-store.ts";
import type { ApiRoute } from "../dashboard-parts.ts";
import type { QuestionReply, CallDetail, RetrieveReply } from "../protocol/result.ts";
import { ask, problemOf, watchedGateway } from "../routes.fixture.ts";
import { Traffic, type TrafficOptions } from "../traffic/traffic.ts";
import { toolCalls, watchedState } from "../traffic/watched-state.fixture.ts";
import { resultRoutes } from "./result-routes.ts";

const items = Array.from({ length: 80 }, (_, index) => ({ id: `i-${index}`, size: index }));
const listText = JSON.stringify({ items });
const list: JsonObject = { content: [{ type: "text", text: listText }] };
const short: JsonObject = { content: [{ type: "text", text: "It is done." }] };
const failure: JsonObject = {
  content: [{ type: "text", text: "Error: no such file: a.txt" }],
  isError: true,
};

interface Subject {
  readonly routes: readonly ApiRoute[];
  readonly call: ReturnType<typeof toolCalls>;
}

function subject(
  options: TrafficOptions = { bodies: true },
  contract: Parameters<typeof watchedState>[1] = {},
): Subject {
  const traffic = new Traffic(options);
  const upstream = watchedState("desk", contract);
  traffic.watch(upstream);
  return { routes: resultRoutes(traffic, watchedGateway(upstream)), call: toolCalls(upstream) };
}

/** A call whose result is cut, and the one archive that it names. */
async function cut(options?: TrafficOptions, contract?: Parameters<typeof watchedState>[1]) {
  const made = subject(options, contract);
  await made.call("list", list);
  const detail = await ask<CallDetail>(made.routes, "/api/calls/1");
  return { ...made, detail, hash: detail.archives[0]?.hash ?? "" };
}

describe("a call", () => {
  it("whose result is cut shows six stages with their tokens, what was dropped, and where it is kept", async () => {
    const { detail } = await cut();
    const { row, stages, droppedIds, archives, warnings, bodies } = detail;
    expect(row).toMatchObject({ tool: "list", fidelity: "partial", isCounted: true, isArchived: true });
    expect(stages.map(({ stage }) => stage)).toEqual([
      "outcome",
      "shape",
      "fit",
      "archive",
      "dialect",
      "deliver",
    ]);
    const tokens = stages.map((stage) => stage.tokens ?? Number.NaN);
    const [outcome = 0, shape = 0, fit = 0, archive = 0, dialect = 0, deliver = 0] = tokens;
    expect([outcome, shape, deliver]).toEqual([row.tokensIn, row.tokensIn, row.tokensOut]);
    expect(fit).toBeLessThan(shape);
    expect([archive, dialect > fit, deliver >= dialect]).toEqual([fit, true, true]);
    expect(droppedIds).not.toHaveLength(0);
    expect(archives).toEqual([
      { name: expect.stringContaining("-"), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(warnings.join(" ")).toContain("CONTENT_TRUNCATED: ");
    expect(bodies?.before).toMatchObject({ text: JSON.stringify(list), tokens: row.tokensIn, isHead: false });
    expect(bodies?.after).toMatchObject({ tokens: row.tokensOut, isHead: false });
    expect(row.tokensOut).toBeLessThan(row.tokensIn);
  });

  it("that left untouched has no stages, and is the same before and after", async () => {
    const { routes, call } = subject();
    await call("say", short, {}, { to: "ada" });
    const { row, stages, bodies } = await ask<CallDetail>(routes, "/api/calls/1");
    expect([row.isUntouched, stages]).toEqual([true, []]);
    expect(bodies?.arguments.text).toBe('{"to":"ada"}');
    expect(bodies?.before).toEqual(bodies?.after);
  });

  it("that failed says what the model was told", async () => {
    const { routes, call } = subject();
    await call("read", failure);
    const { row, failure: told } = await ask<CallDetail>(routes, "/api/calls/1");
    expect(row).toMatchObject({ ending: "failed", errorCode: "NOT_FOUND" });
    expect(told?.message).toContain("no such file");
    expect(told?.remediation).not.toBe("");
  });

  it("shows no secret, though the client and the server exchanged it", async () => {
    const { routes, call } = subject();
    const secret = "hunter2-and-more";
    await call(
      "sign",
      { content: [{ type: "text", text: `{"password":"${secret}"}` }] },
      {},
      { password: secret },
    );
    const detail = await ask<CallDetail>(routes, "/api/calls/1");
    expect(detail.bodies?.before.text).toContain("[REDACTED:PASSWORD]");
    expect(JSON.stringify(detail)).not.toContain(secret);
    const said = await ask(routes, "/api/calls/1/as?dialect=response-v2&profile=debug");
    expect(JSON.stringify(said)).not.toContain(secret);
  });

  it("of which only the beginning is kept says so, and is not said in other words", async () => {
    const { routes, call } = subject({ bodies: true, limits: { maxTextChars: 200 } });
    await call("list", list);
    const { row, bodies } = await ask<CallDetail>(routes, "/api/calls/1");
    expect(bodies?.before).toMatchObject({ isHead: true, isEstimated: true, tokens: row.tokensIn });
    expect(bodies?.before.chars).toBe(JSON.stringify(list).length);
    const problem = await problemOf(ask(routes, "/api/calls/1/as?dialect=plain"));
    expect(problem.code).toBe("not-kept");
  });
});

describe("without bodies", () => {
  it("a call shows its way and no content, and the rest is verified all the same", async () => {
    const { routes, detail, hash } = await cut({ bodies: false });
    expect(detail).toMatchObject({ whyNoBodies: "bodies-off" });
    expect(detail.bodies).toBeUndefined();
    expect(detail.stages).toHaveLength(6);
    expect(detail).toMatchObject({ warnings: ["CONTENT_TRUNCATED"], droppedIds: [] });
    const retrieved = await ask<RetrieveReply>(routes, "/api/calls/1/retrieve", { hash });
    expect(retrieved).toEqual({
      hash,
      isVerified: true,
      bytes: listText.length,
      contentType: "application/json",
    });
    const needs = Object.fromEntries(routes.map((route) => [route.path, route.needs]));
    expect(needs).toMatchObject({ "/api/calls/:seq/as": "bodies", "/api/calls/:seq/ask": "bodies" });
  });
});

describe("without bodies, a failure", () => {
  it("shows its code, and not what the server said", async () => {
    const { routes, call } = subject({ bodies: false });
    await call("read", failure);
    const detail = await ask<CallDetail>(routes, "/api/calls/1");
    expect(detail.row.errorCode).toBe("NOT_FOUND");
    expect(JSON.stringify(detail)).not.toContain("a.txt");
  });
});

describe("what a call left out", () => {
  it("comes back whole, or by the ids that were dropped", async () => {
    const { routes, detail, hash } = await cut();
    const whole = await ask<RetrieveReply>(routes, "/api/calls/1/retrieve", { hash });
    expect(whole.isVerified).toBe(true);
    expect(JSON.parse(whole.body?.text ?? "")).toEqual({ items });
    const ids = [...detail.droppedIds.slice(-1), "no-such-id"];
    const some = await ask<RetrieveReply>(routes, "/api/calls/1/retrieve", { hash, ids });
    expect(some.body?.text).toContain('{"id":"i-79","size":79}');
    expect(some.missing).toEqual(["no-such-id"]);
  });

  it("is said to be gone once it is, with what may have ended it", async () => {
    for (const [tenant, says] of [
      ["session:01", "its client's session has ended"],
      ["sub:ada", "it has expired, or was removed to make room"],
    ] as const) {
      const store = memoryStore();
      const { routes, detail, hash } = await cut({ bodies: true }, { store, tenant: () => tenant });
      expect(detail.archives[0]?.gone).toBeUndefined();
      await store.delete(tenant, hash);
      const { archives } = await ask<CallDetail>(routes, "/api/calls/1");
      expect(archives[0]?.gone).toContain(says);
      const problem = await problemOf(ask(routes, "/api/calls/1/retrieve", { hash }));
      expect(problem).toMatchObject({ code: "not-kept", message: expect.stringContaining(says) });
    }
  });

  it("answers questions, and a wrong one is explained", async () => {
    const { routes, hash } = await cut();
    const answer = await ask<QuestionReply>(routes, "/api/calls/1/ask", {
      hash,
      select: "sum(items[].size)",
    });
    expect(answer).toMatchObject({ body: { text: "3160" }, count: 80, hash });
    const problem = await problemOf(ask(routes, "/api/calls/1/ask", { hash, select: "items[?" }));
    expect(problem).toMatchObject({ code: "invalid", status: 400 });
  });

  it("is not verified once its file is damaged", async () => {
    const directory = createTempDirectory();
    const { routes, hash } = await cut({ bodies: true }, { store: fileStore(directory) });
    const path = entryPath(directory, "local:desk", hash);
    const bytes = readFileSync(path);
    bytes[20] = (bytes[20] ?? 0) ^ 0xff;
    writeFileSync(path, bytes);
    const retrieved = await ask<RetrieveReply>(routes, "/api/calls/1/retrieve", { hash });
    expect(retrieved).toMatchObject({ isVerified: false, problem: expect.stringContaining("damaged") });
    expect(retrieved.body).toBeUndefined();
  });

  it("is given for archives that the call names, and for no other", async () => {
    const { routes, call, hash } = await cut();
    await call("say", short);
    const problem = await problemOf(ask(routes, "/api/calls/2/retrieve", { hash }));
    expect(problem).toMatchObject({ code: "not-found", status: 404 });
    const wrong = await problemOf(ask(routes, "/api/calls/1/retrieve", { hash, idd: ["a"] }));
    expect(wrong).toMatchObject({ code: "invalid", message: expect.stringContaining("ids") });
  });
});

describe("an address of a call", () => {
  it("that never was, is not a number, or was forgotten is answered in words", async () => {
    const { routes, call } = subject({ bodies: true, limits: { maxRows: 2 } });
    for (let count = 0; count < 5; count++) await call("say", short);
    expect(await problemOf(ask(routes, "/api/calls/9"))).toMatchObject({ code: "not-found" });
    expect(await problemOf(ask(routes, "/api/calls/none"))).toMatchObject({ code: "invalid" });
    expect(await problemOf(ask(routes, "/api/calls/1"))).toMatchObject({ code: "not-kept", status: 410 });
  });

  it("whose contents made room for others still shows its row", async () => {
    const { routes, call } = subject({ bodies: true, limits: { maxKeptBytes: 4_096 } });
    for (let count = 0; count < 5; count++) await call("say", short);
    const detail = await ask<CallDetail>(routes, "/api/calls/1");
    expect(detail).toMatchObject({ row: { seq: 1, tool: "say" }, stages: [], whyNoBodies: "not-kept" });
    const problem = await problemOf(ask(routes, "/api/calls/1/as?dialect=plain"));
    expect(problem.code).toBe("not-kept");
  });
});
