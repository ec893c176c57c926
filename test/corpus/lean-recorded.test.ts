// The rules of lean over results that programs recorded from real servers, with the calls that followed.

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  type RecordedCall,
  readCalls,
  scalarsIn,
  valuesOfLaterCalls,
} from "../../bench/harness/corpus/read-corpus.ts";
import { type JsonValue, jsonIn } from "../../src/core/json/json-value.ts";
import { leanPresets } from "../../src/core/pipeline/shape/lean/lean-rules.ts";
import { leanValue } from "../../src/core/pipeline/shape/lean/lean-value.ts";
import { ProtectedNames } from "../../src/core/pipeline/shape/lean/protected-names.ts";
import { loadCounter } from "../../src/core/tokens/token-counter.ts";
import { isRecordedRequired } from "./recorded-results.ts";

const data = new URL("../../../shared/data/", import.meta.url).pathname;
const hasData = existsSync(`${data}results`) && existsSync(`${data}payloads`);

if (!hasData) process.stderr.write("lean-recorded.test: no ../shared/data; nothing is tried\n");

const everyPreset = leanPresets.map(({ id }) => id);
const nothingGuarded = new ProtectedNames([]);
const leanOf = (value: JsonValue, presets: readonly string[]) =>
  leanValue(value, { presets, guarded: nothingGuarded, opensTexts: true });

/** What the rules leave out of all results of a file, and keep, each as what a later call took of it. */
function takenOf(calls: readonly RecordedCall[]) {
  const dropped: boolean[] = [];
  const kept: boolean[] = [];
  for (const call of calls) {
    const later = valuesOfLaterCalls(calls, call);
    for (const value of call.texts.map(jsonIn)) {
      if (typeof value !== "object" || value === null) continue;
      const lean = leanOf(value, everyPreset);
      for (const field of lean.dropped) dropped.push(scalarsIn(field.value).some((one) => later.has(one)));
      for (const one of scalarsIn(lean.value)) kept.push(later.has(one));
    }
  }
  return { dropped, kept };
}

describe.skipIf(!hasData && !isRecordedRequired)("the rules of lean", () => {
  it.each(["livemcpbench", "tau-airline"])("leave out nothing that a later call of %s took", (name) => {
    const { dropped, kept } = takenOf(readCalls(data.replace(/\/$/, ""), name) ?? []);
    expect(dropped.filter(Boolean)).toEqual([]);
    // What a later call takes is in the results: the first line could fail.
    expect(kept.filter(Boolean).length).toBeGreaterThan(50);
  });

  it("halve what GitHub sends", async () => {
    const counter = await loadCounter();
    const names = ["gh_commits", "gh_issues", "gh_labels", "gh_dir_listing", "gh_repo_single"];
    let [before, after] = [0, 0];
    for (const name of names) {
      const text = readFileSync(`${data}payloads/${name}.json`, "utf8");
      before += counter.count(text);
      after += counter.count(JSON.stringify(leanOf(JSON.parse(text) as JsonValue, ["github"]).value));
    }
    expect(after).toBeLessThan(before / 2);
  });
});
