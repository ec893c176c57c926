import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { cutPair } from "./cut-pair.fixture.ts";
import { resultOf, scripted, success } from "./scripted.fixture.ts";

const rows = Array.from({ length: 400 }, (_, id) => ({
  id,
  state: id % 4 === 0 ? "late" : "fine",
  note: `Row ${id}`,
}));
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const pair of open.splice(0)) await pair.close();
});

async function openPair(...given: Parameters<typeof cutPair>) {
  const pair = await cutPair(...given);
  open.push(pair);
  return pair;
}

const rejection = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);
const hashOf = (value: unknown): string =>
  `sha256:${createHash("sha256").update(JSON.stringify(value)).digest("hex")}`;

describe("a call with a question", () => {
  it("gets the answer where the server places it, and a wrong question is refused", async () => {
    const pair = await openPair({ select: true });
    pair.given.value = { rows };
    const client = pair.byTool();
    const { data, fidelity } = await client.call("read", {}, { select: "count_by(rows, &state)" });
    expect({ data, fidelity }).toEqual({ data: { late: 100, fine: 300 }, fidelity: "full" });
    const schema = z.int();
    const counted = await client.call("read", {}, { select: "length(rows)", schema, complete: true });
    expect(counted.data).toBe(400);
    expect(await client.tryCall("read", {}, { select: "rows[" })).toMatchObject({
      ok: false,
      error: { code: "INVALID_FORMAT" },
    });
  });

  it("gets all of a long answer that was cut", async () => {
    const pair = await openPair({ select: true, budget: { tokens: 600 } });
    pair.given.value = { rows };
    const { data } = await pair.byTool().call("read", {}, { select: "{notes: rows[].note}", complete: true });
    expect(data).toEqual({ notes: rows.map(({ note }) => note) });
  });
});

