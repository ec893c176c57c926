import { describe, expect, it } from "vitest";
import { type ToolChoice, ToolNames, renamingProblem } from "./tool-names.ts";

const listed = ["gh_issue_read", "gh_issue_write", "gh_search", "login", "describe"];

/** What clients see of the list, with the server's names. */
function shownBy(choice: ToolChoice): Readonly<Record<string, string>> {
  const names = new ToolNames(choice);
  return Object.fromEntries(
    listed.flatMap((name) => [[names.shownName(name), name]]).filter(([shown]) => shown !== undefined),
  );
}

describe("ToolNames", () => {
  it("shows all tools by their own names without rules", () => {
    expect(Object.keys(shownBy({}))).toEqual(listed);
    expect(new ToolNames({}).serverName("anything")).toBe("anything");
  });

  it("shows what is allowed and not hidden, by name or pattern", () => {
    expect(Object.keys(shownBy({ allowTools: ["gh_*", "login"], hide: ["*_write"] }))).toEqual([
      "gh_issue_read",
      "gh_search",
      "login",
    ]);
    expect(Object.keys(shownBy({ allowTools: [] }))).toEqual([]);
    expect(Object.keys(shownBy({ hide: ["*"] }))).toEqual([]);
    expect(Object.keys(shownBy({ allowTools: ["g*_is*e_*d"] }))).toEqual(["gh_issue_read"]);
  });

  it("gives other names, by the first rule that matches, and the old names mean nothing", () => {
    const choice = { renameTools: { gh_search: "find", "gh_*": "github_*" } };
    expect(shownBy(choice)).toEqual({
      github_issue_read: "gh_issue_read",
      github_issue_write: "gh_issue_write",
      find: "gh_search",
      login: "login",
      describe: "describe",
    });
    const names = new ToolNames(choice);
    expect(["find", "github_login", "gh_search", "gh_other"].map((name) => names.serverName(name))).toEqual([
      "gh_search",
      "gh_login",
      undefined,
      undefined,
    ]);
  });

  it("lets two tools exchange their names", () => {
    expect(
      shownBy({ renameTools: { login: "describe", describe: "login" }, allowTools: ["login", "describe"] }),
    ).toEqual({
      login: "describe",
      describe: "login",
    });
  });

  it("calls nothing that is hidden, by no name", () => {
    const names = new ToolNames({ hide: ["login"], renameTools: { login: "sign_in" } });
    expect(["login", "sign_in"].map((name) => names.serverName(name))).toEqual([undefined, "sign_in"]);
    expect(names.shownName("login")).toBeUndefined();
  });

  it("describes by name or pattern", () => {
    const names = new ToolNames({ describeTools: { login: "Signs in.", "gh_*": "Of GitHub." } });
    const tool = { name: "login", description: "Old", inputSchema: { type: "object" } };
    expect(names.shown(tool)).toEqual({ ...tool, description: "Signs in." });
    expect(names.describe("gh_search")).toBe("Of GitHub.");
    expect(names.describe("describe")).toBeUndefined();
  });

  it("names rules that match nothing, and a tool whose name another takes", () => {
    const names = new ToolNames({
      allowTools: ["*", "gone"],
      hide: ["none_*"],
      renameTools: { gh_search: "login", lost: "found" },
      describeTools: { logout: "x" },
    });
    expect([...names.problems(listed)]).toEqual([
      { kind: "unused", setting: "allow_tools", pattern: "gone" },
      { kind: "unused", setting: "hide", pattern: "none_*" },
      { kind: "unused", setting: "rename_tools", pattern: "lost" },
      { kind: "unused", setting: "describe_tools", pattern: "logout" },
      { kind: "clash", tool: "login", name: "login", other: "gh_search" },
    ]);
    expect(names.shownName("login")).toBeUndefined();
  });
});

describe("renamingProblem", () => {
  it("allows names, one star on both sides, and an exchange", () => {
    expect(renamingProblem({ a: "b", b: "a", "gh_*": "*_of_github" })).toBeUndefined();
  });

  it.each([
    [{ a: "c", b: "c" }, /"a" and "b" would both be "c"/],
    [{ "a_*": "b" }, /same number of stars/],
    [{ a: "b_*" }, /same number of stars/],
    [{ "*_*": "*_*" }, /one at most/],
    [{ a: "two words" }, /no name for a tool/],
  ])("says why %j cannot be used", (renameTools, why) => {
    expect(renamingProblem(renameTools as unknown as Record<string, string>)).toMatch(why);
  });
});
