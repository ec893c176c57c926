import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { logLevels } from "./log-event.ts";
import { metricAttributes, metricNames, outcomes, SPAN_NAME, spanAttributes } from "./telemetry-names.ts";

const page = readFileSync("docs/observe.md", "utf8");

describe("docs/observe.md", () => {
  it("names the span, every attribute, every metric and every level", () => {
    const names = [
      SPAN_NAME,
      ...[spanAttributes, metricAttributes, metricNames].flatMap((each) => Object.values(each)),
    ];
    for (const name of [...names, ...outcomes, ...Object.keys(logLevels)])
      expect(page).toContain(`\`${name}\``);
  });

  it("names no attribute or metric that does not exist", () => {
    const known = new Set<string>([
      SPAN_NAME,
      ...Object.values(spanAttributes),
      ...Object.values(metricNames),
    ]);
    const named = Array.from(page.matchAll(/`((?:waybill|mcp)\.[a-z_.]+)`/g), ([, name = ""]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