describe("ask", () => {
  it("has the server compute it from the whole that it cut", async () => {
    const pair = await openPair();
    pair.given.value = { rows };
    const client = pair.byTool();
    const cut = await client.call("read", {}, { budget: 500 });
    expect(cut.fidelity).toBe("partial");
    const before = pair.read.tool;
    expect(await client.ask(cut, "count_by(rows, &state)")).toEqual({
      data: { late: 100, fine: 300 },
      count: 400,
      hash: hashOf({ rows }),
    });
    expect(pair.read.tool - before).toBe(1);
  });

  it("gives the same, from the same hash, of what was not cut", async () => {
    const pair = await openPair({ budget: { tokens: "off" } });
    for (const [value, question] of [
      [{ rows }, "count_by(rows, &state)"],
      [rows, "count_by(@, &state)"],
    ] as const) {
      pair.given.value = value;
      const whole = await pair.byTool().call("read");
      expect(whole.fidelity).toBe("full");
      expect(await pair.byTool().ask(whole, question)).toEqual({
        data: { late: 100, fine: 300 },
        count: 400,
        hash: hashOf(whole.data),
      });
    }
    expect(pair.read.tool).toBe(0);
  });

  it.each(["cut", "whole"])(
    "says that a key of the question is nowhere, of data that is %s",
    async (kind) => {
      const pair = await openPair();
      pair.given.value = { rows: kind === "cut" ? rows : rows.slice(0, 2) };
      const client = pair.byTool();
      const answer = await client.call("read", {}, { budget: 500 });
      expect(answer.fidelity).toBe(kind === "cut" ? "partial" : "full");
      const { data, note } = await client.ask(answer, "rows[?status == 'late'].id");
      expect(data).toEqual([]);
      expect(note).toContain("did you mean state?");
    },
  );

  it("joins the pages of a long list, and reads tables as the lists they are", async () => {
    const pair = await openPair({ budget: { tokens: 600 } }, { encoding: "table" });
    pair.given.value = rows;
    const client = pair.byTool();
    const cut = await client.call("read");
    const { data } = await client.ask(cut, "[].{id: id, note: note}");
    expect(data).toEqual(rows.map(({ id, note }) => ({ id, note })));
    expect(pair.read.tool).toBeGreaterThan(2);
  });

  it("gives a long text whole, which comes in pieces", async () => {
    const pair = await openPair({ budget: { tokens: 600 } });
    pair.given.value = { rows };
    const client = pair.byTool();
    const cut = await client.call("read");
    const { data } = await client.ask(cut, "join(', ', rows[].note)");
    expect(data).toBe(rows.map(({ note }) => note).join(", "));
  });

  it("is typed by a schema, which is held against the answer", async () => {
    const pair = await openPair();
    pair.given.value = { rows };
    const client = pair.byTool();
    const cut = await client.call("read", {}, { budget: 500 });
    const schema = z.array(z.object({ id: z.int() }));
    const { data } = await client.ask(cut, "rows[?id > `397`]", { schema });
    expect(data.map(({ id }) => id)).toEqual([398, 399]);
    expect(await rejection(client.ask(cut, "rows[].note", { schema }))).toMatchObject({
      code: "NOT_AS_ASKED",
    });
  });

  it.each(["cut", "whole"])(
    "says of a wrong question where it is wrong, of data that is %s",
    async (kind) => {
      const pair = await openPair();
      pair.given.value = { rows: kind === "cut" ? rows : rows.slice(0, 2) };
      const client = pair.byTool();
      const answer = await client.call("read", {}, { budget: 500 });
      for (const wrong of ["rows[?id >", "sum_by(rows, &state)", "nothing_of_the_kind(rows)"])
        expect(await rejection(client.ask(answer, wrong))).toMatchObject({
          name: "ResponseError",
          code: "INVALID_FORMAT",
          retryRule: "fix_input",
        });
    },
  );

  it("fetches the whole from a server that knows no questions, and asks here", async () => {
    const value = { rows: rows.slice(0, 5) };
    const hash = hashOf(value);
    const cut = resultOf({
      success: true,
      data: { rows: rows.slice(0, 1) },
      error: null,
      meta: {
        version: "response-v2",
        content_fidelity: "partial",
        dropped_content_ids: ["/rows/1..4"],
        content_archive_hashes: { "rows-1": hash },
      },
    });
    // It takes `select` for nothing it knows, and gives the whole back.
    const whole = success({ archive: hash, verified: true, items: [{ pointer: "", value }], matched: 1 });
    const { client, calls } = scripted([cut, whole]);
    const asked = await client.ask(await client.call("work"), "length(rows)");
    expect(asked).toEqual({ data: 5, count: 5, hash });
    expect(calls.map(({ name }) => name)).toEqual(["work", "waybill_retrieve", "waybill_retrieve"]);
  });

  it("calls the tool that the cut names", async () => {
    const hash = hashOf("whole");
    const retrieve = { tool: "waybill_retrieve_2", arguments: { archive: hash } };
    const cut = resultOf({
      success: true,
      data: { rows: [] },
      error: null,
      meta: {
        version: "response-v2",
        warnings: ["9 rows omitted"],
        warning_details: [{ code: "CONTENT_TRUNCATED", message: "9 rows omitted", context: { retrieve } }],
        content_fidelity: "partial",
        dropped_content_ids: ["/rows/0..8"],
        content_archive_hashes: { "rows-1": hash },
      },
    });
    const answered = success({ archive: hash, verified: true, selected: 9, records: 9 });
    const { client, calls } = scripted([cut, answered]);
    expect(await client.ask(await client.call("work"), "length(rows)")).toEqual({ data: 9, count: 9, hash });
    expect(calls.at(-1)).toMatchObject({
      name: "waybill_retrieve_2",
      arguments: { archive: hash, select: "length(rows)" },
    });
  });

  it("says that an answer which is only an image has nothing to ask", async () => {
    const pair = await openPair();
    pair.given.value = { content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] };
    const client = pair.byTool();
    const image = await client.call("read");
    expect(image.blocks).toHaveLength(1);
    expect(await rejection(client.ask(image, "length(@)"))).toMatchObject({ code: "NOT_AS_ASKED" });
  });

  it("says so where nothing was kept, or nothing was asked", async () => {
    const pair = await openPair({ store: false });
    pair.given.value = { rows };
    const client = pair.byTool();
    const cut = await client.call("read", {}, { budget: 500 });
    expect(await rejection(client.ask(cut, "length(rows)"))).toMatchObject({ code: "NOT_FOUND" });
    for (const nothing of ["", "  ", undefined, 7])
      expect(await rejection(client.ask(cut, nothing as string))).toMatchObject({ code: "INVALID_OPTION" });
    expect(await rejection(client.ask({} as never, "@"))).toMatchObject({ code: "INVALID_OPTION" });
  });
});
