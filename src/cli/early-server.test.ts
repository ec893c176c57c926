import { describe, expect, it } from "vitest";
import { commandIn } from "./early-server.ts";

describe("the command that is started before the line is parsed", () => {
  it("is what is behind --, under options that a server on stdio can have", () => {
    expect(commandIn(["gateway", "--", "node", "server.js", "--http", "1"])).toEqual({
      name: "server",
      words: ["node", "server.js", "--http", "1"],
      log: "plain",
    });
    const line = [
      "gateway",
      "--budget",
      "500",
      "--store=memory",
      "--log=json",
      "--summary",
      "--select",
      "--name",
      "files",
      "--",
      "srv",
    ];
    expect(commandIn(line)).toEqual({ name: "files", words: ["srv"], log: "json" });
    const watched = ["gateway", "--dashboard-bodies", "--dashboard", "--dashboard-actions", "--", "srv"];
    expect(commandIn(watched)).toMatchObject({ words: ["srv"] });
    const known = [
      "gateway",
      "--budget=off",
      "--dialect=plain",
      "--profile=debug",
      "--store",
      ".",
      "--",
      "srv",
    ];
    expect(commandIn(known)).toEqual({ name: "server", words: ["srv"], log: "plain" });
  });

  it.each([
    ["another command", ["demo", "--", "srv"]],
    ["no command", ["gateway", "--"]],
    ["no --", ["gateway", "srv"]],
    ["HTTP, where each session starts its own", ["gateway", "--http", "3333", "--", "srv"]],
    ["a question for help", ["gateway", "--help", "--", "srv"]],
    ["an option without its value", ["gateway", "--budget", "--", "srv"]],
    ["a budget that is no number", ["gateway", "--budget", "abc", "--", "srv"]],
    ["a budget of nothing", ["gateway", "--budget=0", "--", "srv"]],
    ["an unknown dialect", ["gateway", "--dialect", "foo", "--", "srv"]],
    ["a profile that only a configuration may know", ["gateway", "--profile", "foo", "--", "srv"]],
    ["a store that may be refused", ["gateway", "--store", "package.json", "--", "srv"]],
    ["an unknown form of the log", ["gateway", "--log", "xml", "--", "srv"]],
    ["a configuration, which has to be read first", ["gateway", "--config", "a.yaml", "--", "srv"]],
    ["a name that no address can have", ["gateway", "--name", "a b", "--", "srv"]],
    ["a port for its dashboard, which may be taken", ["gateway", "--dashboard", "4000", "--", "srv"]],
    ["what only a dashboard can do", ["gateway", "--dashboard-actions", "--", "srv"]],
    ["an unknown option", ["gateway", "--bugdet", "1", "--", "srv"]],
  ])("is nothing for a line with %s", (_what, args) => {
    expect(commandIn(args)).toBeUndefined();
  });
});
