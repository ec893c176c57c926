import { describe, expect, it } from "vitest";
import { NoteTaker } from "./note-taker.ts";

describe("NoteTaker", () => {
  it("has nothing to say at first", () => {
    expect(new NoteTaker().toNotes()).toEqual({});
    expect(new NoteTaker().cacheHit).toBe(false);
  });

  it("orders warnings by severity, a text alone counting as a warning", () => {
    const notes = new NoteTaker();
    notes.warn({ message: "info", severity: "info" });
    notes.warn("text");
    notes.warn({ message: "error", severity: "error" });
    expect(notes.toNotes().warnings?.map(({ message }) => message)).toEqual(["error", "text", "info"]);
  });

  it("adds up figures, the latest of each name", () => {
    const notes = new NoteTaker();
    notes.measure({ downstream_calls: 1, cache_hit: true });
    notes.measure({ downstream_calls: 2 });
    expect(notes.toNotes().telemetry).toEqual({ downstream_calls: 2, cache_hit: true });
    expect(notes.cacheHit).toBe(true);
  });

  it("takes over the notes of an answer, but not its rate limit, which is another call's", () => {
    const answer = new NoteTaker();
    answer.warn("old");
    answer.hint({ feature: "f", tier: "pro", reason: "r" });
    answer.paginate({ cursor: null, has_more: false, page_size: 5 });
    answer.measure({ rows: 3 });
    answer.limit({ limit: 10, remaining: 1 });
    const notes = new NoteTaker();
    notes.limit({ limit: 10, remaining: 9 });
    notes.take(answer.toNotes());
    expect(notes.toNotes()).toEqual({
      warnings: [{ message: "old" }],
      upgradeHints: [{ feature: "f", tier: "pro", reason: "r" }],
      pagination: { cursor: null, has_more: false, page_size: 5 },
      telemetry: { rows: 3 },
      rateLimit: { limit: 10, remaining: 9 },
    });
  });
});
