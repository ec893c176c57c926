import { describe, expect, it } from "vitest";
import { linkTo, linkToCall, linkToTool, readRoute } from "./route.ts";

describe("readRoute", () => {
  it("reads every address of the page", () => {
    expect(readRoute("").view).toBe("overview");
    expect(readRoute("#/").view).toBe("overview");
    expect(readRoute("#/traffic").view).toBe("traffic");
    expect(readRoute("#/calls/12")).toMatchObject({ view: "call", seq: 12 });
    expect(readRoute("#/tools")).toMatchObject({ view: "tools", upstream: undefined, tool: undefined });
    expect(readRoute("#/archive").view).toBe("archive");
    expect(readRoute("#/check").view).toBe("check");
    expect(readRoute("#/config").view).toBe("config");
  });

  it.each(["#/nowhere", "#/calls", "#/calls/0", "#/calls/-1", "#/calls/1.5", "#/calls/one", "#/calls/9e99"])(
    "says that %s leads nowhere",
    (hash) => {
      expect(readRoute(hash).view).toBe("unknown");
    },
  );

  it("brings back the names of a server and a tool, whatever is in them", () => {
    const names = ["a/b", "ä ö?#&%", "%E0", "..", "日本"];
    for (const name of names)
      expect(readRoute(linkToTool(name, name))).toMatchObject({ view: "tools", upstream: name, tool: name });
  });

  it("does not fall over an address that somebody broke", () => {
    expect(readRoute("#/tools/%E0%A4%A/x")).toMatchObject({ view: "tools", upstream: "%E0%A4%A" });
  });
});

describe("linkTo", () => {
  it("leaves out of the address what was not chosen", () => {
    expect(linkTo("traffic", { outcome: "failed", tool: "" })).toBe("#/traffic?outcome=failed");
    expect(linkTo("overview")).toBe("#/");
    expect(linkToCall(7)).toBe("#/calls/7");
    expect(readRoute(linkTo("traffic", { tool: "a/b c&d" })).query.get("tool")).toBe("a/b c&d");
  });
});
