import { describe, expect, test } from "vitest";
import { type CutReport, endingNotes, possibleEndings } from "./endings.ts";

const hash = "3f2a9c01b7de".padEnd(64, "0");
const report: CutReport = {
  level: "partial",
  dropped: ["/findings/3..9"],
  places: ["/findings/3..9"],
  droppedCount: 7,
  totalCount: 10,
  noun: "findings",
  reason: "token_limit_exceeded",
  retrieveTool: "waybill_retrieve",
  namesFullHash: false,
  text: undefined,
  hasWhole: true,
  hintsIds: true,
  example: undefined,
  wording: "full",
};
const kept = [{ name: "findings", kept: { hash, usedFallback: false } }];
const lost = [{ name: "findings", kept: undefined }];

const many = Array.from({ length: 9 }, (_, at) => `f-${at}`);

describe("endingNotes", () => {
  // shows 001.30
  test("announces what is kept by handle and hash, and how to get it", () => {
    expect(endingNotes({}, report, kept)).toEqual({
      fidelity: {
        level: "partial",
        dropped: ["/findings/3..9"],
        archives: { "findings-3f2a9c01b7de": `sha256:${hash}` },
      },
      warnings: [
        {
          code: "CONTENT_TRUNCATED",
          severity: "info",
          message: "7 findings omitted due to token limits",
          context: {
            dropped_count: 7,
            total_count: 10,
            reason: "token_limit_exceeded",
            retrieve: {
              tool: "waybill_retrieve",
              arguments: { archive: "3f2a9c01b7de", ids: ["/findings/3..9"] },
            },
          },
        },
      ],
    });
  });

  test.each([
    ["where the model has nothing yet", { level: "summary" as const }],
    ["where there is no room for it", { hintsIds: false }],
    ["where the names are many", { dropped: many, places: many }],
    ["where a name is long", { dropped: [`/${"k".repeat(201)}`] }],
    ["where only blocks were left out", { dropped: ["#content/0"], hasWhole: false }],
  ])("names the archive alone %s", (_, change) => {
    const { warnings } = endingNotes({}, { ...report, ...change }, kept);
    expect(warnings?.[0]?.context?.["retrieve"]).toEqual({
      tool: "waybill_retrieve",
      arguments: { archive: "3f2a9c01b7de" },
    });
  });

  test("shows a question that could be put to the whole in place of names", () => {
    const asking = { ...report, example: { select: "count_by(findings, &severity)" } };
    const { warnings } = endingNotes({}, asking, kept);
    expect(warnings?.[0]?.context?.["retrieve"]).toEqual({
      tool: "waybill_retrieve",
      arguments: { archive: "3f2a9c01b7de", ids: ["/findings/3..9"] },
      or: { archive: "3f2a9c01b7de", select: "count_by(findings, &severity)" },
    });
    expect(JSON.stringify(endingNotes({}, asking, lost).warnings)).not.toContain("select");
  });

  test("has a question put to the whole that nothing was cut from, and shows none where that is lost", () => {
    const asking = { ...report, example: { select: "length(findings)" } };
    const first = "9".repeat(64);
    const cutBefore = (archives: Record<string, string>) => ({
      fidelity: { level: "partial" as const, dropped: ["/findings/10..99"], archives },
    });
    const { warnings } = endingNotes(cutBefore({ "findings-9": `sha256:${first}` }), asking, kept);
    expect(warnings?.[0]?.context).toMatchObject({
      retrieve: { arguments: { archive: "3f2a9c01b7de" }, or: { archive: "999999999999" } },
    });
    expect(JSON.stringify(endingNotes(cutBefore({}), asking, kept).warnings)).not.toContain("select");
  });

  test("says of a text how many of its characters are missing, at every length of its words", () => {
    const text = { ...report, droppedCount: 19_589, totalCount: 19_689, noun: "characters" };
    const said = (["full", "brief", "least"] as const).map(
      (wording) => endingNotes({}, { ...text, wording }, kept).warnings?.[0]?.message,
    );
    expect(said).toEqual([
      "19,589 of 19,689 characters omitted due to token limits",
      "19,589 of 19,689 characters omitted",
      "19,589 of 19,689 characters omitted",
    ]);
  });

  test("announces no hash of what could not be kept, and says so", () => {
    const { fidelity, warnings } = endingNotes({}, report, lost);
    expect(fidelity?.archives).toEqual({});
    expect(warnings?.map(({ code }) => code)).toEqual(["ARCHIVE_WRITE_FAILED", "CONTENT_TRUNCATED"]);
    expect(JSON.stringify(warnings)).not.toContain("retrieve");
  });

  test("asks for places where many items are named by their ids", () => {
    const dropped = Array.from({ length: 20 }, (_, index) => `f-${index}`);
    const { fidelity, warnings } = endingNotes({}, { ...report, dropped }, kept);
    expect(fidelity?.dropped).toEqual(dropped);
    expect(warnings?.[0]?.context?.["retrieve"]).toEqual({
      tool: "waybill_retrieve",
      arguments: { archive: "3f2a9c01b7de", ids: ["/findings/3..9"] },
    });
  });

  test("says that nothing is kept where there is no store", () => {
    const { warnings } = endingNotes({}, { ...report, retrieveTool: undefined }, lost);
    expect(warnings?.map(({ code }) => code)).toEqual(["CONTENT_DROPPED", "CONTENT_TRUNCATED"]);
  });

  // shows 001.53
  test("says that a fallback keeps it", () => {
    const { warnings } = endingNotes({}, report, [{ name: "findings", kept: { hash, usedFallback: true } }]);
    expect(warnings?.map(({ code }) => code)).toEqual(["CONTENT_TRUNCATED", "FALLBACK_USED"]);
  });

  test("announces of several parts those that are kept", () => {
    const { fidelity, warnings } = endingNotes({}, report, [...kept, { name: "image-1", kept: undefined }]);
    expect(Object.keys(fidelity?.archives ?? {})).toEqual(["findings-3f2a9c01b7de"]);
    expect(warnings?.map(({ code }) => code)).toContain("ARCHIVE_WRITE_FAILED");
  });

  test("adds to what an earlier cut left out, and never raises its level", () => {
    const before = {
      fidelity: {
        level: "summary" as const,
        dropped: ["/findings/10..99"],
        archives: { "old-1": "sha256:1" },
      },
      warnings: [{ code: "STALE_CACHE", severity: "warning" as const, message: "Old" }],
    };
    const { fidelity, warnings } = endingNotes(before, report, kept);
    expect(fidelity).toEqual({
      level: "summary",
      dropped: ["/findings/3..9", "/findings/10..99"],
      archives: { "old-1": "sha256:1", "findings-3f2a9c01b7de": `sha256:${hash}` },
    });
    // The first entry is the whole that nothing was cut from.
    expect(Object.keys(fidelity?.archives ?? {})).toEqual(["old-1", "findings-3f2a9c01b7de"]);
    expect(warnings?.map(({ code }) => code)).toEqual(["STALE_CACHE", "CONTENT_TRUNCATED"]);
  });

  test("lists the whole first, before what a tool keeps beside its answer", () => {
    const fidelity = { level: "full" as const, dropped: [], archives: { "own-1": "sha256:1" } };
    const archives = endingNotes({ fidelity }, report, kept).fidelity?.archives ?? {};
    expect(Object.keys(archives)).toEqual(["findings-3f2a9c01b7de", "own-1"]);
  });

  test("lists nothing where the whole was lost, so that no other part is taken for it", () => {
    const image = { name: "image-1", kept: { hash, usedFallback: false } };
    expect(endingNotes({}, report, [...lost, image]).fidelity?.archives).toEqual({});
    const { fidelity } = endingNotes({}, { ...report, hasWhole: false }, [image]);
    expect(Object.keys(fidelity?.archives ?? {})).toEqual(["image-1-3f2a9c01b7de"]);
  });

  test("speaks of bytes where bytes were the limit, and of one in the singular", () => {
    const bytes: CutReport = { ...report, reason: "byte_limit_exceeded", droppedCount: 1 };
    const { warnings } = endingNotes({}, bytes, kept);
    expect(warnings?.[0]?.message).toBe("1 finding omitted due to byte limits");
  });

  test("points to the whole, not to what is kept beside it, and to nothing where the whole was lost", () => {
    const text = { name: "text", kept: { hash: "0".repeat(64), usedFallback: false } };
    const hint = { retrieve: { tool: "waybill_retrieve", arguments: { archive: "3f2a9c01b7de" } } };
    expect(endingNotes({}, report, [...kept, text]).warnings?.[0]?.context).toMatchObject(hint);
    expect(JSON.stringify(endingNotes({}, report, [...lost, text]).warnings)).not.toContain("retrieve");
  });

  test("names the full hash where a handle would open nothing", () => {
    const { warnings } = endingNotes({}, { ...report, namesFullHash: true }, kept);
    expect(warnings?.[0]?.context).toMatchObject({ retrieve: { arguments: { archive: hash } } });
  });

  test("says the counts alone where every token counts", () => {
    const { warnings } = endingNotes({}, { ...report, wording: "least" }, kept);
    expect(warnings).toEqual([{ message: "7 of 10 omitted" }]);
  });
});

describe("possibleEndings", () => {
  test("are both that may come, with the digits of every hash charged apart", () => {
    const [without, stored] = possibleEndings(["findings", "image-1"], true, false);
    expect(without).toMatchObject({ digitBytes: 0, kept: [{ kept: undefined }, { kept: undefined }] });
    expect(stored?.digitBytes).toBe(2 * 76 + 12);
    expect(stored?.kept).toHaveLength(3);
  });

  test("have room for the full hash in the warning where it names that", () => {
    const [, stored] = possibleEndings(["findings"], true, true);
    expect(stored?.digitBytes).toBe(76 + 64);
    expect(possibleEndings(["findings"], true, true, { mentions: 2 })[1]?.digitBytes).toBe(76 + 2 * 64);
  });

  test("is one where there is no store", () => {
    expect(possibleEndings(["findings"], false, false)).toHaveLength(1);
  });
});
