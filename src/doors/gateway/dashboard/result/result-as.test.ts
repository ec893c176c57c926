import { assert, describe, expect, it } from "vitest";
import { dialectIds } from "../../../../core/contract/dialect-id.ts";
import { profileNames } from "../../../../core/contract/choices.ts";
import type { JsonObject } from "../../../../core/json/json-value.ts";
import { validateResponse } from "../../../../core/pipeline/dialect/validate-response.ts";
import type { ApiRoute } from "../dashboard-parts.ts";
import type { CallDetail, DialectChoices, TranslatedResult } from "../protocol/result.ts";
import { ask, problemOf, watchedGateway } from "../routes.fixture.ts";
import type { KeptCall } from "../traffic/kept-calls.ts";
import { Traffic } from "../traffic/traffic.ts";
import { type ToolDoes, toolCalls, watchedState } from "../traffic/watched-state.fixture.ts";
import { endedParcel, saidAgain } from "./kept-parcel.ts";
import { resultRoutes } from "./result-routes.ts";

const items = Array.from({ length: 80 }, (_, index) => ({
  id: `i-${index}`,
  title: `The item number ${index}`,
}));

const results: readonly (readonly [string, JsonObject])[] = [
  ["a short success", { content: [{ type: "text", text: '{"ok":1,"name":"Ada"}' }] }],
  ["a plain text", { content: [{ type: "text", text: "It is done." }] }],
  ["a success that is cut", { content: [{ type: "text", text: JSON.stringify({ items }) }] }],
  ["a failure", { content: [{ type: "text", text: "Error: no such file: /tmp/a" }], isError: true }],
  [
    "a structure with a picture beside it",
    {
      content: [
        { type: "text", text: '{"width":1}' },
        { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
      ],
      structuredContent: { width: 1 },
    },
  ],
];

interface Called {
  readonly routes: readonly ApiRoute[];
  readonly detail: CallDetail;
  readonly kept: KeptCall | undefined;
}

async function called(does: ToolDoes, options: Parameters<typeof watchedState>[1] = {}): Promise<Called> {
  const traffic = new Traffic({ bodies: true });
  const upstream = watchedState("desk", options);
  traffic.watch(upstream);
  await toolCalls(upstream)("find", does, {}, { query: "all" });
  const routes = resultRoutes(traffic, watchedGateway(upstream));
  return { routes, detail: await ask<CallDetail>(routes, "/api/calls/1"), kept: traffic.kept(1) };
}

const forms = dialectIds.flatMap((dialect) => profileNames.map((profile) => [dialect, profile] as const));

describe.each(results)("%s", (_, result) => {
  it("that was delivered in a dialect and profile is said in them as it was delivered", async () => {
    for (const [dialect, profile] of forms) {
      const { detail, kept } = await called(result, { dialect, profile });
      assert(kept !== undefined);
      const form = { dialect, profile: kept.profile };
      const ended = endedParcel(kept, detail.row, form);
      assert(ended !== undefined);
      expect([dialect, profile, await saidAgain(ended.parcel, kept, detail.row, form)]).toEqual([
        dialect,
        profile,
        JSON.parse(detail.bodies?.after.text ?? "null"),
      ]);
    }
  });

  it("that the gateway left alone or put into its own words is said in every dialect and profile", async () => {
    const { routes } = await called(result);
    for (const [dialect, profile] of forms) {
      const said = await ask<TranslatedResult>(
        routes,
        `/api/calls/1/as?dialect=${dialect}&profile=${profile}`,
      );
      const verdict = validateResponse(JSON.parse(said.body.text), { dialect, level: "result" });
      const must = verdict.violations.filter(({ severity }) => severity === "MUST");
      expect([dialect, profile, must]).toEqual([dialect, profile, []]);
      expect(said).toMatchObject({ dialect, profile });
    }
  });
});

describe("a dialect without a profile", () => {
  it("is said in the profile of the call, and the delivered one is what was delivered", async () => {
    const result = {
      content: [
        { type: "text", text: JSON.stringify({ items }) },
        { type: "text", text: "The list is the one of today. ".repeat(5) },
      ],
      structuredContent: { items },
    };
    for (const profile of profileNames) {
      const { routes, detail } = await called(result, { profile });
      const { dialect } = detail.row;
      const said = await ask<TranslatedResult>(routes, `/api/calls/1/as?dialect=${dialect}`);
      expect(said).toMatchObject({ dialect, profile, body: detail.bodies?.after });
      const other = await ask<TranslatedResult>(routes, "/api/calls/1/as?dialect=drf");
      expect(other).toMatchObject({ dialect: "drf", profile });
      // Of another profile it is said again.
      const [next = ""] = profileNames.filter((name) => name !== profile);
      expect((await ask<TranslatedResult>(routes, `/api/calls/1/as?profile=${next}`)).profile).toBe(next);
    }
  });
});

describe("what a dialect cannot carry", () => {
  it("is named in sentences", async () => {
    const { routes } = await called({
      content: [{ type: "text", text: "Error: no such file: /tmp/a" }],
      isError: true,
    });
    const said = await ask<TranslatedResult>(routes, "/api/calls/1/as?dialect=plain&profile=standard");
    expect(said.losses).toContain(
      'plain cannot carry /fault/code: it becomes "INTERNAL_ERROR", because a failure is a text alone.',
    );
  });
});

describe("what can be chosen", () => {
  it("is the six dialects, and the built-in and configured profiles", async () => {
    const { routes } = await called({ content: [] });
    const choices = await ask<DialectChoices>(routes, "/api/dialects");
    expect(choices).toEqual({ dialects: dialectIds, profiles: ["minimal", "standard", "debug"] });
  });

  it("is nothing else: a wrong name is answered with the one that was meant", async () => {
    const { routes } = await called({ content: [] });
    const wrong = await problemOf(ask(routes, "/api/calls/1/as?dialect=response-v3"));
    expect(wrong).toMatchObject({ code: "invalid", remedy: expect.stringContaining("response-v2") });
    const profile = await problemOf(ask(routes, "/api/calls/1/as?dialect=plain&profile=debgu"));
    expect(profile).toMatchObject({ code: "invalid", remedy: expect.stringContaining("debug") });
  });
});
