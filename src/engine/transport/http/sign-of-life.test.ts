import { describe, expect, it } from "vitest";
import { lackOfLife } from "./sign-of-life.ts";

const html = "text/html; charset=utf-8";
const json = "application/json";

function judge(statusCode: number, type?: string): string | undefined {
  return lackOfLife({ statusCode, headers: { "content-type": type } })?.message;
}

describe("lackOfLife", () => {
  it.each([
    [200, json],
    [200, "Text/Event-Stream; charset=utf-8"],
    [202, undefined],
    [400, json],
    [400, html],
    [404, json],
    [405, json],
    [429, html],
    [500, json],
  ])("takes HTTP %i of type %s for a sign of life", (status, type) => {
    expect(judge(status, type)).toBeUndefined();
  });

  it.each([
    [200, html, "content type text/html"],
    [200, undefined, "content type none that can be read"],
    [308, html, "redirects are not followed"],
    [308, json, "redirects are not followed"],
    [401, json, "it wants other credentials"],
    [403, html, "are not allowed"],
    [404, html, "there is no MCP server at this address"],
    [405, undefined, "there is no MCP server at this address"],
    [500, html, "answered HTTP 500"],
    [502, json, "answered HTTP 502"],
    [503, json, "answered HTTP 503"],
  ])("takes HTTP %i of type %s for none", (status, type, says) => {
    expect(judge(status, type)).toContain(says);
  });
});
