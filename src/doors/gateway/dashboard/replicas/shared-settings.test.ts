import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../../core/json/json-value.ts";
import type { SharedNews, SharedPlace } from "./shared-place.ts";
import { SharedSettings } from "./shared-settings.ts";

const none: Omit<SharedNews, "version" | "settings"> = {
  nowMs: 0,
  entries: [],
  replicas: [],
  asked: [],
  told: new Map(),
  epoch: "1",
};
const at = (upstream: string, path: string): string => JSON.stringify([upstream, path]);

/** Settings of one replica, and what it applied. */
function replica(upstreams: readonly string[] = ["files"]) {
  const applied: [string, string, JsonValue][] = [];
  const refused: string[] = [];
  const there = [...upstreams];
  const settings = new SharedSettings((_upstream, path) => refused.push(path));
  settings.follow((upstream, path, value) => {
    if (!there.includes(upstream)) return false;
    if (path === "odd") throw new Error("no such setting here");
    applied.push([upstream, path, value]);
    return true;
  });
  return { settings, applied, refused, there };
}

/** What is written to Redis. */
function noting() {
  const written: [boolean, ...string[]][] = [];
  const change: SharedPlace["change"] = (changes, isRestoring) => {
    written.push([isRestoring === true, ...[...changes].flat()]);
    return Promise.resolve("9");
  };
  return { written, place: { change } as SharedPlace };
}

describe("settings that replicas share", () => {
  it("are applied once for each version, and taken back when they are gone", async () => {
    const { settings, applied } = replica();
    const { place } = noting();
    const news = { ...none, version: "1", settings: new Map([[at("files", "budget.tokens"), "500"]]) };
    await settings.take(news, place);
    await settings.take({ ...none, version: "1", settings: undefined }, place);
    await settings.take({ ...news, version: "2" }, place);
    expect(applied).toEqual([["files", "budget.tokens", 500]]);
    await settings.take({ ...none, version: "3", settings: new Map() }, place);
    expect(applied.at(-1)).toEqual(["files", "budget.tokens", null]);
    expect(settings.version).toBe("3");
  });

  it("wait for an upstream that comes later, and are not refused for that", async () => {
    const { settings, applied, refused, there } = replica([]);
    const { place } = noting();
    const known = new Map([
      [at("files", "profile"), '"debug"'],
      [at("files", "odd"), "1"],
    ]);
    await settings.take({ ...none, version: "1", settings: known }, place);
    expect([applied, refused]).toEqual([[], []]);
    there.push("files");
    settings.upstreamsChanged();
    settings.upstreamsChanged();
    expect(applied).toEqual([["files", "profile", "debug"]]);
    expect(refused).toEqual(["odd"]);
  });

  it("are written again by a replica that knows them when Redis has lost them", async () => {
    const { settings } = replica();
    const { place, written } = noting();
    await settings.take({ ...none, version: "1", settings: new Map([[at("files", "a"), "1"]]) }, place);
    await settings.take({ ...none, version: "", settings: undefined }, place);
    expect(written).toEqual([[true, at("files", "a"), "1"]]);
  });

  it("that are changed here are not undone by what Redis has until they are sent", async () => {
    const { settings, applied } = replica();
    const { place, written } = noting();
    settings.note("files", "a", 2);
    await settings.take({ ...none, version: "1", settings: new Map([[at("files", "a"), "1"]]) }, place);
    expect(applied).toEqual([]);
    await settings.send(place);
    await settings.send(place);
    expect(written).toEqual([[false, at("files", "a"), "2"]]);
  });
});
