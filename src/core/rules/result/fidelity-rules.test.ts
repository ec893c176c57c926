import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import {
  type MadeCall,
  failure,
  judgeBy,
  madeRecord,
  madeTool,
  structure,
  text,
} from "../made-record.fixture.ts";
import type { ArchiveRead } from "../server-record.ts";
import { fidelityRules } from "./fidelity-rules.ts";

const sha256 = (value: string): string => createHash("sha256").update(value).digest("hex");

const whole = { rows: [1, 2, 3] };
const hash = sha256(JSON.stringify(whole));

function envelope(data: JsonObject, meta: JsonObject = {}): JsonObject {
  return structure({ success: true, data, error: null, meta: { version: "response-v2", ...meta } });
}

const omission = { content_fidelity: "partial", dropped_content_ids: ["/rows/1..2"] };
const cut = {
  result: envelope({ rows: [1] }, { ...omission, content_archive_hashes: { "rows-x": `sha256:${hash}` } }),
};

function retrieve(items: readonly JsonValue[], meta: JsonObject = {}): MadeCall {
  return {
    purpose: "retrieve",
    tool: "waybill_retrieve",
    follows: 0,
    arguments: { archive: `sha256:${hash}`, pointer: "" },
    result: envelope({ archive: `sha256:${hash}`, items }, meta),
  };
}

const tools = [madeTool("search"), madeTool("waybill_retrieve")];

function judge(id: string, calls: readonly MadeCall[]): ReturnType<typeof judgeBy> {
  return judgeBy(fidelityRules, id, madeRecord(calls, { tools }));
}

describe("an archive that a result names", () => {
  it("is there and has the hash", async () => {
    const calls = [cut, retrieve([{ pointer: "", value: whole }])];
    expect(await judge("fidelity/archive-resolves", calls)).toEqual([]);
    expect(await judge("fidelity/archive-verifies", calls)).toEqual([]);
  });

  it("may come in slices over several pages", async () => {
    const json = JSON.stringify(whole);
    const slice = (from: number, to: number): JsonObject => ({
      pointer: "",
      text: json.slice(from, to),
      from,
      to,
      of: json.length,
    });
    const more = { pagination: { cursor: "p2", has_more: true, page_size: 1 } };
    const calls = [cut, retrieve([slice(0, 5)], more), retrieve([slice(5, json.length)])];
    expect(await judge("fidelity/archive-verifies", calls)).toEqual([]);
    expect(await judge("fidelity/archive-verifies", calls.slice(0, 2))).toBe("untested");
    expect(await judge("fidelity/archive-verifies", [cut, retrieve([slice(5, 9)])])).toHaveLength(1);
  });

  it("is reported where it is gone, or something else", async () => {
    const gone = { ...retrieve([]), result: failure("No such archive") };
    expect(await judge("fidelity/archive-resolves", [cut, gone])).toHaveLength(1);
    expect(await judge("fidelity/archive-verifies", [cut, gone])).toBe("untested");
    const other = retrieve([{ pointer: "", value: { rows: [9] } }]);
    expect(await judge("fidelity/archive-resolves", [cut, other])).toEqual([]);
    expect(await judge("fidelity/archive-verifies", [cut, other])).toEqual([
      expect.stringMatching(/^search: .* does not verify: it has the hash/),
    ]);
  });

  it("is untested where it was not asked for", async () => {
    expect(await judge("fidelity/archive-resolves", [cut])).toBe("untested");
    expect(await judge("fidelity/archive-verifies", [{}])).toBe("untested");
    const items = { ...retrieve([{ pointer: "/rows/0", value: 1 }]), arguments: { archive: hash } };
    expect(await judge("fidelity/archive-verifies", [cut, items])).toBe("untested");
  });
});

