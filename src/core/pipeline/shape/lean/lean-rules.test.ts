import { describe, expect, it } from "vitest";
import { identityNames, leanPresets, opaqueNames, presetsFor } from "./lean-rules.ts";
import { ProtectedNames } from "./protected-names.ts";

describe("the presets", () => {
  it.each(leanPresets.flatMap(({ id, fields }) => fields.map((row) => [id, row] as const)))(
    "of %s says why %o is left out, and it is no identity",
    (_id, { field, why }) => {
      expect(identityNames.has(field)).toBe(false);
      expect(why.length).toBeGreaterThan(8);
    },
  );

  it("have names of their own, and second ids are no first ones", () => {
    expect(new Set(leanPresets.map(({ id }) => id)).size).toBe(leanPresets.length);
    expect([...opaqueNames].filter((name) => identityNames.has(name))).toEqual([]);
  });

  it.each([
    ["github-mcp-server", [], ["github"]],
    ["GitHubServer", [], ["github"]],
    ["@zereight/gitlab-mcp", [], ["gitlab"]],
    ["mcp-atlassian", [], ["jira", "confluence"]],
    ["my_linear", [], ["linear"]],
    ["digital-ocean", ["list_issues", "get_issue"], []],
    ["proxy", ["list_pull_requests", "search_repositories"], ["github"]],
    [
      "proxy",
      ["slack_list_channels", "slack_post_message", "jira_search", "jira_get_issue"],
      ["jira", "slack"],
    ],
    [undefined, ["pods_list", "pods_log"], ["kubernetes"]],
    [undefined, ["pods_list"], []],
    ["collinear", [], []],
  ])("are recognised by %j and %j", (server, tools, presets) => {
    expect(presetsFor(server, tools)).toEqual(presets);
  });
});

describe("protected names", () => {
  const names = new ProtectedNames(["issue_id", "cursor", "nodeIds", "repo"], new Set(["total"]));

  it.each([
    "id",
    "issue_id",
    "issueId",
    "cursor",
    "next_cursor",
    "nextCursor",
    "node_id",
    "nodeId",
    "repo",
    "total",
  ])("have %s", (field) => expect(names.has(field)).toBe(true));

  it.each(["comment_url", "issue", "cursor_type", "repository", "totals", "node", "body", ""])(
    "do not have %j",
    (field) => expect(names.has(field)).toBe(false),
  );
});
