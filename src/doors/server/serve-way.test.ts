import { describe, expect, it } from "vitest";
import { chooseWay } from "./serve-way.ts";
import type { ServeOptions } from "./serve-options.ts";

type Given = Pick<ServeOptions, "http" | "stdio">;

function way(code: Given, line = "", environment: Record<string, string> = {}): string {
  const chosen = chooseWay(code, { args: line.split(" ").filter((word) => word !== ""), environment });
  return chosen === undefined ? "stdio" : `${chosen.host}:${chosen.port}${chosen.path}`;
}

describe("chooseWay", () => {
  it("takes stdio where no source says anything", () => {
    expect(way({})).toBe("stdio");
    expect(way({ http: false })).toBe("stdio");
    expect(way({}, "", { PORT: "", WAYBILL_HTTP: " " })).toBe("stdio");
  });

  it.each([
    [{ http: true }, "", {}, "127.0.0.1:3000/mcp"],
    [{ http: 0 }, "", {}, "127.0.0.1:0/mcp"],
    [{ http: { port: 81, host: "::1", path: "/tools" } }, "", {}, "::1:81/tools"],
    [{}, "", { PORT: "8080" }, "127.0.0.1:8080/mcp"],
    [{}, "", { WAYBILL_HTTP: "true" }, "127.0.0.1:3000/mcp"],
    [{}, "", { WAYBILL_HTTP: "0.0.0.0:82" }, "0.0.0.0:82/mcp"],
    [{}, "--http", {}, "127.0.0.1:3000/mcp"],
    [{}, "--verbose --http 83 notes.json", {}, "127.0.0.1:83/mcp"],
    [{}, "--http=[::1]:84", {}, "[::1]:84/mcp"],
    [{}, "--http --verbose", {}, "127.0.0.1:3000/mcp"],
    [{}, "-- --http 85", {}, "stdio"],
  ] as const)("reads %j with %j and %j as %s", (code, line, environment, expected) => {
    expect(way(code, line, environment)).toBe(expected);
  });

  it.each([
    [
      "the command line before the environment",
      { http: 1 },
      "--http 4",
      { WAYBILL_HTTP: "3", PORT: "2" },
      ":4/",
    ],
    ["WAYBILL_HTTP before PORT", { http: 1 }, "", { WAYBILL_HTTP: "3", PORT: "2" }, ":3/"],
    ["the environment before code", { http: 1 }, "", { PORT: "2" }, ":2/"],
    ["the port of a lower layer where a higher one has none", { http: 1 }, "--http", { PORT: "2" }, ":2/"],
    [
      "the host of code with the port of the environment",
      { http: { host: "::1" } },
      "",
      { PORT: "2" },
      "::1:2/",
    ],
    [
      "a switch that is off before all below it",
      { http: 1 },
      "",
      { WAYBILL_HTTP: "off", PORT: "2" },
      "stdio",
    ],
    ["--stdio before all below it", { http: 1 }, "--stdio", { PORT: "2" }, "stdio"],
    [
      "stdio in code before everything",
      { stdio: true },
      "--http 4",
      { WAYBILL_HTTP: "3", PORT: "2" },
      "stdio",
    ],
  ] as const)("takes %s", (_what, code, line, environment, expected) => {
    expect(way(code, line, environment)).toContain(expected);
  });

  it.each([
    ["--http seven", {}, 'serve: --http is "seven". Write a port from 0 to 65535'],
    ["--http=", {}, 'serve: --http is "". Write a port'],
    ["", { PORT: "70000" }, 'serve: PORT is "70000". Write a port'],
    ["", { PORT: "0.0.0.0:80" }, 'serve: PORT is "0.0.0.0:80". Write a port from 0 to 65535.'],
    ["", { WAYBILL_HTTP: "yes" }, 'serve: WAYBILL_HTTP is "yes". Write a port'],
  ] as const)("refuses %j with %j, and says where it is", (line, environment, sentence) => {
    expect(() => way({}, line, environment)).toThrow(sentence);
  });
});