describe("an archive that is read as a resource", () => {
  const uri = `waybill://archive/${hash}`;
  const read = (contents: readonly JsonObject[], isWhole = true): ArchiveRead => {
    return { follows: 0, uri, hash, isWhole, reply: { kind: "result", result: { contents } } };
  };
  const refused: ArchiveRead = {
    ...read([]),
    reply: { kind: "error", error: { code: -32602, message: "No such resource" } },
  };
  const judgeReads = (id: string, archiveReads: readonly ArchiveRead[]): ReturnType<typeof judgeBy> =>
    judgeBy(fidelityRules, id, madeRecord([cut], { tools: [madeTool("search")], archiveReads }));

  it("has the hash as text and as bytes", async () => {
    const json = JSON.stringify(whole);
    for (const content of [
      { uri, text: json },
      { uri, blob: Buffer.from(json).toString("base64") },
    ]) {
      expect(await judgeReads("fidelity/archive-resolves", [read([content])])).toEqual([]);
      expect(await judgeReads("fidelity/archive-verifies", [read([content])])).toEqual([]);
    }
  });

  it("is reported where it is gone, empty, or something else", async () => {
    expect(await judgeReads("fidelity/archive-resolves", [refused])).toEqual([
      `search: The archive sha256:${hash} cannot be fetched (the resource ${uri})`,
    ]);
    expect(await judgeReads("fidelity/archive-verifies", [read([{ uri, text: "{}" }])])).toEqual([
      expect.stringMatching(/^search: .* does not verify: it has the hash/),
    ]);
    for (const contents of [[], [{ uri }], [{ uri, blob: "*" }]])
      expect(await judgeReads("fidelity/archive-verifies", [read(contents)])).toHaveLength(1);
  });

  it("is there, and not compared, where only its beginning was given", async () => {
    const reads = [refused, read([{ uri, text: "{" }], false)];
    expect(await judgeReads("fidelity/archive-resolves", reads)).toEqual([]);
    expect(await judgeReads("fidelity/archive-verifies", reads)).toBe("untested");
  });

  it("is there where either way gives it, and each way is compared", async () => {
    const calls = [cut, retrieve([{ pointer: "", value: whole }])];
    const judgeBoth = (id: string, archiveReads: readonly ArchiveRead[]): ReturnType<typeof judgeBy> =>
      judgeBy(fidelityRules, id, madeRecord(calls, { tools, archiveReads }));
    expect(await judgeBoth("fidelity/archive-resolves", [refused])).toEqual([]);
    expect(await judgeBoth("fidelity/archive-verifies", [refused])).toEqual([]);
    expect(await judgeBoth("fidelity/archive-verifies", [read([{ uri, text: "{}" }])])).toHaveLength(1);
  });
});

describe("what was left out", () => {
  it("is kept somewhere, or follows on the next page", async () => {
    const rule = "fidelity/rest-kept";
    expect(await judge(rule, [{ result: envelope({ rows: [1] }, omission) }])).toHaveLength(1);
    expect(await judge(rule, [cut])).toEqual([]);
    const paged = { ...omission, pagination: { cursor: "n", has_more: true, page_size: 1 } };
    expect(await judge(rule, [{ result: envelope({ rows: [1] }, paged) }])).toEqual([]);
    expect(await judge(rule, [{}])).toBe("untested");
  });

  it("does not break JSON without a word", async () => {
    const rule = "fidelity/cut-json";
    const json = JSON.stringify({ rows: ["some", "more", "words"] });
    for (const end of [12, 20, json.length - 1])
      expect(await judge(rule, [{ result: text(json.slice(0, end)) }])).toHaveLength(1);
    const fine = [
      json,
      `${json.slice(0, 12)}… (truncated)`,
      "{ let x = 1",
      "[1] see below",
      "[",
      "no JSON",
      "",
    ];
    for (const each of fine) expect([each, await judge(rule, [{ result: text(each) }])]).toEqual([each, []]);
    const notes = JSON.stringify({ meta: { version: "response-v2", ...omission } });
    const marks = ["plain as_sent", { dialect: "plain", profile: "standard", content: "as_sent" }];
    for (const mark of marks) {
      const told = { ...text(json.slice(0, 12), notes), _meta: { "waybill/contract": mark } };
      expect(await judge(rule, [{ result: told }])).toEqual([]);
    }
    expect(await judge(rule, [{ result: { content: [] } }])).toBe("untested");
  });
});
